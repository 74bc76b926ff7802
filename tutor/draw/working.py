"""The line of worked arithmetic: letters, then numbers, then the result."""

from collections.abc import Sequence

from tutor.draw.line import DIM, Ink, Line, Span, cut, width_of

EQUALS = "  =  "


def pending(label: str, role: str, words: str) -> Line:
    """` label  =  words`, where numbers will come at a later beat."""
    return (Span(f" {label}", Ink(role, bold=True)), Span(EQUALS + words, DIM))


def equation(first: tuple[str, str], *others: tuple[str, str, str]) -> list[Line]:
    """` e [1×4]  ×  W_Q [4×2]  =  …` in pieces: a text and its role, then signs with a text and its role."""
    text, role = first
    pieces: list[Line] = [(Span(f" {text}", Ink(role, bold=True)),)]
    for sign, text, role in others:
        pieces.append((Span(f"  {sign}  "), Span(text, Ink(role, bold=True))))
    return pieces


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
