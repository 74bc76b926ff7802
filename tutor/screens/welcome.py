"""The first screen: the whole way from the words to the next word, with every shape."""

from tutor.draw.line import DIM, EMPTY, Ink, Line, Span, cut, listed, rows, stack
from tutor.draw.table import Cell, Column, Row, Table
from tutor.view import Columns, Fact, Stage, View

BEATS = ("welcome", "numbers")
CODE: dict[str, tuple[str, ...]] = {}
_STEP, _NAME = 12, 54
_TOLD = 72
"""cells from which each step says what it does"""


def columns(view: View) -> Columns:
    """No column is lit here."""
    return Columns(range(1), 0)


def render(view: View) -> Stage:
    """A row a step: its symbol, what it does, the shape of what it makes."""
    sheet, told = view.worksheet, view.width >= _TOLD
    steps = _steps(view)

    def row(y: int) -> Row:
        symbol, role, what, shape = steps[y]
        name: Line = (Span(f" {symbol}".ljust(_STEP), Ink(role, bold=True)),)
        return Row((*name, Span(what)) if told else name, lambda c: Cell(shape))

    table = Table(
        [Column("makes", max(len(step[3]) for step in steps), gap=1)],
        len(steps),
        row,
        view.width,
        name_width=_NAME if told else _STEP,
        title=" step",
    )
    heads = listed([f"{number} {head.label}" for number, head in enumerate(sheet.heads, 1)])
    note = cut((Span(f" our names for the heads: {heads}", DIM),), view.width)
    working = (
        Span(f" E [{len(view.words)}×{sheet.d_model}]", Ink("E", bold=True)),
        Span(f"  →  one of {sheet.n_vocab} words"),
    )
    return Stage(stack(table.body(), rows([EMPTY, note])), cut(working, view.width), table.header())


def facts(view: View) -> dict[str, Fact]:
    """None beyond those of all screens."""
    return {}


def _steps(view: View) -> list[tuple[str, str, str, str]]:
    """Symbol, role, what the step does, and the shape of what it makes, once or once a head."""
    sheet, T = view.worksheet, len(view.words)
    H = sheet.n_heads
    return [
        ("E", "E", "one row of numbers for each word", f"[{T}×{sheet.d_model}]"),
        ("q", "Q", "what each row looks for", f"{H} × [{T}×{sheet.d_head}]"),
        ("k v", "K", "what each row is found by, and gives", f"{H} × [{T}×{sheet.d_head}]"),
        ("scores", "A", "how well each key fits each query", f"{H} × [{T}×{T}]"),
        ("softmax", "A", "scores become weights", f"{H} × [{T}×{T}]"),
        ("A·V", "V", "weights mix values into messages", f"{H} × [{T}×{sheet.d_v}]"),
        ("concat", "V", "the heads’ messages side by side", f"[{T}×{H * sheet.d_v}]"),
        ("W_O", "delta", "the heads mixed: an update for each row", f"[{T}×{sheet.d_model}]"),
        ("+E", "E", "the update added to the row", f"[{T}×{sheet.d_model}]"),
        ("predict", "text", "from the last row, the next word", f"[1×{sheet.n_vocab}]"),
    ]
