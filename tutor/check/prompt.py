"""The words of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tutor.check.case import Case
from tutor.check.kinds import Kind
from tutor.errors import TutorError


def prompt(kind: Kind, case: Case, given: Mapping[str, int], shape: Sequence[int], causal: bool) -> str:
    """What is asked, in one line; TutorError where there is no batch to ask about."""
    parts = _batch(kind, case, given) if kind.stop == "batching" else _where(case, given)
    if not causal:
        parts.append("without the mask")
    size = f"{shape[0]} numbers, " if shape else ""
    where = ", ".join(parts)
    return f"{where[:1].upper()}{where[1:]}: {_what(kind, case, given)} ({size}{kind.decimals} decimals)"


def _where(case: Case, given: Mapping[str, int]) -> list[str]:
    parts = []
    if head := given.get("head"):
        parts.append(f"head {head} ({case.worksheet.heads[head - 1].label})")
    for use in ("receiver", "source"):
        if at := given.get(use):
            name = "word" if given.keys() == {use} else use
            parts.append(f"{name} {at} ({case.words[at - 1]})")
    return parts


def _what(kind: Kind, case: Case, given: Mapping[str, int]) -> str:
    column = given.get("column")
    if column is None:
        return kind.what
    if kind.row:
        return f"{kind.what}; of it only number {column}"
    vocabulary = case.worksheet.vocabulary
    return kind.what.format(column=column, word=vocabulary[min(column, len(vocabulary)) - 1])


def _batch(kind: Kind, case: Case, given: Mapping[str, int]) -> list[str]:
    ready = case.worksheet.sentences
    texts = [sentence.text.split() for sentence in ready]
    if list(case.words) not in texts or len({len(text) for text in texts}) > 1 or len(texts) < 2:
        raise TutorError("a batch is made of ready sentences of one length: name one of those")
    indices = [texts.index(list(case.words)), *(value - 1 for value in given.values())]
    cell = ", ".join(map(str, indices))
    names = " and ".join(sentence.name for sentence in ready)
    return [f"a batch of {names}", f"cell [{cell}] of sentence, head, receiver and source, all from 0"]
