"""The question that a lit cell of the lesson asks."""

from __future__ import annotations

import re

from tutor.check.case import worksheet_of
from tutor.check.kinds import BY_ID
from tutor.check.questions import Question, ask
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError

_PLAIN = {
    "embed": "embed.E",
    "query": "query.Q",
    "scores": "scores.raw",
    "contributions": "contributions.part",
    "heads": "contributions.message",
    "concat": "concat.joined",
    "output": "output.delta",
    "residual": "residual.output",
    "batching": "softmax.weight",
}
_SOFTMAX = ("scores.raw", "softmax.scaled", "softmax.exp", "softmax.weight")
_PREDICTION = {"row": "residual.output", "hidden": "prediction.hidden", "logits": "prediction.logit"}


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
        found = _quantity(re.sub(r"-\d+$", "", stop_id), column, beat, worksheet_of(worksheet_name))
        if found is None:
            return None
        kind, column = BY_ID[found[0]], found[1]
        lit = {"head": head + 1, "receiver": receiver + 1, "source": source + 1, "column": column + 1}
        uses = (*kind.uses, "column") if kind.row else kind.uses
        return ask(kind, worksheet_name, sentence, {use: lit[use] for use in uses}, causal)
    except TutorError:
        return None


def _quantity(stop: str, column: int, beat: str | None, worksheet: Worksheet) -> tuple[str, int] | None:
    """The kind that a stop's column shows, and the coordinate within it."""
    if stop == "softmax":
        return _SOFTMAX[min(column, 3)], 0
    if stop == "keys-values":  # the columns of Q, then of K, then of V
        block, coordinate = divmod(column, worksheet.d_head)
        ids = "query.Q", "keys-values.K", "keys-values.V"
        return ids[min(block, 2)], column - 2 * worksheet.d_head if block > 2 else coordinate
    if stop == "prediction":
        return _PREDICTION.get(beat or "", "prediction.probability"), column
    return (_PLAIN[stop], column) if stop in _PLAIN else None
