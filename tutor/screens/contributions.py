"""Weight times value for every source, and their sum: the head's message."""

from rich.cells import cell_len

from tutor.arithmetic import beside, blocked, summed
from tutor.draw.line import DIM, Ink, Line, Span, cut, flow
from tutor.draw.number import BLOCKED, extremes, fixed, subscript
from tutor.draw.shade import signed_cell, weight_cell
from tutor.draw.table import BLANK, NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import equation, pending, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "first", "all", "sum", "others")
CODE = {"first": ("contributions",), "sum": ("messages",)}
_RULE, _MESSAGE, _OTHERS = range(3)
"""the rows below those of the sources"""


def columns(view: View) -> Columns:
    """The coordinates of the values."""
    return Columns(range(view.worksheet.d_v), 0)


def render(view: View) -> Stage:
    """One row a source: its weight, its value, their product; below them the sums of the columns."""
    T, d_v = len(view.words), view.worksheet.d_v
    table = Table(
        [column for head in view.heads_shown for column in _columns(view, head)],
        T + 3,
        lambda y: _row(view, y) if y < T else _sums(view, y - T),
        view.width,
        view.heads_shown.index(view.head) * (2 * d_v + 1) + d_v + 1 + view.column,
        title="   source",
    )
    keep = T + (_MESSAGE if view.beat == "sum" else _OTHERS) if view.reached("sum") else view.source
    header = [*flow(_captions(view), view.width), *table.header()]
    return Stage(table.body(), beside(view, _working), header, keep)


def facts(view: View) -> dict[str, Fact]:
    """The source's part, the others' and the sum of all."""
    trace, head, receiver, numbers = view.trace, view.head, view.receiver, view.numbers
    word, weight = view.words[view.source], numbers.real(trace.A[head][receiver][view.source])
    contribution = numbers.row(trace.contributions[head][receiver][view.source])
    part = f"“{word}”: {weight} times its value gives {contribution}."
    if view.blocked(view.source):
        part = f"“{word}” is blocked: its weight is zero, it gives nothing."
    return {
        "part": Fact(part),
        "contribution": Fact(contribution),
        "message": Fact(numbers.row(trace.messages[head][receiver]), "V"),
        "others": Fact(numbers.row(_others(view, head))),
    }


def _others(view: View, head: int) -> list[float]:
    """What all sources but the lit one give together."""
    message, parts = view.trace.messages[head][view.receiver], view.trace.contributions[head][view.receiver]
    return [total - part for total, part in zip(message, parts[view.source], strict=True)]


def _captions(view: View) -> list[Line]:
    n, T, d_v = subscript(view.receiver + 1), len(view.words), view.worksheet.d_v
    return equation((f"a{n} [1×{T}]", "A"), ("×", f"V [{T}×{d_v}]", "V"), ("=", f"h{n} [1×{d_v}]", "V"))


def _columns(view: View, head: int) -> list[Column]:
    trace, axes = view.trace, view.worksheet.heads[head].value_axes
    alone, dim = len(view.heads_shown) == 1, head != view.head
    group, gap = ("", 2) if alone else (view.head_name(head), 0)
    value = max(len(fixed(number, view.places.V)) for number in extremes(trace.V[head]))
    parts = trace.contributions[head][view.receiver]
    made = [Column("weight A", len(view.numbers.real(1.0)) + 3, "A", 0, dim=dim, group=group)]
    for c, axis in enumerate(axes):
        title = axis if c else f"v: {axis}"
        made.append(Column(title, max(value, cell_len(title)), "V", gap, dim=dim, group=group))
    for c, axis in enumerate(axes):
        shown = [part[c] for part in parts] + [trace.messages[head][view.receiver][c], _others(view, head)[c]]
        texts = [f"A×{axis}", *map(view.numbers.real, shown)]
        made.append(Column(texts[0], max(map(cell_len, texts)), "text", gap, dim=dim, group=group))
    return made


def _row(view: View, source: int) -> Row:
    trace, numbers, d_v, receiver = view.trace, view.numbers, view.worksheet.d_v, view.receiver
    known = view.reached("all") or (source == view.source and view.reached("first"))

    def cell(c: int) -> Cell:
        nth, c = divmod(c, 2 * d_v + 1)
        head = view.heads_shown[nth]
        weight = trace.A[head][receiver][source]
        if 0 < c <= d_v:
            return Cell(numbers.fixed(trace.V[head][source][c - 1], view.places.V))
        if c and not known:
            return NOT_YET
        if view.blocked(source):
            shown = Cell(BLOCKED, DIM)
        elif c == 0:
            return weight_cell(weight, numbers)
        else:
            parts = trace.contributions[head][receiver]
            part = parts[source][c - d_v - 1]
            shown = signed_cell(numbers.real(part), part, view.largest(parts))
        here = source == view.source and c - d_v - 1 == view.column and not view.reached("sum")
        return lit(shown) if here else shown

    return Row(view.row_name(source), cell, view.row_ink(source))


def _sums(view: View, row: int) -> Row:
    """The rule, the message, and what all others gave."""
    d_v, beat = view.worksheet.d_v, "sum" if row == _MESSAGE else "others"

    def cell(c: int) -> Cell:
        nth, c = divmod(c, 2 * d_v + 1)
        head, at = view.heads_shown[nth], c - d_v - 1
        if at < 0:
            return BLANK
        values = _others(view, head) if row == _OTHERS else view.trace.messages[head][view.receiver]
        if row == _RULE:
            return Cell("─" * len(view.numbers.real(values[at])), DIM)
        if not view.reached(beat):
            return NOT_YET
        shown = Cell(view.numbers.real(values[at]), Ink(bold=row == _MESSAGE))
        return lit(shown) if at == view.column and view.beat == beat else shown

    n = subscript(view.receiver + 1)
    name = ("", f" message h{n}", "   all others")[row]
    return Row((Span(name, Ink("V", bold=True) if row == _MESSAGE else DIM),), cell)


def _working(view: View, head: int, width: int) -> Line:
    """The lit product, the column's sum, or what the others gave."""
    trace, numbers, receiver, source, c = view.trace, view.numbers, view.receiver, view.source, view.column
    axis, decimals = view.worksheet.heads[head].value_axes[c], 3 + numbers.more
    message, parts = trace.messages[head][receiver], trace.contributions[head][receiver]
    label = f"h{subscript(receiver + 1)} {axis}"
    if view.beat == "question":
        return cut(pending(label, "V", "each weight × its value, added"), width)
    if view.beat == "sum":
        return summed(view, head, c, label, width)
    if view.beat == "others":
        total = f"{numbers.real(message[c])} − {numbers.factor(parts[source][c], decimals)}"
        return worked(f"all others {axis}", "V", [total], [numbers.real(_others(view, head)[c])], width)
    label = f"A{subscript(receiver + 1, source + 1)} × v{subscript(source + 1)} {axis}"
    if view.blocked(source):
        return blocked(view, label, width)
    value = numbers.factor(trace.V[head][source][c], view.places.V)
    term = f"{numbers.real(trace.A[head][receiver][source])}×{value}"
    return worked(label, "V", [term], [numbers.real(parts[source][c])], width)
