"""The receiver's row times W_Q, one coordinate of the query at a time."""

from tutor.draw.line import EMPTY, Ink, Line, Span, flow, rows, stack
from tutor.draw.number import given, subscript
from tutor.draw.product import Product
from tutor.draw.working import equation, pending, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "first", "rest", "query", "again")
CODE = {"first": ("Q",)}


def columns(view: View) -> Columns:
    """The query's coordinates that are worked out by now."""
    d_head = view.worksheet.d_head
    if not view.reached("rest"):
        return Columns(range(1), 0)
    return Columns(range(d_head), min(1, d_head - 1) if view.beat == "rest" else 0)


def render(view: View) -> Stage:
    """e × W_Q = q; where there is room, the other head's product below, dim."""
    n, d_model, d_head = subscript(view.receiver + 1), view.worksheet.d_model, view.worksheet.d_head
    pieces = equation(
        (f"e{n} [1×{d_model}]", "E"),
        ("×", f"W_Q [{d_model}×{d_head}]", "Q"),
        ("=", f"q{n} [1×{d_head}]", "Q"),
    )
    captions = flow(pieces, view.width)
    parts = [rows([*captions, EMPTY])]
    for head in sorted(view.heads_shown, key=lambda head: head != view.head):
        if len(view.heads_shown) > 1:
            ink = Ink(bold=head == view.head, dim=head != view.head)
            parts += [rows([EMPTY, (Span(f" {view.head_name(head)}", ink),)])]
        parts.append(_product(view, head).draw(view.width))
    return Stage(stack(*parts), _working(view), keep=len(captions) + 1 + d_model)


def facts(view: View) -> dict[str, Fact]:
    """The query and its lit coordinate."""
    q, decimals = view.trace.Q[view.head][view.receiver], view.places.Q
    return {
        "q_lit": Fact(view.numbers.fixed(q[view.column], decimals), "Q"),
        "query": Fact(view.numbers.row(q, decimals), "Q"),
    }


def _product(view: View, head: int) -> Product:
    weights = view.worksheet.heads[head]
    known = 0 if not view.reached("first") else 1 if not view.reached("rest") else view.worksheet.d_head
    q = view.trace.Q[head][view.receiver]
    return Product(
        f" ▶{view.receiver + 1:2} {view.words[view.receiver]}",
        [view.numbers.fixed(value, view.places.E) for value in view.trace.E[view.receiver]],
        [[given(value) for value in row] for row in weights.W_Q],
        [view.numbers.fixed(q[c], view.places.Q) if c < known else None for c in range(len(q))],
        view.worksheet.axes,
        weights.query_axes,
        view.column,
        ("E", "Q", "Q"),
        dim=head != view.head,
    )


def _working(view: View) -> Line:
    weights, c = view.worksheet.heads[view.head], view.column
    label = f"q{subscript(view.receiver + 1)} {weights.query_axes[c]}"
    if not view.reached("first"):
        return pending(label, "Q", "row times column ▾")
    e = view.trace.E[view.receiver]
    terms = view.numbers.products(e, view.places.E, [row[c] for row in weights.W_Q])
    q = view.trace.Q[view.head][view.receiver][c]
    return worked(label, "Q", terms, [view.numbers.fixed(q, view.places.Q)], view.width)
