"""Reading a typed number or vector: every honest spelling is read, nothing is ever evaluated."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from tutor.errors import shown

LONGEST = 4000
"""characters of an answer that are looked at"""
_SIGNS = str.maketrans(
    dict.fromkeys("−‐‑‒–—﹣－⁻˗─➖", "-")
    | dict.fromkeys("＋", "+")
    | dict.fromkeys("．٫", ".")
    | dict.fromkeys("，、،", ",")
    | dict.fromkeys("；؛", ";")
    | dict.fromkeys("％٪", "%")
    | dict.fromkeys("／⁄∕÷", "/")
    | dict(zip("（）［］｛｝", "()[]{}", strict=True))
)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?")
_COMMA = re.compile(r"([+-]?)(\d*),(\d+)(%?)")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}
_WORDS = {
    **dict.fromkeys(("nan", "inf", "infinity", "∞", "×", "x"), "is not a finite number"),
    **dict.fromkeys(("true", "false", "none", "null"), "is not a number"),
}


@dataclass(frozen=True)
class Reading:
    """The numbers of an answer, or why it could not be read."""

    values: tuple[float, ...] = ()
    decimals: tuple[int, ...] = ()
    """how many decimals each was typed with"""
    note: str = ""
    """what to tell about a spelling that was understood but is better avoided"""
    trouble: str = ""
    """why nothing could be read, and what to do; empty where it could"""
    blank: bool = False
    """nothing was typed"""
    percent: bool = False
    """a percent sign was typed"""


class _Unreadable(ValueError):
    """The reason, as a sentence."""


def read(given: Any, count: int = 1) -> Reading:
    """The `count` numbers of a text, a number or a list of these."""
    try:
        if given is None or (isinstance(given, str) and not _plain(given).strip()):
            return Reading(blank=True, trouble="Nothing is typed.")
        if isinstance(given, list | tuple):
            readings = [_one(_text_of(item)) for item in given[: LONGEST // 2]]
        else:
            readings = _several(_text_of(given), count)
        if len(readings) != count:
            raise _Unreadable(f"{_counted(len(readings))} given, {_counted(count)} asked: give {count}.")
    except _Unreadable as reason:
        return Reading(trouble=str(reason))
    return Reading(
        tuple(number.values[0] for number in readings),
        tuple(number.decimals[0] for number in readings),
        next((number.note for number in readings if number.note), ""),
        percent=any(number.percent for number in readings),
    )


def text_of(given: Any) -> str:
    """An answer as the report shows it."""
    if isinstance(given, list | tuple):
        return shown(f"[{', '.join(map(_written, given[:99]))}]", 80)
    return "" if given is None else shown(_written(given), 80)


def _written(given: Any) -> str:
    try:
        return str(given)
    except ValueError:  # a whole number of more than 4300 digits, which TOML can write in hexadecimal
        return "a number too large"


def _text_of(given: Any) -> str:
    if type(given) not in (str, int, float):
        raise _Unreadable(f"{shown(_written(given))} is not a number: type it with digits, like 0.125.")
    if type(given) is int and given.bit_length() > LONGEST:
        raise _Unreadable("The number is too large: give a finite number.")
    text = _plain(given if isinstance(given, str) else repr(given)).strip()
    if len(text) > LONGEST:
        raise _Unreadable(f"{len(text)} characters are too many: give at most {LONGEST}.")
    return text


def _plain(text: str) -> str:
    """Signs and digits of other scripts as ASCII, all white space as blanks, what has no width left out."""
    if text.isascii():
        return " ".join(text.split())
    cut = text[: LONGEST + 1].translate(_SIGNS)
    seen = (sign for sign in cut if unicodedata.category(sign) != "Cf")  # marks of order and direction
    digits = (str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in seen)
    return " ".join("".join(digits).split())


def _counted(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


def _several(text: str, count: int) -> list[Reading]:
    """The numbers of a text, cut at commas, semicolons or blanks."""
    whole = text
    for _ in range(3):
        if text and _BRACKETS.get(text[0]) == text[-1]:
            text = text[1:-1].strip()
    if count == 1:
        text = re.sub(r"^([+-]) (?=[\d.])", r"\1", text)
    text = re.sub(r" ?/ ?", "/", re.sub(r" %", "%", text))
    text = re.sub(r" (?=[,;])", "", text)
    if ";" in text:
        return _each([part.strip() for part in text.removesuffix(";").split(";")])
    if " " not in text and (count == 1 or "," not in text):
        return [_one(text)]
    if ", " in text or " " not in text:
        return _each(_at_commas(text, whole))
    return _each(text.split(" "))


def _each(parts: list[str]) -> list[Reading]:
    """Each part as a number: where 0,018 shows that its comma is a decimal one, those of 2,617 are too."""
    decimal_commas = any(_COMMA.fullmatch(part) and not _grouped(part) for part in parts)
    return [_one(part, decimal_commas) for part in parts]


def _at_commas(text: str, whole: str) -> list[str]:
    """The parts between commas; unreadable where some commas may be decimal ones."""
    parts = [part.strip() for part in text.removesuffix(",").split(", " if ", " in text else ",")]
    inner = any("," in part for part in parts)
    if inner and "." in text:
        parts, inner = [part.strip() for part in text.split(",")], False
    lone = " " not in text and "." not in text and len(parts) > 2 and re.search(r"(^|,)[+-]?0\d", text)
    if inner or lone:
        raise _Unreadable(
            f"{shown(whole, 40)} is ambiguous: use a point in each number and a comma between two."
        )
    return parts


def _grouped(text: str) -> bool:
    """Whether a comma in a number may stand for thousands: 1,234."""
    return re.fullmatch(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+%?", text) is not None


def _one(text: str, decimal_comma: bool = False) -> Reading:
    """One number: plain, with an exponent, as a percentage or as a quotient of two."""
    text, note = re.sub(r"^([+-]) (?=[\d.])", r"\1", text), ""
    if "," in text:
        found = _COMMA.fullmatch(text)
        if found is None:
            raise _Unreadable(f"{shown(text)} cannot be read: write one number with a decimal point.")
        pointed = f"{found[1]}{found[2] or '0'}.{found[3]}{found[4]}"
        if _grouped(text) and not decimal_comma:
            other = text.replace(",", "")
            raise _Unreadable(f"{shown(text)} is ambiguous: write {shown(pointed)} or {shown(other)}.")
        text, note = pointed, f"{shown(text)} is read as {shown(pointed)}: write a point, not a comma."
    if "/" in text:
        upper, _, lower = text.partition("/")
        above, below = _number(upper), _number(lower)
        if not below[0]:
            raise _Unreadable(f"{shown(text)} divides by 0: type the number itself.")
        return Reading((_finite(above[0] / below[0], text),), (max(3, above[1]),), note)
    if text.endswith("%"):
        _number(number := text[:-1].rstrip())
        if "e" in number.lower():
            raise _Unreadable(f"{shown(text)} has an exponent and a percent sign: use one of them.")
        value, decimals = _number(f"{number}e-2")
        return Reading((value,), (decimals,), note, percent=True)
    value, decimals = _number(text)
    return Reading((value,), (decimals,), note)


def _number(text: str) -> tuple[float, int]:
    """A plain number and its decimals."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise _Unreadable(_why(text))
    exponent = int(found[3] or 0)
    decimals = max(0, len(found[1] or found[2] or "") - exponent)
    return _finite(float(text), text), min(decimals, 20)


def _finite(value: float, text: str) -> float:
    if not math.isfinite(value):
        raise _Unreadable(f"{shown(text)} is too large: give a finite number.")
    return value + 0.0  # turns -0.0 into 0.0


def _why(text: str) -> str:
    """Why a text is no number."""
    if not text:
        return "A number is missing: type it with digits, like 0.125."
    if reason := _WORDS.get(text.lstrip("+-").lower()):
        return f"{shown(text)} {reason}: type it with digits, like 0.125."
    if re.fullmatch(r"[+-]?0[xob].*", text, re.IGNORECASE):
        return f"{shown(text)} is not decimal: type it with digits, like 0.125."
    if re.fullmatch(r"[+-]?[\d._]+", text) and "_" in text:
        return f"{shown(text)} holds an underscore: leave it out."
    if re.fullmatch(r"[\d.+*() -]+", text) and re.search(r"\d *[+*-]", text):
        return f"{shown(text)} is a calculation: type its result."
    return f"{shown(text)} is not a number: type it with digits, like 0.125."
