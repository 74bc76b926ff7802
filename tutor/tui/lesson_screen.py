"""The lesson's screen: its keys replace the focus, its widgets show what the focus gives."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.actions import parse
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from tutor.choice import WIDEST, Choice, linked
from tutor.code import code_lines
from tutor.draw.line import Line, rows, text_of, wrap
from tutor.draw.number import Numbers
from tutor.errors import TutorError
from tutor.focus import Focus
from tutor.frame import Frame, frame, named_rule, thin_rule
from tutor.lesson import Stop
from tutor.moves import Moves
from tutor.tui.editing import Editing
from tutor.tui.keys import BINDINGS, KEYS, Key, help_lines, key_bar
from tutor.tui.line_view import LineView
from tutor.veil import veiled
from tutor.view import View

if TYPE_CHECKING:
    from textual.widgets import Input

    from tutor.check.questions import Question
    from tutor.tui.app import TutorApp
    from tutor.tui.asking import Asking

_ACTIONS = {key.action.partition("(")[0] for key in KEYS}
SMALLEST = (40, 12)
LOW = 16
"""lines below which map and rules give way to the stage"""
MORE_DECIMALS = 3


class LessonScreen(Screen[None]):
    """Shows the app's focus; while a sentence is edited or a cell is asked, what belongs to that."""

    BINDINGS = BINDINGS

    def __init__(self) -> None:
        super().__init__()
        self._more = 0
        self._editing: Editing | None = None
        self._asking: Asking | None = None
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
    def typing(self) -> bool:
        """Whether keys are text."""
        return self._editing is not None or self._asking is not None

    def compose(self) -> ComposeResult:
        """The parts of the frame, from top to bottom."""
        ascii_only = self.tutor.ascii_only
        with Vertical(id="lesson"):
            for part in ("title", "path-map", "strip"):
                yield LineView(part, ascii_only=ascii_only)
            yield Horizontal(Static(" edit "), id="edit-row", classes="typed")
            for part in ("rule", "stage", "working"):
                yield LineView(part, ascii_only=ascii_only)
            yield Horizontal(Static(markup=False), id="answer-row", classes="typed")
            for part in ("thin-rule", "prose", "key-bar"):
                yield LineView(part, ascii_only=ascii_only)
        yield Static(id="too-small")

    def on_resize(self, event: events.Resize) -> None:
        """Another room, the same place; too small a window says so."""
        columns, lines = event.size
        self.set_class(columns < SMALLEST[0] or lines < SMALLEST[1], "small")
        self.set_class(lines < LOW, "low")
        needs = f"needs {SMALLEST[0]}×{SMALLEST[1]} (now {columns}×{lines}), q quits"
        self.query_one("#too-small", Static).update(needs)
        self.draw_lesson()

    def on_screen_resume(self) -> None:
        """Back from a dialog."""
        if self.is_mounted:
            self.draw_lesson()

    def draw_lesson(self) -> None:
        """Show what the focus gives."""
        if self.size.width == 0 or self.has_class("small"):
            return
        view = self.view()
        made = self._dressed(frame(self.tutor.lesson, view), view)
        palette = self.tutor.palette
        for part, line in (
            ("title", made.title),
            ("path-map", made.path_map),
            ("rule", made.rule),
            ("working", made.stage.working),
            ("thin-rule", thin_rule(view.width)),
            ("key-bar", self._bar(view)),
        ):
            self._part(part).show(rows((line,)), palette)
        self._show_lines("strip", made.strip, len(made.strip))
        self._show_lines("prose", made.prose, max(len(made.prose), self._prose_height()))
        self._part("stage").show(made.stage.body, palette, made.stage.pinned, made.stage.keep)
        if not self.typing:
            self.tutor.drew(self.place, view)

    def view(self) -> View:
        """The view of the focus; while editing, that of the comparison with the sentence before."""
        tutor, edit = self.tutor, self._editing
        place = self.place if edit is None else edit.focus(self.place, tutor.lesson)
        width = min(self.size.width, WIDEST)
        numbers = Numbers(self._more, tutor.tracer.waiting)
        before = None if edit is None else edit.before
        return tutor.lesson.view(place, tutor.worksheet, tutor.tracer, width, numbers, before)

    def go(self, place: Focus) -> None:
        """Replace the focus."""
        if place != self.place:
            self.tutor.go(place)
            self.draw_lesson()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """None, greyed, for a key that leads nowhere; while keys are text they lead nowhere else."""
        if self.typing:
            return action not in _ACTIONS
        return self._may(action, parameters, self.view()) or None if self.size.width else True

    def action_move(self, step: str, *arguments: object) -> None:
        """One of the steps of `tutor/moves.py`."""
        self.go(self._moved(self.view(), step, *arguments))

    def action_decimals(self) -> None:
        """More decimals, and back."""
        self._more = MORE_DECIMALS - self._more
        self.draw_lesson()

    def action_scroll(self, step: int) -> None:
        """Scroll the stage."""
        self._part("stage").scroll_rows(step)

    def action_leave(self) -> None:
        """Quit; the place is kept."""
        self.tutor.exit()

    def action_help(self) -> None:
        """All keys."""
        self._read("keys", list(help_lines()))

    def action_overview(self) -> None:
        """What was seen and answered."""
        from tutor.overview import overview  # late: only this key needs it

        self._read("progress", overview(self.tutor.lesson, self.tutor.progress, self.place.stop))

    def action_code(self) -> None:
        """The engine's lines behind the lit cell."""
        view = self.view()
        shapes = {} if view.numbers.waiting else view.trace.shapes()
        self._read("code", code_lines(self._code(view), shapes))

    def action_go_to(self) -> None:
        """Choose a stop from the list."""
        from tutor.tui.dialogs import GoTo  # late: 15 ms that the first paint need not wait for

        def fault(stop_id: str, places: list[str]) -> str | None:
            try:
                self._target(stop_id, places)
            except TutorError as error:
                return str(error)
            return None

        def enter(chosen: tuple[str, list[str]] | None) -> None:
            if chosen is not None:
                self.go(self._target(*chosen))

        self.tutor.push_screen(GoTo(self.tutor.lesson.stops, self.place.stop, fault), enter)

    def action_edit(self) -> None:
        """Open the sentence in place."""
        from tutor.tui.editor import SentenceEditor  # late: as above

        self._editing = Editing(self.tutor.worksheet, self.place.sentence)
        self._open("edit", SentenceEditor(self.tutor.worksheet, self.place.sentence))

    def action_ask(self) -> None:
        """Ask for the lit cell."""
        from tutor.tui.asking import AnswerBox, Asking  # late: as above

        view = self.view()
        question = self._question(view)
        if question is not None:
            self._asking = Asking(question)
            label = text_of(veiled(frame(self.tutor.lesson, view), self._stop, view).stage.working)
            self.query_one("#answer-row", Horizontal).query_one(Static).update(label.rstrip("?"))
            self._open("answer", AnswerBox())

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

    def _open(self, mode: str, box: "Input") -> None:
        self.query_one(f"#{mode}-row").mount(box)
        self.set_class(True, f"{mode}-mode")
        self.call_after_refresh(box.focus)
        self.draw_lesson()

    def _close(self) -> None:
        for row in self.query(".typed").results(Horizontal):
            row.query("Input").remove()
        self._editing = self._asking = None
        self.set_class(False, "edit-mode")
        self.set_class(False, "answer-mode")
        self.draw_lesson()

    @property
    def _stop(self) -> Stop:
        return self.tutor.lesson.stop(self.place.stop)

    def _target(self, stop_id: str, places: list[str]) -> Focus:
        here = self.place
        _, choice = linked([stop_id, *places], Choice(here.worksheet, here.sentence, None, here.causal))
        return next(choice.focuses(self.tutor.lesson, stop_id))

    def _read(self, title: str, lines: list[Line]) -> None:
        from tutor.tui.dialogs import Reading  # late: as above

        self.tutor.push_screen(Reading(title, lines, self.tutor.palette))

    def _dressed(self, made: Frame, view: View) -> Frame:
        """The frame as the mode shows it."""
        if self._editing is not None:
            return self._editing.dressed(made, self.place, self.tutor.lesson, view)
        if self._asking is not None:
            return self._asking.dressed(veiled(made, self._stop, view))
        if self._is_veiled(view):
            rule = named_rule("hidden: a to answer, enter to show", view.width)
            return replace(veiled(made, self._stop, view), rule=rule)
        if self._verdict is not None and self._verdict[0] == self.place:
            return replace(made, prose=wrap(self._verdict[1], view.width))
        return made

    def _bar(self, view: View) -> Line:
        """The key bar of the mode."""
        if self._editing is not None:
            return self._editing.KEYS
        if self._asking is not None:
            return self._asking.keys
        return key_bar(lambda key: self._may(*parse(key.action)[1:], view), view.width)

    def _may(self, action: str, arguments: tuple[object, ...], view: View) -> bool:
        """Whether an action leads anywhere."""
        if action == "move":
            return self._moved(view, *arguments) != self.place
        if action == "code":
            return bool(self._code(view))
        if action == "ask":
            return self._question(view) is not None
        if action == "reveal":
            return self._is_veiled(view)
        return True

    def _is_veiled(self, view: View) -> bool:
        return self._hiding and self.place not in self._revealed and self._question(view) is not None

    def _question(self, view: View) -> "Question | None":
        """The question of the lit cell, once the engine is there."""
        if view.numbers.waiting:
            return None
        from tutor.check.lit import question_for  # late: it needs numpy, which comes with the engine

        focus = view.focus
        return question_for(
            self._stop.screen_id,
            focus.worksheet,
            focus.sentence,
            view.head,
            view.receiver,
            view.source,
            view.column,
            focus.causal,
            view.beat,
        )

    def _code(self, view: View) -> tuple[str, ...]:
        """The names behind the lit cell: those of the beat or of the last beat before it that has some."""
        code = self._stop.screen.CODE
        reached = [beat for beat in view.beats if view.reached(beat) and beat in code]
        return code[reached[-1]] if reached else ()

    def _moved(self, view: View, step: Any = "", *arguments: Any) -> Focus:
        return cast(Focus, getattr(Moves(self.tutor.lesson, view), step)(*arguments))

    def _part(self, part: str) -> LineView:
        return self.query_one(f"#{part}", LineView)

    def _show_lines(self, part: str, lines: list[Line], height: int) -> None:
        widget = self._part(part)
        if widget.styles.height is None or widget.styles.height.value != height:
            widget.styles.height = height
        widget.show(rows(lines), self.tutor.palette)

    def _prose_height(self) -> int:
        """Lines kept for the prose, so that the stage does not move from beat to beat."""
        columns, lines = self.size
        if lines < LOW:
            return 1
        return 4 if columns < 60 else 3 if columns >= 100 and lines >= 30 else 2
