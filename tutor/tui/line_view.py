"""A widget that shows lines: a pinned header, and rows that scroll beneath it."""

from collections.abc import Sequence

from rich.segment import Segment
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tutor.draw.ascii import ascii_line
from tutor.draw.line import DIM, Line, Rows, Span, pad, rows
from tutor.draw.palette import Palette


class LineView(ScrollView, can_focus=False):
    """Draws only the lines in its window."""

    DEFAULT_CSS = """
    LineView {
        height: 1;
        scrollbar-size: 0 0;
    }
    """

    def __init__(self, id: str, *, ascii_only: bool = False) -> None:
        super().__init__(id=id)
        self._pinned: Sequence[Line] = ()
        self._body: Rows = rows(())
        self._palette = Palette()
        self._ascii_only = ascii_only
        self._keep = 0

    def show(
        self, body: Rows, palette: Palette, pinned: Sequence[Line] = (), keep: int | None = None
    ) -> None:
        """Show these lines; the row `keep` comes into sight."""
        self._pinned, self._body, self._palette = pinned, body, palette
        size = Size(self.size.width, len(pinned) + body.count)
        if size != self.virtual_size:
            self.virtual_size = size
        if keep is not None:
            self._keep = keep
            self.keep_in_sight()
        self.refresh()

    def show_line(self, line: Line, palette: Palette) -> None:
        """Show one line."""
        self.show(rows((line,)), palette)

    def keep_in_sight(self) -> None:
        """Scroll no further than the kept row asks."""
        room = self.size.height - len(self._pinned)
        if room <= 0:
            return
        top, last = round(self.scroll_y), self._body.count - room
        below = 0 if self._keep >= self._body.count - 1 else 1
        if self._keep < top + 1:
            top = self._keep - 1
        elif self._keep + below > top + room - 1:
            top = self._keep + below - room + 1
        self.scroll_to(y=max(0, min(top, last)), animate=False)

    def on_resize(self) -> None:
        """A row in sight stays in sight."""
        self.keep_in_sight()

    def render_line(self, y: int) -> Strip:
        """One line of the window; the last one says how much is below it."""
        width = self.size.width
        top = len(self._pinned)
        at = y - top + round(self.scroll_y)
        below = self._body.count - at - 1
        if y < top:
            line = self._pinned[y]
        elif at >= self._body.count:
            line = ()
        elif y == self.size.height - 1 and below > 0:
            line = (Span(f" ↓ {below + 1} more", DIM),)
        else:
            line = self._body.line(at)
        if self._ascii_only:
            line = ascii_line(line)
        style = self._palette.style
        strip = Strip([Segment(span.text, style(span.ink)) for span in pad(line, width)])
        return strip.crop(0, width).apply_style(self.rich_style).simplify()
