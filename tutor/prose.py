"""The lesson's prose: `**term**` bold, `[word](Q)` in a role's colour, `{fact}` filled in."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tutor.draw.line import PLAIN, Ink, Line, Span
from tutor.draw.palette import ROLES
from tutor.errors import TutorError
from tutor.view import Fact

_STRAY = re.compile(r"[\[\]{}*]")
_TOKEN = re.compile(r"(?P<bold>\*\*)|\[(?P<words>[^\]]*)\]\((?P<role>\w+)\)|\{(?P<fact>\w*)\}")


class ContentError(TutorError):
    """A fault in a content file: which file, what is wrong, what to do."""


@dataclass(frozen=True)
class Piece:
    """Plain words, or the name of a fact."""

    text: str
    is_fact: bool = False
    ink: Ink = PLAIN


def parse(text: str) -> tuple[Piece, ...]:
    """The pieces of a chunk of prose; ContentError for an unknown role or a stray mark."""
    if text.count("**") % 2:
        raise ContentError("a ** is not closed: write **term**")
    return tuple(_pieces(" ".join(text.split()), Ink()))


def _pieces(text: str, ink: Ink) -> Iterator[Piece]:
    at = 0
    for match in _TOKEN.finditer(text):
        yield from _plain(text[at : match.start()], ink)
        at = match.end()
        if match["bold"]:
            ink = ink._replace(bold=not ink.bold)
        elif match["role"]:
            if match["role"] not in ROLES:
                raise ContentError(f"unknown role ({match['role']}): use one of {', '.join(ROLES)}")
            yield from _pieces(match["words"], ink._replace(role=match["role"]))
        else:
            yield Piece(match["fact"], True, ink)
    yield from _plain(text[at:], ink)


def _plain(text: str, ink: Ink) -> Iterator[Piece]:
    stray = _STRAY.search(text)
    if stray:
        raise ContentError(f"a stray {stray[0]}: write **term**, [word](role) or {{fact}}")
    if text:
        yield Piece(text, False, ink)


def fill(pieces: tuple[Piece, ...], facts: Mapping[str, Fact]) -> Line:
    """The prose with its facts; KeyError for an unknown fact."""
    return tuple(_span(piece, facts) for piece in pieces)


def _span(piece: Piece, facts: Mapping[str, Fact]) -> Span:
    if not piece.is_fact:
        return Span(piece.text, piece.ink)
    fact = facts[piece.text]
    return Span(fact.text, piece.ink if fact.role == "text" else piece.ink._replace(role=fact.role))
