"""Where a right answer can be told from every misconception: only such items are asked."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from tutor.check.case import Case, Places, worksheet_of
from tutor.check.kinds import PER_HEAD, Kind
from tutor.engine.forward import Array

ROUNDING = frozenset({"weights-rounded-to-two"})
"""Misconceptions that are only too coarse: what they give within the bound is right."""
_SAME = 1e-9


@lru_cache(maxsize=512)
def separable(case: Case, kind: Kind, name: str, causal: bool) -> Array:
    """For every place of a kind's array, without the coordinates of a row: whether it can be asked.

    A misconception that moves the value at all must move it beyond the bound; one that moves most values of
    this kind in the worksheet must move this one too: the mask is asked where it matters.
    """
    allowed = _asked(case, kind)
    usual = _usual(name, kind, causal)
    for id, (moved, clear) in _effects(case, kind).items():
        must = moved | usual[id] if id in usual else moved
        allowed = allowed & ~(must & ~clear)
    return allowed


@lru_cache(maxsize=512)
def _effects(case: Case, kind: Kind) -> dict[str, tuple[Array, Array]]:
    """By misconception: where it moves the value at all, and where beyond the bound."""
    right = getattr(case.right, kind.field)
    margin = _bounds(case, kind) + 10.0**-kind.decimals  # both values are rounded to be shown
    effects = {}
    for id, p in case.wrong.items():
        if id in ROUNDING:
            continue
        value = getattr(p, kind.field)
        with np.errstate(invalid="ignore"):
            apart = np.where(value == right, 0.0, np.abs(value - right))
        moved, clear = ~(apart <= _SAME), ~(apart <= margin)  # NaN is neither
        effects[id] = (moved.any(-1), clear.any(-1)) if kind.row else (moved, clear)
    return effects


def _bounds(case: Case, kind: Kind) -> Array:
    """The bound of every place."""
    right = getattr(case.right, kind.field)
    made = np.zeros(right.shape)
    rows: list[Places] = list(np.ndindex(right.shape[: 2 if kind.field in PER_HEAD else 1]))
    for places in rows:
        made[places] = case.bound(kind.field, places)
    return made


def _asked(case: Case, kind: Kind) -> Array:
    """Places that exist for the learner: no blocked source."""
    right = getattr(case.right, kind.field)
    shape = right.shape[:-1] if kind.row else right.shape
    asked = np.ones(shape, dtype=bool)
    if {"receiver", "source"} <= set(kind.uses):
        asked &= ~case.givens.blocked
    return asked


@lru_cache(maxsize=256)
def _usual(name: str, kind: Kind, causal: bool) -> dict[str, Array]:
    """By misconception: whether it moves most values of a head (or of a column) in the ready sentences."""
    counts: dict[str, list[Array]] = {}
    token_axes = tuple(at for at, use in enumerate(kind.uses) if use in ("receiver", "source"))
    for sentence in worksheet_of(name).sentences:
        case = Case.of(name, sentence.text, causal)
        asked = _asked(case, kind)
        for id, (moved, _) in _effects(case, kind).items():
            share = (moved & asked).sum(token_axes, keepdims=True) / asked.sum(token_axes, keepdims=True)
            counts.setdefault(id, []).append(share)
    return {id: np.mean(shares, axis=0) >= 0.5 for id, shares in counts.items()}
