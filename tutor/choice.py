"""What the options of a command say, turned into a worksheet, a sentence and the views to show."""

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tutor.engine.worksheet import ReadySentence, Worksheet
from tutor.errors import TutorError, shown
from tutor.focus import Focus
from tutor.lesson import Lesson
from tutor.paths import worksheet_path

NARROWEST, WIDEST = 40, 132
"""cells of a line; a wider window centres the lesson"""
_PLACES = {"": "head", "h": "head", "r": "receiver", "s": "source", "c": "column", "b": "beat"}
_PLACE = re.compile(r"([hrscb]?)(\d{1,6})")


@dataclass(frozen=True)
class Choice:
    """Positions count from 1, as options and people do; None follows the lesson."""

    worksheet: str = "river-bank"
    """a shipped worksheet's name or a path"""
    sentence: str | None = None
    case: str | None = None
    """a ready sentence's name"""
    causal: bool = True
    beat: int | None = None
    head: int | None = None
    receiver: int | None = None
    source: int | None = None
    column: int | None = None

    def open(self) -> tuple[Worksheet, str]:
        """The worksheet and the sentence; TutorError where either cannot be read."""
        worksheet = Worksheet.load(worksheet_path(self.worksheet))
        if self.sentence is not None and self.case is not None:
            raise TutorError("--sentence and --case are both given: use one of them")
        text = _ready(worksheet, self.case).text if self.sentence is None else self.sentence
        worksheet.read(text)
        return worksheet, text

    def focuses(
        self, lesson: Lesson, stop_id: str | None, worksheet: Worksheet, text: str
    ) -> Iterator[Focus]:
        """One focus a beat, on what was opened; TutorError for a position that is not there."""
        n_words = len(worksheet.read(text).words)
        stops = lesson.stops if stop_id is None else (lesson.stop(stop_id),)
        beat = _position("--beat", self.beat, max(len(stop.beats) for stop in stops))
        head = _position("--head", self.head, worksheet.n_heads)
        receiver = _position("--receiver", self.receiver, n_words)
        source = _position("--source", self.source, n_words)
        if self.column is not None and self.column < 1:
            raise TutorError(f"--column {self.column} is given: columns count from 1")
        column = None if self.column is None else self.column - 1
        for stop in stops:
            for at in range(len(stop.beats)) if beat is None else [beat]:
                if at < len(stop.beats):
                    own = min(stop.head or 0, worksheet.n_heads - 1)
                    at_head = own if head is None else head
                    yield Focus(
                        self.worksheet, text, stop.id, at, at_head, receiver, source, column, self.causal
                    )


def linked(words: Sequence[str], choice: Choice) -> tuple[str | None, Choice]:
    """A deep link, `scores 2 r7 s3 c1 b4`: stop, then head, receiver, source, column and beat as wanted."""
    if not words:
        return None, choice
    stop_id, *places = words
    for place in places:
        match = _PLACE.fullmatch(place.casefold())
        if match is None:
            raise TutorError(f"{shown(place)} is no place: write 2 for head 2, r7 for receiver 7, s, c or b")
        place_of: dict[str, Any] = {_PLACES[match[1]]: int(match[2])}
        choice = replace(choice, **place_of)
    return stop_id, choice


def terminal_width(given: int | None) -> int:
    """Cells of a printed line: as given, else the terminal's, 80 where there is none."""
    if given is not None:
        if not NARROWEST <= given <= WIDEST:
            raise TutorError(f"--width {given} is given: allowed are {NARROWEST} to {WIDEST}")
        return given
    if not sys.stdout.isatty():
        return 80
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


def _ready(worksheet: Worksheet, name: str | None) -> ReadySentence:
    for sentence in worksheet.sentences:
        if name in (None, sentence.name):
            return sentence
    names = ", ".join(sentence.name for sentence in worksheet.sentences)
    raise TutorError(f"no case {shown(name or '')}: this worksheet has {names}")


def _position(option: str, given: int | None, count: int) -> int | None:
    """An option's position, from 0."""
    if given is not None and not 1 <= given <= count:
        raise TutorError(f"{option} {given} is given: allowed are 1 to {count}")
    return None if given is None else given - 1
