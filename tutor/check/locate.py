"""Where an unknown mistake lies: the first step whose numbers differ, as far as a function's results tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tutor.check.probes import Array, Case, Problem
from tutor.check.report import Diagnosis
from tutor.engine.slips import joined_heads, split

Own = Mapping[tuple[str, Problem, int | None], Array]
"""What the learner's functions returned, by function, problem and head."""


@dataclass(frozen=True, eq=False)
class Answer:
    """Numbers of the right shape, for one call."""

    case: Case
    got: Array
    is_coarse: bool = False

    @property
    def is_right(self) -> bool:
        """Whether every number is right."""
        return bool(self.case.is_close(self.got, self.case.expected).all())

    @property
    def is_finite(self) -> bool:
        """Whether every number is finite."""
        return bool(np.isfinite(self.got).all())

    @property
    def infinite(self) -> str:
        """Where the first number stands that is not finite."""
        place = [int(at) + 1 for at in np.argwhere(~np.isfinite(self.got))[0]]
        return f"{self.got[tuple(at - 1 for at in place)]} at {place}, counted from 1, with {self.case.problem.name}"

    def is_within(self, error: float) -> bool:
        """Whether every number lies that near, for each unit of the largest."""
        largest = np.abs(self.case.expected).max(initial=1.0)
        return bool((np.abs(self.got - self.case.expected) <= error * largest).all())


def locate(function: str, answers: Sequence[Answer], own: Own) -> Diagnosis:
    """The step to look at, and why."""
    stage, why = _WAYS[function](answers, own)
    return Diagnosis("unknown", stage, f"Not a mistake that is known here. {why}")
