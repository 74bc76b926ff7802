"""The lesson's screen: its keys replace the focus, its widgets show what the focus gives."""

from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.actions import parse
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from tutor.choice import WIDEST, Choice, linked
from tutor.code import code_lines
from tutor.draw.line import Line, rows
from tutor.draw.number import Numbers
from tutor.errors import TutorError
from tutor.focus import Focus
from tutor.frame import frame, thin_rule
from tutor.moves import Moves
from tutor.tui.keys import BINDINGS, KEYS, help_lines, key_bar
from tutor.tui.line_view import LineView
from tutor.tui.modes import Modes
from tutor.view import View

if TYPE_CHECKING:
    pass

_ACTIONS = {key.action.partition("(")[0] for key in KEYS}
SMALLEST = (40, 12)
LOW = 16
"""lines below which map and rules give way to the stage"""
MORE_DECIMALS = 3


class LessonScreen(Modes):
    """Shows the app's focus; while a sentence is edited or a cell is asked, what belongs to that."""

    BINDINGS = BINDINGS

    def __init__(self) -> None:
        super().__init__()
        self._more = 0

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
        quits = "ctrl+c twice" if self.typing else "q"
        needs = f"needs {SMALLEST[0]}×{SMALLEST[1]} (now {columns}×{lines}), {quits} quits"
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
        made = self.dressed(frame(self.tutor.lesson, view), view)
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

    async def action_go_to(self) -> None:
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

        await self.tutor.push_screen(GoTo(self.tutor.lesson.stops, self.place.stop, fault), enter)

    def _target(self, stop_id: str, places: list[str]) -> Focus:
        here = self.place
        _, choice = linked([stop_id, *places], Choice(here.worksheet, here.sentence, None, here.causal))
        return next(choice.focuses(self.tutor.lesson, stop_id, self.tutor.worksheet, here.sentence))

    def _read(self, title: str, lines: list[Line]) -> None:
        from tutor.tui.dialogs import Reading  # late: as above

        self.tutor.push_screen(Reading(title, lines, self.tutor.palette))

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
            return self.question(view) is not None
        if action == "reveal":
            return self.is_veiled(view)
        return True

    def _code(self, view: View) -> tuple[str, ...]:
        """The names behind the lit cell: those of the beat or of the last beat before it that has some."""
        code = self.stop.screen.CODE
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
