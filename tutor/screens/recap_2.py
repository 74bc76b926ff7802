"""The chapter in one table: every head from query to message, by the source that it reads most."""

from rich.cells import cell_len

from tutor.draw.line import Ink, Span, fit
from tutor.draw.number import subscript
from tutor.draw.table import Cell, Column, Row, Table
from tutor.draw.working import worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("recap",)
CODE = {"recap": ("messages",)}
_NAME = 20


def columns(view: View) -> Columns:
    """No column is lit here."""
    return Columns(range(1), 0)


def render(view: View) -> Stage:
    """A column for each head, a row for each step."""
    heads = range(view.worksheet.n_heads)
    steps = _steps(view)
    room = view.width - _NAME - 4
    made = []
    for head in heads:
        texts = [view.head_name(head), *(texts[head] for _, _, texts in steps)]
        made.append(Column(texts[0], min(room, max(map(cell_len, texts))), gap=1, left=True))

    def row(y: int) -> Row:
        name, role, texts = steps[y]
        return Row(
            (Span(f" {name}", Ink(role, bold=True)),),
            lambda head: Cell(fit(texts[head], made[head].width).rstrip(), Ink(bold=y == len(steps) - 1)),
        )

    table = Table(made, len(steps), row, view.width, view.head, _NAME)
    n = subscript(view.receiver + 1)
    working = worked(f"h{n}", "V", [f"softmax(q{n} Kᵀ / √{view.worksheet.d_head}) V"], [], view.width)
    return Stage(table.body(), working, table.header())


def facts(view: View) -> dict[str, Fact]:
    """None beyond those of all screens."""
    return {}


def _steps(view: View) -> list[tuple[str, str, list[str]]]:
    """Name, role and each head's text."""
    trace, numbers, places, receiver = view.trace, view.numbers, view.places, view.receiver
    heads = range(view.worksheet.n_heads)
    read = [trace.strongest(head, receiver) for head in heads]
    at = list(zip(heads, read, strict=True))
    n = subscript(receiver + 1)
    known = [[view.known(text).text for text in (str(source + 1), view.words[source])] for source in read]
    return [
        (f"q{n} = e{n} W_Q", "Q", [numbers.row(trace.Q[head][receiver], places.Q) for head in heads]),
        ("source followed", "text", [" ".join(texts) for texts in known]),
        ("k = e W_K", "K", [numbers.row(trace.K[head][source], places.K) for head, source in at]),
        ("r = q · k", "A", [numbers.raw(trace.raw[head][receiver][source]) for head, source in at]),
        (
            f"s = r / √{view.worksheet.d_head}",
            "A",
            [numbers.real(trace.scores[head][receiver][source]) for head, source in at],
        ),
        ("A = exp(s) / total", "A", [numbers.real(trace.A[head][receiver][source]) for head, source in at]),
        ("v = e W_V", "V", [numbers.row(trace.V[head][source], places.V) for head, source in at]),
        ("A × v", "V", [numbers.row(trace.contributions[head][receiver][source]) for head, source in at]),
        (f"h{n} = sum of A × v", "V", [numbers.row(trace.messages[head][receiver]) for head in heads]),
    ]
