"""The lesson's screen: its keys replace the focus, its widgets show what the focus gives."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.actions import parse
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from tutor.choice import Choice, linked
from tutor.code import code_lines
from tutor.draw.line import Ink, Line, Span, ends, line_of, rows, wrap
from tutor.draw.number import Numbers
from tutor.engine.worksheet import SentenceError
from tutor.errors import TutorError
from tutor.focus import Focus
from tutor.frame import frame, named_rule, path_map, thin_rule
from tutor.moves import Moves
from tutor.tui.keys import BINDINGS, EDITING, KEYS, Key, help_lines, key_bar
from tutor.tui.line_view import LineView
from tutor.view import View

if TYPE_CHECKING:
    from textual.widgets import Input

    from tutor.tui.app import TutorApp

_ACTIONS = {key.action.partition("(")[0] for key in KEYS}
SMALLEST = (40, 12)
LOW = 16
"""lines below which map and rules give way to the stage"""
WIDEST = 132
MORE_DECIMALS = 3
COMPARED = "other-bank"
"""the stop that compares two sentences: the editor shows its last beat"""


class LessonScreen(Screen[None]):
    """Shows the app's focus; while a sentence is edited, the comparison with the sentence before."""

    BINDINGS = BINDINGS

    def __init__(self) -> None:
        super().__init__()
        self._more = 0
        self._before: str | None = None
        """the sentence before an edit, while there is one"""
        self._text = self._valid = ""
        """what stands in the editor, and the last of it that is a sentence"""

    @property
    def tutor(self) -> "TutorApp":
        """The app that owns lesson, worksheet and engine."""
        return cast("TutorApp", self.app)

    @property
    def place(self) -> Focus:
        """Where the learner is."""
        return self.tutor.place

    @property
    def editing(self) -> bool:
        """Whether the sentence is being edited."""
        return self._before is not None

    def compose(self) -> ComposeResult:
        """The parts of the frame, from top to bottom."""
        ascii_only = self.tutor.ascii_only
        with Vertical(id="lesson"):
            for part in ("title", "path-map", "strip"):
                yield LineView(part, ascii_only=ascii_only)
            yield Horizontal(Static(" edit ", id="edit-label"), id="edit-row")
            for part in ("rule", "stage", "working", "thin-rule", "prose", "key-bar"):
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
        made = frame(self.tutor.lesson, view)
        palette = self.tutor.palette
        rule, prose, keys = made.rule, made.prose, key_bar(lambda key: self._may(view, key), view.width)
        heading, stations = made.title, made.path_map
        if self.editing:
            stop = self.tutor.lesson.stop(self.place.stop)
            heading = ends(line_of(" edit the sentence", bold=True), heading[1:], view.width)
            stations = path_map(self.tutor.lesson, stop, view.width)
            rule, keys = self._edit_rule(view.width), EDITING
            fault = self._fault()
            if fault is not None:
                prose = wrap((Span(str(fault), Ink("wrong", bold=True)),), view.width)
        for part, line in (
            ("title", heading),
            ("path-map", stations),
            ("rule", rule),
            ("working", made.stage.working),
            ("thin-rule", thin_rule(view.width)),
            ("key-bar", keys),
        ):
            self._part(part).show(rows((line,)), palette)
        self._show_lines("strip", made.strip, len(made.strip))
        self._show_lines("prose", prose, max(len(prose), self._prose_height()))
        stage = made.stage
        self._part("stage").show(stage.body, palette, stage.pinned, stage.keep)
        self.tutor.drawn = self.place

    def view(self) -> View:
        """The view of the focus; while editing, that of the comparison with the sentence before."""
        tutor = self.tutor
        width = min(self.size.width, WIDEST)
        numbers = Numbers(self._more, tutor.tracer.waiting)
        place = self.place
        if self.editing:
            last = len(tutor.lesson.stop(COMPARED).beats) - 1
            place = replace(place, stop=COMPARED, beat=last, sentence=self._valid, source=None, column=None)
            place = tutor.lesson.clamp(place, tutor.worksheet)
        return tutor.lesson.view(place, tutor.worksheet, tutor.tracer, width, numbers, self._before)

    def go(self, place: Focus) -> None:
        """Replace the focus."""
        if place != self.place:
            self.tutor.go(place)
            self.draw_lesson()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """None, greyed, for a key that leads nowhere; while editing, every key is text."""
        if self.editing:
            return action not in _ACTIONS
        if action == "code":
            return True if self._code(self.view()) else None
        if action == "move" and self.size.width:
            return True if self._moved(self.view(), *parameters) != self.place else None
        return True

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

    def action_code(self) -> None:
        """The engine's lines behind the lit cell."""
        view = self.view()
        shapes = {} if view.numbers.waiting else view.trace.shapes()
        self._read("code", code_lines(self._code(view), shapes))

    def action_go_to(self) -> None:
        """Choose a stop from the list."""
        from tutor.tui.dialogs import GoTo  # late: 15 ms that the first paint need not wait for

        def target(stop_id: str, places: list[str]) -> Focus:
            here = self.place
            _, choice = linked([stop_id, *places], Choice(here.worksheet, here.sentence, None, here.causal))
            return next(choice.focuses(self.tutor.lesson, stop_id))

        def fault(stop_id: str, places: list[str]) -> str | None:
            try:
                target(stop_id, places)
            except TutorError as error:
                return str(error)
            return None

        def enter(chosen: tuple[str, list[str]] | None) -> None:
            if chosen is not None:
                self.go(target(*chosen))

        self.tutor.push_screen(GoTo(self.tutor.lesson.stops, self.place.stop, fault), enter)

    def action_edit(self) -> None:
        """Open the sentence in place."""
        from tutor.tui.editor import SentenceEditor  # late: as above

        self._before = self._text = self._valid = self.place.sentence
        editor = SentenceEditor(self.tutor.worksheet, self.place.sentence)
        self.query_one("#edit-row").mount(editor)
        self.set_class(True, "editing")
        self.call_after_refresh(editor.focus)
        self.draw_lesson()

    def on_input_changed(self, event: "Input.Changed") -> None:
        """Both heads answer to the text, while it is a sentence; else the last one stays."""
        if self.editing:
            self._text = event.value
            if self._fault() is None:
                self._valid = event.value
            self.draw_lesson()

    def on_input_submitted(self) -> None:
        """The edited sentence is the sentence, where it is one."""
        if self._fault() is not None:
            return
        text = " ".join(self._text.split())
        self._leave_editor()
        self.go(Moves(self.tutor.lesson, self.view()).with_sentence(text))

    def on_sentence_editor_left(self) -> None:
        """The sentence before is the sentence."""
        self._leave_editor()

    def _read(self, title: str, lines: list[Line]) -> None:
        from tutor.tui.dialogs import Reading  # late: as above

        self.tutor.push_screen(Reading(title, lines, self.tutor.palette))

    def _code(self, view: View) -> tuple[str, ...]:
        """The names behind the lit cell: those of the beat or of the last beat before it that has some."""
        code = self.tutor.lesson.stop(view.focus.stop).screen.CODE
        reached = [beat for beat in view.beats if view.reached(beat) and beat in code]
        return code[reached[-1]] if reached else ()

    def _leave_editor(self) -> None:
        self.query_one("#editor").remove()
        self._before = None
        self.set_class(False, "editing")
        self.draw_lesson()

    def _moved(self, view: View, step: Any = "", *arguments: Any) -> Focus:
        return cast(Focus, getattr(Moves(self.tutor.lesson, view), step)(*arguments))

    def _may(self, view: View, key: Key) -> bool:
        _, action, arguments = parse(key.action)
        if action == "code":
            return bool(self._code(view))
        return action != "move" or self._moved(view, *arguments) != self.place

    def _edit_rule(self, width: int) -> Line:
        words = len(self._text.split())
        fault = self._fault()
        unknown = len(fault.unknown) if fault else 0
        known = f"{unknown} not known" if unknown else "all known" if words else "none yet"
        return named_rule(f"{words} of {self.tutor.worksheet.context} words, {known}", width)

    def _fault(self) -> SentenceError | None:
        try:
            self.tutor.worksheet.read(self._text)
        except SentenceError as error:
            return error
        return None

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
