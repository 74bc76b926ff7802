"""Dialogs that Escape closes: something to read, and the list of stops."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.command import CommandPalette
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tutor.draw.line import Line
from tutor.draw.palette import Palette
from tutor.lesson import Stop
from tutor.tui.typed import Typed


class Once:
    """A dialog that closes once: a second Enter that is on its way must not close what lies below."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close, and give the result."""
        dialog = cast(ModalScreen[Any], self)
        return ModalScreen.dismiss(dialog, result) if dialog.is_current else AwaitComplete()


class Commands(Once, CommandPalette):
    """The list of commands."""

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):  # a page key before the list is laid out
            super()._action_command_list(action)


class Reading(Once, ModalScreen[None]):
    """Lines to read in a box: the keys, or the engine's code."""

    BINDINGS = [Binding("escape,question_mark,c,q", "leave", "back")]

    def __init__(self, title: str, lines: Sequence[Line], palette: Palette) -> None:
        super().__init__()
        self._heading = title
        self._text = Text("\n").join(
            Text.assemble(*((span.text, palette.style(span.ink)) for span in line)) for line in lines
        )

    def compose(self) -> ComposeResult:
        """A box that scrolls."""
        with VerticalScroll(classes="dialog reading") as box:
            box.border_title = self._heading
            box.border_subtitle = "↑↓ scroll   esc back"
            yield Static(self._text)

    def action_leave(self) -> None:
        """Back to the lesson."""
        self.dismiss(None)


class GoTo(Once, ModalScreen[tuple[str, list[str]]]):
    """The stops, filtered as one types; gives the chosen stop and the places typed after it, `2 r7`."""

    BINDINGS = [
        Binding("escape", "leave", "back"),
        Binding("up", "mark(-1)", "up", show=False),
        Binding("down", "mark(1)", "down", show=False),
    ]

    def __init__(
        self, stops: Sequence[Stop], current: str, fault: Callable[[str, list[str]], str | None]
    ) -> None:
        super().__init__()
        self._stops = stops
        self._current = current
        self._fault = fault
        self._places: list[str] = []

    def compose(self) -> ComposeResult:
        """A line to type in, above the stops that fit it."""
        with Vertical(classes="dialog") as box:
            box.border_title = "go to"
            box.border_subtitle = "↑↓ choose   enter go   esc back"
            yield Typed(compact=True, select_on_focus=False)
            yield OptionList(markup=False)
            yield Static(markup=False)

    def on_mount(self) -> None:
        """Show all stops, the current one marked."""
        self.query_one(OptionList).can_focus = False
        self.set_focus(self.query_one(Typed))
        self._filter("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the stops that fit what is typed."""
        self._filter(event.value)

    def on_input_submitted(self) -> None:
        """Go to the marked stop."""
        marked = self.query_one(OptionList).highlighted_option
        if marked is not None and marked.id is not None:
            self._choose(marked.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click goes there."""
        self._choose(event.option_id or "")

    def action_mark(self, step: int) -> None:
        """Mark the stop above or below."""
        options = self.query_one(OptionList)
        (options.action_cursor_up if step < 0 else options.action_cursor_down)()

    def action_leave(self) -> None:
        """Stay where we are."""
        self.dismiss(None)

    def _choose(self, stop_id: str) -> None:
        fault = self._fault(stop_id, self._places)
        if fault is None:
            self.dismiss((stop_id, self._places))
        else:
            self.query_one(Static).update(fault)

    def _filter(self, typed: str) -> None:
        words = typed.casefold().split()
        found = [stop for stop in self._stops if not words or words[0] in _described(stop).casefold()]
        if exact := [stop for stop in found if words and stop.id == words[0]]:
            found = exact
        self._places = words[1:]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(_described(stop), id=stop.id) for stop in found])
        ids = [stop.id for stop in found]
        if found:
            options.highlighted = ids.index(self._current) if self._current in ids else 0
        hint = "then, if you like: 2 head, r7 receiver, s3 source, c1 column, b4 beat"
        self.query_one(Static).update(f"{len(found)} of {len(self._stops)} stops; {hint}")


def _described(stop: Stop) -> str:
    head = "" if stop.head is None else f"head {stop.head + 1}"
    return f"{stop.chapter} {stop.id:<16}{head:<8}{stop.chapter_title}"
