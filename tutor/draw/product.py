"""A row times a matrix as the eye reads it: in one line of sight, crossing, or stacked."""

from collections.abc import Sequence
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
    """None: not shown yet"""
    inner: Sequence[str]
    """names of the row's columns, which are the matrix's rows"""
    outer: Sequence[str]
    """names of the matrix's columns, which are the result's columns"""
    active: int | None
    roles: tuple[str, str, str] = ("E", "Q", "Q")
    """of the row, the matrix and the result"""
    dim: bool = False

    def draw(self, width: int) -> Rows:
        """The widest of the three forms that fits."""
        for form in (self._line_of_sight, self._crossing):
            drawn = form()
            if max(map(width_of, drawn)) <= width:
                return rows(map(self._toned, drawn))
        return self._stacked(width)

    def _toned(self, line: Line) -> Line:
        return tuple(Span(text, ink._replace(dim=self.dim)) for text, ink in line)

    def _line_of_sight(self) -> list[Line]:
        left, right, result = self._left(), self._right(), self._result()
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
        return lines

    def _crossing(self) -> list[Line]:
        left, right, result = self._left(), self._right(), self._result()
        indent = Span(" " * (width_of(left[0]) + 1))
        name = Span(" " * self._inner_width)
        return [
            *((indent, *line) for line in right),
            EMPTY,
            left[0],
            (*left[1], Span(" "), name, *result[1]),
        ]

    def _stacked(self, width: int) -> Rows:
        active = self.active or 0
        left = self._table([self.row_name], [self.row], self.inner, self.roles[0], 0, None, width)
        right = self._table(self.inner, self.matrix, self.outer, self.roles[1], active, active, width)
        result = self._table(
            [self.row_name], [self.result], self.outer, self.roles[2], active, active, width, mark=True
        )
        times, equals = rows([(Span(" ×", DIM),)]), rows([(Span(" =", DIM),)])
        return stack(left, times, right, equals, result)

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
    ) -> Rows:
        columns = [
            Column(("▾" if c == active else "") + title, max(_widest(matrix, c), cell_len(title) + 1), role)
            for c, title in enumerate(titles)
        ]

        def row(y: int) -> Row:
            return Row(
                (Span(fit(f" {names[y].strip()}", _NAME)),),
                lambda c: _cell(matrix[y][c], mark and c == active),
            )

        table = Table(columns, len(matrix), row, width, window, _NAME)
        return stack(rows(table.header()), table.body())

    def _left(self) -> list[Line]:
        titles: list[Span] = [Span(" " * (_NAME + 2))]
        figures: list[Span] = [Span(fit(self.row_name, _NAME), Ink(bold=True)), Span("[ ")]
        for text, name in zip(self.row, self.inner, strict=True):
            width = max(cell_len(text), cell_len(name))
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
        return [
            max(cell_len(name), _widest([*self.matrix, self.result], c)) for c, name in enumerate(self.outer)
        ]

    def _right(self) -> list[Line]:
        """An arrow line, the titles, and the rows in tall brackets behind their names."""
        indent = " " * (self._inner_width + 2)
        arrows: list[Span] = [Span(indent)]
        titles: list[Span] = [Span(indent)]
        for c, (name, width) in enumerate(zip(self.outer, self._outer_widths, strict=True)):
            here = c == self.active
            arrows.append(Span(("▾" if here else "").rjust(width + 2) + "  ", Ink(bold=True)))
            titles.append(Span("  " + fit(name, width, right=True) + "  ", Ink(self.roles[1], bold=here)))
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
                spans.append(Span("  " + columns[c][y].rjust(width) + "  ", Ink(bold=c == self.active)))
            spans.append(Span(closing))
            lines.append(tuple(spans))
        return lines

    def _result(self) -> list[Line]:
        titles: list[Span] = [Span("  ")]
        figures: list[Span] = [Span("[ ")]
        for c, (text, width) in enumerate(zip(self.result, self._outer_widths, strict=True)):
            cell = _cell(text, c == self.active)
            titles.append(Span("  " + fit(self.outer[c], width, right=True) + "  ", Ink(self.roles[2])))
            blanks = " " * (width - cell_len(cell.text))
            figures += [Span(f" {blanks}{cell.left}"), Span(cell.text, cell.ink), Span(f"{cell.right} ")]
        figures.append(Span("]"))
        return [tuple(titles), tuple(figures)]


def _cell(text: str | None, active: bool) -> Cell:
    cell = Cell("·", DIM) if text is None else Cell(text)
    return lit(cell) if active and text is not None else cell


def _widest(matrix: Sequence[Sequence[str | None]], column: int) -> int:
    return max(cell_len(row[column] or "·") for row in matrix)


def _blank(line: Line) -> Line:
    return (Span(" " * width_of(line)),)
