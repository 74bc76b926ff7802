"""Before and after a change of the sentence: weights, messages, update and likeliest words."""

import math
from collections.abc import Sequence
from dataclasses import replace

from tutor.draw.line import DIM, Ink, Line, Span, cut, fit, rows, stack, width_of, wrap
from tutor.draw.number import BLOCKED, subscript, superscript
from tutor.draw.table import NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import worked
from tutor.screens.contributions import summed
from tutor.view import Columns, Fact, Stage, View, blocked

BEATS = ("question", "weights", "messages", "words")
CODE = {"weights": ("A",), "messages": ("messages", "delta_E"), "words": ("probabilities",)}
_NAME = 27
_TOP = 2
"""likeliest words named"""
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
    body = stack(table.body(), rows(wrap(_update(before, view), view.width)))
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
    (old,), (new,) = _top(before, 1), _top(view, 1)
    return {
        "readings": Fact(view.readings),
        "queries": Fact(f"“{view.words[view.receiver]}” asks with {asks} before."),
        "likeliest": Fact(f"Before, {old} came first; now {new}."),
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
        made = _cell(view, [_weight(side, c // 3, token) for side in (before, view)], c % 3)
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
    """A weight, −∞ for a blocked one as its score is; none where there is no word."""
    if token >= len(side.words):
        return None
    return -math.inf if side.blocked(token) else float(side.trace.A[head][side.receiver][token])


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
    if old == new == -math.inf:
        return Cell(BLOCKED, DIM)
    return Cell(view.numbers.change(_counted(new) - _counted(old)), Ink(bold=abs(new - old) >= 0.0005))


def _counted(weight: float) -> float:
    """A blocked weight counts as none."""
    return 0.0 if weight == -math.inf else weight


def _update(before: View, view: View) -> Line:
    """The update before and now, which all heads make together."""
    known = view.reached("messages")
    old, new = (
        view.numbers.row(side.trace.delta_E[side.receiver]) if known else "·" for side in (before, view)
    )
    label = Span(f"Δe{subscript(view.receiver + 1)}", Ink("delta", bold=True))
    return (label, Span(f" before {old}", DIM), Span(f"  now {new}"))


def _working(before: View, view: View) -> Line:
    """The lit weight or message, before, now or as a difference; at last the likeliest words."""
    if view.beat == "question":
        return (Span(" now − before", Ink("A", bold=True)), Span("  =  what the other words change", DIM))
    if view.beat == "words":
        return _words(before, view)
    numbers, decimals = view.numbers, 3 + view.numbers.more
    row, c = divmod(view.column, _n(view))
    head, kind = divmod(c, 3)
    side, mark = (before if kind == _BEFORE else view), superscript(head + 1)
    if view.beat == "messages":
        label = f"h{mark}{subscript(side.receiver + 1)} number {row + 1}"
        if kind != _CHANGE:
            return summed(side, head, row, f"{label} {'now' if kind else 'before'}", view.width)
        amounts = [float(each.trace.messages[head][each.receiver][row]) for each in (before, view)]
    else:
        label = f"A{mark}{subscript(side.receiver + 1, view.source + 1)}"
        weights = [_weight(each, head, view.source) for each in (before, view)]
        weight = weights[kind] if kind != _CHANGE else min(weights, key=lambda w: w is not None)
        if weight is None:
            return (Span(f" {label}", Ink("A", bold=True)), Span("  =  —, there is no such word", DIM))
        if kind != _CHANGE and weight == -math.inf:
            return blocked(side, label, view.width)
        if kind != _CHANGE:
            exp, total = map(numbers.real, side.trace.share(head, side.receiver, view.source))
            told = "now" if kind else "before"
            return worked(f"{label} {told}", "A", [f"{exp} / {total}"], [numbers.real(weight)], view.width)
        amounts = [_counted(each) for each in weights if each is not None]
    total = numbers.sum([amounts[_NOW], -amounts[_BEFORE]], decimals)
    change = numbers.change(amounts[_NOW] - amounts[_BEFORE])
    return worked(f"{label} now − before", "A", [total], [change], view.width)


def _words(before: View, view: View) -> Line:
    """The likeliest words before and now; now alone where there is no room for both."""
    now = (Span(" now  ", DIM), Span("  ".join(_top(view, _TOP)), Ink(bold=True)))
    both = (Span(f" before  {'  '.join(_top(before, _TOP))}     ", DIM), *now)
    return both if width_of(both) <= view.width else cut(now, view.width)


def _top(side: View, count: int) -> list[str]:
    """The likeliest words, each with its share."""
    shares = side.trace.probabilities[side.receiver]
    words = side.trace.likeliest(side.receiver, count)
    return [
        f"{side.known(side.worksheet.vocabulary[word]).text} {side.numbers.percent(shares[word])}"
        for word in words
    ]
