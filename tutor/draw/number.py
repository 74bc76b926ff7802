"""The one rounding policy: givens as written, raw scores 2 decimals, percentages 1, everything else 3."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

MINUS = "−"
BLOCKED = "×"
WAITING = "…"
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Numbers:
    """Writes numbers; before they are computed it writes … in their width."""

    more: int = 0
    """decimals beyond the policy's"""
    waiting: bool = False

    def fixed(self, value: float, decimals: int) -> str:
        """A computed value with this many decimals; −∞, a blocked score, is ×."""
        text = fixed(value, decimals)
        return text if text == BLOCKED else self._shown(text)

    def _shown(self, text: str) -> str:
        return re.sub(r"\S", WAITING, text) if self.waiting else text

    def raw(self, value: float) -> str:
        """A raw score."""
        return self.fixed(value, 2 + self.more)

    def real(self, value: float) -> str:
        """Any other computed value."""
        return self.fixed(value, 3 + self.more)

    def change(self, value: float) -> str:
        """A difference: always with its sign, unless it rounds to zero."""
        text = fixed(value, 3 + self.more)
        return self._shown(text if text.startswith(MINUS) or not text.strip("0.") else "+" + text)

    def percent(self, share: float) -> str:
        """A share of one as a percentage."""
        return self.fixed(100 * share, 1 + self.more) + " %"

    def factor(self, value: float, decimals: int) -> str:
        """A computed factor or later term: a negative one in brackets."""
        return self._shown(factor(fixed(value, decimals)))

    def products(self, values: Iterable[float], decimals: int, weights: Iterable[float]) -> list[str]:
        """Computed values, each times a given weight: 2.3×1."""
        pairs = zip(values, weights, strict=True)
        return [f"{self.factor(value, decimals)}×{factor(given(weight))}" for value, weight in pairs]

    def sum(self, values: Iterable[float], decimals: int) -> str:
        """Computed terms, negative ones taken away: 7.13 − 0.23."""
        return self._shown(added([fixed(value, decimals) for value in values]))

    def row(self, values: Iterable[float], decimals: int | None = None) -> str:
        """Several numbers, as the prose writes a row: [2.617, −0.018]."""
        places = 3 + self.more if decimals is None else decimals
        return "[" + ", ".join(self.fixed(value, places) for value in values) + "]"


def fixed(value: float, decimals: int) -> str:
    """`value` with this many decimals, a true minus sign and no negative zero; huge ones as 1.234e56."""
    if math.isinf(value):
        return "∞" if value > 0 else BLOCKED
    if math.isnan(value):
        return "?"
    if abs(value) >= 1e7:
        mantissa, exponent = f"{value:.{max(decimals, 1)}e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    else:
        text = f"{value:.{decimals}f}"
    if not text.strip("-0."):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def finite(values: Iterable[float]) -> list[float]:
    """The values that can be written as numbers, as a list; [0.0] where there is none."""
    return [value for value in values if math.isfinite(value)] or [0.0]


def extremes(values: Any) -> list[float]:
    """The smallest and the largest number of an array or of nested tuples: the widest are among them."""
    if hasattr(values, "min"):
        return [float(values.min()), float(values.max())]
    if isinstance(values, tuple | list):
        inner = [extreme for value in values for extreme in extremes(value)]
        return [min(inner), max(inner)]
    return [values]


def given(value: float) -> str:
    """A number of the worksheet, as it is written there."""
    return repr(value).replace("-", MINUS)


def decimals_of(matrix: Iterable[Sequence[float]]) -> int:
    """The most decimals that any number of a worksheet's matrix is written with."""
    return max((len(_fraction(value)) for row in matrix for value in row), default=0)


def _fraction(value: float) -> str:
    text = f"{value:.12f}".rstrip("0") if isinstance(value, float) and value % 1 else repr(value)
    return text.partition(".")[2] if "e" not in text else ""


def on_point(texts: Sequence[str]) -> list[str]:
    """Givens of one column in one width, their decimal points below each other."""
    after = max((len(text) - text.index(".") for text in texts if "." in text), default=0)
    filled = [text + " " * (after - (len(text) - text.index(".") if "." in text else 0)) for text in texts]
    width = max(map(len, filled), default=0)
    return [text.rjust(width) for text in filled]


def factor(text: str) -> str:
    """A number as a factor or a later term: a negative one in brackets."""
    return f"({text})" if text.startswith(MINUS) else text


def added(texts: Sequence[str]) -> str:
    """Numbers as a sum, negative ones taken away: 7.13 − 0.23."""
    joined = texts[0]
    for text in texts[1:]:
        joined += f" {MINUS} {text[1:]}" if text.startswith(MINUS) else f" + {text}"
    return joined


def subscript(*numbers: int) -> str:
    """Positions, counted from 1, as an index: ₁₀,₆."""
    return ",".join(str(number) for number in numbers).translate(_SUBSCRIPT)


def superscript(number: int) -> str:
    """The mark of a head: ⁽¹⁾."""
    return "⁽" + str(number).translate(_SUPERSCRIPT) + "⁾"
