"""What a function returned, as plain numbers: said by the child, read by the parent without trust."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import asarray, ndarray

Array = Any

_LARGEST = 1 << 16
_COARSE = ("float16", "bfloat16")
_KINDS = {"b": "true and false", "c": "complex numbers", "O": "objects", "U": "text", "S": "text"}


@dataclass(frozen=True)
class Value:
    """A value that a function returned."""

    kind: str
    """the name of its type"""
    dtype: str
    """of its numbers, where it says one"""
    shape: tuple[int, ...] | None
    """None where it holds no plain numbers"""
    numbers: Array
    """[*shape] in float64; None where there are none"""
    problem: str
    """why it holds no numbers, if that is known"""

    @property
    def is_coarse(self) -> bool:
        """Whether its numbers have only three digits."""
        return self.dtype.removeprefix("torch.") in _COARSE

    @property
    def told(self) -> str:
        """What it is, in a few words."""
        if self.kind == "NoneType":
            return "None (is the return missing?)"
        if self.shape is None:
            return f"{self.kind}: {self.problem}" if self.problem else self.kind
        if self.shape == ():
            return f"one number ({self.kind})"
        return f"{self.kind} {self.shape}"

    @classmethod
    def read(cls, told: Any) -> Value:
        """The value that a child told of; ValueError if it told no such thing."""
        try:
            shape = None if told["shape"] is None else tuple(map(int, told["shape"]))
            numbers = told["numbers"]
            if numbers is not None and shape is not None:
                numbers = np.array(numbers, dtype=np.float64).reshape(shape)
            return cls(str(told["kind"]), str(told["dtype"]), shape, numbers, str(told["problem"]))
        except (KeyError, TypeError, OverflowError) as error:
            raise ValueError(f"no value: {error!r}") from None


def say(value: object) -> dict[str, Any]:
    """In the child: a returned value, converted once."""
    told = {"kind": type(value).__name__, "dtype": str(getattr(value, "dtype", ""))[:40]}
    try:
        array = _array(value)
    except Exception as error:  # the learner's own types may raise anything
        return {**told, "shape": None, "numbers": None, "problem": _brief(error)}
    if array.dtype.kind not in "fiu":
        problem = f"it holds {_KINDS.get(array.dtype.kind, str(array.dtype))}, real numbers are needed"
        return {**told, "shape": None, "numbers": None, "problem": problem}
    numbers = array.astype(np.float64).ravel().tolist() if array.size <= _LARGEST else None
    return {**told, "shape": list(array.shape), "numbers": numbers, "problem": ""}


def _array(value: Any) -> Array:
    """The numbers of an array, a tensor, a number or lists of them; TypeError for anything else."""
    if isinstance(value, (list, tuple)):
        rows = [_array(item) for item in value]
        shapes = {row.shape for row in rows}
        if len(shapes) > 1:
            raise TypeError(f"{len(rows)} items of shapes {', '.join(map(str, sorted(shapes)))}")
        return asarray(rows)
    if isinstance(value, (ndarray, np.generic, int, float)):
        return asarray(value)
    if not hasattr(value, "detach"):
        raise TypeError("")
    tensor = value.detach()
    if tensor.device.type == "meta":
        raise TypeError("on the meta device, which holds no numbers")
    tensor = tensor.to_dense().cpu().resolve_conj().resolve_neg()
    # NumPy has no bfloat16.
    return asarray((tensor.float() if "bfloat16" in str(tensor.dtype) else tensor).numpy())


def _brief(error: Exception) -> str:
    try:
        return str(error)[:200]
    except Exception:
        return type(error).__name__
