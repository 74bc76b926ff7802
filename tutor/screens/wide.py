"""The same projections as one head of the joined width: one score a source, one softmax for all."""

from tutor.arithmetic import blocked
from tutor.draw.line import DIM, Ink, Line, Span, cut, listed
from tutor.draw.number import BLOCKED, finite, subscript, superscript
from tutor.draw.shade import weight_cell
from tutor.draw.table import BLANK, NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "scores", "softmax", "compare", "caveat")
CODE = {"scores": ("raw",), "softmax": ("s", "A")}
_RAW, _SCALED, _WEIGHT = range(3)
"""the wide head's columns"""


def columns(view: View) -> Columns:
    """The wide head's raw score, then its scaled score and weight."""
    taken = 3 if view.reached("softmax") else 1
    return Columns(range(taken), taken - 1)


def render(view: View) -> Stage:
    """A row a source: the heads' scores, their sum, scaled, its weight, and the heads' own weights."""
    T, n_heads = len(view.words), view.worksheet.n_heads
    table = Table(
        _columns(view),
        T + 2,
        lambda y: _row(view, y) if y < T else _rest(view) if y > T else None,
        view.width,
        n_heads + view.column,
        title="   source",
    )
    return Stage(
        table.body(), _working(view), [cut(_caption(view), view.width), *table.header()], view.source
    )


def facts(view: View) -> dict[str, Fact]:
    """The source's scores, and the weights of what the heads read most."""
    numbers, receiver, source = view.numbers, view.receiver, view.source
    favourites = _favourites(view)
    words = [f"“{view.known(view.words[token]).text}”" for token in favourites]
    wide = [
        f"{word} {numbers.real(view.wide.A[0][receiver][token])}"
        for word, token in zip(words, favourites, strict=True)
    ]
    gave = []
    for head, weights in enumerate(view.trace.A):
        texts = [numbers.real(weights[receiver][token]) for token in favourites]
        if head == 0:
            texts = [f"{word} {text}" for word, text in zip(words, texts, strict=True)]
        gave.append(f"{'head' if head else 'Head'} {head + 1} {'' if head else 'gave '}{listed(texts)}")
    scores = [view.trace.raw[head][receiver][source] for head in range(view.worksheet.n_heads)]
    return {
        "wide_width": Fact(str(_width(view))),
        "sum": Fact(numbers.sum(scores, 2 + numbers.more)),
        "raw": Fact(numbers.raw(view.wide.raw[0][receiver][source])),
        "wide_weights": Fact(
            f"{', '.join(wide)}, all others {numbers.real(_sum_of_rest(view, view.wide.A[0][receiver]))}"
        ),
        "head_weights": Fact(", ".join(gave)),
    }


def _width(view: View) -> int:
    return view.worksheet.n_heads * view.worksheet.d_head


def _favourites(view: View) -> list[int]:
    """What each head reads most, each source once."""
    heads = range(view.worksheet.n_heads)
    return list(dict.fromkeys(view.trace.strongest(head, view.receiver) for head in heads))


def _sum_of_rest(view: View, weights: list[float]) -> float:
    favourites = _favourites(view)
    return sum(float(weight) for token, weight in enumerate(weights) if token not in favourites)


def _caption(view: View) -> Line:
    sheet, side = view.worksheet, _width(view)
    return (
        Span(" side by side:  ", DIM),
        Span(f"W_Q [{sheet.d_model}×{side}]", Ink("Q", bold=True)),
        Span(f"   W_K [{sheet.d_model}×{side}]", Ink("K", bold=True)),
        Span(f"   W_V [{sheet.d_model}×{sheet.n_heads * sheet.d_v}]", Ink("V", bold=True)),
    )


def _columns(view: View) -> list[Column]:
    numbers, heads, receiver = view.numbers, range(view.worksheet.n_heads), view.receiver
    weight = len(numbers.real(1.0))

    def column(title: str, texts: list[str], gap: int, group: str) -> Column:
        return Column(title, max(len(title), *map(len, texts)), "A", gap, group=group)

    raw = [[numbers.raw(value) for value in finite(view.trace.raw[head][receiver])] for head in heads]
    wide = [numbers.raw(value) for value in finite(view.wide.raw[0][receiver])]
    scaled = [numbers.real(value) for value in finite(view.wide.scores[0][receiver])]
    together = f"one head of width {_width(view)}"
    return [
        *(column(f"head {head + 1}", raw[head], 0 if head else 1, "r by head") for head in heads),
        column("raw r", ["00.00", *wide], 1, together),
        column(f"s = r/√{_width(view)}", scaled, 0, together),
        column("weight A", ["0" * weight], 0, together),
        *(column(f"head {head + 1}", ["0" * weight], 0 if head else 1, "A by head") for head in heads),
    ]


def _row(view: View, source: int) -> Row:
    trace, wide, numbers, receiver = view.trace, view.wide, view.numbers, view.receiver
    n_heads = view.worksheet.n_heads

    def cell(c: int) -> Cell:
        if c < n_heads:
            return Cell(numbers.raw(trace.raw[c][receiver][source]))
        step, head = c - n_heads, c - n_heads - 3
        if not view.reached("compare" if head >= 0 else "scores" if step == _RAW else "softmax"):
            return NOT_YET
        if step == _RAW:
            shown = Cell(numbers.raw(wide.raw[0][receiver][source]))
        elif view.blocked(source):
            shown = Cell(BLOCKED, DIM)
        elif step == _SCALED:
            shown = Cell(numbers.real(wide.scores[0][receiver][source]))
        else:
            A = trace.A[head] if head >= 0 else wide.A[0]
            shown = weight_cell(A[receiver][source], numbers)
        return lit(shown) if source == view.source and step == view.column else shown

    return Row(view.row_name(source), cell, view.row_ink(source))


def _rest(view: View) -> Row:
    """The weights of all that no head reads most, together."""
    n_heads, receiver = view.worksheet.n_heads, view.receiver

    def cell(c: int) -> Cell:
        head = c - n_heads - 3
        if head < -1:
            return BLANK
        if not view.reached("compare" if head >= 0 else "softmax"):
            return NOT_YET
        weights = view.trace.A[head][receiver] if head >= 0 else view.wide.A[0][receiver]
        return Cell(view.numbers.real(_sum_of_rest(view, weights)))

    return Row((Span("   all others", DIM),), cell)


def _working(view: View) -> Line:
    """The lit number of the wide head."""
    wide, numbers, receiver, source = view.wide, view.numbers, view.receiver, view.source
    heads = range(view.worksheet.n_heads)
    index = subscript(receiver + 1, source + 1)
    raw = numbers.raw(wide.raw[0][receiver][source])
    if not view.reached("scores"):
        n, m = subscript(receiver + 1), subscript(source + 1)
        terms = [f"q{superscript(head + 1)}{n} · k{superscript(head + 1)}{m}" for head in heads]
        return worked(f"r{index}", "A", terms, [], view.width)
    if view.column == _RAW:
        terms = [numbers.factor(view.trace.raw[head][receiver][source], 2 + numbers.more) for head in heads]
        return worked(f"r{index}", "A", terms, [raw], view.width)
    if view.blocked(source):
        return blocked(view, f"A{index}", view.width)
    if view.column == _SCALED:
        score = numbers.real(wide.scores[0][receiver][source])
        return worked(f"s{index}", "A", [f"{raw} / √{_width(view)}"], [score], view.width)
    exp, total = map(numbers.real, wide.share(0, receiver, source))
    return worked(
        f"A{index}", "A", [f"{exp} / {total}"], [numbers.real(wide.A[0][receiver][source])], view.width
    )
