"""Inked text: a line is a tuple of spans, and every view of the lesson is made of lines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len, chop_cells, set_cell_size


class Ink(NamedTuple):
    """How a span looks, by meaning; `draw/palette.py` turns it into colours."""

    role: str = "text"
    """text, dim, E, Q, K, V, A, delta, right or wrong"""
    bold: bool = False
    underline: bool = False
    reverse: bool = False
    lit: bool = False
    """the row of the receiver or the source"""
    ground: str = ""
    """a step of a ramp: `w0`…`w8` for weights, `s0`…`s8` for signed values"""
    dim: bool = False
    """stands beside what is spoken of"""
    click: str = ""
    """the action of a mouse click, or none"""


PLAIN = Ink()
DIM = Ink("dim")


class Span(NamedTuple):
    """A piece of text in one ink."""

    text: str
    ink: Ink = PLAIN


Line = tuple[Span, ...]
EMPTY: Line = ()


@dataclass(frozen=True)
class Rows:
    """Lines made one at a time, when they are looked at."""

    count: int
    line: Callable[[int], Line]

    def __iter__(self) -> Iterator[Line]:
        return (self.line(y) for y in range(self.count))


def rows(lines: Iterable[Line]) -> Rows:
    """The given lines as rows."""
    made = tuple(lines)
    return Rows(len(made), made.__getitem__)


def stack(*parts: Rows) -> Rows:
    """The parts below each other."""

    def line(y: int) -> Line:
        for part in parts:
            if y < part.count:
                return part.line(y)
            y -= part.count
        raise IndexError(y)

    return Rows(sum(part.count for part in parts), line)


def line_of(text: str, role: str = "text", bold: bool = False) -> Line:
    """One span of one role."""
    return (Span(text, Ink(role, bold)),)


def width_of(line: Iterable[Span]) -> int:
    """Width in terminal cells."""
    return sum(cell_len(span.text) for span in line)


def text_of(line: Iterable[Span]) -> str:
    """The bare text, without blanks at the end."""
    return "".join(span.text for span in line).rstrip()


def cut(line: Line, width: int) -> Line:
    """The line, ended by … where it is wider than `width` cells."""
    if width_of(line) <= width:
        return line
    kept: list[Span] = []
    left = width - 1
    for span in line:
        if cell_len(span.text) > left:
            kept.append(Span(set_cell_size(span.text, left), span.ink))
            break
        kept.append(span)
        left -= cell_len(span.text)
    return (*kept, Span("…", kept[-1].ink))


def pad(line: Line, width: int) -> Line:
    """The line, filled with blanks to `width` cells."""
    missing = width - width_of(line)
    return (*line, Span(" " * missing)) if missing > 0 else line


def fit(word: str, width: int, right: bool = False) -> str:
    """A word in exactly `width` cells, ended by … where it is too long."""
    if cell_len(word) > width:
        word = set_cell_size(word, width - 1).rstrip() + "…"
    blanks = " " * (width - cell_len(word))
    return blanks + word if right else word + blanks


def ends(left: Line, right: Line, width: int) -> Line:
    """One line with `left` at its start and `right` at its end."""
    return (*left, Span(" " * max(1, width - width_of(left) - width_of(right))), *right)


def listed(texts: Sequence[str]) -> str:
    """The texts as people say them: a, b and c."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def flow(pieces: Iterable[Line], width: int) -> list[Line]:
    """The pieces behind each other, in as many lines as they need; none is broken."""
    lines: list[Line] = [EMPTY]
    for piece in pieces:
        if lines[-1] and width_of(lines[-1]) + width_of(piece) > width:
            lines.append(EMPTY)
        lines[-1] += piece
    return lines


def wrap(line: Line, width: int, margin: int = 1) -> list[Line]:
    """The spans as lines of at most `width` cells, broken at blanks, each behind a margin."""
    room = max(1, width - 2 * margin)
    lines: list[list[Span]] = [[]]
    used = 0
    for word in _words(line, room):
        length = width_of(word)
        if lines[-1] and used + 1 + length > room:
            lines.append([])
            used = 0
        if lines[-1]:
            gap_ink = word[0].ink if lines[-1][-1].ink == word[0].ink else PLAIN
            lines[-1].append(Span(" ", gap_ink))
            used += 1
        lines[-1].extend(word)
        used += length
    return [(Span(" " * margin), *spans) for spans in lines]


def _words(line: Line, room: int) -> Iterator[Line]:
    """The words of a line, each the spans it is made of; a word wider than the room comes in pieces."""
    word: list[Span] = []
    for span in line:
        for i, piece in enumerate(span.text.split(" ")):
            if i and word:
                yield tuple(word)
                word = []
            for part in chop_cells(piece, room) if cell_len(piece) > room else [piece]:
                if part:
                    if word and width_of(word) + cell_len(part) > room:
                        yield tuple(word)
                        word = []
                    word.append(Span(part, span.ink))
    if word:
        yield tuple(word)
