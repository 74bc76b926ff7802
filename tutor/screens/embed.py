"""Word, id, token row plus position row: the rows of E."""

from rich.cells import cell_len

from tutor.draw.line import Ink, Line, Span, fit
from tutor.draw.number import added, extremes, fixed, subscript
from tutor.draw.shade import signed_cell
from tutor.draw.table import BLANK, NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import pending, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("ids", "token", "axes", "position", "all")
CODE = {"ids": ("token_rows",), "position": ("position_rows", "E")}
_NAME = 22
_CAPTION = 3


def columns(view: View) -> Columns:
    """The coordinates."""
    return Columns(range(view.worksheet.d_model), 0)


def render(view: View) -> Stage:
    """The source's token row, position row and sum; below them the matrix E."""
    worksheet, source = view.worksheet, view.source
    widths = [max(cell_len(axis), _width(view)) for axis in worksheet.axes]
    table = Table(
        [
            Column("id", max(2, len(str(worksheet.n_vocab - 1)))),
            *(Column(axis, width, "E", gap=3) for axis, width in zip(worksheet.axes, widths, strict=True)),
        ],
        _CAPTION + 1 + len(view.words),
        lambda y: _row(view, y),
        view.width,
        view.column + 1,
        _NAME,
    )
    return Stage(table.body(), _working(view), table.header(), _CAPTION + 1 + source)


def facts(view: View) -> dict[str, Fact]:
    """Ids and axes."""
    axes = view.worksheet.axes
    return {
        "source_id": Fact(str(int(view.trace.ids[view.source]))),
        "axes": Fact(", ".join(axes[:8]) + (" and so on" if len(axes) > 8 else ""), "E"),
    }


def _width(view: View) -> int:
    decimals = view.places.E
    shown = [*extremes(view.trace.E), *extremes(view.worksheet.position_embedding)]
    return max(len(fixed(value, decimals)) for value in shown)


def _row(view: View, y: int) -> Row | None:
    """Three rows of the source, the caption, then one row a word."""
    trace, source, decimals = view.trace, view.source, view.places.E
    ink = view.row_ink(source)
    if y == _CAPTION:
        shape = f" E [{len(view.words)}×{view.worksheet.d_model}]"
        return Row((Span(shape, Ink("E", bold=True)),), lambda c: BLANK)
    if y > _CAPTION:
        return _row_of_E(view, y - _CAPTION - 1)
    word = fit(view.words[source], 6).rstrip()
    word_id = int(trace.ids[source])
    signs = "◆+="[y]
    label = (f"token row of {word}", f"position row {source + 1}", f"row {source + 1} of E")[y]
    values = (
        view.worksheet.token_embedding[word_id],
        view.worksheet.position_embedding[source],
        trace.E[source],
    )[y]

    def cell(c: int) -> Cell:
        if c == 0:
            return Cell(str(word_id)) if y == 0 else BLANK
        if not view.reached("token" if y == 0 else "position"):
            return NOT_YET
        text = view.numbers.fixed(values[c - 1], decimals) if y == 2 else fixed(values[c - 1], decimals)
        return Cell(text, Ink(bold=c - 1 == view.column))

    return Row((Span(f" {signs} {label}", ink._replace(bold=y == 2)),), cell, ink)


def _row_of_E(view: View, token: int) -> Row:
    E, decimals = view.trace.E, view.places.E
    largest = view.largest(E)
    known = view.reached("all") or (token == view.source and view.reached("position"))

    def cell(c: int) -> Cell:
        if c == 0:
            return Cell(str(int(view.trace.ids[token])))
        if not known:
            return NOT_YET
        value = E[token][c - 1]
        shown = signed_cell(view.numbers.fixed(value, decimals), value, largest)
        return lit(shown) if token == view.source and c - 1 == view.column else shown

    return Row(view.row_name(token), cell, view.row_ink(token))


def _working(view: View) -> Line:
    source, c, decimals = view.source, view.column, view.places.E
    label = f"e{subscript(source + 1)} {view.worksheet.axes[c]}"
    if not view.reached("position"):
        return pending(label, "E", "token + position")
    token = view.worksheet.token_embedding[int(view.trace.ids[source])][c]
    position = view.worksheet.position_embedding[source][c]
    total = added([fixed(token, decimals), fixed(position, decimals)])
    return worked(label, "E", [total], [view.numbers.fixed(view.trace.E[source][c], decimals)], view.width)
