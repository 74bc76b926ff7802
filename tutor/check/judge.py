"""The verdict on one function: what it returned against the right numbers and every misconception."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tutor.check.attempt import Answer
from tutor.check.faults import Fault
from tutor.check.locate import Own, locate
from tutor.check.outcome import Outcome, Reply
from tutor.check.probes import SIGNATURES, Case
from tutor.check.report import Diagnosis, Result
from tutor.engine.slips import Variant
from tutor.engine.variants import VARIANTS
from tutor.errors import shown

# Rounding to three decimals on the way stays within this, for each unit of the largest number.
_NEAR = 2e-3
_COARSE = 1e-2
_LESSON_ONLY = "right on the lesson's sentence only"
# Inputs of a learner's function are rows already.
_POSSIBLE = [variant for variant in VARIANTS if variant.stage not in ("embed", "predict")]


@dataclass(frozen=True)
class Trouble:
    """Why a call gave no numbers that could be compared."""

    verdict: str
    """as the report names it: wrong, error or blank"""
    diagnosis: Diagnosis


def judge(function: str, asked: Sequence[Case], outcome: Outcome, own: Own) -> Result:
    """The result of one function; what comes first in the order of its calls is told."""
    answers, trouble = sorted_out(asked, outcome)
    values = [value for reply in outcome.replies[:1] for value in reply.values[:1]]
    given = shown(values[0].told, 60) if values else None
    wrong = [answer for answer in answers if not answer.is_right]
    if wrong:
        with np.errstate(all="ignore"):  # numbers may be huge
            made = replace(_of_numbers(function, answers, own), given=given)
        if made.verdict != "right" or trouble is None:
            return made
    if trouble is None:
        return Result(function, given, "right")
    if answers and trouble.verdict == "wrong":
        case = asked[len(answers)]
        if not case.problem.is_lesson:
            told = f"{_LESSON_ONLY}: with {case.problem.name}, {trouble.diagnosis.message}"
            return Result(function, given, "wrong", Diagnosis("lesson-only", "shape", told))
    return Result(function, given, trouble.verdict, trouble.diagnosis)  # type: ignore[arg-type]


def sorted_out(asked: Sequence[Case], outcome: Outcome) -> tuple[list[Answer], Trouble | None]:
    """The answers up to the first trouble."""
    answers: list[Answer] = []
    for case, reply in zip(asked, outcome.replies, strict=False):
        trouble = _trouble(case, reply)
        if trouble is not None:
            return answers, trouble
        answers.append(Answer(case, reply.values[0].numbers, reply.values[0].is_coarse))
    if len(answers) < len(asked):
        fault = outcome.fault or Fault("ended", "your code ended the program")
        return answers, _faulty(asked[0].function, fault)
    return answers, None


def _trouble(case: Case, reply: Reply) -> Trouble | None:
    if reply.fault is not None:
        return _faulty(case.function, reply.fault, case)
    first, second = reply.values
    needed = case.expected.shape
    for value in (first, second):
        if value.shape != needed or value.numbers is None:
            return _wrong(case.function, "shape", f"expected {needed}, got {shown(value.told, 200)}")
    if reply.changed:
        told = (
            "your code changes the arrays that it is given: work on copies (no +=, no assignment into them)"
        )
        return _wrong(case.function, "input-changed", told)
    both = np.stack([first.numbers, second.numbers])
    if not (case.is_close(*both) | (both[0] == both[1]) | np.isnan(both).all(0)).all():
        told = "two runs gave different numbers: dropout is on, or something else random"
        return _wrong(case.function, "random", told)
    return None


def _wrong(function: str, id: str, message: str) -> Trouble:
    return Trouble("wrong", Diagnosis(id, function, message))


def _faulty(function: str, fault: Fault, case: Case | None = None) -> Trouble:
    message = fault.message
    if fault.id == "blank" and fault.place in ("", function):
        return Trouble("blank", Diagnosis("blank", function, f"{function} is still to be written"))
    if fault.id == "blank":
        message = f"{function} calls {fault.place}, which is still to be written"
    elif fault.id == "raised" and not fault.place:
        message += f"; it is called as {function}({SIGNATURES[function]})"
    if case is not None and not case.problem.is_lesson:
        message = f"with {case.problem.name}: {message}"
    return Trouble("error", Diagnosis(fault.id, function, message))


def _of_numbers(function: str, answers: list[Answer], own: Own) -> Result:
    """At least one answer has the right shape and wrong numbers."""

    def result(verdict: str, id: str, stage: str, message: str) -> Result:
        return Result(function, None, verdict, Diagnosis(id, stage, message))  # type: ignore[arg-type]

    usual = [answer for answer in answers if not answer.case.problem.is_extreme]
    lesson = [answer for answer in answers if answer.case.problem.is_lesson]
    if any(answer.is_coarse for answer in answers):
        verdict = "close" if all(answer.is_within(_COARSE) for answer in lesson) else "wrong"
        return result(verdict, "coarse", function, "float16 is too coarse: compute in float64 or float32")
    found = explained(answers)
    accepted = [variant for variant in found if variant.accepted]
    if accepted and all(answer.is_finite for answer in answers):
        return Result(function, None, "right", note=accepted[0].message)
    if found:
        return result("wrong", "|".join(v.id for v in found), found[0].stage, _told(found))
    if all(answer.is_right for answer in usual):
        if all(answer.is_finite for answer in answers):
            told = "is a finite number, such as −100, standing in for −∞, or are scores clipped?"
            return result(
                "wrong", "large-scores", "mask", f"right, but not where scores are near ±1000: {told}"
            )
        told = "right, but exp overflows where scores are near ±1000"
        advice = "subtract each row's largest score before exp, which changes no weight"
        return result("close", "overflow", "softmax", f"{told}: {advice}")
    if not all(answer.is_finite for answer in usual):
        first = next(answer for answer in usual if not answer.is_finite)
        told = f"not a finite number: {first.infinite}, with {first.case.problem.name}"
        return result("wrong", "not-finite", function, told)
    place = locate(function, usual, own)
    if answers[0].is_right and len(lesson) > 1 and all(np.array_equal(a.got, answers[0].got) for a in lesson):
        told = f"{_LESSON_ONLY}: the same numbers come back whatever is given"
        return result("wrong", "lesson-only", function, told)
    if all(answer.is_right for answer in lesson):
        case = next(answer.case for answer in usual if not answer.is_right)
        told = f"{_LESSON_ONLY}: with {case.problem.name} the numbers are others. {place.message}"
        return result("wrong", "lesson-only", place.stage, told)
    if all(answer.is_within(_NEAR) for answer in usual):
        told = "right to about three decimals: something is rounded on the way; keep all digits"
        return result("close", "rounded", place.stage, told)
    return Result(function, None, "wrong", place)


def explained(answers: Sequence[Answer]) -> list[Variant]:
    """The misconceptions that give all these numbers."""
    found = [variant for variant in _POSSIBLE if _gives(variant, answers)]
    # Of twins, those that go wrong only in steps that this function takes.
    taken = [v for v in found if all(answers[0].case.reaches(step) for step in v.steps)]
    return taken or found


def _gives(variant: Variant, answers: Sequence[Answer]) -> bool:
    differs = False
    for answer in answers:
        case, got = answer.case, answer.got
        p = case.problem.wrong.get(variant.id)
        if p is None or (case.problem.is_extreme and not answer.is_finite):
            continue
        made = case.of(p)
        # A mistake may divide by zero, and how that shows depends on how it was written.
        loose = ~np.isfinite(made)
        if not (loose | case.is_close(got, made)).all():
            return False
        differs |= bool((~loose & ~case.is_close(made, case.expected)).any())
    return differs


def _told(found: list[Variant]) -> str:
    if len(found) == 1:
        return found[0].message
    told = ", or ".join(variant.did for variant in found)
    return f"These numbers come out alike if you {told}. {found[0].instead}"
