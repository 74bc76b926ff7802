"""A widget that shows lines: a pinned header, and rows that scroll beneath it."""

from collections.abc import Sequence

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tutor.draw.ascii import ascii_line
from tutor.draw.line import DIM, EMPTY, Line, Rows, Span, cut, pad, rows, stack, width_of
from tutor.draw.palette import CLICK, Palette

LOWEST = 4
"""rows that must be left below a header that stays"""
WHEEL = 3
"""rows a turn of the wheel"""


class LineView(Widget, can_focus=False):
    """Makes only the lines in its window, and paints only those that have changed."""

    DEFAULT_CSS = """
    LineView {
        height: 1;
    }
    """

    def __init__(self, id: str, *, ascii_only: bool = False) -> None:
        super().__init__(id=id)
        self._ascii_only = ascii_only
        self._palette = Palette()
        self._content: tuple[Rows, Sequence[Line], int] = (rows(()), (), 0)
        """the rows, the header above them, and the row to keep in sight"""
        self._top = 0
        """the first row of the body in the window"""
        self._lines: list[Line] = []
        """what the window shows"""

    def show(self, body: Rows, palette: Palette, pinned: Sequence[Line] = (), keep: int = 0) -> None:
        """Show these lines, the row `keep` in sight."""
        if palette is not self._palette:
            self._palette, self._lines = palette, []
        self._content = body, pinned, keep
        self._keep_in_sight()

    def scroll_rows(self, step: int) -> None:
        """Move the window so many rows down."""
        self._move_to(self._top + step)

    def on_resize(self) -> None:
        """Another window: the kept row stays in sight."""
        self._lines = []
        self._keep_in_sight()

    async def on_click(self, event: events.Click) -> None:
        """Do what the ink under the mouse says; with shift a word becomes the receiver."""
        action = event.style.meta.get(CLICK)
        if action:
            event.stop()
            action = action.replace("at_source", "at_receiver") if event.shift else action
            await self.screen.run_action(action)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel."""
        self.scroll_rows(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel."""
        self.scroll_rows(-WHEEL)

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        line = self._lines[y] if y < len(self._lines) else pad(EMPTY, self.size.width)
        return Strip([Segment(text, self._palette.style(ink)) for text, ink in line], self.size.width)

    def _laid_out(self) -> tuple[Rows, Sequence[Line], int]:
        """The content; where the window is low, its header scrolls with the rows."""
        body, pinned, keep = self._content
        if self.size.height - len(pinned) >= LOWEST:
            return self._content
        return stack(rows(pinned), body), (), keep + len(pinned)

    def _keep_in_sight(self) -> None:
        """Scroll no further than the kept row and its neighbours ask."""
        body, pinned, keep = self._laid_out()
        room = self.size.height - len(pinned)
        first, last = max(keep - 1, 0), min(keep + 1, body.count - 1)
        self._move_to(max(last - room + 1, min(self._top, first)))

    def _move_to(self, top: int) -> None:
        width, height = self.size
        body, pinned, _ = self._laid_out()
        room = height - len(pinned)
        self._top = max(0, min(top, body.count - room))
        shown = [*pinned, *map(body.line, range(self._top, min(self._top + room, body.count)))]
        below = body.count - self._top - room
        if below > 0 and room > 1:
            shown[-1] = (Span(f" ↓ {below + 1} more", DIM),)
        shown += [EMPTY] * (height - len(shown))
        self._paint([self._fitted(line, width) for line in shown])

    def _fitted(self, line: Line, width: int) -> Line:
        line = pad(ascii_line(line) if self._ascii_only else line, width)
        return line if width_of(line) == width else cut(line, width)

    def _paint(self, lines: list[Line]) -> None:
        before, self._lines = self._lines, lines
        if len(before) != len(lines):
            self.refresh()
            return
        changed = [Region(0, y, self.size.width, 1) for y, line in enumerate(lines) if line != before[y]]
        if changed:
            self.refresh(*changed)
