"""One answer of a learner's function: numbers of the right shape, beside the right ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tutor.check.probes import Array, Case


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
        """Which number is the first that is not finite, and where."""
        place = tuple(np.argwhere(~np.isfinite(self.got))[0])
        return f"{self.got[place]} at {[int(at) + 1 for at in place]}, counted from 1"

    def is_within(self, error: float) -> bool:
        """Whether every number lies that near, for each unit of the largest."""
        largest = np.abs(self.case.expected).max(initial=1.0)
        return bool((np.abs(self.got - self.case.expected) <= error * largest).all())

    def right_rows(self, numbers: Array) -> list[bool]:
        """For each receiver, whether its numbers would be right."""
        axes = tuple(range(1, numbers.ndim))
        return [bool(row) for row in self.case.is_close(numbers, self.case.expected).all(axes)]
