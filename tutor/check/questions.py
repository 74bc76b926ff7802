"""Questions made from the trace: any quantity of any sentence, named by an id that alone makes it again."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus, unquote, unquote_plus

import numpy as np

from tutor.check.case import Case, Places, worksheet_of
from tutor.check.kinds import BY_ID, PER_HEAD, Kind
from tutor.check.prompt import prompt
from tutor.check.separation import separable
from tutor.engine.forward import Array, Pass
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError, shown

_LETTERS = {"h": "head", "r": "receiver", "s": "source", "c": "column"}
Positions = dict[str, int]
"""Head, receiver, source and column as far as they are named, from 1."""


@dataclass(frozen=True)
class Question:
    """One item. Head, receiver, source and column count from 1, as options do; `path` counts from 0."""

    id: str
    stop: str
    head: int | None
    receiver: int | None
    source: int | None
    sentence: str
    worksheet: str
    prompt: str
    shape: tuple[int, ...]
    """[] for one number, [n] for a row of n"""
    decimals: int
    path: str
    """the place in `tutor trace --json` that holds the answer"""
    column: int | None = None
    causal: bool = True

    @property
    def kind(self) -> Kind:
        """What is asked."""
        return BY_ID[self.id.split("/")[2]]

    @property
    def case(self) -> Case:
        """What it is asked about."""
        return Case.of(self.worksheet, self.sentence, self.causal)

    @property
    def positions(self) -> Positions:
        """Those that it names."""
        named = {use: getattr(self, use) for use in _LETTERS.values()}
        return {use: value for use, value in named.items() if value is not None}

    @property
    def places(self) -> Places:
        """The indices of the answer in its array, from 0."""
        return tuple(value - 1 for value in self.positions.values())

    @property
    def count(self) -> int:
        """How many numbers are asked."""
        return self.shape[0] if self.shape else 1

    def values(self, p: Pass) -> Array:
        """The numbers of a pass that stand where the answer stands."""
        return np.atleast_1d(getattr(p, self.kind.field)[self.places])

    @property
    def right(self) -> Array:
        """The right numbers."""
        return self.values(self.case.right)

    def bound(self, decimals: int = 3) -> Array:
        """How far each number may be off by rounding: that of the steps before and that of the answer."""
        steps = np.atleast_1d(self.case.bound(self.kind.field, self.places, decimals))
        return steps + 0.5 * 10.0**-self.decimals + 1e-9

    @property
    def separates(self) -> bool:
        """Whether the right answer here differs from that of every misconception that could apply."""
        places = self.places[: len(self.kind.uses)]
        return bool(separable(self.case, self.kind, self.worksheet, self.causal)[places])

    def to_document(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def question(id: str) -> Question:
    """The question of an id; TutorError where there is none."""
    try:
        return _question(id)
    except TutorError as error:
        raise TutorError(f"no question {shown(id, 80)}: {error}") from None


@lru_cache(maxsize=4096)
def _question(id: str) -> Question:
    worksheet_name, _, rest = id.partition("/")
    segment, _, rest = rest.partition("/")
    kind_id, *positions = rest.split("/")
    if kind_id not in BY_ID:
        raise TutorError("an id is worksheet/sentence/quantity/positions, as `tutor check --list` shows them")
    given: Positions = {}
    for position in positions:
        found = re.fullmatch(r"([hrsc])([1-9]\d{0,5})", position)
        if found:
            given[_LETTERS[found[1]]] = int(found[2])
        elif position != "no-mask":
            raise TutorError(f"{shown(position)} is no position: write h1, r7, s6, c2, counted from 1")
    name = unquote(worksheet_name)
    sentence = _sentence(worksheet_of(name), segment)
    made = ask(BY_ID[kind_id], name, sentence, given, "no-mask" not in positions)
    if made.id != id:
        raise TutorError(f"write it as {shown(made.id, 200)}")
    return made


def ask(kind: Kind, worksheet_name: str, sentence: str, given: Positions, causal: bool = True) -> Question:
    """The question at these positions; TutorError where one is missing, too large, blocked or too much."""
    segment = _segment(worksheet_of(worksheet_name), sentence)
    if not segment.startswith("="):
        sentence = _sentence(worksheet_of(worksheet_name), segment)
    case = Case.of(worksheet_name, sentence, causal)
    array = getattr(case.right, kind.field)
    wanted = (*kind.uses, "column") if kind.row and "column" in given else kind.uses
    for use, size in zip(wanted, array.shape, strict=False):
        if not 1 <= given.get(use, 0) <= size:
            raise TutorError(f"{kind.id} needs a {use} from 1 to {size}")
    if extra := given.keys() - set(wanted):
        raise TutorError(f"{kind.id} has no {min(extra)}")
    if {"receiver", "source"} <= set(wanted) and given["source"] > given["receiver"] and causal:
        raise TutorError(f"source {given['source']} comes after receiver {given['receiver']}: it is blocked")
    shape = tuple(int(size) for size in array.shape[len(wanted) :])
    letters = [f"{letter}{given[use]}" for letter, use in _LETTERS.items() if use in wanted]
    id = "/".join(
        [quote(worksheet_name, safe=""), segment, kind.id, *letters, *([] if causal else ["no-mask"])]
    )
    head = f"heads[{given['head'] - 1}]." if kind.field in PER_HEAD else ""
    indices = "".join(f"[{given[use] - 1}]" for use in wanted if use != "head")
    return Question(
        id=id,
        stop=kind.stop,
        head=given.get("head"),
        receiver=given.get("receiver"),
        source=given.get("source"),
        sentence=sentence,
        worksheet=worksheet_name,
        prompt=prompt(kind, case, given, shape, causal),
        shape=shape,
        decimals=kind.decimals,
        path=f"{head}{kind.field}{indices}",
        column=given.get("column"),
        causal=causal,
    )


def _segment(worksheet: Worksheet, sentence: str) -> str:
    """A sentence's part of an id: a ready one's name, or = and its words."""
    words = sentence.split()
    for ready in worksheet.sentences:
        if ready.text.casefold().split() == [word.casefold() for word in words]:
            return quote(ready.name, safe="")
    return "=" + quote_plus(" ".join(words), safe="")


def _sentence(worksheet: Worksheet, segment: str) -> str:
    """The text that a part of an id stands for."""
    if segment.startswith("="):
        return unquote_plus(segment[1:])
    ready = {quote(sentence.name, safe=""): sentence.text for sentence in worksheet.sentences}
    if segment not in ready:
        raise TutorError(f"the sentence is one of {', '.join(ready)}, or = and words joined by +")
    return ready[segment]
