"""The last row through a small network: hidden units, logits, shares over the words."""

import math
from typing import NamedTuple

from tutor.draw.line import DIM, EMPTY, Ink, Line, Span, flow, rows, stack
from tutor.draw.number import factor, given, subscript
from tutor.draw.shade import bar, weight_ground
from tutor.draw.table import BLANK, NAME_WIDTH, NOT_YET, Cell, Column, Row, Table, lit, not_yet, number_row
from tutor.draw.working import worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("row", "hidden", "logits", "shares", "two")
CODE = {
    "row": ("E_prime",),
    "hidden": ("pre_hidden", "hidden"),
    "logits": ("logits",),
    "shares": ("logit_exp", "logit_total", "probabilities"),
}
_SHOWN = 8
"""words in the table; the others share one line"""
_SHORTEST, _BAR = 4, 24
"""cells of a bar"""


class _Entry(NamedTuple):
    """A row of the table: a word, the others together, or all words."""

    name: str
    exp: float
    share: float
    word: int | None = None


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
    entries = _entries(view, words)
    step = _step(view)
    columns = _columns(view, words, entries)
    bars = columns[3].width if len(columns) > 3 else 0
    table = Table(
        columns, len(entries), lambda y: _row(view, entries[y], bars), view.width, step or 0, title="   word"
    )
    vectors = [*_vectors(view), EMPTY, *table.header()]
    keep = 0 if step is None else len(vectors) + words.index(view.column)
    return Stage(stack(rows(vectors), table.body()), _working(view), flow(_captions(view), view.width), keep)


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
    """All words, the likeliest first."""
    return view.trace.likeliest(view.receiver, view.worksheet.n_vocab)


def _words_shown(view: View) -> list[int]:
    """The likeliest words; the lit one takes the last place where it is not among them."""
    words = _ranked(view)[:_SHOWN]
    if view.reached("logits") and view.column not in words:
        words[-1] = view.column
    return words


def _captions(view: View) -> list[Line]:
    """The way in letters, step by step."""
    worksheet = view.worksheet
    first = Span(f" e′{subscript(view.receiver + 1)} [1×{worksheet.d_model}]", Ink("E", bold=True))
    sizes = {"hidden": worksheet.n_hidden, "logits": worksheet.n_vocab, "shares": worksheet.n_vocab}
    return [(first,), *((Span(f"  →  {name} [1×{size}]"),) for name, size in sizes.items())]


def _vectors(view: View) -> list[Line]:
    trace, receiver, numbers = view.trace, view.receiver, view.numbers
    at = view.column if not view.reached("logits") else None
    row = [numbers.real(value) for value in trace.E_prime[receiver]]
    hidden = [numbers.real(value) for value in trace.hidden[receiver]]
    known = view.reached("hidden")
    shown = hidden if known else not_yet(hidden)
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


def _columns(view: View, words: list[int], entries: list[_Entry | None]) -> list[Column]:
    """Logit, exp and probability, and the bars in what room is left."""
    numbers = view.numbers
    _, total, shifted = _exps(view)
    exps = [numbers.real(exp) for exp in [total, *(entry.exp for entry in entries if entry)]]
    logits = [numbers.real(view.trace.logits[view.receiver][word]) for word in words]
    exp = "exp(l − max)" if shifted else "exp"
    made = [
        Column("logit", max(7, *map(len, logits))),
        Column(exp, max(9, *map(len, [exp, *exps]))),
        Column("probability", 11),
    ]
    room = view.width - NAME_WIDTH - sum(column.taken for column in made)
    bars = Column("", min(_BAR, room - 2), "delta", 0, left=True)
    return [*made, bars] if bars.width >= _SHORTEST else made


def _step(view: View) -> int | None:
    """The table's column that the beat speaks of: logit or probability, none before."""
    return 2 if view.reached("shares") else 0 if view.reached("logits") else None


def _entries(view: View, words: list[int]) -> list[_Entry | None]:
    """A row for each word, one for the others together, one for all; None where there is none."""
    shares = view.trace.probabilities[view.receiver]
    exps, total, _ = _exps(view)
    rest = set(range(view.worksheet.n_vocab)) - set(words)
    others = _Entry(
        f"{len(rest)} others", sum(exps[word] for word in rest), sum(shares[word] for word in rest)
    )
    return [
        *(_Entry(view.worksheet.vocabulary[word], exps[word], shares[word], word) for word in words),
        others if rest else None,
        _Entry("shared total", total, 1.0) if view.reached("shares") else None,
    ]


def _row(view: View, entry: _Entry | None, bars: int) -> Row | None:
    if entry is None:
        return None
    step = _step(view)
    here = step is not None and entry.word == view.column
    ink = DIM if entry.word is None else Ink(bold=here)

    def cell(c: int) -> Cell:
        made = _cell(view, entry, c, bars)
        return lit(made) if here and c == step else made

    return Row((Span(f"   {entry.name}", ink),), cell)


def _cell(view: View, entry: _Entry, c: int, bars: int) -> Cell:
    """Logit, exp, probability or bar; the last row and the one before have no logit and no bar."""
    numbers, word = view.numbers, entry.word
    if not view.reached("shares" if c else "logits"):
        return NOT_YET if word is not None and c < 3 else BLANK
    if c == 1:
        return Cell(numbers.real(entry.exp))
    if c == 2:
        ground = "" if word is None else weight_ground(entry.share, numbers)
        return Cell(numbers.percent(entry.share), Ink(ground=ground))
    if c == 3:
        return BLANK if word is None or numbers.waiting else Cell(bar(entry.share, bars), Ink("delta"))
    return BLANK if word is None else Cell(numbers.real(view.trace.logits[view.receiver][word]))


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
    used = [at for at, weight in enumerate(weights) if weight]
    terms = numbers.products([values[at] for at in used], 3 + numbers.more, [weights[at] for at in used])
    if offset or not terms:
        terms.append(factor(given(offset)))
    results = [numbers.real(total)]
    if clipped is not None and total < 0:
        results.append(f"below zero, so {numbers.real(clipped)}")
    return worked(label, "text", terms, results, view.width)
