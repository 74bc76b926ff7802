"""Lines of worked arithmetic that several screens share."""

from collections.abc import Callable

from tutor.draw.line import Ink, Line, Span, cut, pad
from tutor.draw.working import worked
from tutor.view import View


def blocked(view: View, label: str, width: int) -> Line:
    """What is worked out for a source that the receiver may not read."""
    words = f"  =  0, blocked: source {view.source + 1} comes after receiver {view.receiver + 1}"
    return cut((Span(f" {label}", Ink("A", bold=True)), Span(words)), width)


def summed(view: View, head: int, c: int, label: str, width: int) -> Line:
    """How one number of the message is made: what every source gives, added."""
    numbers, receiver = view.numbers, view.receiver
    terms = [
        numbers.factor(part[c], 3 + numbers.more)
        for source, part in enumerate(view.trace.contributions[head][receiver])
        if not view.blocked(source)
    ]
    return worked(label, "V", terms, [numbers.real(view.trace.messages[head][receiver][c])], width)


def beside(view: View, working: Callable[[View, int, int], Line]) -> Line:
    """The worked arithmetic of each head shown, the other one dim."""
    heads = view.heads_shown
    width = view.width // len(heads)
    line: Line = ()
    for head in heads:
        part = working(view, head, width)
        if head != view.head:
            part = tuple(Span(text, ink._replace(dim=True)) for text, ink in part)
        line += pad(part, width)
    return line
