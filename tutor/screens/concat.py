"""The heads' messages side by side: one joined row for each word."""

from rich.cells import cell_len

from tutor.arithmetic import summed
from tutor.draw.line import Ink, Line, Span, flow, listed
from tutor.draw.number import extremes, subscript, superscript
from tutor.draw.shade import signed_cell
from tutor.draw.table import BLANK, NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import equation, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("messages", "joined", "all")
CODE = {"messages": ("messages",), "joined": ("joined",)}


def columns(view: View) -> Columns:
    """The coordinates of the joined row."""
    return Columns(range(len(view.worksheet.joined_axes)), 0)


def render(view: View) -> Stage:
    """Each head's message above its own columns, then the joined rows beneath."""
    n_heads, T = view.worksheet.n_heads, len(view.words)
    table = Table(
        _columns(view),
        n_heads + T,
        lambda y: _message(view, y) if y < n_heads else _joined(view, y - n_heads),
        view.width,
        view.column,
    )
    keep = view.column // view.worksheet.d_v if view.beat == "messages" else n_heads + view.receiver
    return Stage(table.body(), _working(view), [*flow(_captions(view), view.width), *table.header()], keep)


def facts(view: View) -> dict[str, Fact]:
    """The messages and the joined row."""
    numbers, trace, receiver = view.numbers, view.trace, view.receiver
    messages = [numbers.row(message[receiver]) for message in trace.messages]
    return {
        "messages": Fact(listed(messages), "V"),
        "joined": Fact(numbers.row(trace.joined[receiver]), "V"),
        "width": Fact(str(len(trace.joined[receiver]))),
    }


def _captions(view: View) -> list[Line]:
    n, d_v, n_heads = subscript(view.receiver + 1), view.worksheet.d_v, view.worksheet.n_heads
    first, *others = [f"h{superscript(head + 1)}{n} [1×{d_v}]" for head in range(n_heads)]
    return equation(
        (first, "V"),
        *(("beside", message, "V") for message in others),
        ("=", f"joined{n} [1×{n_heads * d_v}]", "V"),
    )


def _columns(view: View) -> list[Column]:
    d_v = view.worksheet.d_v
    width = max(len(view.numbers.real(value)) for value in extremes(view.trace.joined))
    return [
        Column(
            axis,
            max(width, cell_len(axis)),
            "V",
            2 if c % d_v == 0 else 1,
            group=view.head_name(c // d_v),
            seam=c > 0 and c % d_v == 0,
            here=c == view.column,
        )
        for c, axis in enumerate(view.worksheet.joined_axes)
    ]


def _message(view: View, head: int) -> Row:
    """One head's message, in the columns that it will have."""
    d_v, message = view.worksheet.d_v, view.trace.messages[head][view.receiver]

    def cell(c: int) -> Cell:
        if c // d_v != head:
            return BLANK
        shown = Cell(view.numbers.real(message[c % d_v]))
        return lit(shown) if c == view.column and view.beat == "messages" else shown

    name = f"      h{superscript(head + 1)}{subscript(view.receiver + 1)}"
    return Row((Span(name, Ink("V", bold=True)),), cell)


def _joined(view: View, token: int) -> Row:
    receiver = token == view.receiver
    known = view.reached("all") or (receiver and view.reached("joined"))

    def cell(c: int) -> Cell:
        if not known:
            return NOT_YET
        value = view.trace.joined[token][c]
        shown = signed_cell(view.numbers.real(value), value, view.largest(view.trace.joined))
        return lit(shown) if receiver and c == view.column else shown

    return Row(view.row_name(token, "at_receiver"), cell, view.row_ink(token, "at_receiver"))


def _working(view: View) -> Line:
    """Where the lit number stands now, and where it came from."""
    head, c = divmod(view.column, view.worksheet.d_v)
    mark, receiver = superscript(head + 1), view.receiver + 1
    if not view.reached("joined"):
        label = f"h{mark}{subscript(receiver)} {view.worksheet.joined_axes[view.column]}"
        return summed(view, head, c, label, view.width)
    label = f"joined{subscript(receiver, view.column + 1)}"
    value = view.numbers.real(view.trace.joined[view.receiver][view.column])
    return worked(label, "V", [f"h{mark}{subscript(receiver, c + 1)}"], [value], view.width)
