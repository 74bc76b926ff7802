"""Grading one typed answer: right, close or wrong, and if wrong, which mistake gives this number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tutor.check import answer
from tutor.check.answer import Reading
from tutor.check.mixups import Mixup, mixups
from tutor.check.questions import Question
from tutor.check.report import Diagnosis, Result
from tutor.draw.number import fixed
from tutor.engine.forward import Array
from tutor.engine.slips import Variant
from tutor.engine.variants import VARIANTS

MOST_NAMED = 4
STAGES = {
    "embed": "the embedding",
    "project": "the projections",
    "raw": "the raw scores",
    "scale": "the scaling",
    "mask": "the mask",
    "softmax": "the softmax",
    "mix": "the message",
    "join": "joining the heads",
    "output": "W_O",
    "residual": "the residual",
    "predict": "the prediction",
}
SHARES = ("A", "probabilities")


def grade(question: Question, given: Any, reveal: bool = False) -> Result:
    """What comes of an answer; the right value is only told if it is to be revealed."""
    reading = answer.read(given, question.count)
    right = right_text(question) if reveal else None

    def result(
        verdict: Any, note: str = "", diagnosis: Diagnosis | None = None, credit: Any = None
    ) -> Result:
        return Result(question.id, answer.text_of(given), verdict, diagnosis, note, right, credit)

    if reading.blank:
        return result("blank")
    if reading.trouble:
        return result("unreadable", reading.trouble)
    typed, bound = np.array(reading.values), question.bound()
    apart = np.abs(typed - question.right)
    if (apart <= bound).all():
        return result("right", reading.note)
    if _right_so_far(question, reading):
        return result("close", f"Right so far: give {question.decimals} decimals.")
    if (
        question.kind.field in SHARES
        and not reading.percent
        and (np.abs(typed / 100 - question.right) <= bound).all()
    ):
        return result("close", diagnosis=_percentage(reading))
    share = 0.5 * float((apart <= bound).mean())  # less than half a point, as not all of them are right
    found = diagnose(question, reading)
    if found is not None:
        return result("wrong", diagnosis=found, credit=share)
    if (apart <= question.bound(question.decimals - 1 or 1)).all():
        return result("close", f"Close: keep {question.decimals} decimals at every step.")
    return result("wrong", _unrecognised(apart <= bound), credit=share)


def right_text(question: Question) -> str:
    """The right value as the lesson shows it."""
    numbers = [fixed(value, question.decimals) for value in question.right.tolist()]
    return f"[{', '.join(numbers)}]" if question.shape else numbers[0]


def diagnose(question: Question, reading: Reading) -> Diagnosis | None:
    """The mistakes, or the other quantities, whose value is the one typed, at the precision typed."""
    typed, precision = np.array(reading.values), _precision(question, reading)

    def fits(values: Array) -> bool:
        return bool((np.abs(values - typed) <= precision).all())

    wrong, others = _alternatives(question)
    variants = [variant for variant, values in wrong if fits(values)]
    mixed = [mixup for mixup in others if fits(mixup.values)]
    if fits(np.copysign(question.right, typed)):
        mixed.append(Mixup("sign", "the right size with a wrong sign: look at the minus", -question.right))
    if not variants and not mixed:
        return None
    ids = "|".join(variant.id for variant in variants) or mixed[0].id
    stage = variants[0].stage if variants else question.kind.stop
    told = [_variants_told(question, variants)] if variants else []
    return Diagnosis(ids, stage, " ".join([*told, *_mixups_told(mixed, bool(variants))]))


@lru_cache(maxsize=4096)
def _alternatives(question: Question) -> tuple[list[tuple[Variant, Array]], list[Mixup]]:
    """The values of all misconceptions here and of all near quantities."""
    wrong = question.case.wrong
    made = [(variant, question.values(wrong[variant.id])) for variant in VARIANTS if variant.id in wrong]
    return made, list(mixups(question))


def _precision(question: Question, reading: Reading) -> Array:
    """Half a unit of the last decimal typed, of the question's at least; zeros at the end say nothing."""
    made = []
    for value, decimals in zip(reading.values, reading.decimals, strict=True):
        plain = f"{value:.{min(decimals, 15)}f}".rstrip("0").partition(".")[2]
        made.append(0.5 * 10.0 ** -max(question.decimals, len(plain)) + 1e-9 * max(1.0, abs(value)))
    return np.array(made)


def _right_so_far(question: Question, reading: Reading) -> bool:
    """Whether each number is the right one rounded to fewer decimals than asked, at least one."""
    for value, decimals, right in zip(reading.values, reading.decimals, question.right, strict=True):
        if decimals < 1 or abs(value - right) > 0.5 * 10.0 ** -min(decimals, question.decimals) + 1e-9:
            return False
    return min(reading.decimals) < question.decimals


def _percentage(reading: Reading) -> Diagnosis:
    value = reading.values[0]
    share = fixed(value / 100, reading.decimals[0] + 2)
    message = f"Did you mean {share}? That is a percentage: write it as a share of 1, or with %."
    return Diagnosis("percentage", "answer", message)


def _unrecognised(right: Array) -> str:
    told = "Not right, and no known mistake gives this."
    return f"{told} Right so far: {int(right.sum())} of {len(right)} numbers." if right.any() else told


def _variants_told(question: Question, variants: Sequence[Variant]) -> str:
    if len(variants) == 1:
        return variants[0].message
    did = [f"you {variant.did}" for variant in variants[:MOST_NAMED]]
    more = len(variants) - len(did)
    listed = ", or ".join(did) + (f", or {more} more" if more else "")
    if {variant.stage for variant in variants} <= {"raw", "scale"}:
        return f"{_divided(question, variants)}: {listed}; here that is one number. {variants[0].instead}"
    stages = list(dict.fromkeys(STAGES[variant.stage] for variant in variants))
    shared = f"All lie in {stages[0]}." if len(stages) == 1 else f"Look at {stages[0]} first."
    return f"Several mistakes give this number here: {listed}. {shared} {variants[0].instead}"


def _divided(question: Question, variants: Sequence[Variant]) -> str:
    """What all of these divided by, against what is right."""
    case = question.case
    scaled = next((variant for variant in variants if variant.stage == "scale"), variants[0])
    raw, s = case.right.raw, case.wrong[scaled.id].s
    nonzero = np.argwhere((raw != 0) & (s != 0))
    if not len(nonzero):
        return "The scores are divided by another number than √d_head"
    cell = tuple(nonzero[0])
    return f"You divided by {raw[cell] / s[cell]:.4g} instead of √{case.worksheet.d_head}"


def _mixups_told(mixed: Sequence[Mixup], besides: bool) -> list[str]:
    what = list(dict.fromkeys(mixup.what for mixup in mixed))[:2]
    if not what:
        return []
    return [f"{'It is also' if besides else 'That is'} {', or '.join(what)}."]
