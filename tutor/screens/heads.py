"""Two heads reading for the same receiver: queries, lines as thick as the weights, messages."""

from rich.cells import cell_len

from tutor.arithmetic import beside, blocked, summed
from tutor.draw.line import DIM, EMPTY, Ink, Line, Rows, Span, cut, listed, pad, rows, stack
from tutor.draw.number import BLOCKED, WAITING, subscript, superscript
from tutor.draw.shade import weight_cell
from tutor.draw.table import NAME_WIDTH, NOT_YET, Cell, Column, Row, Table, lit, not_yet, number_row
from tutor.draw.working import worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("queries", "arcs", "messages")
CODE = {"queries": ("Q",), "arcs": ("A",), "messages": ("messages",)}
_ARCS = 80
"""cells from which lines are drawn; in fewer, a table"""
_LONGEST = 24
"""cells of a line"""
_STROKES = (("┈", 0.02), ("─", 0.1), ("━", 0.5), ("█", 2.0))
"""how a line is drawn whose weight is under that"""


def columns(view: View) -> Columns:
    """The coordinates of the message, once it is there."""
    return Columns(range(view.worksheet.d_v if view.beat == "messages" else 1), 0)


def render(view: View) -> Stage:
    """The head and the next one, mirrored; in a narrow window, all heads as a table."""
    T, n_heads = len(view.words), view.worksheet.n_heads
    if _is_narrow(view):
        return _narrow(view)
    pair = sorted([view.head, (view.head + 1) % n_heads])
    half = (2 * (_weight(view) + 3 + _length(view)) + NAME_WIDTH + 1) // 2
    queries = [_named(view, head, half) for head in pair]
    messages = [_message(view, head, half) for head in pair]
    body = stack(
        rows([_halves(queries, half), EMPTY]),
        Rows(T, lambda token: _arcs(view, pair, token)),
        rows([EMPTY, _halves(messages, half), _legend()]),
    )
    return Stage(body, beside(view, _working), keep=T + 3 if view.beat == "messages" else 2 + view.source)


def facts(view: View) -> dict[str, Fact]:
    """What each head asks, reads most and brings."""
    trace, receiver, numbers = view.trace, view.receiver, view.numbers
    heads = range(view.worksheet.n_heads)
    return {
        "queries": Fact(listed([numbers.row(trace.Q[head][receiver], view.places.Q) for head in heads]), "Q"),
        "lines": Fact(
            "Each column is one head’s row of weights."
            if _is_narrow(view)
            else "The thicker the line, the larger the weight; a thin one is not nothing."
        ),
        "readings": Fact(view.readings),
        "messages": Fact(listed([numbers.row(trace.messages[head][receiver]) for head in heads]), "V"),
    }


def _is_narrow(view: View) -> bool:
    return view.width < _ARCS or view.worksheet.n_heads == 1


def _weight(view: View) -> int:
    """Cells of a weight."""
    return len(view.numbers.real(1.0))


def _length(view: View) -> int:
    """Cells of a line."""
    return min(_LONGEST, (view.width - NAME_WIDTH - 1) // 2 - _weight(view) - 3)


def _halves(parts: list[Line], half: int) -> Line:
    left, right = (pad(cut(part, half), half) for part in parts)
    return (*left, *right)


def _named(view: View, head: int, width: int) -> Line:
    """The head's name and its query."""
    name = f" {view.head_name(head)} "
    return (Span(name, Ink(bold=True)), *_query(view, head, width - cell_len(name)))


def _query(view: View, head: int, width: int) -> Line:
    texts = [view.numbers.fixed(value, view.places.Q) for value in view.trace.Q[head][view.receiver]]
    name = f" q{superscript(head + 1)}{subscript(view.receiver + 1)} "
    return number_row(name, "Q", texts, None, width, len(name))


def _message(view: View, head: int, width: int) -> Line:
    texts = [view.numbers.real(value) for value in view.trace.messages[head][view.receiver]]
    known = view.reached("messages")
    name = f" h{superscript(head + 1)}{subscript(view.receiver + 1)} "
    active = view.column if known and head in view.heads_shown else None
    return number_row(name, "V", texts if known else not_yet(texts), active, width, len(name))


def _legend() -> Line:
    texts = [f"{sign} under {limit:g}" for sign, limit in _STROKES[:-1]]
    texts.append(f"{_STROKES[-1][0]} {_STROKES[-2][1]:g} or more")
    return (Span("  " + "    ".join(texts), DIM),)


def _arcs(view: View, pair: list[int], token: int) -> Line:
    """A source between the lines that lead from it to both heads' reading of the receiver."""
    last = view.receiver if view.focus.causal else len(view.words) - 1
    bend = 0 if token == 0 else 2 if token == last else 1
    left, right = ("╭├╰"[bend], "╮┤╯"[bend]) if last else ("─", "─")
    if not view.reached("arcs") or view.blocked(token):
        left = right = " "
    towards, away = (_stroke(view, head, token) for head in pair)
    if right != " " and token == view.receiver:
        away = away._replace(text="◀" + away.text[1:])
    first, second = (_marked(view, head, token) for head in pair)
    return (
        Span(" "),
        *first,
        Span(left, Ink("A")),
        towards,
        *view.row_name(token),
        away,
        Span(right, Ink("A")),
        *second,
    )


def _stroke(view: View, head: int, token: int) -> Span:
    """The line, as thick as the weight."""
    weight, blank = view.trace.A[head][view.receiver][token], not view.reached("arcs") or view.blocked(token)
    sign = " " if blank else next(sign for sign, under in _STROKES if weight < under)
    return Span((WAITING if view.numbers.waiting and not blank else sign) * _length(view), Ink("A"))


def _marked(view: View, head: int, token: int) -> Line:
    """The weight in its marks."""
    cell = _cell(view, head, token)
    blanks = " " * (_weight(view) - len(cell.text))
    return (Span(blanks + cell.left), Span(cell.text, cell.ink), Span(cell.right))


def _cell(view: View, head: int, token: int) -> Cell:
    weight = view.trace.A[head][view.receiver][token]
    if not view.reached("arcs"):
        return NOT_YET
    shown = Cell(BLOCKED, DIM) if view.blocked(token) else weight_cell(weight, view.numbers)
    here = token == view.source and view.beat == "arcs" and head in view.heads_shown
    return lit(shown) if here else shown


def _narrow(view: View) -> Stage:
    """A column of weights for each head, below it the queries and messages."""
    T, heads = len(view.words), range(view.worksheet.n_heads)
    table = Table(
        [Column(f"head {head + 1}", max(6, _weight(view)), "A") for head in heads],
        T,
        lambda token: Row(view.row_name(token), lambda head: _cell(view, head, token), view.row_ink(token)),
        view.width,
        view.head,
        title="   source",
    )
    queries = rows(_query(view, head, view.width) for head in heads)
    messages = rows(_message(view, head, view.width) for head in heads)
    keep = T + len(heads) + view.head if view.beat == "messages" else view.source
    return Stage(stack(table.body(), queries, messages), beside(view, _working), table.header(), keep)


def _working(view: View, head: int, width: int) -> Line:
    """The head's query, the lit weight, or the message's lit coordinate."""
    trace, numbers, receiver, source = view.trace, view.numbers, view.receiver, view.source
    n, mark = subscript(receiver + 1), superscript(head + 1) if view.width >= _ARCS else ""
    if view.beat == "queries":
        query = numbers.row(trace.Q[head][receiver], view.places.Q)
        return worked(f"q{mark}{n}", "Q", [f"e{n} W_Q{mark}"], [query], width)
    if view.beat == "arcs":
        label = f"A{mark}{subscript(receiver + 1, source + 1)}"
        if view.blocked(source):
            return blocked(view, label, width)
        exp, total = map(numbers.real, trace.share(head, receiver, source))
        return worked(
            label, "A", [f"{exp} / {total}"], [numbers.real(trace.A[head][receiver][source])], width
        )
    label = f"h{mark}{n} {view.worksheet.heads[head].value_axes[view.column]}"
    return summed(view, head, view.column, label, width)
