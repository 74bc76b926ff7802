"""The batch of this sentence and the other one: where the followed cell lies, and the steps through it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tutor.draw.number import added, factor, fixed, given
from tutor.engine.trace import Trace
from tutor.view import View

SPLIT, MERGE = 4, 8
"""the two steps that transpose"""
PAD = "PAD"


class Step(NamedTuple):
    """What stands at the followed address, and how its lit number is made."""

    name: str
    symbol: str
    role: str
    axes: str
    """b sentence, h head, i receiver, j source, · coordinate"""
    size: int
    """of the coordinate axis"""
    lit: int
    """the lit coordinate, from 0"""
    texts: Sequence[str]
    terms: Sequence[str]
    result: str


@dataclass(frozen=True)
class Batch:
    """Sentence 1 is the view's own; the shorter one has PAD before its words, which no word reads.

    So each word's numbers are those of its sentence alone: `tutor verify` compares them.
    """

    view: View

    @property
    def traces(self) -> list[Trace]:
        """Of both sentences."""
        return [self.view.trace, self.view.other or self.view.trace]

    @property
    def length(self) -> int:
        """Rows of each sentence: the words of the longer one."""
        return max(len(trace.ids) for trace in self.traces)

    @property
    def n_pad(self) -> int:
        """PAD rows before this sentence's words."""
        return self.length - len(self.view.words)

    @property
    def ids(self) -> list[list[str]]:
        """The ids of both sentences, PAD before the shorter one's."""
        each = [[str(int(word_id)) for word_id in trace.ids] for trace in self.traces]
        return [[PAD] * (self.length - len(ids)) + ids for ids in each]

    @property
    def at(self) -> dict[str, int]:
        """Where the followed cell lies on each axis, from 1."""
        view, before = self.view, self.n_pad + 1
        return {"b": 1, "h": view.head + 1, "i": before + view.receiver, "j": before + view.source}

    def address(self, axes: str, coordinate: int = 0) -> str:
        """`[1, 1, 10, 6]`; the coordinate is counted from 0."""
        at = {**self.at, "·": coordinate + 1}
        return f"[{', '.join(str(at[axis]) for axis in axes.split())}]"

    def shape(self, step: Step) -> str:
        """`[2,2,10,10]`."""
        n_heads = self.view.worksheet.n_heads
        sizes = {"b": 2, "h": n_heads, "i": self.length, "j": self.length, "·": step.size}
        return f"[{','.join(str(sizes[axis]) for axis in step.axes.split())}]"

    def misplaced(self, at: int) -> tuple[int, int, int]:
        """The part in memory that stands here without the transpose at `at`, its row and head; from 0."""
        n_heads, row, head = self.view.worksheet.n_heads, self.at["i"] - 1, self.view.head
        if at == SPLIT:  # lies word by word, is read head by head
            part = head * self.length + row
            return part, part // n_heads, part % n_heads
        part = row * n_heads + head  # lies head by head, is read word by word
        return part, part % self.length, part // self.length

    def wrong(self, at: int) -> list[str]:
        """The numbers that stand here without the transpose of step `at`."""
        _, row, head = self.misplaced(at)
        token, trace = row - self.n_pad, self.view.trace
        if token < 0:
            return [PAD] * (self.view.worksheet.d_head if at == SPLIT else self.view.worksheet.d_v)
        return (
            self._queries(trace.Q[head][token]) if at == SPLIT else self._reals(trace.messages[head][token])
        )

    def steps(self, head: int) -> list[Step]:
        """From ids to logits, with the numbers of this head."""
        return [*self._projected(head), *self._attended(head), *self._returned(head)]

    def _projected(self, head: int) -> Iterator[Step]:
        view, places = self.view, self.view.places
        trace, worksheet, numbers, receiver = view.trace, view.worksheet, view.numbers, view.receiver
        ids, row = self.ids[0], self.at["i"] - 1
        yield Step("ids", "ids", "text", "b i", 0, row, ids, [f"id of “{view.words[receiver]}”"], ids[row])

        e = trace.E[receiver]
        c = highest([abs(value) for value in e])
        token = worksheet.token_embedding[int(trace.ids[receiver])]
        position = worksheet.position_embedding[receiver]
        total = added([fixed(token[c], places.E), fixed(position[c], places.E)])
        shown = [numbers.fixed(value, places.E) for value in e]
        yield Step("E", "E", "E", "b i ·", len(shown), c, shown, [total], shown[c])

        packed = [number for queries in trace.Q for number in self._queries(queries[receiver])]
        d_head = worksheet.d_head
        first, q = head * d_head, self._queries(trace.Q[head][receiver])
        terms = numbers.products(e, places.E, [row[0] for row in worksheet.heads[head].W_Q])
        yield Step("Q = E W_Q", "Q", "Q", "b i ·", len(packed), first, packed, terms, q[0])
        whole = f"number {first + 1} of Q{self.address('b i')}"
        yield Step("reshape", "Q", "Q", "b i h ·", d_head, 0, q, [whole], q[0])
        before = f"{self.address('b i h ·')} before"
        yield Step("transpose", "Q", "Q", "b h i ·", d_head, 0, q, [before], q[0])

    def _attended(self, head: int) -> Iterator[Step]:
        view, numbers = self.view, self.view.numbers
        trace, receiver, source, d_head = view.trace, view.receiver, view.source, view.worksheet.d_head
        weights = trace.A[head][receiver]
        scaled = f"{numbers.raw(trace.raw[head][receiver][source])} / √{d_head}"
        share = " / ".join(map(numbers.real, trace.share(head, receiver, source)))
        if view.blocked(source):
            scaled = share = "source after receiver, blocked"
        score, weight = numbers.real(trace.scores[head][receiver][source]), numbers.real(weights[source])
        yield Step(f"s = Q Kᵀ/√{d_head}", "s", "A", "b h i j", 0, 0, [score], [scaled], score)
        yield Step("A", "A", "A", "b h i j", 0, 0, [weight], [share], weight)

        terms = [
            f"{numbers.real(weights[token])}×{numbers.factor(value[0], view.places.V)}"
            for token, value in enumerate(trace.V[head])
            if not view.blocked(token)
        ]
        message = self._reals(trace.messages[head][receiver])
        yield Step("H = A V", "H", "V", "b h i ·", len(message), 0, message, terms, message[0])

    def _returned(self, head: int) -> Iterator[Step]:
        view, numbers, worksheet = self.view, self.view.numbers, self.view.worksheet
        trace, receiver, d_v = view.trace, view.receiver, view.worksheet.d_v
        message = self._reals(trace.messages[head][receiver])
        before = f"{self.address('b h i ·')} before"
        yield Step("transpose", "H", "V", "b i h ·", d_v, 0, message, [before], message[0])
        joined = self._reals(trace.joined[receiver])
        part = f"H{self.address('b i h ·')}"
        yield Step("joined", "joined", "V", "b i ·", len(joined), head * d_v, joined, [part], message[0])

        delta, updated = trace.delta_E[receiver], self._reals(trace.E_prime[receiver])
        c = highest([abs(value) for value in delta])
        total = numbers.sum([trace.E[receiver][c], delta[c]], 3 + numbers.more)
        yield Step("ΔE, E′", "E′", "delta", "b i ·", len(updated), c, updated, [total], updated[c])

        logits = trace.logits[-1]
        top = highest(logits)
        terms = [
            f"{numbers.factor(value, 3 + numbers.more)}×{factor(given(weights[top]))}"
            for value, weights in zip(trace.hidden[-1], worksheet.W_vocab, strict=True)
            if weights[top]
        ]
        offset = worksheet.b_vocab[top]
        if offset or not terms:
            terms.append(factor(given(offset)))
        logit = numbers.real(logits[top])
        told = f"{view.known(worksheet.vocabulary[top]).text} {logit}"
        yield Step("logits", "logits", "text", "b ·", worksheet.n_vocab, top, [told], terms, logit)

    def _queries(self, values: Sequence[float]) -> list[str]:
        return [self.view.numbers.fixed(value, self.view.places.Q) for value in values]

    def _reals(self, values: Sequence[float]) -> list[str]:
        return [self.view.numbers.real(value) for value in values]


def highest(values: Sequence[float]) -> int:
    """Where the largest value stands, the first of equals, whatever the rounding errors."""
    return max(range(len(values)), key=lambda at: (round(float(values[at]), 9), -at))
