"""One sentence of one worksheet with all that grading needs: right values, misconceptions, rounding."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from tutor.check.kinds import PER_HEAD
from tutor.check.rounding import Rounding
from tutor.engine.forward import Array, Givens, Pass, forward
from tutor.engine.slips import deviate
from tutor.engine.variants import VARIANTS
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError, shown
from tutor.paths import worksheet_path

Places = tuple[int, ...]
"""Indices into one array of the trace, from 0."""


@lru_cache(maxsize=16)
def worksheet_of(name: str) -> Worksheet:
    """A shipped worksheet by its name, any other by its path; TutorError where there is none."""
    path = worksheet_path(name)
    if not os.path.isfile(path):  # Path.is_file fails on a long name
        raise TutorError(f"no worksheet {shown(name, 80)}: give a shipped one's name or a file's path")
    return Worksheet.load(path)


@dataclass(frozen=True, eq=False)
class Case:
    """What a question is about, computed once."""

    worksheet: Worksheet
    words: tuple[str, ...]
    givens: Givens
    right: Pass

    @staticmethod
    @lru_cache(maxsize=64)
    def of(worksheet_name: str, sentence: str, causal: bool = True) -> Case:
        """The case of a sentence; TutorError where worksheet or sentence cannot be read."""
        worksheet = worksheet_of(worksheet_name)
        tokens = worksheet.read(sentence)
        givens = Givens.of(worksheet, tokens.ids, causal)
        return Case(worksheet, tokens.words, givens, forward(givens))

    @cached_property
    def wrong(self) -> dict[str, Pass]:
        """The numbers of every misconception that these shapes have, by its id."""
        return self._deviations(accepted=False)

    @cached_property
    def _accepted(self) -> list[Pass]:
        return list(self._deviations(accepted=True).values())

    def _deviations(self, accepted: bool) -> dict[str, Pass]:
        made = {v.id: deviate(v, self.givens, self.right) for v in VARIANTS if v.accepted is accepted}
        return {id: p for id, p in made.items() if p is not None}

    @cached_property
    def _roundings(self) -> dict[tuple[int, int], Rounding]:
        return {}

    def bound(self, field: str, places: Places, decimals: int = 3) -> Array:
        """How far rounding every step to so many decimals, as shown, can take this value or row."""
        apart = self._deviation(field, places, decimals)
        right = getattr(self.right, field)[places]
        with np.errstate(invalid="ignore"):
            for p in self._accepted:
                apart = np.fmax(apart, np.abs(getattr(p, field)[places] - right))
        return apart

    def _deviation(self, field: str, places: Places, decimals: int) -> Array:
        if field in ("E", "K", "V"):
            return self._rounding(0, decimals).deviation(field)[places]
        if field in PER_HEAD:
            head, receiver, *rest = places
            return self._rounding(receiver, decimals).deviation(field)[(head, *rest)]
        return self._rounding(places[0], decimals).deviation(field)[places[1:]]

    def _rounding(self, receiver: int, decimals: int) -> Rounding:
        key = receiver, decimals
        if key not in self._roundings:
            self._roundings[key] = Rounding(self.right, receiver, decimals)
        return self._roundings[key]
