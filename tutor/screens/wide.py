"""The same projections as one head of the joined width: one score a source, one softmax for all."""

from tutor.draw.line import DIM, Ink, Line, Span, cut
from tutor.draw.number import BLOCKED, finite, subscript
from tutor.draw.palette import weight_ground
from tutor.draw.table import BLANK, NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import EQUALS, worked
from tutor.view import Columns, Fact, Stage, View, blocked

BEATS = ("question", "scores", "softmax", "compare", "caveat")


def columns(view: View) -> Columns:
    """The wide head's raw score, scaled score and weight, as far as they are worked out."""
    taken = {"question": 1, "scores": 1}.get(view.beat, 3)
    return Columns(range(taken), taken - 1)


def render(view: View) -> Stage:
    """A row a source: the heads' raw scores, their sum, scaled, its weight, and the heads' weights beside it."""
    T, n_heads = len(view.words), view.worksheet.n_heads
    table = Table(
        _columns(view),
        T + 2,
        lambda y: _row(view, y) if y < T else _others(view) if y == T + 1 else None,
        view.width,
        n_heads + view.column,
        title="   source",
    )
    return Stage(table.body(), _working(view), [cut(_caption(view), view.width), *table.header()], view.source)
