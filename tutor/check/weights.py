"""Where a mistake in the weights lies, by what they must be: causal, adding to 1, exp of the scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tutor.check.attempt import Answer
from tutor.check.probes import Array

_LOOSE = 1e-4
# Below this a weight tells nothing of its score.
_TINY = 1e-9


def locate_weights(answers: Sequence[Answer]) -> tuple[str, str]:
    """The step of the pass, and why it is that one."""
    answers = [answer for answer in answers if not answer.is_within(_LOOSE)]
    for answer in answers:
        A, blocked = answer.got, answer.case.problem.givens.blocked
        if (place := _first(blocked & (np.abs(A) > _LOOSE))) is not None:
            return "mask", f"receiver {place[0]} gives weight to source {place[1]}, which comes later"
    for answer in answers:
        sums = answer.got.sum(-1)
        if (place := _first(np.abs(sums - 1) > _LOOSE)) is not None:
            return "softmax", f"the weights of receiver {place[0]} sum to {sums[place[0] - 1]:.3f}, not to 1"
        if (place := _first(answer.got < -_LOOSE)) is not None:
            return "softmax", f"receiver {place[0]} gives source {place[1]} a weight below 0"
    for answer in answers:
        if (place := _first((answer.got < _TINY) & (answer.case.expected > _LOOSE))) is not None:
            return "mask", f"receiver {place[0]} gives no weight to source {place[1]}, which it may read"
    if not answers:
        return "softmax", "the weights differ by less than 0.0001"
    stretches = [_stretch(answer) for answer in answers]
    if all(stretch is not None for stretch in stretches):
        return "scale", _told(answers, [stretch for stretch in stretches if stretch is not None])
    if all(_keeps_order(answer) for answer in answers):
        return "softmax", "larger scores do get larger weights, but the weights are not exp(score) / total"
    return "raw", "the weights belong to other scores: the queries, the keys or their product differ"


def _first(where: Array) -> tuple[int, ...] | None:
    """The first place that holds, counted from 1."""
    found = np.argwhere(where)
    return tuple(int(at) + 1 for at in found[0]) if len(found) else None


def _stretch(answer: Answer) -> float | None:
    """How many times the right scores those behind the weights are; None where it is no single number."""
    s, A = _scores(answer), answer.got
    places = np.tril(A > _TINY, -1)
    # The logarithm of two weights' ratio is the difference of their scores.
    with np.errstate(divide="ignore", invalid="ignore"):
        got = (np.log(A) - np.log(np.diagonal(A))[:, np.newaxis])[places]
    right = (s - np.diagonal(s)[:, np.newaxis])[places]
    if not right.any():
        return None
    stretch = float(got @ right / (right @ right))
    return (
        stretch if (np.abs(got - stretch * right) <= _LOOSE * np.abs(right).max(initial=1.0)).all() else None
    )


def _told(answers: Sequence[Answer], stretches: Sequence[float]) -> str:
    divisors = [
        math.sqrt(answer.case.problem.givens.W_Q.shape[-1]) / stretch
        for answer, stretch in zip(answers, stretches, strict=True)
    ]
    if len(divisors) > 1 and max(divisors) - min(divisors) <= _LOOSE * max(map(abs, divisors)):
        return f"you divide every raw score by {divisors[0]:.4g}, whatever d_head is; divide by √d_head"
    return f"your scores are {stretches[0]:.4g} times the right ones; divide each raw score once by √d_head"


def _keeps_order(answer: Answer) -> bool:
    """Whether no receiver gives a larger weight to a smaller score."""
    s, A = _scores(answer), answer.got
    for receiver, row in enumerate(A):
        weights, scores = row[: receiver + 1], s[receiver, : receiver + 1]
        rising = np.sign(scores[:, np.newaxis] - scores) * (weights[:, np.newaxis] - weights)
        if (rising < -_LOOSE).any():
            return False
    return True


def _scores(answer: Answer) -> Array:
    return answer.case.problem.right.s[answer.case.head]
