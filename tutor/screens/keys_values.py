"""The source's row times W_K and W_V, then Q, K and V of all rows beneath their matrices."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from tutor.arithmetic import beside
from tutor.draw.line import EMPTY, Ink, Line, Span, fit, rows, stack
from tutor.draw.number import extremes, fixed, given, on_point, subscript
from tutor.draw.shade import signed_cell
from tutor.draw.table import BLANK, NAME_WIDTH, NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import pending, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "key", "value", "all", "roles")
CODE = {"key": ("K",), "value": ("V",), "all": ("Q", "K", "V")}
_GROUPED = 100
"""cells from which each product is named above its columns"""


class _Block(NamedTuple):
    """Some columns of the table: E, or a matrix and the rows that E makes with it."""

    letter: str
    axes: tuple[str, ...]
    made: Sequence[Sequence[float]]
    decimals: int
    matrix: Sequence[Sequence[float]] | None = None
    token: int | None = None
    """whose row comes first: the receiver's query, the source's key and value; None: all are known"""
    beat: str = ""
    """which shows that row"""

    @property
    def name(self) -> str:
        """`Q = E W_Q`."""
        return f"{self.letter} = E W_{self.letter}" if self.matrix else self.letter


def columns(view: View) -> Columns:
    """The coordinates of queries, keys and values that are worked out by now."""
    d_head, d_v = view.worksheet.d_head, view.worksheet.d_v
    keys, values = range(d_head, 2 * d_head), range(2 * d_head, 2 * d_head + d_v)
    if view.reached("all"):
        return Columns(range(values.stop), d_head)
    if view.reached("value"):
        return Columns([*keys, *values], values.start)
    return Columns(keys if view.reached("key") else [d_head], d_head)


def render(view: View) -> Stage:
    """The matrices, beneath each the rows it makes; of the other head the lit rows alone, dim."""
    table = _table(view, view.head, range(len(view.words)))
    parts = [table.body()]
    for other in view.heads_shown:
        if other != view.head:
            below = _table(view, other, sorted({view.receiver, view.source}))
            parts += [rows([EMPTY, *_header(view, other, below)]), below.body()]
    keep = view.worksheet.d_model + view.source
    return Stage(stack(*parts), beside(view, _working), _header(view, view.head, table), keep)


def facts(view: View) -> dict[str, Fact]:
    """The source's key and value, and how they are related here."""
    weights, trace, numbers = view.worksheet.heads[view.head], view.trace, view.numbers
    equal = weights.W_K == weights.W_V
    return {
        "key": Fact(numbers.row(trace.K[view.head][view.source], view.places.K), "K"),
        "value": Fact(numbers.row(trace.V[view.head][view.source], view.places.V), "V"),
        "relation": Fact(
            "Key and value are equal here only because we chose equal matrices."
            if equal
            else "Key and value come from two different matrices."
        ),
    }


def _blocks(view: View, head: int) -> list[_Block]:
    weights, trace, places, source = view.worksheet.heads[head], view.trace, view.places, view.source
    return [
        _Block("E", view.worksheet.axes, trace.E, places.E),
        _Block("Q", weights.query_axes, trace.Q[head], places.Q, weights.W_Q, view.receiver, "question"),
        _Block("K", weights.key_axes, trace.K[head], places.K, weights.W_K, source, "key"),
        _Block("V", weights.value_axes, trace.V[head], places.V, weights.W_V, source, "value"),
    ]


def _table(view: View, head: int, tokens: Sequence[int]) -> Table:
    """Rows of the matrices, then of the tokens; E stands at the left where there is room."""
    blocks, d_model = _blocks(view, head), view.worksheet.d_model
    made = [column for block in blocks for column in _columns(view, head, block)]
    if NAME_WIDTH + sum(column.taken for column in made) > view.width:
        del blocks[0], made[:d_model]
    places = [(block, c) for block in blocks for c in range(len(block.axes))]
    active = len(places) - 2 * view.worksheet.d_head - view.worksheet.d_v + view.column
    made[active] = made[active]._replace(here=True)

    def row(y: int) -> Row:
        if y < d_model:
            name = Span(fit(view.worksheet.axes[y], NAME_WIDTH - 1, right=True), Ink("E"))
            return Row((name,), lambda c: _given(y, *places[c], c == active))
        token = tokens[y - d_model]
        return Row(
            view.row_name(token),
            lambda c: _result(view, token, *places[c], c == active),
            view.row_ink(token),
        )

    return Table(made, d_model + len(tokens), row, view.width, active, title=" W_Q  W_K  W_V")


def _header(view: View, head: int, table: Table) -> list[Line]:
    """The table's titles; where both heads are shown, the head's name before the products."""
    *notes, groups, titles = [EMPTY, *table.header()]
    if len(view.heads_shown) > 1:
        name = Span(
            fit(f" {view.head_name(head)}", NAME_WIDTH), Ink(bold=head == view.head, dim=head != view.head)
        )
        groups = (name, *groups[1:])
    return [line for line in [*notes, groups, titles] if line]


def _columns(view: View, head: int, block: _Block) -> list[Column]:
    grouped = view.width >= _GROUPED
    numbers = max(len(fixed(value, block.decimals)) for value in extremes(block.made))
    titles = [
        axis if grouped or c else f"{block.letter.lower()}: {axis}" for c, axis in enumerate(block.axes)
    ]
    return [
        Column(
            title,
            max(cell_len(title), numbers, *map(len, _givens(block, c))),
            block.letter,
            gap=0 if c else 1,
            dim=head != view.head,
            group=block.name if grouped else "",
        )
        for c, title in enumerate(titles)
    ]


def _givens(block: _Block, c: int) -> list[str]:
    """A column of the block's matrix."""
    return on_point([given(row[c]) for row in block.matrix or ()])


def _given(y: int, block: _Block, c: int, here: bool) -> Cell:
    """A number of a matrix; tall brackets stand in the places for marks."""
    if block.matrix is None:
        return BLANK
    last = len(block.matrix) - 1
    opening, closing = ("⎡⎤" if y == 0 else "⎣⎦" if y == last else "⎢⎥") if last else "[]"
    text = _givens(block, c)[y]
    right = closing if c == len(block.axes) - 1 else " "
    return Cell(text, Ink(block.letter, bold=here), " " if c else opening, right)


def _result(view: View, token: int, block: _Block, c: int, here: bool) -> Cell:
    first = token == block.token and view.reached(block.beat)
    if block.token is not None and not first and not view.reached("all"):
        return NOT_YET
    value = block.made[token][c]
    click = view.row_ink(token, "at_receiver").click if block.letter == "Q" else ""
    shown = signed_cell(view.numbers.fixed(value, block.decimals), value, view.largest(block.made), click)
    return lit(shown) if here and token == block.token and view.reached(block.beat) else shown


def _working(view: View, head: int, width: int) -> Line:
    """The lit coordinate: a row of E times a column of its matrix."""
    places = [(block, c) for block in _blocks(view, head)[1:] for c in range(len(block.axes))]
    block, c = places[view.column]
    token = block.token or 0
    label = f"{block.letter.lower()}{subscript(token + 1)} {block.axes[c]}"
    numbers, decimals, e = view.numbers, view.places.E, view.trace.E[token]
    if not view.reached(block.beat):
        row = numbers.row(e, decimals)
        row = row if cell_len(label + row) + 18 <= width else f"row {token + 1} of E"
        return pending(label, block.letter, f"{row} × column ▾")
    terms = numbers.products(e, decimals, [row[c] for row in block.matrix or ()])
    value = numbers.fixed(block.made[token][c], block.decimals)
    return worked(label, block.letter, terms, [value], width)
