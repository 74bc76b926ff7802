"""Before and after a change of the sentence: weights, messages and likeliest words of every head."""

from tutor.draw.line import DIM, Ink, Line, Span, cut, fit, width_of
from tutor.draw.number import subscript
from tutor.draw.table import Cell, Column, Row, Table, lit
from tutor.engine.trace import Trace
from tutor.view import Columns, Fact, Stage, View

BEATS = ("weights", "messages", "words")
CODE = {"weights": ("A",), "messages": ("messages",), "words": ("probabilities",)}
_NAME = 27
_TOP = 2
"""likeliest words named"""


def columns(view: View) -> Columns:
    """Before, now and the difference of every head."""
    return Columns(range(3 * view.worksheet.n_heads), 2)


def render(view: View) -> Stage:
    """Per head: the weight before, now, and the signed difference; below them the message and the words."""
    before, d_v = _before(view), view.worksheet.d_v
    n_rows = max(len(view.words), len(_words_before(view)))
    heads = range(view.worksheet.n_heads)
    table = Table(
        [column for head in heads for column in _columns(view, head)],
        n_rows + d_v,
        lambda y: _weights(view, before, y) if y < n_rows else _message(view, before, y - n_rows),
        view.width,
        view.column,
        _NAME,
        "    before      now",
    )
    return Stage(table.body(), cut(_words(view, before), view.width), table.header(), view.source)


def facts(view: View) -> dict[str, Fact]:
    """What each head now reads most."""
    strongest = (
        f"head {head + 1} reads “{view.words[view.trace.strongest(head, view.receiver)]}” most"
        for head in range(view.worksheet.n_heads)
    )
    readings = ", ".join(strongest)
    return {"readings": Fact(readings[0].upper() + readings[1:])}


def _before(view: View) -> Trace:
    return view.other or view.trace


def _words_before(view: View) -> tuple[str, ...]:
    return view.other_words or view.words


def _receiver_before(view: View) -> int:
    """The same position, or the last word where the lesson chose it or the sentence was shorter."""
    last = len(_words_before(view)) - 1
    return last if view.focus.receiver is None else min(view.receiver, last)


def _columns(view: View, head: int) -> list[Column]:
    group, dim = view.head_name(head), head != view.head
    old, new = _before(view).messages[head][_receiver_before(view)], view.trace.messages[head][view.receiver]
    changes = [view.numbers.change(after - before) for before, after in zip(old, new, strict=True)]
    width = max(6 + view.numbers.more, *(len(view.numbers.real(value)) for value in [*old, *new]))
    return [
        Column("before", width, "dim", 1, dim=dim, group=group),
        Column("now", width, "A", 0, dim=dim, group=group),
        Column("diff", max(width + 1, *map(len, changes)), "text", 0, dim=dim, group=group),
    ]


def _weights(view: View, before: Trace, token: int) -> Row:
    old, new = _words_before(view), view.words
    was_there, is_there = token < len(old), token < len(new)

    def cell(c: int) -> Cell:
        head, kind = divmod(c, 3)
        values = (
            before.A[head][_receiver_before(view)][token] if was_there else None,
            view.trace.A[head][view.receiver][token] if is_there else None,
        )
        made = _cell(view, values, kind)
        return lit(made) if token == view.source and c == view.column else made

    sign = "▶" if token == view.receiver else "◆" if token == view.source else " "
    if token == view.receiver == view.source:
        sign = "▶◆"
    ink = view.row_ink(token) if is_there else Ink()
    changed = not (was_there and is_there and old[token] == new[token])
    name = (
        Span(f"{sign:>2}{token + 1:2} {fit(old[token] if was_there else '—', 11)}", ink._replace(role="dim")),
        Span(fit(new[token] if is_there else "—", 11), ink._replace(bold=changed)),
    )
    return Row(name, cell, ink)


def _message(view: View, before: Trace, coordinate: int) -> Row:
    def cell(c: int) -> Cell:
        head, kind = divmod(c, 3)
        values = (
            before.messages[head][_receiver_before(view)][coordinate],
            view.trace.messages[head][view.receiver][coordinate],
        )
        return _cell(view, values, kind)

    name = f"    message h{subscript(view.receiver + 1)} number {coordinate + 1}"
    return Row((Span(fit(name, _NAME), DIM),), cell)


def _cell(view: View, values: tuple[float | None, float | None], kind: int) -> Cell:
    """Before, now or the difference; the difference is taken before rounding."""
    old, new = values
    if kind == 2:
        if old is None or new is None:
            return Cell("—", DIM)
        change = view.numbers.change(new - old)
        return Cell(change, Ink(bold=change[0] in "+−"))
    value = values[kind]
    return Cell("—", DIM) if value is None else Cell(view.numbers.real(value), DIM if kind == 0 else Ink())


def _words(view: View, before: Trace) -> Line:
    """The likeliest words before and now; now alone where there is no room for both."""
    now = (Span(" now  ", DIM), Span(_top(view, view.trace, view.receiver), Ink(bold=True)))
    both = (Span(f" before  {_top(view, before, _receiver_before(view))}     ", DIM), *now)
    return both if width_of(both) <= view.width else now


def _top(view: View, trace: Trace, receiver: int) -> str:
    shares = trace.probabilities[receiver]
    ranked = sorted(range(len(shares)), key=lambda word: (-round(float(shares[word]), 9), word))[:_TOP]
    return "  ".join(
        f"{view.worksheet.vocabulary[word]} {view.numbers.percent(shares[word])}" for word in ranked
    )
