"""The question that a lit cell of the lesson asks."""

from __future__ import annotations

import re

import numpy as np

from tutor.check.case import worksheet_of
from tutor.check.kinds import BY_ID
from tutor.check.questions import Question, ask
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError

_PLAIN = {
    "embed": "embed.E",
    "query": "query.Q",
    "concat": "concat.joined",
    "output": "output.delta",
    "residual": "residual.output",
}
_SOFTMAX = ("scores.raw", "softmax.scaled", "softmax.exp", "softmax.weight")
_CONTRIBUTIONS = {"first": "contributions.part", "all": "contributions.part", "others": None}
_HEADS = {"arcs": "softmax.weight", "messages": "contributions.message"}
_PREDICTION = {"row": "residual.output", "hidden": "prediction.hidden", "logits": "prediction.logit"}
_QUERY, _MESSAGE = "query.Q", "contributions.message"
_BATCH = {2: _QUERY, 3: _QUERY, 4: _QUERY, 5: "softmax.scaled", 6: "softmax.weight", 7: _MESSAGE, 8: _MESSAGE}
_TRANSPOSES, _JOINED = (4, 8), 9
"""the steps of a batch at which the beat `wrong` lights a wrong number; the one that joins the heads"""


def question_for(
    stop_id: str,
    worksheet_name: str,
    sentence: str,
    head: int,
    receiver: int,
    source: int,
    column: int,
    causal: bool = True,
    beat: str | None = None,
) -> Question | None:
    """The question of a lit cell, its positions from 0; None where nothing can be asked."""
    try:
        stop, worksheet = re.sub(r"-\d+$", "", stop_id), worksheet_of(worksheet_name)
        id, at = _quantity(stop, column, beat, worksheet, head)
        if id is None:
            return None
        kind = BY_ID[id]
        lit = {"head": head + 1, "receiver": receiver + 1, "source": source + 1, "column": at + 1}
        uses = (*kind.uses, "column") if kind.row else kind.uses
        question = ask(kind, worksheet_name, sentence, {use: lit[use] for use in uses}, causal)
        shifted = stop == "softmax" and column in (1, 2) and _is_shifted(question, beat)
        return None if shifted or not np.isfinite(question.right).all() else question
    except TutorError:
        return None


def _is_shifted(question: Question, beat: str | None) -> bool:
    """Whether the table of the softmax shows scores less the row's largest, and their exp."""
    total = question.case.right.total[question.places[:2]]
    return beat == "shifted" or not np.isfinite(total)


def _quantity(
    stop: str, column: int, beat: str | None, worksheet: Worksheet, head: int
) -> tuple[str | None, int]:
    """The kind that a stop's column shows at a beat, and the coordinate within it; None for other numbers."""
    d_head = worksheet.d_head
    if stop == "scores":  # the products, then their sum
        return (None if column < d_head and beat != "question" else "scores.raw"), 0
    if stop == "softmax":
        return _SOFTMAX[min(column, 3)], 0
    if stop == "keys-values":  # the columns of Q, then of K, then of V
        block, coordinate = divmod(column, d_head)
        ids = _QUERY, "keys-values.K", "keys-values.V"
        return ids[min(block, 2)], column - 2 * d_head if block > 2 else coordinate
    if stop == "contributions":
        return _CONTRIBUTIONS.get(beat or "first", _MESSAGE), column
    if stop == "heads":
        return _HEADS.get(beat or "messages"), column
    if stop == "prediction":
        return _PREDICTION.get(beat or "", "prediction.probability"), column
    if stop == "batching":
        is_wrong = beat == "wrong" and column in _TRANSPOSES
        if column == _JOINED:
            return "concat.joined", head * worksheet.d_v
        return (None if is_wrong else _BATCH.get(column)), 0
    return _PLAIN.get(stop), column
