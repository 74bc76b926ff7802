"""What a screen is drawn from: the trace, the focus and the room, with the names that all screens share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from tutor.draw.line import EMPTY, Ink, Line, Rows, Span, fit
from tutor.draw.number import WAITING, Numbers, decimals_of, extremes
from tutor.draw.table import NAME_WIDTH
from tutor.engine.trace import Trace
from tutor.engine.worksheet import Worksheet
from tutor.focus import Focus

BOTH_HEADS = 118
"""cells from which both heads stand side by side"""


class Fact(NamedTuple):
    """What the prose calls by a name: text in the colour of its role."""

    text: str
    role: str = "text"


class Places(NamedTuple):
    """Decimals that show a worksheet's givens, and their sums and products, in full, three at most."""

    E: int
    Q: int
    K: int
    V: int


class Columns(NamedTuple):
    """The columns that can be lit, in the order in which they are walked, and the beat's own."""

    order: Sequence[int]
    own: int


class Stage(NamedTuple):
    """The middle of the screen: a header that stays, rows that scroll, the line of worked arithmetic."""

    body: Rows
    working: Line = EMPTY
    pinned: Sequence[Line] = ()
    keep: int = 0
    """the row that stays in sight"""


@dataclass(frozen=True)
class View:
    """Everything that a screen may look at. Positions count from 0."""

    worksheet: Worksheet
    trace: Trace
    """of this sentence alone"""
    words: tuple[str, ...]
    """of the sentence, as typed"""
    focus: Focus
    beat: str
    """the name of the beat"""
    beats: tuple[str, ...]
    """all beats of the screen, in order"""
    width: int
    column: int = 0
    other: Trace | None = None
    """of the sentence before an edit, else of the next ready sentence"""
    other_words: tuple[str, ...] = ()
    wide_of: Callable[[], Trace] | None = None
    """traces the sentence with all heads' projections as one wide head"""
    numbers: Numbers = field(default_factory=Numbers)

    @property
    def head(self) -> int:
        """The head that is spoken of."""
        return self.focus.head

    @cached_property
    def receiver(self) -> int:
        """The row that asks."""
        return len(self.words) - 1 if self.focus.receiver is None else self.focus.receiver

    @cached_property
    def source(self) -> int:
        """The row that is read."""
        if self.focus.source is None:
            return self.trace.strongest(self.head, self.receiver)
        return self.focus.source

    @cached_property
    def wide(self) -> Trace:
        """Of this sentence with all heads' projections as one wide head; made when first asked for."""
        assert self.wide_of is not None
        return self.wide_of()

    def blocked(self, source: int) -> bool:
        """Whether the mask keeps the receiver from reading this source."""
        return self.focus.causal and source > self.receiver

    @property
    def heads_shown(self) -> list[int]:
        """The head, and the next one beside it where the window is wide enough."""
        n_heads = self.worksheet.n_heads
        if self.width < BOTH_HEADS or n_heads == 1:
            return [self.head]
        other = (self.head + 1) % n_heads
        return sorted([self.head, other])

    def reached(self, beat: str) -> bool:
        """Whether this beat or a later one is shown."""
        return self.beats.index(self.beat) >= self.beats.index(beat)

    def head_name(self, head: int) -> str:
        """`head 1 setting`."""
        return f"head {head + 1} {self.worksheet.heads[head].label}"

    @property
    def places(self) -> Places:
        """Decimals of E, Q, K and V."""
        places = places_of(self.worksheet)
        return Places(*(decimals + self.numbers.more if decimals > 3 else decimals for decimals in places))

    def row_name(self, token: int, click: str = "at_source") -> Line:
        """` ▶10 the`: signs, position, word; + where the mask would block; no source among receivers."""
        receiver, reads = token == self.receiver, click == "at_source"
        source = reads and token == self.source
        unmasked = reads and not self.focus.causal and token > self.receiver
        sign = f"{'▶' if receiver and source else '+' if unmasked else ' '}"
        sign += "◆" if source else "▶" if receiver else " "
        digits = max(2, len(str(len(self.words))))
        text = f"{sign}{token + 1:{digits}} "
        ink = self.row_ink(token, click)._replace(bold=receiver)
        word = fit(self.words[token], max(NAME_WIDTH - len(text), 4))
        return (
            Span(text, ink),
            Span(word.rstrip(), ink._replace(underline=source)),
            Span(" " * (len(word) - len(word.rstrip())), ink),
        )

    def row_ink(self, token: int, click: str = "at_source") -> Ink:
        """The ground of a token's row, and what a click on it does: at_source or at_receiver."""
        lit = token == self.receiver or (click == "at_source" and token == self.source)
        return Ink(lit=lit, click=f"move('{click}', {token})")

    @cached_property
    def common_facts(self) -> dict[str, Fact]:
        """Facts that every screen's prose may use."""
        worksheet = self.worksheet
        return {
            "n_words": Fact(str(len(self.words))),
            "receiver": Fact(self.words[self.receiver]),
            "receiver_pos": Fact(str(self.receiver + 1)),
            "source": Fact(self.words[self.source]),
            "source_pos": Fact(str(self.source + 1)),
            "head": Fact(str(self.head + 1)),
            "head_label": Fact(worksheet.heads[self.head].label),
            "n_heads": Fact(str(worksheet.n_heads)),
            "d_model": Fact(str(worksheet.d_model)),
            "d_head": Fact(str(worksheet.d_head)),
            "n_vocab": Fact(str(worksheet.n_vocab)),
            "n_hidden": Fact(str(worksheet.n_hidden)),
        }

    def largest(self, matrix: Any) -> float:
        """The largest magnitude of a block, which its ramp divides by; 0 before it is computed."""
        return 0.0 if self.numbers.waiting else max(map(abs, extremes(matrix)))

    @property
    def readings(self) -> str:
        """`Head 1 reads “river” most, head 2 reads “fisherman” most`, as far as one word comes first."""
        told: list[str] = []
        for head, weights in enumerate(self.trace.A):
            first = self.trace.strongest(head, self.receiver)
            row = weights[self.receiver]
            alone = sum(weight > row[first] - 1e-9 for weight in row) == 1
            word = f"“{self.known(self.words[first]).text}” most" if alone else "no word most"
            told.append(f"{'head' if told else 'Head'} {head + 1} reads {word}")
        return ", ".join(told)

    def likeliest(self, count: int) -> list[tuple[str, str]]:
        """The words most likely to come after the receiver, each with its share."""
        shares, vocabulary = self.trace.probabilities[self.receiver], self.worksheet.vocabulary
        return [
            (self.known(vocabulary[word]).text, self.numbers.percent(shares[word]))
            for word in self.trace.likeliest(self.receiver, count)
        ]

    def known(self, word: str) -> Fact:
        """A word that only the computed numbers can choose."""
        return Fact(WAITING * len(word) if self.numbers.waiting else word)


@lru_cache(maxsize=8)
def places_of(worksheet: Worksheet) -> Places:
    """The decimals of a sum are those of its longest term; of a product, those of both factors added."""
    E = max(decimals_of(worksheet.token_embedding), decimals_of(worksheet.position_embedding))
    heads = worksheet.heads
    return Places(
        min(E, 3),
        *(
            min(3, E + max(decimals_of(getattr(head, name)) for head in heads))
            for name in ("W_Q", "W_K", "W_V")
        ),
    )
