"""Tables of numbers: names, columns aligned to the right, one lit cell, whole columns in the window."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len

from tutor.draw.line import DIM, EMPTY, PLAIN, Ink, Line, Rows, Span, cut, fit, pad

NAME_WIDTH = 15


class Cell(NamedTuple):
    """One cell's text; `left` and `right` are the marks in the two places kept beside it."""

    text: str
    ink: Ink = PLAIN
    left: str = " "
    right: str = " "


NOT_YET = Cell("·", DIM)
BLANK = Cell("")


def not_yet(texts: Sequence[str]) -> list[str]:
    """A · in the room of each text."""
    return [NOT_YET.text.rjust(len(text)) for text in texts]


def lit(cell: Cell) -> Cell:
    """The cell that everything on the screen speaks of."""
    return Cell(cell.text, cell.ink._replace(bold=True), "‹", "›")


class Column(NamedTuple):
    """A column of the table: its title stands above its last digit."""

    title: str
    width: int
    role: str = "text"
    gap: int = 2
    """free cells before it, beside the place for a mark"""
    left: bool = False
    """texts begin at the left: bars and words"""
    dim: bool = False
    group: str = ""
    """what stands above the columns of one head"""
    seam: bool = False
    """another head begins: a line in the gap"""
    here: bool = False
    """the lit column: an arrow before its title"""

    @property
    def taken(self) -> int:
        """Cells with the gap and the places for marks."""
        return self.gap + self.width + 2


class Row(NamedTuple):
    """A row: its name and its cells, each made when drawn."""

    name: Line
    cell: Callable[[int], Cell]
    ink: Ink = PLAIN
    """the ink of the blanks, so that a lit row has one ground"""


@dataclass(frozen=True)
class Table:
    """Columns and rows; `active` is the column to keep in the window where not all fit."""

    columns: Sequence[Column]
    count: int
    row: Callable[[int], Row | None]
    """a row by number; None is a blank line"""
    width: int
    active: int = 0
    name_width: int = NAME_WIDTH
    title: str = ""
    """what stands above the names"""

    @property
    def shown(self) -> range:
        """The columns in the window: all, or those around the active one."""
        if self._total(range(len(self.columns))) <= self.width:
            return range(len(self.columns))
        first = last = min(self.active, len(self.columns) - 1)
        while True:
            if last + 1 < len(self.columns) and self._total(range(first, last + 2)) <= self.width:
                last += 1
            elif first > 0 and self._total(range(first - 1, last + 1)) <= self.width:
                first -= 1
            else:
                return range(first, last + 1)

    def header(self) -> list[Line]:
        """The groups, where there are any, and the columns' titles; an arrow marks the lit column."""
        lines = [self._titles()]
        if any(column.group for column in self.columns):
            lines.insert(0, self._groups())
        if len(self.shown) < len(self.columns):
            note = f" ‹ columns {self.shown[0] + 1}–{self.shown[-1] + 1} of {len(self.columns)} ›"
            lines.insert(0, (Span(note, DIM),))
        return lines

    def body(self) -> Rows:
        """The rows, each drawn when it is looked at."""
        shown = self.shown
        return Rows(self.count, lambda y: self._draw(self.row(y), shown))

    def _total(self, shown: range) -> int:
        return self.name_width + sum(self.columns[c].taken for c in shown)

    def _titles(self) -> Line:
        spans = [Span(fit(self.title, self.name_width), DIM)]
        for c in self.shown:
            column = self.columns[c]
            title = fit(column.title, column.width, right=not column.left)
            ink = Ink(column.role, bold=column.here, dim=column.dim)
            spans.append(Span(" " * column.gap))
            spans.append(Span(_pointed(title) if column.here else " " + title, ink))
            spans.append(Span(" "))
        return tuple(spans)

    def _groups(self) -> Line:
        line: Line = (Span(" " * self.name_width),)
        named = ""
        start = self.name_width
        for c in self.shown:
            column = self.columns[c]
            if column.group != named:
                named = column.group
                line = (
                    *pad(cut(line, start + column.gap), start + column.gap + 1),
                    Span(named, Ink(bold=not column.dim, dim=column.dim)),
                )
            start += column.taken
        return cut(line, self.width)

    def _draw(self, row: Row | None, shown: range) -> Line:
        if row is None:
            return EMPTY
        spans = list(pad(cut(row.name, self.name_width), self.name_width))
        for c in shown:
            column, cell = self.columns[c], row.cell(c)
            blanks = " " * (column.width - cell_len(cell.text))
            click = cell.ink.click or row.ink.click
            ink = cell.ink._replace(lit=row.ink.lit, click=click, dim=cell.ink.dim or column.dim)
            mark = row.ink._replace(bold=True, dim=column.dim)
            before, after = ("", blanks) if column.left else (blanks, "")
            gap = fit(" │" if column.seam else "", column.gap)
            spans.append(Span(gap + before, row.ink))
            spans.append(Span(cell.left, mark))
            spans.append(Span(cell.text, ink))
            spans.append(Span(cell.right, mark))
            if after:
                spans.append(Span(after, row.ink))
        return tuple(span for span in spans if span.text)


def _pointed(title: str) -> str:
    """The title with an arrow before its first letter."""
    bare = title.lstrip()
    return " " * (len(title) - len(bare)) + "▾" + bare


def number_row(
    name: str, role: str, texts: Sequence[str], active: int | None, width: int, name_width: int = 9
) -> Line:
    """One row in brackets behind its name; where it is too wide, the numbers around the active one."""
    size = max(map(cell_len, texts)) + 3
    room = max(1, (width - name_width - 4) // size)
    first, last, at = 0, len(texts), active or 0
    if len(texts) > room:
        room = max(1, (width - name_width - 18) // size)
        first = max(0, min(at - room // 2, len(texts) - room))
        last = first + room
    spans = [Span(fit(name, name_width), Ink(role, bold=True)), Span("[ ")]
    for c in range(first, last):
        blanks = " " * (size - 2 - cell_len(texts[c]))
        spans += (
            [
                Span(blanks),
                Span("‹", Ink(bold=True)),
                Span(texts[c], Ink(bold=True)),
                Span("›", Ink(bold=True)),
            ]
            if c == active
            else [Span(f"{blanks} {texts[c]} ")]
        )
    spans.append(Span(" ]"))
    if last - first < len(texts):
        spans.append(Span(f" ‹ {first + 1}–{last} of {len(texts)} ›", DIM))
    return tuple(spans)
