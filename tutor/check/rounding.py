"""How far a value may lie off when the steps before it are rounded by hand: the bound of a question."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tutor.engine.forward import Array, Pass

State = dict[str, Array]
"""Arrays with one leading axis: the alternatives, each a choice of which steps were rounded."""

KEPT = 200_000
"""numbers that the next matrix may make of all alternatives before most are dropped"""
MOST = 8192
"""alternatives of which half are kept"""
_SAME = 1e-12
_TIE = 1e-6


class Rounding:
    """Every choice of rounded steps on the way to one receiver, and how far each quantity may then be off."""

    def __init__(self, right: Pass, receiver: int, decimals: int = 3) -> None:
        self.right, self.receiver, self.decimals = right, receiver, decimals
        self._deviation: dict[str, Array] = {}
        self._ends: list[State] = []
        # First all usual choices, then also what a rounded root or a 5 at the end may do, not all together.
        for self._is_wide in (False, True):
            self.state: State = {"E": right.E[np.newaxis]}
            with np.errstate(all="ignore"):
                self._scores()
                self._weights()
                self._update()
            self._ends.append(self.state)

    def deviation(self, name: str) -> Array:
        """By the name in Trace, for the receiver's row (of E, K and V for all rows)."""
        if name not in self._deviation:
            for is_wide, end in enumerate(self._ends):
                self._is_wide, self.state = bool(is_wide), end
                with np.errstate(all="ignore"):
                    self._prediction()  # late: half of the work, for a few questions
        return self._deviation[name]

    def _scores(self) -> None:
        right = self.right
        self._round("E")
        for name in ("K", "V"):
            self.state[name] = np.einsum("atm,hmd->ahtd", self.state["E"], getattr(right, f"W_{name}"))
        self.state["e"] = self.state.pop("E")[:, self.receiver]
        self.state["Q"] = np.einsum("am,hmd->ahd", self.state["e"], right.W_Q)
        self._round("Q", "K", "V")
        self._products("raw", lambda state: state["Q"][:, :, np.newaxis] * state["K"], -1)
        raw = self.state["raw"]
        self._fork(*({"raw": made} for places in (0, -1) for made in self._nearest(raw, places)))
        self._note("raw")
        raw, root = self.state.pop("raw"), math.sqrt(right.W_Q.shape[-1])
        self.state["scores"] = raw / root
        rounded, inverse = round(root, self.decimals), round(1 / root, self.decimals)
        if self._is_wide:
            self._fork({"scores": raw / rounded}, {"scores": raw * inverse})
        scores = np.where(right.blocked[self.receiver], -np.inf, self.state["scores"])
        self.state["scores"] = scores
        self._round("scores")

    def _weights(self) -> None:
        plain, shifted = dict(self.state), dict(self.state)
        largest = shifted["scores"].max(-1, keepdims=True)
        plain["exp"] = np.exp(plain.pop("scores"))
        shifted["exp"] = np.exp(shifted.pop("scores") - largest)
        made = []
        for form in (plain, shifted):
            self.state = form
            known = form is plain
            self._round("exp", note=known)
            self.state["total"] = self.state["exp"].sum(-1)
            self._round("total", note=known)
            self.state["A"] = self.state.pop("exp") / self.state.pop("total")[..., np.newaxis]
            made.append(self.state)
        finite = np.isfinite(made[0]["A"]).all((1, 2))  # a plain exp may overflow where a shifted does not
        self.state = {
            name: np.concatenate([made[0][name][finite], made[1][name]]) for name in ("e", "V", "A")
        }
        self._round("A")
        self.state["contributions"] = self.state.pop("A")[..., np.newaxis] * self.state.pop("V")
        self._round("contributions")
        self.state["messages"] = self.state.pop("contributions").sum(-2)
        self._round("messages")

    def _update(self) -> None:
        messages = self.state.pop("messages")
        self.state["joined"] = messages.reshape(len(messages), -1)
        self._note("joined")
        self._thin("joined", self.right.W_O)
        self._products("delta_E", lambda state: state["joined"][..., np.newaxis] * self.right.W_O, -2)
        self.state.pop("joined")
        self._round("delta_E")
        self.state["E_prime"] = self.state.pop("e") + self.state.pop("delta_E")
        self._round("E_prime")

    def _prediction(self) -> None:
        right = self.right
        self._thin("E_prime", right.W_hidden)
        self._products("hidden", lambda state: state["E_prime"][..., np.newaxis] * right.W_hidden, -2)
        self.state["hidden"] = np.maximum(self.state["hidden"] + right.b_hidden, 0)
        self._round("hidden")
        self._thin("hidden", right.W_vocab)
        self.state["logits"] = self.state.pop("hidden") @ right.W_vocab + right.b_vocab
        self._round("logits")
        logits = self.state["logits"]
        self.state["exp"] = np.exp(logits - logits.max(-1, keepdims=True))
        shifted, self.state = self.state, {"exp": np.exp(logits)}
        self.state = {"exp": np.concatenate([shifted["exp"], self.state["exp"]])}
        self._round("exp", note=False)
        self.state["probabilities"] = self.state["exp"] / self.state["exp"].sum(-1, keepdims=True)
        self._note("probabilities")

    def _round(self, *names: str, note: bool = True) -> None:
        """Each alternative once as it is and once with these arrays rounded."""
        each = [self._nearest(self.state[name]) for name in names]
        self._fork(*(dict(zip(names, rounded, strict=True)) for rounded in zip(*each, strict=True)))
        for name in names if note else ():
            self._note(name)

    def _products(self, name: str, terms: Callable[[State], Array], axis: int) -> None:
        """A sum of products: of the products as they are, and of rounded ones."""
        made = terms(self.state)
        self.state[name] = made.sum(axis)
        self._fork(*({name: rounded.sum(axis)} for rounded in self._nearest(made)))

    def _nearest(self, value: Array, places: int = 0) -> list[Array]:
        """Rounded to so many decimals more or less; a 5 at the end to the even digit, or also up and down."""
        unit = 10.0 ** -(self.decimals + places)
        ways = [value.round(self.decimals + places)]
        if self._is_wide:
            size, sign = np.abs(value / unit), np.sign(value)
            ways += [sign * np.floor(size + 0.5 + _TIE) * unit, sign * np.ceil(size - 0.5 - _TIE) * unit]
        return ways

    def _fork(self, *changes: State) -> None:
        """Beside the alternatives as they are, those with each of these changes that is one."""
        kept = [self.state]
        for change in changes:
            changed = {**self.state, **change}
            if all(any(_differ(changed[name], other[name]) for name in change) for other in kept):
                kept.append(changed)
        if len(kept) > 1:
            self.state = {name: np.concatenate([other[name] for other in kept]) for name in self.state}
            self._keep(self.state[name] for name in changes[0])

    def _keep(self, arrays: Iterable[Array]) -> None:
        """Of too many alternatives, those extreme in a number of these arrays and an even sample."""
        count = len(next(iter(self.state.values())))
        if not self._is_wide or count <= MOST:
            return
        kept = [np.linspace(0, count - 1, MOST // 2).astype(int)]
        for array in arrays:
            rows = array.reshape(count, -1)
            kept += [rows.argmin(0), rows.argmax(0)]
        chosen = np.unique(np.concatenate(kept))
        self.state = {name: value[chosen] for name, value in self.state.items()}

    def _thin(self, name: str, matrix: Array) -> None:
        """Of too many alternatives, keep those extreme in a coordinate, before or after the next matrix."""
        rows = self.state[name]
        if len(rows) * matrix.shape[-1] <= KEPT:
            return
        rows = np.concatenate([rows, rows @ matrix], axis=-1)
        kept = np.unique(np.concatenate([[0, len(rows) - 1], rows.argmin(0), rows.argmax(0)]))
        self.state = {name: value[kept] for name, value in self.state.items()}

    def _note(self, name: str) -> None:
        """The largest deviation of a quantity from its right value, so far."""
        right = self._right(name)
        apart = np.nan_to_num(_apart(self.state[name], right), nan=0.0, posinf=np.inf).max(0)
        self._deviation[name] = np.maximum(apart, self._deviation.get(name, 0.0))

    def _right(self, name: str) -> Any:
        value = getattr(self.right, name)
        if name in ("E", "K", "V"):
            return value
        return value[self.receiver] if name in _PER_TOKEN else value[:, self.receiver]


_PER_TOKEN = ("joined", "delta_E", "E_prime", "hidden", "logits", "probabilities")


def _differ(left: Array, right: Array) -> bool:
    return bool(_apart(left, right).max() > _SAME)


def _apart(left: Array, right: Array) -> Array:
    """The distance; 0 between equal infinities."""
    return np.where(left == right, 0.0, np.abs(left - right))
