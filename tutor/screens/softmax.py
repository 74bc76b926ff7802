"""Raw scores to weights: divide by √d_head, exp, divide by the shared total."""

import math

from tutor.arithmetic import beside, blocked
from tutor.draw.line import DIM, EMPTY, Ink, Line, Rows, Span, cut, rows, stack
from tutor.draw.number import finite, subscript
from tutor.draw.shade import bar, weight_cell
from tutor.draw.table import BLANK, NAME_WIDTH, NOT_YET, Cell, Column, Row, Table, lit
from tutor.draw.working import worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("raw", "scaled", "exp", "weights", "shared", "shifted")
CODE = {
    "raw": ("raw",),
    "scaled": ("s", "scores"),
    "exp": ("exp",),
    "weights": ("total", "A"),
    "shifted": ("row_max", "shifted_exp", "shifted_total", "A"),
}
_STEPS = BEATS[:4]
_BAR = 4
"""the column of bars, after the four steps"""


def columns(view: View) -> Columns:
    """The steps that are taken by now: raw, scaled, exp, weight."""
    taken = min(BEATS.index(view.beat), 3) + 1
    return Columns(range(taken), taken - 1)


def render(view: View) -> Stage:
    """One row a source, one column a step, and the total that all weights share."""
    T = len(view.words)
    columns = [column for head in view.heads_shown for column in _columns(view, head)]
    bars = [column.width for column in columns[_BAR::5]]
    table = Table(
        columns,
        T + 2,
        lambda y: _row(view, y, bars) if y < T else _total(view) if y == T + 1 else None,
        view.width,
        view.heads_shown.index(view.head) * 5 + view.column,
        title="   source",
    )
    return Stage(
        stack(table.body(), _note(view)), beside(view, _working), [*table.header(), EMPTY], view.source
    )


def facts(view: View) -> dict[str, Fact]:
    """The source's numbers on the way, and the row's total and maximum."""
    trace, head, receiver, numbers = view.trace, view.head, view.receiver, view.numbers
    exp, total = _exps(view, head)
    word = view.words[view.source]
    exp_here = (
        f"“{word}” is blocked, so it gets 0"
        if view.blocked(view.source)
        else f"“{word}” now has {numbers.real(exp[view.source])}"
    )
    return {
        "exp_here": Fact(exp_here + "."),
        "total": Fact(numbers.real(total)),
        "row_max": Fact(numbers.real(trace.row_max[head][receiver])),
        "sharing": Fact(_sharing(view)),
    }


def _sharing(view: View) -> str:
    """Which words share the total: those that the mask leaves."""
    receiver = f"“{view.words[view.receiver]}”"
    if not view.focus.causal:
        return "The mask is off (key m): all words share one total."
    if not view.blocked(len(view.words) - 1):
        return f"No word comes after {receiver}: the mask (key m) blocks none. All share one total."
    others = f"All others, {receiver} too, share one total."
    return f"The mask (key m) blocks words after {receiver}, marked ×. {others}"


def _shifted(view: View, head: int) -> bool:
    """The last beat takes the row's maximum off; so does a row whose plain exp is too large to write."""
    return view.beat == "shifted" or math.isinf(view.trace.total[head][view.receiver])


def _exps(view: View, head: int) -> tuple[list[float], float]:
    """The exps of the row and their total, in the form that is shown."""
    trace, receiver = view.trace, view.receiver
    if _shifted(view, head):
        return trace.shifted_exp[head][receiver], trace.shifted_total[head][receiver]
    return trace.exp[head][receiver], trace.total[head][receiver]


def _columns(view: View, head: int) -> list[Column]:
    """The four steps, and the bars in what room is left."""
    trace, receiver, numbers, dim = view.trace, view.receiver, view.numbers, head != view.head
    alone = len(view.heads_shown) == 1
    group = "" if alone else view.head_name(head)
    exp, total = _exps(view, head)
    shifted = _shifted(view, head)
    steps = (
        ("raw r", "A", [numbers.raw(value) for value in finite(trace.raw[head][receiver])], 6),
        (
            "s − max" if shifted else f"s = r/√{view.worksheet.d_head}",
            "text",
            [numbers.real(value) for value in finite(_scaled(view, head))],
            10 if alone else 8,
        ),
        (
            "exp(s − max)" if shifted else "exp(s)",
            "text",
            [numbers.real(value) for value in finite([*exp, total])],
            12 if alone else 9,
        ),
        ("weight A", "A", [numbers.real(1.0)], 8),
    )
    made = [
        Column(
            title,
            max(floor, *map(len, [title, *texts])),
            role,
            1 if title == "weight A" or not alone else 2,
            dim=dim,
            group=group,
        )
        for title, role, texts, floor in steps
    ]
    taken = sum(column.taken for column in made)
    room = (view.width - NAME_WIDTH) // len(view.heads_shown) - taken - 2
    return [*made, Column("", max(0, min(room, 14)), "A", 0, left=True, dim=dim, group=group)]


def _scaled(view: View, head: int) -> list[float]:
    """The scaled scores of the row, less the maximum where that is shown."""
    scores: list[float] = view.trace.scores[head][view.receiver]
    if not _shifted(view, head):
        return scores
    row_max = view.trace.row_max[head][view.receiver]
    return [score - row_max for score in scores]


def _row(view: View, source: int, bars: list[int]) -> Row:
    trace, receiver, numbers = view.trace, view.receiver, view.numbers

    def cell(c: int) -> Cell:
        nth, step = divmod(c, 5)
        head = view.heads_shown[nth]
        if not view.reached(_STEPS[min(step, 3)]):
            return NOT_YET if step < _BAR else BLANK
        weight = trace.A[head][receiver][source]
        if step == _BAR:
            width = bars[nth]
            return Cell("" if numbers.waiting or width < 3 else bar(weight, width), Ink("A"))
        if step and view.blocked(source):
            shown = Cell("×", DIM)
        elif step == 0:
            shown = Cell(numbers.raw(trace.raw[head][receiver][source]))
        elif step == 1:
            shown = Cell(numbers.real(_scaled(view, head)[source]))
        elif step == 2:
            shown = Cell(numbers.real(_exps(view, head)[0][source]))
        else:
            shown = weight_cell(weight, numbers)
        return lit(shown) if source == view.source and step == view.column else shown

    return Row(view.row_name(source), cell, view.row_ink(source))


def _total(view: View) -> Row:
    def cell(c: int) -> Cell:
        nth, step = divmod(c, 5)
        head = view.heads_shown[nth]
        if not view.reached("weights") or step not in (2, 3):
            return BLANK
        if step == 2:
            return Cell(view.numbers.real(_exps(view, head)[1]), Ink(bold=True))
        return Cell(view.numbers.real(float(sum(view.trace.A[head][view.receiver]))))

    name = "   shared total" if view.reached("weights") else ""
    return Row((Span(name, DIM),), cell)


def _note(view: View) -> Rows:
    if view.beat == "shifted" or not any(_shifted(view, head) for head in view.heads_shown):
        return rows([])
    words = " exp of these scores is too large to write: the row’s largest score is taken off first"
    return rows([EMPTY, cut((Span(words, DIM),), view.width)])


def _working(view: View, head: int, width: int) -> Line:
    trace, receiver, source, numbers = view.trace, view.receiver, view.source, view.numbers
    index = subscript(receiver + 1, source + 1)
    if view.blocked(source) and view.column > 0:
        return blocked(view, f"A{index}", width)
    raw = numbers.raw(trace.raw[head][receiver][source])
    if view.column == 0:
        return worked(
            f"r{index}", "A", [f"q{subscript(receiver + 1)} · k{subscript(source + 1)}"], [raw], width
        )
    exps, total = _exps(view, head)
    exp, score = numbers.real(exps[source]), numbers.real(_scaled(view, head)[source])
    shifted = _shifted(view, head)
    if view.column == 1:
        plain = numbers.real(trace.scores[head][receiver][source])
        row_max = numbers.factor(trace.row_max[head][receiver], 3 + numbers.more)
        if shifted:
            return worked(f"s{index} − max", "A", [f"{plain} − {row_max}"], [score], width)
        return worked(f"s{index}", "A", [f"{raw} / √{view.worksheet.d_head}"], [score], width)
    if view.column == 2:
        return worked(f"exp(s{index}{' − max' if shifted else ''})", "A", [f"exp({score})"], [exp], width)
    weight = numbers.real(trace.A[head][receiver][source])
    return worked(f"A{index}", "A", [f"{exp} / {numbers.real(total)}"], [weight], width)
