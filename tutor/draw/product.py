"""A row times a matrix as the eye reads it: in one line of sight, crossing, or stacked."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tutor.draw.line import DIM, EMPTY, Ink, Line, Rows, Span, fit, rows, stack, width_of
from tutor.draw.number import on_point
from tutor.draw.table import Cell, Column, Row, Table, lit

_NAME = 10


@dataclass(frozen=True)
class Product:
    """The texts of one row, one matrix and their product; `active` is the result's lit column."""

    row_name: str
    row: Sequence[str]
    matrix: Sequence[Sequence[str]]
    result: Sequence[str | None]
    """None, or a · in the room that a number will need: not shown yet"""
    inner: Sequence[str]
    """names of the row's columns, which are the matrix's rows"""
    outer: Sequence[str]
    """names of the matrix's columns, which are the result's columns"""
    active: int | None
    roles: tuple[str, str, str] = ("E", "Q", "Q")
    """of the row, the matrix and the result"""
    dim: bool = False
    row_names: Sequence[str] | None = None
    """names above the row, where they are not those of the matrix's rows"""
    seams: Container[int] = ()
    """the row's columns with which another head begins"""
    below: Sequence[tuple[str, Sequence[str | None]]] = ()
    """further rows beneath the result, by name; a name without texts stands alone"""

    def draw(self, width: int) -> Rows:
        """The widest of the forms that fits."""
        for form, pad in ((self._line_of_sight, " "), (self._crossing, " "), (self._crossing, "")):
            drawn = form(pad)
            if max(map(width_of, drawn)) <= width:
                return rows(map(self._toned, drawn))
        stacked = self._stacked(width)
        return Rows(stacked.count, lambda y: self._toned(stacked.line(y)))

    def _toned(self, line: Line) -> Line:
        return tuple(Span(text, ink._replace(dim=self.dim)) for text, ink in line)

    def _line_of_sight(self, pad: str) -> list[Line]:
        left, right, result = self._left(), self._right(pad), self._result(pad)
        middle = len(self.matrix) // 2
        lines: list[Line] = []
        blank_left, blank_result = _blank(left[0]), _blank(result[0])
        for y in range(len(self.matrix) + 2):
            at_row = y - 2 == middle
            titles = y == 1
            lines.append(
                (
                    *(left[1] if at_row else left[0] if titles else blank_left),
                    Span("  ×  " if at_row else "     "),
                    *right[y],
                    Span("  =  " if at_row else "     "),
                    *(result[1] if at_row else result[0] if titles else blank_result),
                )
            )
        return [*lines, *self._beneath(width_of(left[0]) + width_of(right[0]) + 10, pad)]

    def _crossing(self, pad: str) -> list[Line]:
        """The matrix's row names stand above the row, so that matrix and result share their columns."""
        left, right, result = self._left(), self._right(pad), self._result(pad)
        start = max(width_of(left[0]) + 1 + 4 * len(pad), self._inner_width)
        indent = Span(" " * (start - self._inner_width))
        return [
            *((indent, *line) for line in right),
            EMPTY,
            left[0],
            (*left[1], Span(" " * (start - width_of(left[1]))), *result[1]),
            *self._beneath(start, pad),
        ]

    def _beneath(self, start: int, pad: str) -> list[Line]:
        lines: list[Line] = []
        for name, texts in self.below:
            cells = self._cells(texts, None, pad) if texts else EMPTY
            lines.append((Span(fit(name, start + 2 if texts else cell_len(name))), *cells))
        return lines

    def _stacked(self, width: int) -> Rows:
        active = self.active or 0
        left: list[Table] = []
        first = 0
        while first < len(self.inner):
            last = first + len(self._row_part(first, len(self.inner), width).shown)
            left.append(self._row_part(first, last, width))
            first = last
        right = self._table(self.inner, self.matrix, self.outer, self.roles[1], active, active, width)
        result = self._table(
            [self.row_name, *(name.split("   ")[0] for name, _ in self.below)],
            [self.result, *(texts or [""] * len(self.outer) for _, texts in self.below)],
            self.outer,
            self.roles[2],
            active,
            active,
            width,
            mark=True,
        )
        times, equals = rows([(Span(" ×", DIM),)]), rows([(Span(" =", DIM),)])
        return stack(*map(_drawn, left), times, _drawn(right), equals, _drawn(result))

    def _row_part(self, first: int, last: int, width: int) -> Table:
        """Some columns of the row; no key moves its window, so all its parts are shown."""
        row, names = [self.row[first:last]], (self.row_names or self.inner)[first:last]
        return self._table([self.row_name], row, names, self.roles[0], 0, None, width)

    def _table(
        self,
        names: Sequence[str],
        matrix: Sequence[Sequence[str | None]],
        titles: Sequence[str],
        role: str,
        window: int,
        active: int | None,
        width: int,
        mark: bool = False,
    ) -> Table:
        columns = [
            Column(("▾" if c == active else "") + title, max(_widest(matrix, c), cell_len(title) + 1), role)
            for c, title in enumerate(titles)
        ]

        def row(y: int) -> Row:
            return Row(
                (Span(fit(f" {names[y].strip()}", _NAME)),),
                lambda c: _cell(matrix[y][c], mark and y == 0 and c == active),
            )

        return Table(columns, len(matrix), row, width, window, _NAME)

    def _left(self) -> list[Line]:
        titles: list[Span] = [Span(" " * (_NAME + 2))]
        figures: list[Span] = [Span(fit(self.row_name, _NAME), Ink(bold=True)), Span("[ ")]
        for c, (text, name) in enumerate(zip(self.row, self.row_names or self.inner, strict=True)):
            width = max(cell_len(text), cell_len(name))
            if c in self.seams:
                titles.append(Span("  "))
                figures.append(Span("│ ", DIM))
            titles.append(Span(fit(name, width, right=True) + " ", Ink(self.roles[0])))
            figures.append(Span(text.rjust(width) + " "))
        titles.append(Span(" "))
        figures.append(Span("]"))
        return [tuple(titles), tuple(figures)]

    @property
    def _inner_width(self) -> int:
        return max(map(cell_len, self.inner)) + 1

    @property
    def _outer_widths(self) -> list[int]:
        filled = [texts for _, texts in self.below if texts]
        return [
            max(cell_len(name), _widest([*self.matrix, self.result, *filled], c))
            for c, name in enumerate(self.outer)
        ]

    def _right(self, pad: str) -> list[Line]:
        """An arrow line, the titles, and the rows in tall brackets behind their names."""
        indent = " " * (self._inner_width + 2)
        arrows: list[Span] = [Span(indent)]
        titles: list[Span] = [Span(indent)]
        for c, (name, width) in enumerate(zip(self.outer, self._outer_widths, strict=True)):
            here = c == self.active
            arrows.append(Span(f"{pad} {'▾' if here else '':>{width}} {pad}", Ink(bold=True)))
            titles.append(Span(f"{pad} {fit(name, width, right=True)} {pad}", Ink(self.roles[1], bold=here)))
        lines: list[Line] = [tuple(arrows), tuple(titles)]
        columns = [on_point([row[c] for row in self.matrix]) for c in range(len(self.outer))]
        last = len(self.matrix) - 1
        for y, name in enumerate(self.inner):
            opening, closing = ("⎡⎤" if y == 0 else "⎣⎦" if y == last else "⎢⎥") if last else "[]"
            spans = [
                Span(fit(name, self._inner_width - 1, right=True) + " ", Ink(self.roles[0])),
                Span(opening + " "),
            ]
            for c, width in enumerate(self._outer_widths):
                spans.append(Span(f"{pad} {columns[c][y]:>{width}} {pad}", Ink(bold=c == self.active)))
            spans.append(Span(closing))
            lines.append(tuple(spans))
        return lines

    def _result(self, pad: str) -> list[Line]:
        titles: list[Span] = [Span("  ")]
        for name, width in zip(self.outer, self._outer_widths, strict=True):
            titles.append(Span(f"{pad} {fit(name, width, right=True)} {pad}", Ink(self.roles[2])))
        figures = (Span("[ "), *self._cells(self.result, self.active, pad), Span("]"))
        return [tuple(titles), figures]

    def _cells(self, texts: Sequence[str | None], active: int | None, pad: str) -> Line:
        """Texts in the result's columns."""
        spans: list[Span] = []
        for c, (text, width) in enumerate(zip(texts, self._outer_widths, strict=True)):
            cell = _cell(text, c == active)
            blanks = " " * (width - cell_len(cell.text))
            spans += [
                Span(pad + blanks + cell.left),
                Span(cell.text, cell.ink),
                Span(cell.right + pad),
            ]
        return tuple(spans)


def _cell(text: str | None, active: bool) -> Cell:
    if text is None or text.strip() == "·":
        return Cell(text or "·", DIM)
    return lit(Cell(text)) if active else Cell(text)


def _widest(matrix: Sequence[Sequence[str | None]], column: int) -> int:
    return max(cell_len(row[column] or "·") for row in matrix)


def _blank(line: Line) -> Line:
    return (Span(" " * width_of(line)),)


def _drawn(table: Table) -> Rows:
    return stack(rows(table.header()), table.body())
