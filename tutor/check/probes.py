"""What a learner's functions are called with: the lesson's sentences, and problems never seen before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tutor.engine.forward import STEPS, Givens, Pass, forward
from tutor.engine.slips import joined_heads
from tutor.engine.variants import deviations
from tutor.engine.worksheet import Worksheet
from tutor.paths import worksheet_path

Array = Any

SIGNATURES = {
    "attention_weights": "E, W_Q, W_K",
    "head": "E, W_Q, W_K, W_V",
    "split_heads": "X, n_heads",
    "merge_heads": "Z",
    "multi_head": "E, W_Q, W_K, W_V, W_O, n_heads",
    "block": "E, W_Q, W_K, W_V, W_O, n_heads",
}
"""The functions that can be graded, in the order of the pass."""

RESULTS = {
    "attention_weights": "A",
    "head": "messages",
    "split_heads": "V",
    "merge_heads": "joined",
    "multi_head": "delta_E",
    "block": "E_prime",
}
"""What each of them gives, as the trace names it."""

_LAST_STEPS = {
    "attention_weights": "softmax",
    "head": "mix",
    "split_heads": "project",
    "merge_heads": "join",
    "multi_head": "output",
    "block": "residual",
}
_PER_HEAD = ("attention_weights", "head")

# Seven digits of float32; exp turns the absolute error of a score into a relative one of a weight.
_PRECISION = 1e-6


@dataclass(frozen=True, eq=False)
class Problem:
    """One set of givens with everything that follows from them."""

    name: str
    givens: Givens
    is_lesson: bool = False
    is_extreme: bool = False
    """whether exp of its scores overflows"""

    @cached_property
    def right(self) -> Pass:
        """Every intermediate, as it should be."""
        return forward(self.givens, last="residual")

    @cached_property
    def wrong(self) -> dict[str, Pass]:
        """Every intermediate, as each misconception gives it."""
        return deviations(self.givens, last="residual")

    @property
    def tolerance(self) -> float:
        """How far a right number may lie off, for each unit of the largest."""
        return _PRECISION * max(1.0, float(np.abs(self.right.s).max()))


@dataclass(frozen=True, eq=False)
class Case:
    """One call of one function."""

    function: str
    problem: Problem
    head: int | None = None
    """from 0; None where the function gives all heads"""

    @cached_property
    def expected(self) -> Array:
        """What it should return."""
        return self.of(self.problem.right)

    def of(self, p: Pass) -> Array:
        """What it returns where the pass runs like that."""
        made = getattr(p, RESULTS[self.function])
        return made if self.head is None else made[self.head]

    @property
    def arguments(self) -> list[Any]:
        """Numbers and nested lists, in the order of the signature."""
        p, givens = self.problem.right, self.problem.givens
        if self.head is not None:
            matrices = [getattr(givens, name)[self.head] for name in ("W_Q", "W_K", "W_V")]
            matrices = matrices[: 2 if self.function == "attention_weights" else 3]
            return [p.E.tolist(), *(W.tolist() for W in matrices)]
        n_heads = len(givens.W_Q)
        if self.function == "split_heads":
            return [joined_heads(p.V).tolist(), n_heads]
        if self.function == "merge_heads":
            return [p.messages.tolist()]
        matrices = [joined_heads(W) for W in (givens.W_Q, givens.W_K, givens.W_V)]
        return [p.E.tolist(), *(W.tolist() for W in (*matrices, givens.W_O)), n_heads]

    def reaches(self, step: str) -> bool:
        """Whether the function takes that step of the pass."""
        steps = list(STEPS)
        return steps.index(step) <= steps.index(_LAST_STEPS[self.function])

    def is_close(self, numbers: Array, other: Array) -> Array:
        """Which numbers agree, within what float32 and another order of the sums may cost."""
        largest = np.abs(self.expected).max(initial=1.0)
        with np.errstate(invalid="ignore"):
            return np.abs(numbers - other) <= self.problem.tolerance * largest


def cases(function: str, problems: list[Problem]) -> list[Case]:
    """The calls of one function, the lesson's first."""
    if function not in _PER_HEAD:
        return [Case(function, problem) for problem in problems]
    return [Case(function, problem, head) for problem in problems for head in range(len(problem.givens.W_Q))]


def problems(seed: int | None = None) -> list[Problem]:
    """The lesson's sentences, then hidden ones: fresh each time unless there is a seed."""
    random = np.random.default_rng(seed)
    sheet = Worksheet.load(worksheet_path("river-bank"))
    lesson = [
        Problem(f"the {ready.name} sentence", Givens.of(sheet, sheet.read(ready.text).ids), is_lesson=True)
        for ready in sheet.sentences
    ]
    return [
        *lesson,
        _with_zeros(random, tokens=5, n_heads=2, width=3),
        _with_zeros(random, tokens=4, n_heads=3, width=4),
        _problem("1 token", random, tokens=1, n_heads=2, width=3),
        _large_scores(random, tokens=5, n_heads=2, width=3),
    ]


def _problem(name: str, random: np.random.Generator, *, tokens: int, n_heads: int, width: int) -> Problem:
    """Halves and small whole numbers where they make scores, so that no order of the sums rounds."""
    d_model = n_heads * width

    def halves(largest: int, *shape: int) -> Array:
        return random.integers(-largest, largest, shape, endpoint=True) / 2

    return Problem(
        f"{name}, d_model {d_model}, {n_heads} heads of {width}",
        _givens(
            halves(4, tokens, d_model),
            halves(1, n_heads, d_model, width),
            halves(1, n_heads, d_model, width),
            random.normal(size=(n_heads, d_model, width)),
            random.normal(size=(d_model, d_model)),
        ),
    )


def _with_zeros(random: np.random.Generator, *, tokens: int, n_heads: int, width: int) -> Problem:
    """In each head, another source has a key of zeros, and so scores of exactly 0."""
    plain = _problem(f"{tokens} tokens", random, tokens=tokens, n_heads=n_heads, width=width)
    E, W_K = plain.right.E.copy(), plain.givens.W_K.copy()
    for head, source in enumerate(1 + random.permutation(tokens - 1)[:n_heads]):
        E[source] = 0
        E[source, head] = 2
        W_K[head, head] = 0
    return Problem(plain.name, _givens(E, plain.givens.W_Q, W_K, plain.givens.W_V, plain.givens.W_O))


def _large_scores(random: np.random.Generator, *, tokens: int, n_heads: int, width: int) -> Problem:
    """Scores near 1000 in some rows, near -1000 in others; within a row they differ by a few units."""
    plain = _problem(
        f"scores near ±1000, {tokens} tokens", random, tokens=tokens, n_heads=n_heads, width=width
    )
    large = int((1000 * width**0.5) ** 0.5)  # and powers of 2 do not overflow
    sign = np.where(np.arange(tokens) % 2, -1, 1) * random.choice((-1, 1))
    E = plain.right.E.copy()
    E[:, 0] = large * sign
    E[:, 1] = large + random.permutation(tokens) / 16
    W_Q, W_K = plain.givens.W_Q.copy(), plain.givens.W_K.copy()
    # The first coordinate of queries and keys carries the large numbers, the others stay as they were.
    for W, row in ((W_Q, 0), (W_K, 1)):
        W[:, :2] = 0
        W[:, :, 0] = 0
        W[:, row, 0] = 1
    return Problem(plain.name, _givens(E, W_Q, W_K, plain.givens.W_V, plain.givens.W_O), is_extreme=True)


def _givens(E: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array) -> Givens:
    tokens = len(E)
    blocked = np.triu(np.ones((tokens, tokens), dtype=bool), 1)
    return Givens(np.arange(tokens), E, np.zeros_like(E), W_Q, W_K, W_V, W_O, blocked)
