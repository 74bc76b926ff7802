"""The engine's own lines behind a number, read from the file that runs."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from tutor.draw.line import DIM, EMPTY, Ink, Line, Span

PAGE = "tutor.engine.attention"
_ASSIGNED = re.compile(r"^    (\w+) = ")


@lru_cache(maxsize=1)
def _page() -> tuple[Path, dict[str, tuple[int, str]]]:
    """The file, and of every name in `trace` the line that makes it, with its number."""
    spec = find_spec(PAGE)
    path = Path(spec.origin if spec and spec.origin else "")
    lines = path.read_text("utf-8").split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith("def trace("))
    made: dict[str, tuple[int, str]] = {}
    for at, line in enumerate(lines[start:], start):
        if line.strip().startswith("return"):
            break
        if match := _ASSIGNED.match(line):
            made[match[1]] = (at + 1, line.strip())
    return path, made


def names() -> set[str]:
    """All names that the page makes."""
    return set(_page()[1])


def code_lines(wanted: Sequence[str], shapes: dict[str, tuple[int, ...]]) -> list[Line]:
    """The lines that make these names, each with its number, its shape in letters and in numbers."""
    path, made = _page()
    lines: list[Line] = [(Span(f" {path.parent.name}/{path.name}, def trace", Ink(bold=True)),), EMPTY]
    for name in wanted:
        number, text = made[name]
        code, _, letters = text.partition("  # ")
        lines.append((Span(f" {number:4}  ", DIM), Span(code)))
        shape = "×".join(map(str, shapes[name])) if name in shapes else ""
        told = f"{letters}  here {shape}" if shape else letters
        lines += [(Span(f"       {told}", Ink("E")),), EMPTY]
    return lines
