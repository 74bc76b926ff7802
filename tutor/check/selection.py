"""Which questions are asked: all those that tell right from wrong, or a drawn few."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from tutor.check.case import Case, worksheet_of
from tutor.check.kinds import BY_ID, KINDS, STOPS, Kind
from tutor.check.questions import Positions, Question, ask
from tutor.check.separation import separable
from tutor.errors import TutorError, shown

SHIPPED = ("river-bank", "workshop")
"""A round takes its items from the first, from the second what the first cannot tell apart, and some more."""
USUAL = 10
"""items of a round"""
_Place = tuple[str, str, Kind, tuple[int, ...]]
"""Worksheet, sentence, kind and indices from 0."""


def all_questions(worksheet: str | None = None, stop: str | None = None) -> Iterator[Question]:
    """Every question that can be asked about the ready sentences, in the order of the lesson."""
    stop, head = _of_lesson(stop)
    for kind in _kinds(stop):
        for name in SHIPPED if worksheet is None else (worksheet,):
            yield from (_question(place) for place in _places(name, kind) if _is_at(place, head))


def draw(
    count: int = USUAL, seed: int | None = None, worksheet: str | None = None, stop: str | None = None
) -> list[Question]:
    """So many different questions, spread over stops and heads, in the order of the lesson."""
    if count < 1:
        raise TutorError(f"--count {count} is given: ask for at least 1 question")
    chance = random.Random(seed)
    stop, head = _of_lesson(stop)
    kinds = _kinds(stop)
    stops = list(dict.fromkeys(kind.stop for kind in kinds))
    chance.shuffle(stops)
    piles = {name: [kind for kind in kinds if kind.stop == name] for name in stops}
    taken: dict[str, Question] = {}
    while len(taken) < count and piles:
        for name in [name for name in stops if name in piles][: count - len(taken)]:
            kind = chance.choice(piles[name])
            made = _one(kind, worksheet, head, chance, taken)
            if made is not None:
                taken[made.id] = made
            else:
                piles[name].remove(kind)
                if not piles[name]:
                    del piles[name]
    return sorted(taken.values(), key=lambda made: KINDS.index(made.kind))


def another(question: Question, asked: Sequence[Question], seed: int | None = None) -> Question:
    """A question of the same kind and head with other numbers; the same one where there is none."""
    places = [place for place in _places(question.worksheet, question.kind) if _head(place) == question.head]
    random.Random(seed).shuffle(places)
    ids = {question.id, *(other.id for other in asked)}
    return next((made for made in map(_question, places) if made.id not in ids), question)


def _of_lesson(stop: str | None) -> tuple[str | None, int | None]:
    """A stop of the lesson, such as softmax-2, as the stop that its questions name and a head."""
    found = re.fullmatch(r"(.+)-([1-9]\d?)", stop or "")
    return (found[1], int(found[2])) if found and found[1] in STOPS else (stop, None)


def _is_at(place: _Place, head: int | None) -> bool:
    return head is None or _head(place) == head


def _kinds(stop: str | None) -> list[Kind]:
    if stop is not None and stop not in STOPS:
        raise TutorError(
            f"no questions at {shown(stop, 40)}: the stops with questions are {', '.join(STOPS)}"
        )
    return [kind for kind in KINDS if stop in (None, kind.stop)]


def _one(
    kind: Kind, worksheet: str | None, head: int | None, chance: random.Random, taken: dict[str, Question]
) -> Question | None:
    """A question of that kind that is not taken yet, its head chosen before its place."""
    first = worksheet or chance.choice([SHIPPED[0], SHIPPED[0], SHIPPED[1]])
    for name in dict.fromkeys((first, SHIPPED[1], *([] if worksheet else [SHIPPED[0]]))):
        places = [place for place in _places(name, kind) if _is_at(place, head)]
        heads = sorted({_head(place) or 0 for place in places})
        chance.shuffle(heads)
        for at in heads:
            there = [place for place in places if (_head(place) or 0) == at]
            for place in chance.sample(there, len(there)):
                made = _question(place)
                if made.id not in taken:
                    return made
    return None


@lru_cache(maxsize=256)
def _places(name: str, kind: Kind) -> tuple[_Place, ...]:
    """Where a kind can be asked in a worksheet."""
    found: list[_Place] = []
    for sentence in worksheet_of(name).sentences:
        case = Case.of(name, sentence.text)
        can_be_asked = separable(case, kind, name, True)
        words = {case.worksheet.vocabulary.index(word) for word in (sentence.target, *sentence.candidates)}
        for indices in map(tuple, np.argwhere(can_be_asked).tolist()):
            if kind.field in ("logits", "probabilities") and indices[-1] not in words:
                continue
            found.append((name, sentence.text, kind, indices))
    return tuple(place for place in found if kind.stop != "batching" or _batch(name))


def _batch(name: str) -> bool:
    """Whether the ready sentences make a batch."""
    lengths = [len(sentence.text.split()) for sentence in worksheet_of(name).sentences]
    return len(lengths) > 1 and len(set(lengths)) == 1


def _question(place: _Place) -> Question:
    name, sentence, kind, indices = place
    given: Positions = {use: at + 1 for use, at in zip(kind.uses, indices, strict=True)}
    return ask(BY_ID[kind.id], name, sentence, given)


def _head(place: _Place) -> int | None:
    return place[3][0] + 1 if place[2].uses[0] == "head" else None
