"""What a misconception is: a named deviation of the forward pass, and the register that collects them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from tutor.engine.forward import STEPS, Array, Givens, Pass, Step, forward


class Misfit(ValueError):
    """A deviation that these shapes, or a sentence without a mask, do not have."""


@dataclass(frozen=True, eq=False)
class Variant:
    """One misconception: which steps of the pass it replaces, and what to say about it."""

    id: str
    catalogue: str
    """its number in the catalogue of misconceptions; empty for further ones of their kinds"""
    stage: str
    """the step that goes wrong"""
    did: str
    """what was done, to follow “you”"""
    instead: str
    """what to do, as a sentence"""
    steps: Mapping[str, Step]
    accepted: bool = False
    """right all the same: another form, or rounding"""

    @property
    def message(self) -> str:
        """What was done and what to do instead."""
        return f"You {self.did}. {self.instead}"


Register = list[Variant]
Made = dict[str, Array]


def slip(
    register: Register,
    catalogue: str,
    stage: str,
    did: str,
    instead: str,
    accepted: bool = False,
    **also: Step,
) -> Callable[[Step], Step]:
    """Registers a step as the deviation of `stage`, with the other steps that go wrong along with it."""
    unknown = {stage, *also} - STEPS.keys()
    if unknown:
        raise ValueError(f"no step {', '.join(unknown)}")

    def add(step: Step) -> Step:
        name = step.__name__.replace("_", "-")
        steps = {stage: step, **also}
        register.append(Variant(name, catalogue, stage, did, instead, steps, accepted))
        return step

    return add


def deviate(variant: Variant, givens: Givens, right: Pass, last: str = "predict") -> Pass | None:
    """The pass with that misconception; None where its numbers have no place in these shapes."""
    try:
        p = forward(givens, variant.steps, last)
    except (ValueError, IndexError):
        return None
    same = all(np.shape(value) == np.shape(getattr(p, name)) for name, value in vars(right).items())
    return p if same else None


def fit(holds: bool) -> None:
    """Misfit unless the shapes allow what follows."""
    if not holds:
        raise Misfit


def joined_heads(matrices: Array) -> Array:
    """The heads' matrices or rows side by side. [head, n, width] to [n, n_heads * width]"""
    return np.concatenate(list(matrices), axis=-1)


def split(packed: Array, n_heads: int) -> Array:
    """The other way round. [n, n_heads * width] to [head, n, width]"""
    return np.stack(np.split(packed, n_heads, axis=-1))


def viewed(heads: Array) -> Array:
    """Side by side, then cut in memory order as if the heads stood first. [head, token, width]"""
    return joined_heads(heads).reshape(heads.shape)
