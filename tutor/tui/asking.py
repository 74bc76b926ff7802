"""While the lit cell is asked: the question, the hints given, the verdict, and how the frame tells."""

import time
from dataclasses import replace

from textual.binding import Binding
from textual.message import Message

from tutor.check.grade import grade
from tutor.check.questions import Question
from tutor.check.report import Result
from tutor.draw.line import DIM, Ink, Line, Span, wrap
from tutor.frame import Frame, named_rule
from tutor.progress import Answer
from tutor.tui.keys import bar_of
from tutor.tui.typed import Typed

TWINS = "Some mistakes give the same number here: try another row or sentence too."


SKILLS = {
    "look-ups": ("E",),
    "products": ("Q", "K", "V", "raw", "delta_E", "hidden", "logits"),
    "softmax": ("scores", "exp", "total", "A", "probabilities"),
    "messages": ("contributions", "messages"),
    "joining": ("joined", "E_prime"),
}
"""what is practised, by the quantity that is asked"""


def skill_of(question: Question) -> str:
    """What the question practises."""
    return next(skill for skill, fields in SKILLS.items() if question.kind.field in fields)


class AnswerBox(Typed):
    """A line for one number or row; h is no part of a number, so it asks for a hint."""

    BINDINGS = [
        Binding("h", "hint", "hint", priority=True, show=False),
        Binding("escape", "leave", "leave", show=False),
        Binding("tab", "leave", "leave", show=False),
    ]

    class Hint(Message):
        """The learner asks for a hint."""

    class Left(Message):
        """Escape: no answer."""

    def __init__(self) -> None:
        super().__init__(compact=True, select_on_focus=False)
        self.cursor_blink = False

    def action_hint(self) -> None:
        """Ask for a hint."""
        self.post_message(self.Hint())

    def action_leave(self) -> None:
        """Leave the question."""
        self.post_message(self.Left())


class Asking:
    """One question until it is answered right or left."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.result: Result | None = None
        self._hints = 0

    @property
    def right(self) -> bool:
        """Whether the last answer was right."""
        return self.result is not None and self.result.verdict == "right"

    @property
    def keys(self) -> Line:
        """The key bar, with the hints that are left."""
        left = len(self.question.kind.hints) - self._hints
        return bar_of(("enter", "check"), ("h", f"hint ({left} left)"), ("esc", "leave"))

    @property
    def said(self) -> Line:
        """What is said of the last answer."""
        return verdict_line(self.result, self.question) if self.result is not None else ()

    @property
    def noted(self) -> Answer:
        """The last answer, for the progress."""
        diagnosis = self.result.diagnosis if self.result is not None else None
        told = "" if diagnosis is None else diagnosis.id
        return Answer(self.question.stop, skill_of(self.question), self.right, told, time.time())

    def hint(self) -> None:
        """One hint more."""
        self._hints = min(self._hints + 1, len(self.question.kind.hints))
        self.result = None

    def answer(self, typed: str) -> Result:
        """Grade what is typed."""
        self.result = grade(self.question, typed)
        return self.result

    def dressed(self, frame: Frame) -> Frame:
        """The veiled frame, with the prompt, then the hint or the verdict, as its prose."""
        rule = "a row: [1.2, 3.4]" if self.question.shape else "a number"
        return replace(
            frame,
            rule=named_rule(f"{rule}, {self.question.decimals} decimals", frame.width),
            prose=wrap(self._told(), frame.width),
        )

    def _told(self) -> Line:
        if self.result is not None:
            return self.said
        if self._hints:
            hint = self.question.kind.hints[self._hints - 1]
            return (Span(f"Hint {self._hints}: ", Ink(bold=True)), Span(hint))
        return (Span(self.question.prompt),)


def verdict_line(result: Result, question: Question) -> Line:
    """The verdict in a word and a sign, and what to do."""
    if result.verdict == "right":
        note = result.message or ("" if question.separates else TWINS)
        return (Span("✓ Right. ", Ink("right", bold=True)), Span(note))
    words = {"close": "Nearly. ", "unreadable": "Not read. ", "blank": "Nothing typed. "}
    said = Span("✗ " + words.get(result.verdict, "Not yet. "), Ink("wrong", bold=True))
    return (said, Span(result.message, DIM if result.verdict == "blank" else Ink()))
