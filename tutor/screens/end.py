"""The last screen: what to do with what was learnt."""

from tutor.draw.line import EMPTY, Ink, Line, Span, cut, rows, wrap
from tutor.view import Columns, Fact, Stage, View

BEATS = ("end",)
CODE: dict[str, tuple[str, ...]] = {}
_BESIDE = 80
"""cells from which both stand side by side"""
_NEXT = (
    ("e", "your own words: both heads answer as you type"),
    ("s", "the next ready sentence, all the way through"),
    ("a", "be asked for any cell; t hides results first"),
    ("o", "what you have seen and answered"),
    ("c", "the engine’s lines behind a number"),
    ("", ""),
    ("tutor check", "a round of questions, outside the lesson"),
    ("tutor check --new attention.py", "write attention yourself and have it graded"),
    ("tutor trace", "every number of a sentence"),
)


def columns(view: View) -> Columns:
    """No column is lit here."""
    return Columns(range(1), 0)


def render(view: View) -> Stage:
    """What to type, and what it gives: beside it, or beneath where there is no room."""
    lines: list[Line] = []
    for what, told in _NEXT:
        shown = Span(f" {what:<32}", Ink(bold=True))
        if view.width >= _BESIDE:
            lines.append((shown, Span(told)) if what else EMPTY)
        else:
            lines += [(shown,), *wrap((Span(told),), view.width, 4)]
    path = cut((Span(" words  →  E  →  heads  →  joined  →  E′  →  next word"),), view.width)
    return Stage(rows([EMPTY, *lines]), path)


def facts(view: View) -> dict[str, Fact]:
    """None beyond those of all screens."""
    return {}
