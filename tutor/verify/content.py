"""The content checked against the screens: each fault names its file and says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tutor.content import Content, listed
from tutor.draw.line import text_of, wrap
from tutor.engine.sketch import sketch
from tutor.engine.worksheet import Worksheet
from tutor.lesson import Lesson, Screen, Stop, screen_of
from tutor.paths import worksheet_path
from tutor.prose import ContentError, fill
from tutor.verify.check import Check
from tutor.view import View

OFFERS = ("BEATS", "columns", "render", "facts")
"""what a screen's module must have"""
MOST_WORDS, MOST_IN_SENTENCE, MOST_LINES = 26, 15, 2
"""of one beat; the lines at 80 columns"""


def check_content(folder: Path, worksheet: Worksheet | None = None) -> Iterator[Check]:
    """One check for the lesson's list, one for stray files and one a screen; of faults, one each."""
    worksheet = worksheet or Worksheet.load(worksheet_path("river-bank"))
    try:
        screens = tuple(dict.fromkeys(entry.screen_id for entry in listed(folder)[1]))
    except ContentError as error:
        yield Check("content: lesson.toml", False, str(error))
        return
    yield from _told("content: lesson.toml", _stops(folder), f"{len(screens)} screens in order")
    yield from _told("content: stray files", _stray(folder, screens), "none")
    for screen_id in screens:
        yield from _told(
            f"content: {screen_id}", _screen(folder, screen_id, worksheet), "beats and facts fit"
        )


def _told(name: str, faults: Iterator[str], passed: str) -> list[Check]:
    return [Check(name, False, fault) for fault in faults] or [Check(name, True, passed)]


def _stops(folder: Path) -> Iterator[str]:
    """Faults of `lesson.toml` itself; those of the other files are told by their own checks."""
    try:
        stops = Lesson.load(folder).stops
    except ContentError as error:
        if "lesson.toml" in str(error):
            yield str(error)
        return
    for stop in stops:
        order = [beat for beat in stop.content.prose if beat in stop.beats]
        if list(stop.beats) != order:
            yield f"content/lesson.toml: the beats of {stop.id} are out of order: write {', '.join(order)}"


def _stray(folder: Path, screens: tuple[str, ...]) -> Iterator[str]:
    wanted = {"lesson.toml", *(f"{screen_id}.md" for screen_id in screens)}
    for path in sorted(folder.iterdir()):
        if path.name not in wanted:
            yield f"content/{path.name} belongs to no stop: name it in content/lesson.toml or remove it"


def _screen(folder: Path, screen_id: str, worksheet: Worksheet) -> Iterator[str]:
    """Faults of one content file and its module, each compared with the other."""
    module = f"tutor/screens/{screen_id.replace('-', '_')}.py"
    try:
        content = Content.load(folder / f"{screen_id}.md")
    except ContentError as error:
        yield str(error)
        return
    try:
        screen = screen_of(screen_id)
    except ImportError as error:
        yield f"{module} cannot be imported ({error}): write it, or remove its stops from content/lesson.toml"
        return
    if lacking := [name for name in OFFERS if not hasattr(screen, name)]:
        yield f"{module} has no {' and no '.join(lacking)}: add what class Screen in tutor/lesson.py asks for"
        return
    if faults := list(_beats(screen_id, module, screen, content)):
        yield from faults
        return
    yield from _facts(screen_id, module, screen, content, worksheet)
    for beat in content.prose:
        yield from _prose(screen_id, beat, content, worksheet)


def _beats(screen_id: str, module: str, screen: Screen, content: Content) -> Iterator[str]:
    for beat in screen.BEATS:
        if beat not in content.prose:
            yield f"content/{screen_id}.md has no beat {beat}, which {module} shows: add ## {beat}"
    for beat in content.prose:
        if beat not in screen.BEATS:
            yield f"content/{screen_id}.md has a beat {beat}: add it to BEATS in {module} or remove it"
    if sorted(screen.BEATS) == sorted(content.prose) and list(screen.BEATS) != list(content.prose):
        yield f"content/{screen_id}.md has its beats out of order: write {', '.join(screen.BEATS)}"


def _facts(
    screen_id: str, module: str, screen: Screen, content: Content, worksheet: Worksheet
) -> Iterator[str]:
    used = {piece.text for pieces in content.prose.values() for piece in pieces if piece.is_fact}
    offered = {
        fact for beat in content.prose for view in _views(screen_id, beat, content, worksheet)
        for fact in screen.facts(view)
    }  # fmt: skip
    common = next(_views(screen_id, screen.BEATS[0], content, worksheet)).common_facts
    for fact in sorted(offered - used - set(common)):
        yield f"{module} offers {{{fact}}}, which no beat of content/{screen_id}.md uses: use it or remove it"


def _prose(screen_id: str, beat: str, content: Content, worksheet: Worksheet) -> Iterator[str]:
    """Faults of one beat's words; the first of a kind is enough."""
    at, pieces = f"content/{screen_id}.md, beat {beat}", content.prose[beat]
    for piece in pieces:
        numbers = [word for word in piece.text.split() if any(map(str.isnumeric, word))]
        if numbers and not piece.is_fact:
            yield f"{at}: a typed-in number, {numbers[0]}: let {{a fact}} say it"
    if not pieces:
        yield f"{at}: no words: write what is to be seen"
    told = set()
    for view in _views(screen_id, beat, content, worksheet):
        facts = {**view.common_facts, **screen_of(screen_id).facts(view)}
        unknown = [piece.text for piece in pieces if piece.is_fact and piece.text not in facts]
        if unknown:
            yield f"{at}: unknown fact {{{unknown[0]}}}: use one of {', '.join(sorted(facts))}"
            return
        line = fill(pieces, facts)
        for kind, fault in _lengths(text_of(line), len(wrap(line, 80))).items():
            if kind not in told:
                told.add(kind)
                yield f"{at}: {fault}"


def _lengths(text: str, lines: int) -> Mapping[str, str]:
    """What is too long in a beat, with its facts filled in."""
    faults = {}
    if (count := _count(text)) > MOST_WORDS:
        faults["beat"] = f"{count} words, {MOST_WORDS} allowed: cut it or make two beats of it"
    if lines > MOST_LINES:
        faults["lines"] = f"{lines} lines at 80 columns, {MOST_LINES} allowed: cut it"
    for sentence in re.split(r"(?<=[.?!])[”’]?\s+", text):
        if (count := _count(sentence)) > MOST_IN_SENTENCE:
            faults["sentence"] = (
                f"a sentence of {count} words, {MOST_IN_SENTENCE} allowed: split “{sentence[:30]}…”"
            )
    return faults


def _count(text: str) -> int:
    """Words and numbers; signs between them are none."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def _views(screen_id: str, beat: str, content: Content, worksheet: Worksheet) -> Iterator[View]:
    """The beat at each head, for each ready sentence."""
    stop = Stop(screen_id, screen_id, None, 1, "", tuple(content.prose), content)
    lesson = Lesson("", (stop,))
    start = replace(lesson.start(worksheet, worksheet.name), beat=stop.beats.index(beat))
    for sentence in worksheet.sentences:
        for head in range(worksheet.n_heads):
            focus = replace(start, sentence=sentence.text, head=head)
            yield lesson.view(focus, worksheet, sketch, 80)
