"""What the lesson does besides walking: a sentence is edited, a cell is asked, results are hidden."""

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual.containers import Horizontal
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from tutor.draw.line import Line, text_of, wrap
from tutor.focus import Focus
from tutor.frame import Frame, frame, named_rule
from tutor.lesson import Stop
from tutor.moves import Moves
from tutor.tui.editing import Editing
from tutor.veil import veiled
from tutor.view import View

if TYPE_CHECKING:
    from textual.widgets import Input

    from tutor.check.questions import Question
    from tutor.tui.app import TutorApp
    from tutor.tui.asking import Asking


class Modes(Screen[None]):
    """At most one of editing and asking at a time; keys are text then."""

    def __init__(self) -> None:
        super().__init__()
        self._editing: Editing | None = None
        self._asking: Asking | None = None
        self._box: Input | None = None
        """the line that is typed in"""
        self._hiding = False
        self._revealed: set[Focus] = set()
        """the places whose result was answered or shown"""
        self._verdict: tuple[Focus, Line] | None = None
        """what was said of the right answer at a place, until the place changes"""

    @property
    def tutor(self) -> "TutorApp":
        """The app that owns lesson, worksheet, engine and place."""
        return cast("TutorApp", self.app)

    @property
    def place(self) -> Focus:
        """Where the learner is."""
        return self.tutor.place

    @property
    def stop(self) -> Stop:
        """The stop where the learner is."""
        return self.tutor.lesson.stop(self.place.stop)

    def view(self) -> View:
        """What the screen shows."""
        raise NotImplementedError

    def go(self, place: Focus) -> None:
        """Replace the focus."""
        raise NotImplementedError

    def draw_lesson(self) -> None:
        """Show the view."""
        raise NotImplementedError

    @property
    def typing(self) -> bool:
        """Whether keys are text."""
        return self._editing is not None or self._asking is not None

    async def action_edit(self) -> None:
        """Open the sentence in place."""
        from tutor.tui.editor import SentenceEditor  # late: as above

        self._editing = Editing(self.tutor.worksheet, self.place.sentence)
        await self._open("edit", SentenceEditor(self.tutor.worksheet, self.place.sentence))

    async def action_ask(self) -> None:
        """Ask for the lit cell."""
        from tutor.tui.asking import AnswerBox, Asking  # late: as above

        view = self.view()
        question = self.question(view)
        if question is not None:
            self._asking = Asking(question)
            label = text_of(veiled(frame(self.tutor.lesson, view), self.stop, view).stage.working)
            self.query_one("#answer-row", Horizontal).query_one(Static).update(label.rstrip("?"))
            await self._open("answer", AnswerBox())

    def action_hide(self) -> None:
        """Hide results until they are answered or shown, and back."""
        self._hiding = not self._hiding
        self._revealed.clear()
        self.draw_lesson()

    def action_reveal(self) -> None:
        """Show the hidden result."""
        self._revealed.add(self.place)
        self.draw_lesson()

    def on_input_changed(self, event: "Input.Changed") -> None:
        """Both heads answer to the text."""
        if self._editing is not None:
            self._editing.type(event.value)
            self.draw_lesson()

    def on_input_submitted(self, event: "Input.Submitted") -> None:
        """The edited sentence is the sentence, where it is one; the answer is graded."""
        if self._editing is not None and self._editing.fault is None:
            text = " ".join(self._editing.text.split())
            self._close()
            self.go(Moves(self.tutor.lesson, self.view()).with_sentence(text))
        elif self._asking is not None:
            self._answer(self._asking, event.value)

    def on_answer_box_hint(self) -> None:
        """One hint more."""
        if self._asking is not None:
            self._asking.hint()
            self.draw_lesson()

    def on_answer_box_left(self) -> None:
        """No answer."""
        self._close()

    def on_sentence_editor_left(self) -> None:
        """The sentence before is the sentence."""
        self._close()

    def _answer(self, asking: "Asking", typed: str) -> None:
        asking.answer(typed)
        self.tutor.answered(asking)
        if asking.right:
            self._revealed.add(self.place)
            self._verdict = (self.place, asking.said)
            self._close()
        else:
            self.draw_lesson()

    async def _open(self, mode: str, box: "Input") -> None:
        self.set_class(True, f"{mode}-mode")
        await self.query_one(f"#{mode}-row").mount(box)
        self._box = box
        self.set_focus(box)
        self.draw_lesson()

    def set_focus(
        self, widget: Widget | None, scroll_visible: bool = True, from_app_focus: bool = False
    ) -> None:
        """While keys are text, neither a click nor too small a window takes them from the box."""
        super().set_focus(self._box or widget, scroll_visible, from_app_focus)

    def _close(self) -> None:
        for row in self.query(".typed").results(Horizontal):
            row.query("Input").remove()
        self._editing = self._asking = self._box = None
        self.set_focus(None)
        self.set_class(False, "edit-mode")
        self.set_class(False, "answer-mode")
        self.draw_lesson()

    def dressed(self, made: Frame, view: View) -> Frame:
        """The frame as the mode shows it."""
        if self._editing is not None:
            return self._editing.dressed(made, self.place, self.tutor.lesson, view)
        if self._asking is not None:
            return self._asking.dressed(veiled(made, self.stop, view))
        if self.is_veiled(view):
            rule = named_rule("hidden: a to answer, enter to show", view.width)
            return replace(veiled(made, self.stop, view), rule=rule)
        if self._verdict is not None and self._verdict[0] == self.place:
            return replace(made, prose=wrap(self._verdict[1], view.width))
        return made

    def is_veiled(self, view: View) -> bool:
        return self._hiding and self.place not in self._revealed and self.question(view) is not None

    def question(self, view: View) -> "Question | None":
        """The question of the lit cell, once the engine is there."""
        if view.numbers.waiting:
            return None
        from tutor.check.lit import question_for  # late: it needs numpy, which comes with the engine

        focus = view.focus
        return question_for(
            self.stop.screen_id,
            focus.worksheet,
            focus.sentence,
            view.head,
            view.receiver,
            view.source,
            view.column,
            focus.causal,
            view.beat,
        )
