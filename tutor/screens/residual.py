"""The word's own row plus the update: e′."""

from rich.cells import cell_len

from tutor.draw.line import EMPTY, Ink, Line, Span, flow
from tutor.draw.number import subscript
from tutor.draw.table import NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import equation, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "sum", "both")
CODE = {"sum": ("E_prime",)}
_NAME, _NARROW = 28, 12
_TOLD = 72
"""cells from which each row says what it is"""
_ROWS = (
    (" ▶ e", "the word itself", "E"),
    (" + Δe", "what it has read", "delta"),
    (" = e′", "both", "E"),
)


def columns(view: View) -> Columns:
    """The coordinates; lit by itself the one to which both rows give most."""
    e, delta = view.trace.E[view.receiver], view.trace.delta_E[view.receiver]
    order = range(view.worksheet.d_model)
    return Columns(order, max(order, key=lambda c: min(abs(e[c]), abs(delta[c]))))


def render(view: View) -> Stage:
    """The two rows and, below a line, their sum."""
    trace, receiver = view.trace, view.receiver
    texts = [
        [view.numbers.real(value) for value in values[receiver]]
        for values in (trace.E, trace.delta_E, trace.E_prime)
    ]
    made = [
        Column(axis, max(map(cell_len, [axis, *column])), "E", 3, here=c == view.column)
        for c, (axis, *column) in enumerate(zip(view.worksheet.axes, *texts, strict=True))
    ]
    rule = Row((), lambda c: Cell("─" * made[c].width))
    lines = [None, _row(view, 0, texts[0]), None, _row(view, 1, texts[1]), rule, _row(view, 2, texts[2])]
    table = Table(
        made,
        len(lines),
        lines.__getitem__,
        view.width,
        view.column,
        _NAME if view.width >= _TOLD else _NARROW,
    )
    header = [*flow(_captions(view), view.width), EMPTY, *table.header()]
    return Stage(table.body(), _working(view), header, len(lines) - 1)


def facts(view: View) -> dict[str, Fact]:
    """The updated row."""
    return {"updated": Fact(view.numbers.row(view.trace.E_prime[view.receiver]), "E")}


def _captions(view: View) -> list[Line]:
    n, d_model = subscript(view.receiver + 1), view.worksheet.d_model
    return equation(
        (f"e{n} [1×{d_model}]", "E"),
        ("+", f"Δe{n} [1×{d_model}]", "delta"),
        ("=", f"e′{n} [1×{d_model}]", "E"),
    )


def _row(view: View, at: int, texts: list[str]) -> Row:
    symbol, told, role = _ROWS[at]
    name = f"{symbol}{subscript(view.receiver + 1)}"
    words = (Span(name.ljust(9), Ink(role, bold=True)), Span(told if view.width >= _TOLD else ""))

    def cell(c: int) -> Cell:
        if at == 2 and not view.reached("sum"):
            return NOT_YET
        shown = Cell(texts[c], Ink(bold=at == 2))
        return lit(shown) if at == 2 and c == view.column else shown

    return Row(words, cell)


def _working(view: View) -> Line:
    trace, receiver, c = view.trace, view.receiver, view.column
    n = subscript(receiver + 1)
    label = f"e′{n} {view.worksheet.axes[c]}"
    if not view.reached("sum"):
        return worked(label, "E", [f"e{n} + Δe{n}"], [], view.width)
    total = view.numbers.sum([trace.E[receiver][c], trace.delta_E[receiver][c]], 3 + view.numbers.more)
    return worked(label, "E", [total], [view.numbers.real(trace.E_prime[receiver][c])], view.width)
