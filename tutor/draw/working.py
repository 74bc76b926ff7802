"""The line of worked arithmetic: letters, then numbers, then the result."""

from collections.abc import Sequence

from tutor.draw.line import Ink, Line, Span, cut, width_of
from tutor.draw.number import MINUS, factor

EQUALS = "  =  "


def product(left: str, right: str, right_value: float, left_value: float = 0.0) -> str:
    """Two factors: 2.3×(−0.1)."""
    return f"{factor(left, left_value)}×{factor(right, right_value)}"


def added(texts: Sequence[str]) -> str:
    """Numbers as a sum, negative ones taken away: 7.13 − 0.23."""
    joined = texts[0]
    for text in texts[1:]:
        joined += f" {MINUS} {text[1:]}" if text.startswith(MINUS) else f" + {text}"
    return joined


def worked(label: str, role: str, terms: Sequence[str], results: Sequence[str], width: int) -> Line:
    """` label  =  term + term  =  result`; whole terms in the middle give way to … where it is too long."""
    head = Span(f" {label}", Ink(role, bold=True))
    tail = "".join(EQUALS + result for result in results)
    kept = list(terms)
    line: Line = (head, Span(EQUALS + " + ".join(kept) + tail))
    while width_of(line) > width and len(kept) > 2:
        middle = len(kept) // 2
        if kept[middle] == "…":
            middle -= 1
        kept[middle : middle + 1] = [] if "…" in kept else ["…"]
        line = (head, Span(EQUALS + " + ".join(kept) + tail))
    if width_of(line) > width and len(results) > 1:
        return worked(label, role, terms, results[-1:], width)
    return cut(line, width)
