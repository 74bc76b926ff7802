"""The chapter in a few rows: from the heads' messages to the next word."""

from tutor.draw.line import EMPTY, Ink, Line, Span, cut, rows
from tutor.draw.number import subscript, superscript
from tutor.draw.table import number_row
from tutor.draw.working import worked
from tutor.view import Columns, Fact, Stage, View

BEATS = ("recap",)
_TOLD = 72
"""cells from which each row says what it is"""
_TOP = 2
"""likeliest words named"""


def columns(view: View) -> Columns:
    """No column is lit here."""
    return Columns(range(1), 0)


def render(view: View) -> Stage:
    """One row of numbers a step."""
    trace, numbers, receiver = view.trace, view.numbers, view.receiver
    n = subscript(receiver + 1)
    reals = [
        *(
            (f"h{superscript(head + 1)}{n}", f"message of head {head + 1}", "V", messages[receiver])
            for head, messages in enumerate(trace.messages)
        ),
        (f"joined{n}", "side by side", "V", trace.joined[receiver]),
        (f"Δe{n}", f"joined{n} W_O", "delta", trace.delta_E[receiver]),
        (f"e{n}", "the word’s own row", "E", trace.E[receiver]),
        (f"e′{n}", f"e{n} + Δe{n}", "E", trace.E_prime[receiver]),
    ]
    lines: list[Line] = []
    for name, told, role, values in reals:
        lines.append(_row(view, name, told, role, [numbers.real(value) for value in values]))
    lines += [EMPTY, *_words(view)]
    return Stage(rows(lines), worked(f"e′{n}", "E", [f"e{n}", f"joined{n} W_O"], [], view.width))
