"""The joined row times W_O: how to change the word's row, whole and as one part a head."""

from collections.abc import Sequence

from tutor.draw.line import Line, flow, listed, rows, stack
from tutor.draw.number import given, subscript
from tutor.draw.product import Product
from tutor.draw.table import not_yet
from tutor.draw.working import equation, pending, worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("question", "first", "rest", "blocks", "shape")
CODE = {"first": ("delta_E",)}


def columns(view: View) -> Columns:
    """The coordinates of the update that are worked out by now."""
    d_model = view.worksheet.d_model
    if not view.reached("rest"):
        return Columns(range(1), 0)
    return Columns(range(d_model), min(1, d_model - 1) if view.beat == "rest" else 0)


def render(view: View) -> Stage:
    """joined × W_O = Δe, and beneath it what each head's block of W_O gives."""
    caption = flow(_captions(view), view.width)
    product = _product(view)
    return Stage(
        stack(rows(caption), product.draw(view.width)),
        _working(view),
        keep=len(caption) + len(product.matrix) + 3,
    )


def facts(view: View) -> dict[str, Fact]:
    """The update, its lit number, and what each head gives to it."""
    numbers, delta, c = view.numbers, view.trace.delta_E[view.receiver], view.column
    parts = [numbers.real(_part(view, head)[c]) for head in range(view.worksheet.n_heads)]
    return {
        "delta": Fact(numbers.row(delta), "delta"),
        "delta_lit": Fact(numbers.real(delta[c]), "delta"),
        "axis": Fact(view.worksheet.axes[c], "E"),
        "parts": Fact(listed(parts)),
        "shape": Fact("[n_heads·d_v × d_model]"),
    }


def _part(view: View, head: int) -> list[float]:
    """The head's message times its block of W_O."""
    sheet, message = view.worksheet, view.trace.messages[head][view.receiver]
    block = sheet.W_O[head * sheet.d_v : (head + 1) * sheet.d_v]
    return [
        sum(float(number) * row[c] for number, row in zip(message, block, strict=True))
        for c in range(sheet.d_model)
    ]


def _captions(view: View) -> list[Line]:
    n, d_model, width = subscript(view.receiver + 1), view.worksheet.d_model, len(view.worksheet.W_O)
    return equation(
        (f"joined{n} [1×{width}]", "V"),
        ("×", f"W_O [{width}×{d_model}]", "delta"),
        ("=", f"Δe{n} [1×{d_model}]", "delta"),
    )


def _product(view: View) -> Product:
    sheet, numbers, receiver = view.worksheet, view.numbers, view.receiver
    heads, delta = range(sheet.n_heads), view.trace.delta_E[receiver]
    known = 0 if not view.reached("first") else 1 if not view.reached("rest") else len(delta)
    axes = sheet.joined_axes
    below = [(f" Δe{subscript(receiver + 1)}".ljust(10) + "added", delta)]
    for head in reversed(heads):
        first, last = head * sheet.d_v + 1, (head + 1) * sheet.d_v
        block = f"rows {first}–{last}" if first < last else f"row {first}"
        below.insert(0, (f" head {head + 1}   {block} of W_O", _part(view, head)))

    def shown(values: Sequence[float], count: int) -> list[str]:
        texts = [numbers.real(value) for value in values]
        return [*texts[:count], *not_yet(texts[count:])]

    return Product(
        f" ▶{receiver + 1:2} {view.words[receiver]}",
        [numbers.real(value) for value in view.trace.joined[receiver]],
        [[given(value) for value in row] for row in sheet.W_O],
        shown(delta, known),
        [f"h{head + 1} {axis}" for head in heads for axis in sheet.heads[head].value_axes],
        sheet.axes,
        view.column,
        ("V", "delta", "delta"),
        row_names=axes,
        seams=range(sheet.d_v, len(axes), sheet.d_v),
        below=[
            ("", []),
            *((name, shown(part, len(part) if view.reached("blocks") else 0)) for name, part in below),
        ],
    )


def _working(view: View) -> Line:
    """The lit number: a product a coordinate, or one number a head."""
    numbers, receiver, c = view.numbers, view.receiver, view.column
    label = f"Δe{subscript(receiver + 1)} {view.worksheet.axes[c]}"
    decimals = 3 + numbers.more
    if not view.reached("first"):
        return pending(label, "delta", "row times column ▾")
    if view.beat == "blocks":
        terms = [numbers.factor(_part(view, head)[c], decimals) for head in range(view.worksheet.n_heads)]
    else:
        column = [row[c] for row in view.worksheet.W_O]
        terms = numbers.products(view.trace.joined[receiver], decimals, column)
    return worked(label, "delta", terms, [numbers.real(view.trace.delta_E[receiver][c])], view.width)
