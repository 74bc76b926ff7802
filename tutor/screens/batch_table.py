"""The table of a batch: one row a step, the numbers at the followed address behind or below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.cells import cell_len

from tutor.draw.line import DIM, Ink, Line, Span, fit, flow, pad
from tutor.draw.number import extremes
from tutor.screens.batch_steps import MERGE, SPLIT, Batch, Step

_SHAPE, _AXES, _INDENT = 13, 8, 3
_WRONG = "  wrong"


@dataclass(frozen=True)
class BatchTable:
    """Name, shape and axes of each step taken; where that leaves too little room, the numbers stand below."""

    batch: Batch
    taken: int
    """steps that are shown"""

    @cached_property
    def steps(self) -> list[Step]:
        """Of the head that is spoken of."""
        return self.batch.steps(self.batch.view.head)

    def header(self) -> Line:
        """The titles of the columns."""
        titles = fit(" step", self._names) + fit("shape", _SHAPE) + fit("axes", _AXES)
        where = " ".join(f"{axis}={at}" for axis, at in self.batch.at.items())
        line: Line = (Span(titles if self._stacked else f"{titles} at {where}", DIM),)
        return line if self._other is None else (*pad(line, self._far), Span(f" at h={self._other + 1}", DIM))

    def step(self, at: int) -> list[Line]:
        """One step; beside the numbers of a transpose those that stand in their place without it."""
        step, lit, slips = self.steps[at], at == self.batch.view.column, at in (SPLIT, MERGE)
        shown = at < self.taken
        slipped = slips and lit and self.batch.view.beat == "wrong"
        ink = Ink(bold=lit) if shown else DIM
        sign = "+" if self._unmasked and "j" in step.axes else " "
        start = (
            Span(fit(sign + step.name, self._names), ink._replace(role=step.role if shown else "dim")),
            Span(fit(self.batch.shape(step) if shown else "·", _SHAPE), ink),
            Span(fit(step.axes if shown else "·", _AXES), ink),
        )
        parts = [self._right(at, lit and not slipped) if shown else (Span(" ·", DIM),)]
        if slips:
            parts = [pad(parts[0], min(self._part, self._room)), self._wrong(at, slipped)]
        lines = self._placed(start, parts)
        if self._other is not None and shown and "h" in step.axes:
            beside = self._vector(self._other_steps[at], False, self._part)
            lines = [(*pad(lines[0], self._far), *(Span(text, DIM) for text, _ in beside))]
        if not lit:
            return lines
        return [tuple(Span(text, ink._replace(lit=True)) for text, ink in line) for line in lines]

    def other_ids(self) -> list[Line]:
        """The ids of the second sentence, below those of the first."""
        return self._placed((Span(fit(" ids at b=2", self._left), DIM),), [self._ids(1, False)])

    def _placed(self, start: Line, parts: Sequence[Line]) -> list[Line]:
        """The parts behind the start of the row, or in rows of their own below it."""
        if self._stacked:
            return [start, *((Span(" " * _INDENT), *line) for line in flow(parts, self._room))]
        return [(*start, *(span for part in parts for span in part))]

    def _right(self, at: int, lit: bool) -> Line:
        return self._vector(self.steps[at], lit, self._room) if at else self._ids(0, lit)

    def _wrong(self, at: int, lit: bool) -> Line:
        """A dot until the beat that shows it, in the same room."""
        room = min(self._part, self._room - len(_WRONG))
        if not self.batch.view.reached("wrong"):
            return pad((Span("  ·", DIM),), len(_WRONG) + room)
        numbers = _side_by_side(self.batch.wrong(at), 0, lit, self._cell, room)
        return pad((Span(_WRONG, Ink("wrong", bold=True)), *numbers), len(_WRONG) + room)

    def _vector(self, step: Step, lit: bool, room: int) -> Line:
        cell = max(self._cell, *(cell_len(text) + 2 for text in step.texts))
        return _side_by_side(step.texts, min(step.lit, len(step.texts) - 1), lit, cell, room)

    def _ids(self, b: int, lit: bool) -> Line:
        cell = max(len(text) for ids in self.batch.ids for text in ids) + 1
        return _side_by_side(self.batch.ids[b], self.batch.at["i"] - 1, lit, cell, self._room)

    @cached_property
    def _names(self) -> int:
        return max(len(step.name) for step in self.steps) + 6

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
    def _unmasked(self) -> bool:
        """Whether the mask, now off, would block the followed source."""
        return not self.batch.view.focus.causal and self.batch.view.source > self.batch.view.receiver

    @property
    def _far(self) -> int:
        """Where another head's numbers begin."""
        return self._left + self._widest + _INDENT

    @cached_property
    def _other_steps(self) -> list[Step]:
        return [] if self._other is None else self.batch.steps(self._other)

    @cached_property
    def _other(self) -> int | None:
        """Another head, where there is room for its numbers."""
        view = self.batch.view
        room = not self._stacked and self._far + self._part <= view.width
        return next((head for head in view.heads_shown if head != view.head and room), None)


def _side_by_side(texts: Sequence[str], at: int, lit: bool, cell: int, room: int) -> Line:
    """Numbers in cells of one width, the one at `at` in marks if lit; where not all fit, those around it."""
    first, last = 0, len(texts)
    if last * cell + 1 > room:
        shown = max(1, (room - 3) // cell)
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
