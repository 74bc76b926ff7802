"""Dialogs that Escape closes: the help, and the list of stops."""

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tutor.draw.line import Line, text_of
from tutor.lesson import Stop


class Help(ModalScreen[None]):
    """All keys, made from the bindings."""

    BINDINGS = [Binding("escape,question_mark,q", "dismiss", "back")]

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """A box of lines that scrolls."""
        with Vertical(classes="dialog") as box:
            box.border_title = "keys"
            box.border_subtitle = "↑↓ scroll   esc back"
            yield OptionList(*(Option(Text(text_of(line))) for line in self._lines))


class GoTo(ModalScreen[str]):
    """The stops, filtered as one types; gives the chosen stop's name."""

    BINDINGS = [
        Binding("escape", "dismiss", "back"),
        Binding("up", "move(-1)", "up", show=False),
        Binding("down", "move(1)", "down", show=False),
    ]

    def __init__(self, stops: Sequence[Stop], current: str) -> None:
        super().__init__()
        self._stops = stops
        self._current = current

    def compose(self) -> ComposeResult:
        """A line to type in, above the stops that fit it."""
        with Vertical(classes="dialog") as box:
            box.border_title = "go to"
            box.border_subtitle = "↑↓ choose   enter go   esc back"
            yield Input(compact=True, select_on_focus=False)
            yield OptionList()
            yield Static()

    def on_mount(self) -> None:
        """Show all stops, the current one marked."""
        self.query_one(OptionList).can_focus = False
        self._filter("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the stops that fit what is typed."""
        self._filter(event.value)

    def on_input_submitted(self) -> None:
        """Go to the marked stop."""
        chosen = self.query_one(OptionList).highlighted_option
        if chosen is not None:
            self.dismiss(chosen.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click goes there."""
        self.dismiss(event.option_id)

    def action_move(self, step: int) -> None:
        """Mark the stop above or below."""
        options = self.query_one(OptionList)
        (options.action_cursor_up if step < 0 else options.action_cursor_down)()

    def _filter(self, typed: str) -> None:
        found = [stop for stop in self._stops if typed.casefold().strip() in _described(stop).casefold()]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(Text(_described(stop)), id=stop.id) for stop in found])
        ids = [stop.id for stop in found]
        if found:
            options.highlighted = ids.index(self._current) if self._current in ids else 0
        self.query_one(Static).update(f"{len(found)} of {len(self._stops)} stops")


def _described(stop: Stop) -> str:
    head = "" if stop.head is None else f"head {stop.head + 1}"
    return f"{stop.chapter} {stop.id:<16}{head:<8}{stop.chapter_title}"
