"""Every number checked: against the source, PyTorch, a second computation and the laws of attention."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from tutor.engine.attention import trace_sentence
from tutor.engine.library import library_attention
from tutor.engine.trace import Trace
from tutor.engine.worksheet import ReadySentence, Worksheet
from tutor.errors import TutorError
from tutor.verify.check import Check
from tutor.verify.published import check_published
from tutor.verify.reference import reference


def check_numbers(worksheet: Worksheet, published: Path | None = None) -> Iterator[Check]:
    """All checks of a worksheet, the source's numbers (`published`) first if they are this worksheet's."""
    yield from check_published(worksheet, published)
    for sentence in worksheet.sentences:
        ids = worksheet.read(sentence.text).ids
        yield _library(worksheet, sentence, ids)
        yield _second(worksheet, sentence, ids)
        yield from _laws(worksheet, sentence, ids)


def _library(worksheet: Worksheet, sentence: ReadySentence, ids: tuple[int, ...]) -> Check:
    """The same weights in nn.MultiheadAttention give the same update and weights."""
    name = f"{sentence.name}: nn.MultiheadAttention"
    try:
        delta_E, A = library_attention(worksheet, ids)
    except TutorError as error:
        return Check(name, True, f"not compared: {error}")
    t = trace_sentence(worksheet, ids)
    apart = max(difference(t.delta_E, delta_E), difference(t.A, A))
    return Check(name, apart <= 1e-12, f"delta_E and A, largest difference {apart:.1e}")


def _second(worksheet: Worksheet, sentence: ReadySentence, ids: tuple[int, ...]) -> Check:
    """Every field equals the second computation's."""
    name = f"{sentence.name}: second computation"
    t, second = trace_sentence(worksheet, ids), reference(worksheet, ids)
    apart = {field.name: difference(getattr(t, field.name), second[field.name]) for field in fields(Trace)}
    worst = max(apart, key=lambda field: apart[field])
    detail = f"{len(apart)} fields, largest difference {apart[worst]:.1e} ({worst})"
    return Check(name, apart[worst] <= 1e-9, detail)


def difference(left: Any, right: Any) -> float:
    """The largest difference, relative to the largest finite magnitude if that is above 1."""
    if left.shape != right.shape:
        return math.inf
    finite = np.isfinite(right)
    if not np.array_equal(left[~finite], right[~finite]):
        return math.inf
    scale = max(1.0, np.abs(right[finite]).max(initial=0.0))
    return float(np.abs(left[finite] - right[finite]).max(initial=0.0) / scale)


def _laws(worksheet: Worksheet, sentence: ReadySentence, ids: tuple[int, ...]) -> Iterator[Check]:
    """What holds for any weights: rows sum to 1, no source after the receiver counts."""
    t = trace_sentence(worksheet, ids)
    off = float(np.abs(t.A.sum(-1) - 1).max())
    yield Check(f"{sentence.name}: rows of A sum to 1", off <= 1e-12, f"largest difference {off:.1e}")
    later = np.triu(np.ones((len(ids), len(ids)), dtype=bool), 1)
    blocked = float(np.abs(t.A[:, later]).sum())
    yield Check(f"{sentence.name}: no weight on a blocked source", blocked == 0, f"their sum is {blocked:g}")
    changed = 0.0
    for kept in range(1, len(ids)):
        other = trace_sentence(worksheet, [*ids[:kept], *((id + 1) % worksheet.n_vocab for id in ids[kept:])])
        changed = max(changed, difference(other.A[:, :kept], t.A[:, :kept]))
        changed = max(changed, difference(other.probabilities[:kept], t.probabilities[:kept]))
    detail = f"largest change {changed:.1e} when later words change"
    yield Check(f"{sentence.name}: earlier rows stay", changed <= 1e-12, detail)
