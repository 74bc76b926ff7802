"""Right values of other quantities, which an answer may hold by mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tutor.check.questions import Positions, Question
from tutor.engine.forward import Array

NAMES = {
    "token_rows": "the token's row without its position",
    "position_rows": "the position's row alone",
    "E": "the row of E",
    "Q": "the query",
    "K": "the key",
    "V": "the value",
    "raw": "the raw score",
    "scores": "the scaled score",
    "exp": "exp of the score",
    "shifted_exp": "exp of the score less the row's largest",
    "total": "the total of exp",
    "shifted_total": "the total of exp after taking off the largest score",
    "A": "the weight",
    "contributions": "one contribution, weight × value",
    "messages": "the message",
    "joined": "the joined row",
    "delta_E": "the update ΔE",
    "E_prime": "the row of E′",
    "pre_hidden": "the hidden unit before relu",
    "hidden": "the hidden unit after relu",
    "logits": "the logit",
    "logit_exp": "exp of the logit",
    "probabilities": "the probability",
}
_USES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("raw", "scores", "exp", "shifted_exp", "A", "contributions"), ("head", "receiver", "source")
    ),
    **dict.fromkeys(("Q", "total", "shifted_total", "messages"), ("head", "receiver")),
    **dict.fromkeys(("K", "V"), ("head", "source")),
    **dict.fromkeys(("token_rows", "position_rows", "E"), ("source",)),
    **dict.fromkeys(("joined", "delta_E", "E_prime"), ("receiver",)),
    **dict.fromkeys(("pre_hidden", "hidden", "logits", "logit_exp", "probabilities"), ("receiver", "column")),
}


@dataclass(frozen=True)
class Mixup:
    """Something else that is right, though not here."""

    id: str
    what: str
    """to follow “that is”"""
    values: Array


def mixups(question: Question) -> Iterator[Mixup]:
    """Everything near the question that an answer may be instead, the likeliest first."""
    yield from _quantities(question)
    yield from _positions(question)
    if question.count > 1:
        what = "the right numbers in another order: keep the order of the axes"
        yield Mixup("order", what, question.right[::-1])


def _quantities(question: Question) -> Iterator[Mixup]:
    """Other names of the trace at the same place."""
    given = question.positions
    token = given.get("receiver", given.get("source", 0))
    at = {"receiver": token, "source": token, **given}
    for field, uses in _USES.items():
        if field == question.kind.field or not at.keys() >= set(uses):
            continue
        named = [at[use] - 1 for use in uses]
        if question.column is not None and "column" not in uses:
            named.append(question.column - 1)
        what = f"{NAMES[field]}, not {NAMES[question.kind.field]}"
        yield from _found(question, field, named, field.replace("_", "-"), what)


def _positions(question: Question) -> Iterator[Mixup]:
    """The same name at places that may be taken for the right one."""
    given: Positions = question.positions
    sizes = {
        "head": len(question.case.worksheet.heads),
        "receiver": len(question.case.words),
        "source": len(question.case.words),
        "column": getattr(question.case.right, question.kind.field).shape[-1],
    }
    if {"receiver", "source"} <= given.keys():
        turned = {**given, "receiver": given["source"], "source": given["receiver"]}
        what = "receiver and source exchanged: rows of A are receivers"
        yield from _moved(question, turned, "turned", what)
        for step in (1, -1):
            at = {**given, "receiver": given["receiver"] + step, "source": given["source"] + step}
            if max(at["receiver"], at["source"]) <= sizes["source"]:
                what = f"receiver {at['receiver']}, source {at['source']}: positions count from 1"
                yield from _moved(question, at, "position", what)
    for use, value in given.items():
        for other in range(1, sizes[use] + 1):
            near = use != "head" and abs(other - value) == 1
            what = f"{use} {other}: {'they count from 1, and ' if near else ''}{use} {value} is asked"
            yield from _moved(question, {**given, use: other}, "head" if use == "head" else "position", what)


def _moved(question: Question, at: Positions, id: str, what: str) -> Iterator[Mixup]:
    if at != question.positions:
        yield from _found(question, question.kind.field, [value - 1 for value in at.values()], id, what)


def _found(question: Question, field: str, places: list[int], id: str, what: str) -> Iterator[Mixup]:
    """The right numbers there, if there are as many as asked and they are others."""
    if min(places, default=0) < 0:
        return
    try:
        value = np.atleast_1d(getattr(question.case.right, field)[tuple(places)])
    except IndexError:
        return
    if value.shape == question.right.shape and not np.array_equal(value, question.right):
        yield Mixup(id, what, value)
