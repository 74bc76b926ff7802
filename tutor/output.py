"""Printing: plain text into a pipe, coloured on a terminal, ASCII where the encoding has no more."""

import os
import sys
from collections.abc import Iterable

from tutor.draw.ascii import ascii_line
from tutor.draw.line import Line, text_of


def is_ascii_only() -> bool:
    """Whether the terminal's encoding lacks the lesson's signs."""
    try:
        "▶◆−√₁█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def print_lines(lines: Iterable[Line]) -> None:
    """Write lines to standard output, as many as its reader takes."""
    try:
        _print(lines)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(lines: Iterable[Line]) -> None:
    if is_ascii_only():
        lines = map(ascii_line, lines)
    if not sys.stdout.isatty():
        for line in lines:
            sys.stdout.write(text_of(line) + "\n")
        return
    from rich.console import Console  # late: 50 ms that a pipe need not wait for
    from rich.segment import Segment, Segments

    from tutor.draw.palette import Palette

    console = Console(highlight=False)
    few = console.color_system in ("standard", "windows")
    palette = Palette(depth="none" if "NO_COLOR" in os.environ else "16" if few else "true")
    for line in lines:
        made = [Segment(span.text, palette.style(span.ink._replace(click=""))) for span in line]
        console.print(Segments([*made, Segment.line()]), end="", soft_wrap=True)
