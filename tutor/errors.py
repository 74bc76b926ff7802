"""The one kind of mistake that is told to the learner, and how to show their text safely."""

from __future__ import annotations


class TutorError(Exception):
    """A mistake told in one line: what was given, what is allowed, what to do."""


def shown(text: str, cells: int = 20) -> str:
    """`text` fit for one line of a terminal: non-printables as `?`, cut to at most `cells` cells."""
    import unicodedata  # late: only an error needs it

    line, cut, used = "", "", 0
    for character in text[: cells + 1]:
        used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used > cells:
            return cut + "..."
        line += character if character.isprintable() else "?"
        cut = line if used <= cells - 3 else cut
    return line
