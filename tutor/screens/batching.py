"""Two sentences at once: every step's shape, and one cell [b, h, i, j] followed through all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.cells import cell_len

from tutor.draw.line import DIM, Ink, Line, Span, cut, fit, flow, pad, rows, width_of
from tutor.draw.number import extremes
from tutor.draw.working import worked
from tutor.screens.batch_steps import MERGE, SPLIT, Batch, Step
from tutor.view import Columns, Fact, Stage, View

BEATS = ("ids", "project", "split", "cell", "join", "wrong", "padding")
_TAKEN = {"ids": 1, "project": 3, "split": 5, "cell": 7}
"""the steps taken by the end of a beat; later beats have them all"""
_OWN = {"ids": 0, "project": 2, "split": SPLIT, "cell": 6, "join": 9, "wrong": SPLIT, "padding": 0}
_SHAPE, _AXES, _INDENT = 13, 9, 3
_WRONG = "  wrong"


def columns(view: View) -> Columns:
    """The steps taken by now."""
    return Columns(range(_taken(view)), _OWN[view.beat])


def render(view: View) -> Stage:
    """One row a step, two for the ids; in a narrow window the numbers stand below name and shape."""
    table = _Table(Batch(view))
    lines = [table.step(at) for at in range(len(table.steps))]
    lines.insert(1, table.other_ids())
    before = lines[: view.column + (view.column > 0)]
    return Stage(
        rows(line for step in lines for line in step),
        _working(table.batch, table.steps),
        [*flow(_indices(table.batch), view.width), table.header()],
        sum(map(len, before)),
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
        "pad_rows": Fact("keep their causal prefix" if view.focus.causal else "read every row"),
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


@dataclass(frozen=True)
class _Table:
    """The steps as rows: name, shape, axes, the numbers at the followed address."""

    batch: Batch

    @cached_property
    def steps(self) -> list[Step]:
        """Of the head that is spoken of."""
        return self.batch.steps(self.batch.view.head)

    @cached_property
    def _names(self) -> int:
        return max(len(step.name) for step in self.steps) + 3

    @property
    def _left(self) -> int:
        return self._names + _SHAPE + _AXES

    @cached_property
    def _cell(self) -> int:
        """Cells of a number: those of the widest one, its mark and the mark of the one before."""
        trace, numbers, places = self.batch.view.trace, self.batch.view.numbers, self.batch.view.places
        texts = [numbers.fixed(value, places.E) for value in extremes(trace.E)]
        texts += [numbers.fixed(value, places.Q) for value in extremes(trace.Q)]
        texts += [numbers.real(value) for name in (trace.messages, trace.E_prime) for value in extremes(name)]
        return max(map(len, texts)) + 2

    @cached_property
    def _part(self) -> int:
        """Cells of one head's numbers."""
        return max(self.batch.view.worksheet.d_head, self.batch.view.worksheet.d_v) * self._cell + 1

    @cached_property
    def _widest(self) -> int:
        """Cells of the widest row of numbers, and of a right and a wrong part side by side."""
        packed = max(len(step.texts) for step in self.steps if "·" in step.axes) * self._cell + 1
        return max(packed, 2 * self._part + len(_WRONG))

    @property
    def _stacked(self) -> bool:
        return self._left + self._widest > self.batch.view.width

    @property
    def _room(self) -> int:
        return self.batch.view.width - (_INDENT if self._stacked else self._left)

    @property
    def _far(self) -> int:
        """Where another head's numbers begin."""
        return self._left + self._widest + _INDENT

    @property
    def _other(self) -> int | None:
        """Another head, where there is room for its numbers."""
        view = self.batch.view
        room = not self._stacked and self._far + self._part <= view.width
        return next((head for head in view.heads_shown if head != view.head and room), None)

    def header(self) -> Line:
        """The titles of the columns."""
        titles = fit(" step", self._names) + fit("shape", _SHAPE) + fit("axes", _AXES)
        where = " ".join(f"{axis}={at}" for axis, at in self.batch.at.items())
        line: Line = (Span(titles if self._stacked else f"{titles} at {where}", DIM),)
        return line if self._other is None else (*pad(line, self._far), Span(f" at h={self._other + 1}", DIM))

    def step(self, at: int) -> list[Line]:
        """One step, its numbers behind or below."""
        view, step = self.batch.view, self.steps[at]
        if at >= _taken(view):
            dots = fit("·", _SHAPE) + fit("·", _AXES)
            return self._placed((Span(fit(f" {step.name}", self._names) + dots, DIM),), [(Span(" ·", DIM),)])
        ink = Ink(bold=at == view.column)
        shape = fit(self.batch.shape(step), _SHAPE) + fit(step.axes, _AXES)
        start = (Span(fit(f" {step.name}", self._names), ink._replace(role=step.role)), Span(shape, ink))
        lines = self._placed(start, self._numbers(at))
        if self._other is not None and "h" in step.axes:
            beside = self._vector(self.batch.steps(self._other)[at], False, self._part)
            lines = [(*pad(lines[0], self._far), *(Span(text, DIM) for text, _ in beside))]
        if at != view.column:
            return lines
        return [tuple(Span(text, ink._replace(lit=True)) for text, ink in line) for line in lines]

    def other_ids(self) -> list[Line]:
        """The ids of the second sentence, below those of the first."""
        start = (Span(fit(" ids at b=2", self._left), DIM),)
        return self._placed(start, [self._ids(1, False)])

    def _numbers(self, at: int) -> list[Line]:
        """The step's numbers; beside those of a transpose what stands there without it, in its place."""
        view, step, lit = self.batch.view, self.steps[at], at == self.batch.view.column
        if at == 0:
            return [self._ids(0, lit)]
        slips = at in (SPLIT, MERGE)
        right = self._vector(step, lit and not (slips and view.beat == "wrong"), self._room)
        if not slips:
            return [right]
        if not view.reached("wrong"):
            return [pad(right, min(self._part, self._room)), (Span("  ·", DIM),)]
        texts = self.batch.wrong(at)
        wrong = _side_by_side(texts, 0, lit and view.beat == "wrong", self._cell, self._room - len(_WRONG))
        label = Span(_WRONG, Ink("wrong", bold=True))
        return [pad(right, min(self._part, self._room)), (label, *wrong)]

    def _vector(self, step: Step, lit: bool, room: int) -> Line:
        cell = max(self._cell, *(cell_len(text) + 2 for text in step.texts))
        return _side_by_side(step.texts, min(step.lit, len(step.texts) - 1), lit, cell, room)

    def _ids(self, b: int, lit: bool) -> Line:
        cell = max(len(text) for ids in self.batch.ids for text in ids) + 1
        return _side_by_side(self.batch.ids[b], self.batch.at["i"] - 1, lit, cell, self._room)

    def _placed(self, start: Line, parts: list[Line]) -> list[Line]:
        """The parts behind the start of the row, or in rows of their own below it."""
        if self._stacked:
            return [start, *((Span(" " * _INDENT), *line) for line in flow(parts, self._room))]
        return [(*start, *(span for part in parts for span in part))]


def _side_by_side(texts: Sequence[str], at: int, lit: bool, cell: int, room: int) -> Line:
    """Numbers in cells of one width, the one at `at` in marks if lit; where not all fit, those around it."""
    first, last = 0, len(texts)
    if last * cell + 1 > room:
        shown = max(1, (room - 5) // cell)
        first = max(0, min(at - shown // 2, last - shown))
        last = first + shown
    spans = [Span("…", DIM)] if first else []
    for c in range(first, last):
        here, blanks = lit and c == at, " " * (cell - cell_len(texts[c]))
        if here:
            blanks = blanks[:-1] + "‹"
        elif lit and c - 1 == at and c > first:
            blanks = "›" + blanks[1:]
        spans += [Span(blanks, Ink(bold=lit)), Span(texts[c], Ink(bold=here))]
    spans.append(Span("›" if lit and at == last - 1 else " ", Ink(bold=lit)))
    return (*spans, Span("…", DIM)) if last < len(texts) else tuple(spans)


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
    found = f"part {part + 1} in memory: row {row + 1}, head {head + 1}"
    return worked(f"{label} wrong", "wrong", [term], [found], batch.view.width)
