"""Misconceptions on the way from queries and keys to masked scores."""

from __future__ import annotations

import math

import numpy as np

from tutor.engine.forward import Array, Pass
from tutor.engine.slips import Made, Register, fit, slip

SCORES: Register = []

_DIVIDE = "Divide each raw score once by √d_head, the root of the head's width."


@slip(SCORES, "M01", "scale", "left out the division by √d_head", _DIVIDE)
def no_scale(p: Pass) -> Made:
    return {"s": p.raw}


@slip(SCORES, "M02", "scale", "divided by √d_model", _DIVIDE)
def scale_by_d_model(p: Pass) -> Made:
    return {"s": p.raw / math.sqrt(p.E.shape[-1])}


@slip(SCORES, "M03", "scale", "divided by d_head without its root", _DIVIDE)
def scale_by_d_head(p: Pass) -> Made:
    return {"s": p.raw / _d_head(p)}


@slip(SCORES, "M06", "scale", "divided by √d_head twice", _DIVIDE)
def scaled_twice(p: Pass) -> Made:
    return {"s": p.raw / math.sqrt(_d_head(p)) / math.sqrt(_d_head(p))}


@slip(SCORES, "M68", "scale", "divided by the number of heads", _DIVIDE)
def scale_by_heads(p: Pass) -> Made:
    return {"s": p.raw / len(p.Q)}


@slip(SCORES, "M67", "scale", "divided by the root of the number of heads", _DIVIDE)
def scale_by_root_of_heads(p: Pass) -> Made:
    return {"s": p.raw / math.sqrt(len(p.Q))}


@slip(SCORES, "M69", "scale", "divided by √3", _DIVIDE)
def scale_by_root_of_three(p: Pass) -> Made:
    return {"s": p.raw / math.sqrt(3)}


@slip(SCORES, "", "scale", "divided by d_model", _DIVIDE)
def scale_by_whole_width(p: Pass) -> Made:
    return {"s": p.raw / p.E.shape[-1]}


@slip(SCORES, "", "scale", "divided by the root of the number of tokens", _DIVIDE)
def scale_by_length(p: Pass) -> Made:
    return {"s": p.raw / math.sqrt(len(p.E))}


@slip(SCORES, "M04", "scale", "multiplied by √d_head", _DIVIDE)
def scale_multiplied(p: Pass) -> Made:
    return {"s": p.raw * math.sqrt(_d_head(p))}


@slip(SCORES, "M73", "scale", "took the root of the score itself", _DIVIDE)
def root_of_score(p: Pass) -> Made:
    return {"s": np.sqrt(p.raw)}


@slip(
    SCORES,
    "",
    "scale",
    "turned the sign of the scores",
    "The larger the product of query and key, the larger the weight.",
)
def sign_turned(p: Pass) -> Made:
    return {"s": -p.raw / math.sqrt(_d_head(p))}


def _d_head(p: Pass) -> int:
    return int(p.W_Q.shape[-1])


def _unscaled(p: Pass) -> Made:
    return {"s": p.raw}


_DOT = "A score is the plain product q · k, divided by √d_head."


@slip(SCORES, "M52", "raw", "divided q · k by both lengths (cosine)", _DOT, scale=_unscaled)
def cosine(p: Pass) -> Made:
    lengths = np.linalg.norm(p.Q, axis=-1)[:, :, np.newaxis] * np.linalg.norm(p.K, axis=-1)[:, np.newaxis]
    products = p.Q @ p.K.swapaxes(-1, -2)
    return {"raw": np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)}


def _wide_scale(p: Pass) -> Made:
    return {"s": p.raw / math.sqrt(len(p.Q) * _d_head(p))}


_SPLIT = "Each head scores with its own coordinates only and has a softmax of its own."


@slip(SCORES, "M51", "raw", "took all heads as a single wide one", _SPLIT, scale=_wide_scale)
def one_wide_head(p: Pass) -> Made:
    summed = (p.Q @ p.K.swapaxes(-1, -2)).sum(0)
    return {"raw": np.stack([summed] * len(p.Q))}


@slip(
    SCORES,
    "",
    "raw",
    "used only the first coordinate of q and k",
    "Multiply all coordinates in pairs and add them.",
)
def first_product_only(p: Pass) -> Made:
    return {"raw": p.Q[..., :1] @ p.K[..., :1].swapaxes(-1, -2)}


_MASK = "Set the scores of sources after the receiver to −∞ before the softmax; the receiver may read itself."


@slip(SCORES, "M09", "mask", "left the causal mask out", _MASK)
def no_mask(p: Pass) -> Made:
    fit(p.blocked.any())
    return {"scores": p.s}


@slip(SCORES, "M12", "mask", "set blocked scores to 0, which exp turns into 1", _MASK)
def mask_zero(p: Pass) -> Made:
    return _masked_with(p, 0.0)


@slip(SCORES, "", "mask", "set blocked scores to −1, which still leaves them weight", _MASK)
def mask_minus_one(p: Pass) -> Made:
    return _masked_with(p, -1.0)


@slip(SCORES, "M13", "mask", "turned the mask round: it kept the sources that come later", _MASK)
def mask_inverted(p: Pass) -> Made:
    return _masked(p, p.blocked.T)


@slip(SCORES, "M14", "mask", "blocked the receiver itself too", _MASK)
def mask_diagonal(p: Pass) -> Made:
    return _masked(p, ~p.blocked.T)


@slip(SCORES, "M15", "mask", "let one later source through", _MASK)
def mask_off_by_one(p: Pass) -> Made:
    return _masked(p, np.triu(p.blocked, 2))


@slip(SCORES, "M66", "mask", "took every score that is exactly 0 for blocked", _MASK)
def zero_as_masked(p: Pass) -> Made:
    return {"scores": np.where(p.blocked | (p.s == 0), -np.inf, p.s)}


@slip(
    SCORES,
    "",
    "mask",
    "blocked the later sources, though the mask is off here",
    "Read every source, also later ones.",
)
def masked_anyway(p: Pass) -> Made:
    fit(not p.blocked.any())
    return {"scores": np.where(np.triu(np.ones_like(p.blocked), 1), -np.inf, p.s)}


_ROUND = "Keep at least three decimals at every step."


@slip(SCORES, "M70", "mask", "rounded the scores to 2 decimals", _ROUND, accepted=True)
def scores_rounded_to_two(p: Pass) -> Made:
    return {"scores": np.where(p.blocked, -np.inf, p.s.round(2))}


@slip(SCORES, "M71", "mask", "rounded the scores to 3 decimals", _ROUND, accepted=True)
def scores_rounded_to_three(p: Pass) -> Made:
    return {"scores": np.where(p.blocked, -np.inf, p.s.round(3))}


def _masked(p: Pass, blocked: Array) -> Made:
    fit(p.blocked.any())
    return {"scores": np.where(blocked, -np.inf, p.s)}


def _masked_with(p: Pass, value: float) -> Made:
    fit(p.blocked.any())
    return {"scores": np.where(p.blocked, value, p.s)}
