"""The lesson: its chapters, stops and beats, and the steps between them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from tutor.content import Content, Entry, listed
from tutor.draw.line import Line
from tutor.draw.number import Numbers
from tutor.engine.trace import TraceOf
from tutor.engine.worksheet import ReadySentence, Worksheet
from tutor.errors import TutorError
from tutor.focus import Focus
from tutor.prose import ContentError, fill
from tutor.view import Columns, Fact, Stage, View


class Screen(Protocol):
    """What a module of `tutor/screens/` offers: pure functions of one view."""

    BEATS: tuple[str, ...]
    CODE: Mapping[str, tuple[str, ...]]
    """of a beat: the names of `engine/attention.py` that make its numbers"""

    def columns(self, view: View) -> Columns:
        """Which columns can be lit, and which one the beat lights by itself."""

    def render(self, view: View) -> Stage:
        """The stage and the lit cell's arithmetic."""

    def facts(self, view: View) -> dict[str, Fact]:
        """What this screen's prose may call by a name."""


@dataclass(frozen=True)
class Stop:
    """A screen on the lesson's path, for one head where the screen shows one."""

    id: str
    screen_id: str
    head: int | None
    chapter: int
    chapter_title: str
    beats: tuple[str, ...]
    content: Content

    @property
    def screen(self) -> Screen:
        """The module that draws it."""
        return screen_of(self.screen_id)

    def prose(self, view: View, facts: Mapping[str, Fact] | None = None) -> Line:
        """What is said at this beat, with the screen's facts or others of the same names."""
        own = self.screen.facts(view) if facts is None else facts
        return fill(self.content.prose[view.beat], {**view.common_facts, **own})


def screen_of(screen_id: str) -> Screen:
    """The module `tutor/screens/<id>.py`, imported when first needed."""
    return cast(Screen, import_module("tutor.screens." + screen_id.replace("-", "_")))


@dataclass(frozen=True)
class Lesson:
    """All stops in order."""

    title: str
    stops: tuple[Stop, ...]

    @classmethod
    def load(cls, folder: Path) -> "Lesson":
        """Read `lesson.toml` and the content files that it names."""
        title, entries = listed(folder)
        return cls(title, tuple(_stops(entries, folder)))

    @cached_property
    def stations(self) -> tuple[str, ...]:
        """The path map, in the order of the lesson."""
        return tuple(dict.fromkeys(stop.content.station for stop in self.stops))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {stop.id: at for at, stop in enumerate(self.stops)}

    def stop(self, stop_id: str) -> Stop:
        """The stop of this name; TutorError names those there are."""
        if stop_id not in self._index:
            names = ", ".join(stop.id for stop in self.stops)
            raise TutorError(f"no stop {stop_id[:40]!r}: the stops are {names}")
        return self.stops[self._index[stop_id]]

    def start(self, worksheet: Worksheet, name: str) -> Focus:
        """The first beat of the lesson, on the worksheet's own sentence."""
        first = self.stops[0]
        return Focus(name, worksheet.sentences[0].text, first.id, head=first.head or 0)

    def clamp(self, focus: Focus, worksheet: Worksheet) -> Focus:
        """The focus with every position in its range; an unknown stop becomes the first."""
        if focus.stop not in self._index:
            focus = self.enter(focus, self.stops[0].id)
        n_words = len(worksheet.read(focus.sentence).words)
        return focus.within(len(self.stop(focus.stop).beats), worksheet.n_heads, n_words)

    def enter(self, focus: Focus, stop_id: str, beat: int = 0) -> Focus:
        """At a stop: its head, and the column that its beat speaks of."""
        stop = self.stop(stop_id)
        return replace(focus, stop=stop_id, beat=beat % len(stop.beats), head=stop.head or 0, column=None)

    def forward(self, focus: Focus) -> Focus:
        """The next beat, at a stop's end the next stop; the same focus at the lesson's end."""
        if focus.beat + 1 < len(self.stop(focus.stop).beats):
            return replace(focus, beat=focus.beat + 1, column=None)
        return self.other_stop(focus, 1)

    def back(self, focus: Focus) -> Focus:
        """The beat before, at a stop's start the last beat of the stop before."""
        if focus.beat > 0:
            return replace(focus, beat=focus.beat - 1, column=None)
        return self.other_stop(focus, -1, beat=-1)

    def other_stop(self, focus: Focus, step: int, beat: int = 0) -> Focus:
        """The stop so many further; the same focus where there is none."""
        at = self._index[focus.stop] + step
        return self.enter(focus, self.stops[at].id, beat) if 0 <= at < len(self.stops) else focus

    def view(
        self,
        focus: Focus,
        worksheet: Worksheet,
        trace_of: TraceOf,
        width: int,
        numbers: Numbers | None = None,
        before: str | None = None,
    ) -> View:
        """What the focus shows; `before` is the sentence before an edit. The focus must be clamped."""
        stop = self.stop(focus.stop)
        tokens = worksheet.read(focus.sentence)
        other = worksheet.read(next_ready(worksheet, focus.sentence).text if before is None else before)
        view = View(
            worksheet,
            trace_of(worksheet, tokens.ids, focus.causal),
            tokens.words,
            focus,
            stop.beats[focus.beat],
            stop.screen.BEATS,
            width,
            other=trace_of(worksheet, other.ids, focus.causal),
            other_words=other.words,
            wide_of=lambda: trace_of(_wide(worksheet), tokens.ids, focus.causal),
            numbers=numbers or Numbers(),
        )
        columns = stop.screen.columns(view)
        if focus.column is None:
            return replace(view, column=columns.own)
        lit = focus.column if focus.column in columns.order else max(columns.order)
        return replace(view, column=lit)


@lru_cache(maxsize=8)
def _wide(worksheet: Worksheet) -> Worksheet:
    return worksheet.one_wide_head()


def next_ready(worksheet: Worksheet, text: str) -> ReadySentence:
    """The ready sentence after this one; the first after any other."""
    texts = [sentence.text.casefold().split() for sentence in worksheet.sentences]
    words = text.casefold().split()
    at = texts.index(words) + 1 if words in texts else 0
    return worksheet.sentences[at % len(texts)]


def _stops(entries: Iterable[Entry], folder: Path) -> Iterator[Stop]:
    seen: set[str] = set()
    contents: dict[str, Content] = {}
    for entry in entries:
        screen_id = entry.screen_id
        stop_id = f"{screen_id}-{entry.head}" if screen_id in seen and entry.head else screen_id
        if stop_id in seen:
            raise ContentError(f"content/lesson.toml: stop {stop_id} stands twice: name another head")
        seen.add(stop_id)
        if screen_id not in contents:
            contents[screen_id] = Content.load(folder / f"{screen_id}.md")
        content = contents[screen_id]
        beats = entry.beats or tuple(content.prose)
        if missing := [beat for beat in beats if beat not in content.prose]:
            raise ContentError(f"content/{screen_id}.md has no beat {missing[0]}: add ## {missing[0]}")
        yield Stop(
            stop_id,
            screen_id,
            None if entry.head is None else entry.head - 1,
            entry.chapter,
            entry.chapter_title,
            beats,
            content,
        )
