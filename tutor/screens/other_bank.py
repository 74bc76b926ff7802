"""Before and after a change of the sentence: weights, messages, update and likeliest words."""

from collections.abc import Sequence
from dataclasses import replace

from tutor.arithmetic import blocked, summed
from tutor.draw.line import DIM, Ink, Line, Span, cut, fit, flow, rows, stack, width_of
from tutor.draw.number import BLOCKED, subscript, superscript
from tutor.draw.table import NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import pending, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "weights", "messages", "words")
CODE = {"weights": ("A",), "messages": ("messages", "delta_E"), "words": ("probabilities",)}
_NAME = 27
_TOP = 2
"""likeliest words named"""
_MARKED = 60
"""cells from which the line of arithmetic names head and column"""
_BEFORE, _NOW, _CHANGE = range(3)
"""the columns of a head"""
_MISSING = Cell("—", DIM)


def columns(view: View) -> Columns:
    """Every head's columns, first those of the source's weights, then those of the messages row by row."""
    if view.beat == "words":
        return Columns(range(1), 0)
    rows_lit = view.worksheet.d_v if view.beat == "messages" else 1
    return Columns(range(_n(view) * rows_lit), _CHANGE)


def render(view: View) -> Stage:
    """Per head the weights before, now and their signed difference; below them messages and update."""
    before, d_v = _before(view), view.worksheet.d_v
    n_rows = max(len(before.words), len(view.words))
    table = Table(
        [column for head in range(view.worksheet.n_heads) for column in _columns(before, view, head)],
        n_rows + d_v,
        lambda y: _weights(before, view, y) if y < n_rows else _message(before, view, y - n_rows),
        view.width,
        view.column % _n(view),
        _NAME,
        "    before      now",
    )
    body = stack(table.body(), rows(flow(_update(before, view), view.width)))
    keep = n_rows + view.column // _n(view) if view.beat == "messages" else view.source
    return Stage(body, _working(before, view), table.header(), keep)


def facts(view: View) -> dict[str, Fact]:
    """What each head now reads most, whether the receiver asks as before, and the likeliest words."""
    before = _before(view)
    same = all(
        list(old[before.receiver]) == list(new[view.receiver])
        for old, new in zip(before.trace.Q, view.trace.Q, strict=True)
    )
    asks = "the same queries as" if same else "other queries than"
    (old, was), (new, is_now) = before.likeliest(1)[0], view.likeliest(1)[0]
    return {
        "readings": Fact(view.readings),
        "queries": Fact(f"“{view.words[view.receiver]}” asks with {asks} before."),
        "likeliest": Fact(f"Before, “{old}” came first with {was}; now “{new}” with {is_now}."),
    }


def _n(view: View) -> int:
    """Columns of all heads."""
    return 3 * view.worksheet.n_heads


def _before(view: View) -> View:
    """The view of the sentence before: the same receiver, or the last word where the lesson chose it."""
    words = view.other_words or view.words
    receiver = view.focus.receiver
    focus = replace(view.focus, receiver=None if receiver is None else min(receiver, len(words) - 1))
    return replace(view, trace=view.other or view.trace, words=words, focus=focus)


def _columns(before: View, view: View, head: int) -> list[Column]:
    group, numbers = view.head_name(head), view.numbers
    old, new = (list(side.trace.messages[head][side.receiver]) for side in (before, view))
    changes = [numbers.change(after - earlier) for earlier, after in zip(old, new, strict=True)]
    width = max(6 + numbers.more, *(len(numbers.real(value)) for value in [*old, *new]))
    return [
        Column("before", width, "dim", 1, group=group),
        Column("now", width, "A", 0, group=group),
        Column("diff", max(width + 1, *map(len, changes)), "text", 0, group=group),
    ]


def _weights(before: View, view: View, token: int) -> Row:
    words = [side.words[token] if token < len(side.words) else "—" for side in (before, view)]

    def cell(c: int) -> Cell:
        if not view.reached("weights"):
            return NOT_YET
        head, kind = divmod(c, 3)
        made = _cell(view, [_weight(side, head, token) for side in (before, view)], kind)
        if made != _MISSING and _blocked(before, view, kind, token):
            made = Cell(BLOCKED, DIM)
        return lit(made) if token == view.source and c == view.column and view.beat == "weights" else made

    there = token < len(view.words)
    ink = view.row_ink(token) if there else Ink()
    name = (
        view.row_name(token)[0] if there else Span(f"  {token + 1:2} "),
        Span(fit(words[_BEFORE], 11), ink._replace(role="dim")),
        Span(fit(words[_NOW], 11), ink._replace(bold=words[_BEFORE] != words[_NOW])),
    )
    return Row(name, cell, ink)


def _weight(side: View, head: int, token: int) -> float | None:
    """A weight, none where there is no word."""
    return float(side.trace.A[head][side.receiver][token]) if token < len(side.words) else None


def _blocked(before: View, view: View, kind: int, token: int) -> bool:
    """Whether the mask blocks this source, before or now; of a difference, both."""
    sides = (before, view)
    return all(side.blocked(token) for side in (sides if kind == _CHANGE else [sides[kind]]))


def _message(before: View, view: View, coordinate: int) -> Row:
    def cell(c: int) -> Cell:
        if not view.reached("messages"):
            return NOT_YET
        values = [side.trace.messages[c // 3][side.receiver][coordinate] for side in (before, view)]
        made = _cell(view, values, c % 3)
        here = view.beat == "messages" and view.column == coordinate * _n(view) + c
        return lit(made) if here else made

    name = f"    message h{subscript(view.receiver + 1)} number {coordinate + 1}"
    return Row((Span(fit(name, _NAME), DIM),), cell)


def _cell(view: View, values: Sequence[float | None], kind: int) -> Cell:
    """Before, now or the difference; the difference is taken before rounding."""
    old, new = values
    if kind != _CHANGE:
        value = values[kind]
        return (
            _MISSING if value is None else Cell(view.numbers.real(value), DIM if kind == _BEFORE else Ink())
        )
    if old is None or new is None:
        return _MISSING
    return Cell(view.numbers.change(new - old), Ink(bold=abs(new - old) >= 0.0005))


def _update(before: View, view: View) -> list[Line]:
    """The update, which all heads make together: its label, before, now."""
    pieces: list[Line] = [(Span(f" Δe{subscript(view.receiver + 1)}", Ink("delta", bold=True)),)]
    for side, told in ((before, "before"), (view, "now")):
        text = view.numbers.row(side.trace.delta_E[side.receiver])
        shown = text if view.reached("messages") else "·".ljust(len(text))
        pieces.append(cut((Span(f" {told} {shown}", DIM if side is before else Ink()),), view.width))
    return pieces


def _working(before: View, view: View) -> Line:
    """The lit weight or message, before, now or as a difference; at last the likeliest words."""
    if view.beat == "question":
        return pending("diff", "A", "now − before")
    if view.beat == "words":
        return _words(before, view)
    row, c = divmod(view.column, _n(view))
    head, kind = divmod(c, 3)
    sides, numbers = (before, view), view.numbers
    side = before if kind == _BEFORE else view
    mark, told = (
        (superscript(head + 1), ("before ", "now ", "diff ")[kind]) if view.width >= _MARKED else ("", "")
    )
    if view.beat == "messages":
        label = f"{told}h{mark}{subscript(side.receiver + 1, row + 1)}"
        if kind != _CHANGE:
            return summed(side, head, row, label, view.width)
        amounts = [float(each.trace.messages[head][each.receiver][row]) for each in sides]
    else:
        label = f"{told}A{mark}{subscript(side.receiver + 1, view.source + 1)}"
        weights = [_weight(each, head, view.source) for each in sides]
        if None in (weights if kind == _CHANGE else [weights[kind]]):
            return pending(label, "A", "—, no word stands there")
        if _blocked(before, view, kind, view.source):
            return blocked(side, label, view.width)
        if kind != _CHANGE:
            exp, total = map(numbers.real, side.trace.share(head, side.receiver, view.source))
            return worked(label, "A", [f"{exp} / {total}"], [numbers.real(weights[kind] or 0.0)], view.width)
        amounts = [weight or 0.0 for weight in weights]
    change = f"{numbers.real(amounts[_NOW])} − {numbers.factor(amounts[_BEFORE], 3 + numbers.more)}"
    return worked(label, "A", [change], [numbers.change(amounts[_NOW] - amounts[_BEFORE])], view.width)


def _words(before: View, view: View) -> Line:
    """The likeliest words before and now; now alone where there is no room for both."""
    old, new = ("  ".join(map(" ".join, side.likeliest(_TOP))) for side in (before, view))
    now = (Span(" now  ", DIM), Span(new, Ink(bold=True)))
    both = (Span(f" before  {old}     ", DIM), *now)
    return both if width_of(both) <= view.width else cut(now, view.width)
