"""The last row through a small network: hidden units, logits, shares over the words."""

import math

from tutor.draw.line import DIM, EMPTY, Ink, Line, Span, rows, stack
from tutor.draw.number import given, subscript
from tutor.draw.palette import weight_ground
from tutor.draw.table import BLANK, NOT_YET, Cell, Column, Row, Table, bar, lit, number_row
from tutor.draw.working import product, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("row", "hidden", "logits", "shares", "two")
_SHOWN = 8
"""words in the table; the others share one line"""
_BAR = 24


def columns(view: View) -> Columns:
    """Coordinates of e′, then hidden units, then words from the likeliest down."""
    if not view.reached("hidden"):
        return Columns(range(view.worksheet.d_model), 0)
    if not view.reached("logits"):
        return Columns(range(view.worksheet.n_hidden), 0)
    ranked = _ranked(view)
    return Columns(ranked, ranked[0])


def render(view: View) -> Stage:
    """e′ and hidden as rows, then the likeliest words with logit, exp, share and bar."""
    words = _words_shown(view)
    others = view.worksheet.n_vocab - len(words)
    table = Table(
        _columns(view, words),
        len(words) + 2,
        lambda y: _row(view, words, y, others),
        view.width,
        min(view.column, 2),
        title="   word",
    )
    lit_row = 4 + words.index(view.column) if view.reached("logits") else 1
    body = stack(rows([*_vectors(view), EMPTY, *table.header()]), table.body())
    return Stage(body, _working(view), [_caption(view)], lit_row)


def facts(view: View) -> dict[str, Fact]:
    """The likeliest word, its logit and its share."""
    top = _ranked(view)[0]
    trace, receiver = view.trace, view.receiver
    return {
        "top": view.known(view.worksheet.vocabulary[top]),
        "top_logit": Fact(view.numbers.real(trace.logits[receiver][top])),
        "top_percent": Fact(view.numbers.percent(trace.probabilities[receiver][top])),
    }


def _ranked(view: View) -> list[int]:
    """All words, the likeliest first; equal ones in the order of the vocabulary."""
    logits = view.trace.logits[view.receiver]
    return sorted(range(view.worksheet.n_vocab), key=lambda word: (-round(float(logits[word]), 9), word))


def _words_shown(view: View) -> list[int]:
    """The likeliest words; the lit one takes the last place where it is not among them."""
    words = _ranked(view)[:_SHOWN]
    if view.reached("logits") and view.column not in words:
        words[-1] = view.column
    return words


def _caption(view: View) -> Line:
    worksheet = view.worksheet
    return (
        Span(f" e′{subscript(view.receiver + 1)} [1×{worksheet.d_model}]", Ink("E", bold=True)),
        Span(f"  →  hidden [1×{worksheet.n_hidden}]  →  logits [1×{worksheet.n_vocab}]"),
        Span(f"  →  shares [1×{worksheet.n_vocab}]"),
    )


def _vectors(view: View) -> list[Line]:
    trace, receiver, numbers = view.trace, view.receiver, view.numbers
    at = view.column if not view.reached("logits") else None
    row = [numbers.real(value) for value in trace.E_prime[receiver]]
    hidden = [numbers.real(value) for value in trace.hidden[receiver]]
    known = view.reached("hidden")
    shown = hidden if known else ["·".rjust(len(text)) for text in hidden]
    return [
        number_row(f" e′{subscript(receiver + 1)}", "E", row, None if known else at, view.width),
        number_row(" hidden", "text", shown, at if known else None, view.width),
    ]


def _exps(view: View) -> tuple[list[float], float, bool]:
    """The exps of the logits and their total; of the shifted logits where plain exp is too large to write."""
    trace, receiver = view.trace, view.receiver
    if math.isinf(trace.logit_total[receiver]):
        return trace.logit_shifted_exp[receiver], trace.logit_shifted_total[receiver], True
    return trace.logit_exp[receiver], trace.logit_total[receiver], False


def _columns(view: View, words: list[int]) -> list[Column]:
    numbers = view.numbers
    exps, total, shifted = _exps(view)
    logits = [numbers.real(view.trace.logits[view.receiver][word]) for word in words]
    return [
        Column("logit", max(7, *map(len, logits))),
        Column("exp(l − max)" if shifted else "exp", max(9, len(numbers.real(total)))),
        Column("probability", 11),
        Column("", _BAR, "delta", 0, left=True),
    ]


def _row(view: View, words: list[int], y: int, others: int) -> Row | None:
    trace, receiver, numbers = view.trace, view.receiver, view.numbers
    exps, total, _ = _exps(view)
    if (y == len(words) and not others) or (y > len(words) and not view.reached("shares")):
        return None
    if y < len(words):
        word = words[y]
        share, exp = trace.probabilities[receiver][word], exps[word]
        name: Line = (Span(f"   {view.worksheet.vocabulary[word]}", Ink(bold=word == view.column)),)
    elif y == len(words):
        shown = set(words)
        rest = [word for word in range(view.worksheet.n_vocab) if word not in shown]
        exp = sum(exps[word] for word in rest)
        share = sum(trace.probabilities[receiver][word] for word in rest)
        name = (Span(f"   {others} others", DIM),)
    else:
        exp, share, name = total, 1.0, (Span("   shared total", DIM),)

    def cell(c: int) -> Cell:
        if c == 0:
            if y >= len(words):
                return BLANK
            cell = Cell(numbers.real(trace.logits[receiver][words[y]])) if view.reached("logits") else NOT_YET
            spoken = not view.reached("shares")
        elif not view.reached("shares"):
            return NOT_YET if c < 3 and y < len(words) else BLANK
        elif c == 1:
            return Cell(numbers.real(exp))
        elif c == 2:
            ground = "" if numbers.waiting or y >= len(words) else weight_ground(share)
            cell, spoken = Cell(numbers.percent(share), Ink(ground=ground)), True
        else:
            text = "" if numbers.waiting or y >= len(words) else bar(share, _BAR)
            return Cell(text, Ink("delta"))
        lit_here = view.reached("logits") and spoken and y < len(words) and words[y] == view.column
        return lit(cell) if lit_here else cell

    return Row(name, cell)


def _working(view: View) -> Line:
    worksheet, trace, receiver, c = view.worksheet, view.trace, view.receiver, view.column
    numbers = view.numbers
    if not view.reached("hidden"):
        label = f"e′{subscript(receiver + 1)} {worksheet.axes[c]}"
        value = numbers.real(trace.E_prime[receiver][c])
        return worked(label, "E", ["what the word is, and what it has read"], [value], view.width)
    if not view.reached("logits"):
        return _dot(
            view,
            f"hidden{subscript(c + 1)}",
            trace.E_prime[receiver],
            [row[c] for row in worksheet.W_hidden],
            worksheet.b_hidden[c],
            trace.pre_hidden[receiver][c],
            trace.hidden[receiver][c],
        )
    word = worksheet.vocabulary[c]
    if not view.reached("shares"):
        return _dot(
            view,
            f"logit of {word}",
            trace.hidden[receiver],
            [row[c] for row in worksheet.W_vocab],
            worksheet.b_vocab[c],
            trace.logits[receiver][c],
        )
    exps, total, _ = _exps(view)
    share = numbers.real(trace.probabilities[receiver][c])
    return worked(word, "delta", [f"{numbers.real(exps[c])} / {numbers.real(total)}"], [share], view.width)


def _dot(
    view: View,
    label: str,
    values: list[float],
    weights: list[float],
    offset: float,
    total: float,
    clipped: float | None = None,
) -> Line:
    """A sum of products and an offset; factors of zero are left out, they add nothing."""
    numbers = view.numbers
    terms = [
        product(numbers.real(value), given(weight), weight, value)
        for value, weight in zip(values, weights, strict=True)
        if weight
    ]
    if offset or not terms:
        terms.append(f"({given(offset)})" if offset < 0 else given(offset))
    results = [numbers.real(total)]
    if clipped is not None and total < 0:
        results.append(f"below zero, so {numbers.real(clipped)}")
    return worked(label, "text", terms, results, view.width)
