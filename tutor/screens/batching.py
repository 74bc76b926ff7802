"""Two sentences at once: every step's shape, and one cell [b, h, i, j] followed through all of them."""

from collections.abc import Iterator, Sequence

from tutor.draw.line import DIM, Ink, Line, Span, flow, rows, text_of, width_of
from tutor.draw.working import worked
from tutor.screens.batch_steps import MERGE, SPLIT, Batch, Step
from tutor.screens.batch_table import BatchTable
from tutor.view import Columns, Fact, Stage, View

BEATS = ("ids", "project", "split", "cell", "join", "wrong", "padding")
CODE = {
    "ids": ("ids",),
    "project": ("each_head", "Q"),
    "cell": ("scores", "A"),
    "join": ("messages", "joined", "delta_E", "E_prime"),
    "wrong": ("joined",),
    "padding": ("position_rows",),
}
_TAKEN = {"ids": 1, "project": 3, "split": 5, "cell": 7}
"""the steps taken by the end of a beat; later beats have them all"""
_OWN = {"ids": 0, "project": 2, "split": SPLIT, "cell": 6, "join": 9, "wrong": SPLIT, "padding": 0}


def columns(view: View) -> Columns:
    """The steps taken by now."""
    return Columns(range(_taken(view)), _OWN[view.beat])


def render(view: View) -> Stage:
    """One row a step, two for the ids; in a narrow window the numbers stand below name and shape."""
    table = BatchTable(Batch(view), _taken(view))
    lines = [table.step(at) for at in range(len(table.steps))]
    lines.insert(1, table.other_ids())
    until = lines[: view.column + 1 + (view.column > 0)]
    return Stage(
        rows(line for step in lines for line in step),
        _working(table.batch, table.steps),
        [*flow(_indices(table.batch), view.width), table.header()],
        sum(map(len, until)) - 1,
    )


def facts(view: View) -> dict[str, Fact]:
    """The followed cell, and how the two sentences make one batch."""
    batch, n_heads = Batch(view), view.worksheet.n_heads
    level = len(set(map(len, (trace.ids for trace in batch.traces)))) == 1
    return {
        "filled": Fact(
            f"Both have {_count(batch.length, 'word')}" if level else "PAD on the left fills the shorter one"
        ),
        "heads_told": Fact(_count(n_heads, "head")),
        "address": Fact(f"A{batch.address('b h i j')}", "A"),
        "weight": Fact(view.numbers.real(view.trace.A[view.head][view.receiver][view.source])),
        "rows_told": Fact(_count(batch.length, "row")),
        "slip": Fact(_slip(batch)),
    }


def _taken(view: View) -> int:
    return _TAKEN.get(view.beat, 12)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _slip(batch: Batch) -> str:
    """What stands at the followed cell without the transpose; at its corners the list does not move."""
    n_heads = batch.view.worksheet.n_heads
    if n_heads == 1 or batch.length == 1:
        return f"With {_count(1, 'head' if n_heads == 1 else 'row')} every number stays in place"
    _, row, head = batch.misplaced(SPLIT)
    here = batch.at["i"], batch.at["h"]
    if (row + 1, head + 1) == here:
        return "This cell happens to stay in place; others do not"
    return f"Here row {here[0]} of head {here[1]} gets row {row + 1} of head {head + 1}; merging errs too"


def _indices(batch: Batch) -> Iterator[Line]:
    """What the letters stand for; in a padded sentence a row is the PAD before it and the word's place."""
    sizes = {"sentence": 2, "head": batch.view.worksheet.n_heads}
    sizes |= dict.fromkeys(("receiver", "source"), batch.length)
    for (axis, at), (meaning, size) in zip(batch.at.items(), sizes.items(), strict=True):
        told = f"{batch.n_pad}+{at - batch.n_pad}={at}" if batch.n_pad and axis in "ij" else at
        yield (Span(f" {axis}", Ink(bold=True)), Span(f" {meaning} {told} of {size} "))


def _working(batch: Batch, steps: Sequence[Step]) -> Line:
    """The lit number; on the beat of a slip, where its numbers are taken from instead."""
    view, column = batch.view, batch.view.column
    step = steps[column]
    if view.beat == "padding" and column == 0:
        places = [f"{batch.n_pad} PAD", f"word {view.receiver + 1}"]
        line = worked("i", "text", places, [str(batch.at["i"])], view.width)
        note = Span("    a PAD row reads itself: no row is empty", DIM)
        return (*line, note) if width_of((*line, note)) <= view.width else line
    if view.beat == "wrong" and column in (SPLIT, MERGE):
        return _slipped(batch, column)
    label = step.symbol + batch.address(step.axes, step.lit)
    return worked(label, step.role, step.terms, [step.result], view.width)


def _slipped(batch: Batch, column: int) -> Line:
    """Which part stands here without the transpose: memory keeps its order, the reading has another."""
    at, n_heads = batch.at, batch.view.worksheet.n_heads
    part, row, head = batch.misplaced(column)
    if column == SPLIT:
        label, term = f"Q{batch.address('b h i')}", f"({at['h']} − 1)×{batch.length} + {at['i']}"
    else:
        label, term = f"H{batch.address('b i h')}", f"({at['i']} − 1)×{n_heads} + {at['h']}"
    label, found = f"{label} wrong", f"row {row + 1}, head {head + 1}"
    line = worked(label, "wrong", [term], [f"part {part + 1}", found], batch.view.width)
    return line if found in text_of(line) else worked(label, "wrong", [found], [], batch.view.width)
