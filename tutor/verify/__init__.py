"""Proof that the lesson is right: its numbers against the source, PyTorch and a second computation."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.draw.line import Ink, Line, Span
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError
from tutor.output import print_lines
from tutor.paths import content_folder, worksheet_path
from tutor.verify.check import Check


def run() -> int:
    """Print a line a check as soon as it is made; 0 where all have passed, else 1."""
    failed = []

    def lines() -> Iterator[Line]:
        for check in checks():
            if not check.passed:
                failed.append(check)
            yield _line(check)

    print_lines(lines())
    return int(bool(failed))


def checks() -> Iterator[Check]:
    """All checks: the shipped worksheet's numbers, then the content."""
    from tutor.engine.loading import load_torch  # late: torch takes 1.4 s to load

    load_torch()
    from tutor.verify.content import check_content
    from tutor.verify.modules import check_modules
    from tutor.verify.numbers import check_numbers

    try:
        worksheet = Worksheet.load(worksheet_path("river-bank"))
        yield from check_numbers(worksheet)
        yield from check_modules(worksheet)
    except TutorError as error:
        yield Check("numbers", False, str(error))
        return
    yield from check_content(content_folder(), worksheet)


def _line(check: Check) -> Line:
    sign = Span(
        "ok      " if check.passed else "FAILED  ", Ink("right" if check.passed else "wrong", bold=True)
    )
    return (sign, Span(check.name), Span(f": {check.detail}"))
