"""Misconceptions on the way from scores to weights and messages."""

from __future__ import annotations

import math

import numpy as np

from tutor.engine.forward import Array, Pass, mix, softmax, softmax_over
from tutor.engine.slips import Made, Register, slip

WEIGHTS: Register = []

_AXIS = "One receiver's weights over its sources sum to 1: the softmax runs along the sources."
_BEFORE = "Set blocked scores to −∞ before the softmax, so that each row still sums to 1."
_SOFTMAX = "Take exp of each score and divide it by the total over all sources, the receiver included."


def _unmasked(p: Pass) -> Made:
    return {"scores": p.s}


def _weighted(p: Pass, A: Array) -> Made:
    """The right softmax with other weights at its end."""
    return {**softmax(p), "A": A}


@slip(WEIGHTS, "M07", "softmax", "took the softmax over the receivers", _AXIS)
def softmax_over_receivers(p: Pass) -> Made:
    return softmax_over(p.scores, -2)


@slip(WEIGHTS, "M08", "softmax", "took the softmax over the receivers, without a mask", _AXIS, mask=_unmasked)
def softmax_over_receivers_unmasked(p: Pass) -> Made:
    return softmax_over(p.scores, -2)


@slip(WEIGHTS, "", "softmax", "took the softmax over the heads", _AXIS)
def softmax_over_heads(p: Pass) -> Made:
    exp = np.exp(p.scores)
    return _weighted(p, exp / exp.sum(0))


@slip(WEIGHTS, "", "softmax", "divided by the total of all rows together", _AXIS)
def softmax_over_all(p: Pass) -> Made:
    exp = np.exp(p.scores)
    return _weighted(p, exp / exp.sum((-1, -2), keepdims=True))


@slip(WEIGHTS, "M10", "softmax", "set blocked weights to 0 after the softmax", _BEFORE, mask=_unmasked)
def masked_after_softmax(p: Pass) -> Made:
    made = softmax_over(p.scores, -1)
    return {**made, "A": np.where(p.blocked, 0, made["A"])}


@slip(WEIGHTS, "M11", "softmax", "masked after the softmax and divided again", _BEFORE, accepted=True)
def masked_and_renormalised(p: Pass) -> Made:
    visible = np.where(p.blocked, 0, softmax_over(p.s, -1)["A"])
    return _weighted(p, visible / visible.sum(-1, keepdims=True))


@slip(WEIGHTS, "M43", "softmax", "divided the scores by their sum, without exp", _SOFTMAX)
def no_exp(p: Pass) -> Made:
    visible = np.where(p.blocked, 0, p.s)
    return _weighted(p, visible / visible.sum(-1, keepdims=True))


@slip(WEIGHTS, "M44", "softmax", "took exp of the scores and did not divide by the total", _SOFTMAX)
def not_normalised(p: Pass) -> Made:
    return _weighted(p, np.exp(p.scores))


@slip(WEIGHTS, "", "softmax", "took the scores themselves as weights", _SOFTMAX)
def scores_as_weights(p: Pass) -> Made:
    return _weighted(p, np.where(p.blocked, 0, p.s))


@slip(WEIGHTS, "M45", "softmax", "gave all weight to the largest score", _SOFTMAX)
def hard_maximum(p: Pass) -> Made:
    return _weighted(p, np.eye(p.scores.shape[-1])[p.scores.argmax(-1)])


@slip(WEIGHTS, "M46", "softmax", "gave every source the same weight", _SOFTMAX)
def plain_average(p: Pass) -> Made:
    return _weighted(p, np.broadcast_to(~p.blocked / (~p.blocked).sum(-1, keepdims=True), p.scores.shape))


@slip(WEIGHTS, "M47", "softmax", "took powers of 2 instead of exp", "The softmax takes exp, powers of 2.718.")
def powers_of_two(p: Pass) -> Made:
    return _base(p, 2)


@slip(WEIGHTS, "", "softmax", "took powers of 10 instead of exp", "The softmax takes exp, powers of 2.718.")
def powers_of_ten(p: Pass) -> Made:
    return _base(p, 10)


def _base(p: Pass, base: float) -> Made:
    """A softmax of powers of another base, which is one of scores stretched by its logarithm."""
    scores = p.scores * math.log(base)
    return {"scores": scores, **softmax_over(scores, -1)}


@slip(WEIGHTS, "", "softmax", "took a sigmoid of each score by itself", _SOFTMAX)
def sigmoid(p: Pass) -> Made:
    return _weighted(p, 1 / (1 + np.exp(-p.scores)))


@slip(WEIGHTS, "M61", "softmax", "left the receiver itself out of the total", _SOFTMAX)
def total_without_self(p: Pass) -> Made:
    made = softmax(p)
    own = np.diagonal(made["exp"], axis1=-2, axis2=-1)
    total = made["total"] - own
    return {**made, "total": total, "A": made["exp"] / total[..., np.newaxis]}


@slip(WEIGHTS, "", "softmax", "left the source's own exp out of the total", _SOFTMAX)
def total_of_the_others(p: Pass) -> Made:
    exp = np.exp(p.scores)
    return _weighted(p, exp / (exp.sum(-1, keepdims=True) - exp))


@slip(WEIGHTS, "M50", "softmax", "left dropout on: kept weights were divided by 0.9", "Switch dropout off.")
def dropout_left_on(p: Pass) -> Made:
    return _weighted(p, softmax(p)["A"] / 0.9)


@slip(WEIGHTS, "M59", "softmax", "rounded the weights to 2 decimals", "Keep three decimals at every step.")
def weights_rounded_to_two(p: Pass) -> Made:
    return _weighted(p, softmax(p)["A"].round(2))


@slip(WEIGHTS, "M60", "softmax", "rounded the weights to 3 decimals", "That is near enough.", accepted=True)
def weights_rounded_to_three(p: Pass) -> Made:
    return _weighted(p, softmax(p)["A"].round(3))


_ROWS = (
    "A row of A belongs to a receiver, a column to a source: weight A[receiver, source] times value[source]."
)


@slip(WEIGHTS, "M49", "softmax", "turned A round: rows for columns", _ROWS)
def weights_transposed(p: Pass) -> Made:
    return _weighted(p, softmax(p)["A"].swapaxes(-1, -2))


@slip(WEIGHTS, "", "mix", "multiplied the weights with the receiver's value", _ROWS)
def value_of_receiver(p: Pass) -> Made:
    return _mixed(p.A[..., np.newaxis] * p.V[:, :, np.newaxis])


@slip(WEIGHTS, "", "mix", "left the receiver's own value out of the sum", "The receiver reads itself too.")
def message_without_self(p: Pass) -> Made:
    return _mixed(mix(p)["contributions"] * ~np.eye(len(p.E), dtype=bool)[..., np.newaxis])


@slip(WEIGHTS, "", "mix", "took only the strongest source", "Add weight × value over all sources.")
def strongest_only(p: Pass) -> Made:
    strongest = np.eye(len(p.E), dtype=bool)[p.A.argmax(-1)]
    return {**mix(p), "messages": (p.A * strongest) @ p.V}


@slip(
    WEIGHTS,
    "",
    "mix",
    "added the values without their weights",
    "Multiply each value row by its weight first.",
)
def values_unweighted(p: Pass) -> Made:
    return _mixed((~p.blocked)[..., np.newaxis] * p.V[:, np.newaxis])


@slip(WEIGHTS, "", "mix", "divided the sum by the number of sources", "The weights sum to 1: divide no more.")
def message_averaged(p: Pass) -> Made:
    return {**mix(p), "messages": p.A @ p.V / (~p.blocked).sum(-1, keepdims=True)}


@slip(WEIGHTS, "", "mix", "weighted by the scores before the softmax", "Weight the values by A.")
def scores_times_values(p: Pass) -> Made:
    return _mixed(np.where(p.blocked, 0, p.s)[..., np.newaxis] * p.V[:, np.newaxis])


def _mixed(contributions: Array) -> Made:
    return {"contributions": contributions, "messages": contributions.sum(-2)}
