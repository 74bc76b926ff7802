"""The chapter in a few rows: from the heads' messages to the next word."""

from collections.abc import Iterator

from tutor.draw.line import Ink, Line, Span, cut, rows, width_of, wrap
from tutor.draw.number import subscript, superscript
from tutor.draw.working import worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("recap",)
CODE = {"recap": ("joined", "delta_E", "E_prime")}
_NAME, _TOLD = 12, 25
"""cells of a row's name, and of how it is made"""
_TOP = 3
"""likeliest words named"""


def columns(view: View) -> Columns:
    """No column is lit here."""
    return Columns(range(1), 0)


def render(view: View) -> Stage:
    """One row of numbers a step, and the likeliest words."""
    n = subscript(view.receiver + 1)
    lines = [line for step in _steps(view) for line in _placed(view, *step)]
    return Stage(rows(lines), worked(f"e′{n}", "E", [f"e{n}", f"joined{n} W_O"], [], view.width))


def facts(view: View) -> dict[str, Fact]:
    """None beyond those of all screens."""
    return {}


def _steps(view: View) -> Iterator[tuple[str, str, str, str]]:
    """Name, how it is made, role and numbers, one width for all."""
    trace, receiver, numbers = view.trace, view.receiver, view.numbers
    n = subscript(receiver + 1)
    vectors = [
        (f"joined{n}", "messages side by side", "V", trace.joined[receiver]),
        (f"Δe{n}", f"joined{n} W_O", "delta", trace.delta_E[receiver]),
        (f"e{n}", "the word’s own row", "E", trace.E[receiver]),
        (f"e′{n}", f"e{n} + Δe{n}", "E", trace.E_prime[receiver]),
    ]
    width = max(len(numbers.real(value)) for *_, values in vectors for value in values)
    for head, messages in enumerate(trace.messages):
        made = f"message of head {head + 1}"
        vectors.insert(head, (f"h{superscript(head + 1)}{n}", made, "V", messages[receiver]))
    for name, made, role, values in vectors:
        yield name, made, role, "[ " + "  ".join(numbers.real(value).rjust(width) for value in values) + " ]"
    words = map(" ".join, view.likeliest(_TOP))
    yield "next word", "hidden, logits, softmax", "text", ", ".join(words)


def _placed(view: View, name: str, made: str, role: str, values: str) -> list[Line]:
    """One line, or where that is too narrow the numbers below."""
    start = (Span(f" {name}".ljust(_NAME), Ink(role, bold=True)), Span(made.ljust(_TOLD)))
    line = (*start, Span(values))
    if width_of(line) <= view.width:
        return [line]
    return [cut(start, view.width), *wrap((Span(values),), view.width, 3)]
