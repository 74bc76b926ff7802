"""Checks of given values: each returns the value frozen, or raises a WorksheetError of one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tutor.errors import TutorError, shown

Vector = tuple[int | float, ...]
Matrix = tuple[Vector, ...]

# Beyond this, a product of a few givens could overflow and turn weights into NaN.
LARGEST = 1e12


class WorksheetError(TutorError):
    """A worksheet that cannot be used: the key, what it holds, what it needs."""


def _is_list(given: Any) -> bool:
    return isinstance(given, (list, tuple))


def _told(given: Any) -> str:
    """What a value is, in a few words."""
    if _is_list(given):
        return f"a list of {len(given)}"
    if isinstance(given, dict):
        return "a table"
    if isinstance(given, int) and abs(given) > LARGEST:
        return "too large"
    return shown(repr(given))


def whole(key: str, given: Any) -> int:
    """A whole number from 1."""
    if type(given) is not int or not 1 <= given <= LARGEST:
        raise WorksheetError(f"{key} is {_told(given)}; needs a whole number from 1")
    return given


def text(key: str, given: Any) -> str:
    """A line of printable text that is not blank."""
    if not isinstance(given, str) or not given.strip() or not given.isprintable():
        raise WorksheetError(f"{key} is {_told(given)}; needs a line of printable text")
    return given


def texts(key: str, given: Any, length: int | None = None, meaning: str = "") -> tuple[str, ...]:
    """A list of texts, as many as `length` if that is given and at least one."""
    if not _is_list(given) or not given:
        raise WorksheetError(f"{key} is {_told(given)}; needs a list of texts")
    if length is not None and len(given) != length:
        raise WorksheetError(f"{key} has {len(given)} texts; needs {length} ({meaning})")
    return tuple(text(f"{key}, item {place}", item) for place, item in enumerate(given, 1))


def words(key: str, given: Any) -> tuple[str, ...]:
    """A list of different words, case-folded and without white space."""
    listed = texts(key, given)
    seen: set[str] = set()
    for word in listed:
        if word.split() != [word]:
            raise WorksheetError(f'{key}: "{shown(word)}" holds white space; needs one word without')
        if word != word.casefold():
            raise WorksheetError(f'{key}: "{shown(word)}" has capitals; write "{shown(word.casefold())}"')
        if word in seen:
            raise WorksheetError(f'{key}: "{shown(word)}" stands twice; needs each word once')
        seen.add(word)
    return listed


def columns(key: str, given: Any) -> int:
    """The width of a matrix that sets a size: that of its first row, at least 1."""
    if not _is_list(given) or not given or not _is_list(given[0]) or not given[0]:
        raise WorksheetError(f"{key} is {_told(given)}; needs rows of at least one number")
    return len(given[0])


def vector(key: str, given: Any, length: int, meaning: str) -> Vector:
    """A list of that many finite numbers."""
    if not _is_list(given):
        raise WorksheetError(f"{key} is {_told(given)}; needs shape [{length}] ({meaning})")
    if len(given) != length:
        raise WorksheetError(f"{key} has shape [{len(given)}]; needs shape [{length}] ({meaning})")
    return _numbers(key, given)


def matrix(key: str, given: Any, shape: tuple[int, int], meaning: str) -> Matrix:
    """A list of rows of finite numbers, of that shape."""
    needs = f"needs shape {list(shape)} ({meaning})"
    if not _is_list(given) or not all(_is_list(row) for row in given):
        raise WorksheetError(f"{key} is {_told(given)}; {needs}")
    widths = {len(row) for row in given}
    if len(widths) > 1:
        row = next(row for row, numbers in enumerate(given) if len(numbers) != shape[1])
        raise WorksheetError(f"{key} row {row + 1} has {len(given[row])} numbers, others differ; {needs}")
    if (len(given), *widths) != shape:
        raise WorksheetError(f"{key} has shape {[len(given), *widths]}; {needs}")
    return tuple(_numbers(f"{key} row {row}", numbers) for row, numbers in enumerate(given, 1))


def _numbers(key: str, given: Iterable[Any]) -> Vector:
    numbers = tuple(given)
    for place, number in enumerate(numbers, 1):
        # A bool is an int to Python, but `true` in a worksheet is a slip; NaN fails the comparison too.
        if type(number) not in (int, float) or not abs(number) <= LARGEST:
            needs = f"needs a finite number within +-{LARGEST:g}"
            raise WorksheetError(f"{key}, number {place} is {_told(number)}; {needs}")
    return numbers


def several(key: str, given: Any, kind: type) -> tuple[Any, ...]:
    """A list of at least one `kind`."""
    if not _is_list(given) or not given or not all(isinstance(item, kind) for item in given):
        raise WorksheetError(f"{key} is {_told(given)}; needs a list of at least one {kind.__name__}")
    return tuple(given)


def table(key: str, given: Any, keys: Iterable[str] | None = None) -> dict[str, Any]:
    """A TOML table with exactly those keys, or with any if none are named."""
    if not isinstance(given, dict):
        raise WorksheetError(f"{key} is {_told(given)}; needs a table, [{key}]")
    needed = tuple(given if keys is None else keys)
    for name in needed:
        if name not in given:
            raise WorksheetError(f"{key} has no {name}; needs {', '.join(needed)}")
    for name in given:
        if name not in needed:
            raise WorksheetError(f'{key} has an unknown key "{shown(name)}"; takes {", ".join(needed)}')
    return given
