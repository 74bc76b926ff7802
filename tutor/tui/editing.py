"""While the sentence is edited: what is typed, the last of it that is a sentence, and how the frame tells."""

from dataclasses import replace

from tutor.draw.line import Ink, Line, Span, ends, line_of, wrap
from tutor.engine.worksheet import SentenceError, Worksheet
from tutor.focus import Focus
from tutor.frame import Frame, named_rule, path_map
from tutor.lesson import Lesson
from tutor.tui.keys import bar_of
from tutor.view import View

COMPARED = "other-bank"
"""the stop that compares two sentences: the editor shows its last beat"""
SAID = "weights"
"""the beat whose prose says what each head reads now"""


class Editing:
    """One edit; `before` is the sentence that Escape restores."""

    KEYS: Line = bar_of(("enter", "keep"), ("esc", "undo"), ("tab", "complete"), ("ctrl+u", "clear"))

    def __init__(self, worksheet: Worksheet, before: str) -> None:
        self._worksheet = worksheet
        self.before = self.text = self.valid = before

    def type(self, text: str) -> None:
        """Another text; while it is no sentence the last one stays in force."""
        self.text = text
        if self.fault is None:
            self.valid = text

    @property
    def fault(self) -> SentenceError | None:
        """Why the text is no sentence; None where it is one."""
        try:
            self._worksheet.read(self.text)
        except SentenceError as error:
            return error
        return None

    def focus(self, here: Focus, lesson: Lesson) -> Focus:
        """The comparison with the sentence before."""
        last = len(lesson.stop(COMPARED).beats) - 1
        there = replace(here, stop=COMPARED, beat=last, sentence=self.valid, source=None, column=None)
        return lesson.clamp(there, self._worksheet)

    def dressed(self, frame: Frame, here: Focus, lesson: Lesson, view: View) -> Frame:
        """The comparison's frame, with the count of words and what is wrong with them."""
        fault = self.fault
        words, unknown = len(self.text.split()), len(fault.unknown) if fault else 0
        known = f"{unknown} not known" if unknown else "all known" if words else "none yet"
        return replace(
            frame,
            title=ends(line_of(" edit the sentence", bold=True), frame.title[1:], frame.width),
            path_map=path_map(lesson, lesson.stop(here.stop), frame.width),
            rule=named_rule(f"{words} of {self._worksheet.context} words, {known}", frame.width),
            prose=wrap(
                lesson.stop(COMPARED).prose(replace(view, beat=SAID))
                if fault is None
                else (Span(str(fault), Ink("wrong", bold=True)),),
                frame.width,
            ),
        )
