"""The query against every key: the raw scores, product by product."""

from collections.abc import Sequence
from itertools import chain

from rich.cells import cell_len

from tutor.arithmetic import beside
from tutor.draw.line import DIM, EMPTY, Ink, Line, Span, flow
from tutor.draw.number import extremes, finite, fixed, subscript
from tutor.draw.shade import signed_cell
from tutor.draw.table import NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import equation, pending, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "first", "rest", "all", "mask", "next")
CODE = {"question": ("K",), "first": ("raw",), "mask": ("scores",), "next": ("raw",)}


def columns(view: View) -> Columns:
    """The products that are worked out by now, and the score after them."""
    d_head = view.worksheet.d_head
    if view.reached("rest"):
        return Columns(range(d_head + 1), d_head)
    return Columns(range(1), 0)


def render(view: View) -> Stage:
    """One row a source: its key, the products with the query, their sum."""
    d_head, T = view.worksheet.d_head, len(view.words)
    table = Table(
        [column for head in view.heads_shown for column in _columns(view, head)],
        T,
        lambda source: _row(view, source),
        view.width,
        view.heads_shown.index(view.head) * (2 * d_head + 1) + d_head + view.column,
        title=" column of Kᵀ",
    )
    caption = flow(_captions(view, T), view.width)
    blank = [EMPTY] if len(caption) == 1 else []
    return Stage(table.body(), beside(view, _working), [*caption, *blank, *table.header()], view.source)


def facts(view: View) -> dict[str, Fact]:
    """The lit score and its products."""
    q, k = view.trace.Q[view.head][view.receiver], view.trace.K[view.head][view.source]
    return {
        "product_1": Fact(view.numbers.raw(q[0] * k[0])),
        "sum": Fact(_sum(view, q, k)),
        "raw": Fact(view.numbers.raw(view.trace.raw[view.head][view.receiver][view.source])),
        "mask_now": Fact("m lifts it." if view.focus.causal else "Now it is off."),
    }


def _captions(view: View, T: int) -> tuple[Line, Line]:
    """The product in letters, and the query's numbers."""
    n, d_head = subscript(view.receiver + 1), view.worksheet.d_head
    letters = equation(
        (f"q{n} [1×{d_head}]", "Q"), ("×", f"Kᵀ [{d_head}×{T}]", "K"), ("=", f"r{n} [1×{T}]", "A")
    )
    q = view.numbers.row(view.trace.Q[view.head][view.receiver], view.places.Q)
    return tuple(chain(*letters)), (Span(f"    q{n} = {q}", Ink("Q")),)


def _columns(view: View, head: int) -> list[Column]:
    trace, worksheet, dim = view.trace, view.worksheet, head != view.head
    axes = worksheet.heads[head].key_axes
    group = view.head_name(head) if len(view.heads_shown) > 1 else ""
    width = max(len(fixed(value, view.places.K)) for value in extremes(trace.K[head]))
    q = trace.Q[head][view.receiver]
    keys = [
        Column(axis, max(width, cell_len(axis)), "K", gap=2 if c else 1, dim=dim, group=group)
        for c, axis in enumerate(axes)
    ]
    products = [
        Column(
            title := f"{view.numbers.fixed(q[c], view.places.Q)}×{axis}",
            max(
                cell_len(title),
                *(len(view.numbers.raw(q[c] * key[c])) for key in trace.K[head]),
            ),
            gap=1 if len(view.heads_shown) == 1 else 0,
            dim=dim,
            group=group,
        )
        for c, axis in enumerate(axes)
    ]
    raw = max(len(view.numbers.raw(value)) for value in finite(trace.raw[head][view.receiver]))
    return [*keys, *products, Column("raw r", max(raw, 6), "A", gap=2, dim=dim, group=group)]


def _row(view: View, source: int) -> Row:
    trace, d_head, numbers = view.trace, view.worksheet.d_head, view.numbers

    def cell(c: int) -> Cell:
        nth, c = divmod(c, 2 * d_head + 1)
        head = view.heads_shown[nth]
        q, k = trace.Q[head][view.receiver], trace.K[head][source]
        if c < d_head:
            return Cell(numbers.fixed(k[c], view.places.K))
        at = c - d_head
        known = view.reached("all") or (
            source == view.source and view.reached("first" if at == 0 else "rest")
        )
        if not known:
            return NOT_YET
        if at < d_head:
            shown = Cell(numbers.raw(q[at] * k[at]))
        else:
            raw = trace.raw[head][view.receiver]
            shown = signed_cell(numbers.raw(raw[source]), raw[source], view.largest(raw))
            if view.blocked(source) and view.reached("mask"):
                shown = Cell(shown.text, DIM, right="×")
        return lit(shown) if source == view.source and at == view.column else shown

    return Row(view.row_name(source), cell, view.row_ink(source))


def _sum(view: View, q: Sequence[float], k: Sequence[float]) -> str:
    products = [a * b for a, b in zip(q, k, strict=True)]
    return view.numbers.sum(products, 2 + view.numbers.more)


def _working(view: View, head: int, width: int) -> Line:
    q, k = view.trace.Q[head][view.receiver], view.trace.K[head][view.source]
    label = f"r{subscript(view.receiver + 1, view.source + 1)}"
    if not view.reached("first"):
        return pending(label, "A", f"q{subscript(view.receiver + 1)} times column {view.source + 1} of Kᵀ")
    numbers, places, at = view.numbers, view.places, view.column
    terms = [
        f"{numbers.factor(a, places.Q)}×{numbers.factor(b, places.K)}" for a, b in zip(q, k, strict=True)
    ]
    if at < len(terms):
        return worked(f"product {at + 1} of {label}", "A", [terms[at]], [numbers.raw(q[at] * k[at])], width)
    raw = numbers.raw(view.trace.raw[head][view.receiver][view.source])
    return worked(label, "A", terms, [_sum(view, q, k), raw] if len(terms) > 1 else [raw], width)
