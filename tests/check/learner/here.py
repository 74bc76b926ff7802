"""Grading in this process, without a child: fast, for code that is known to be harmless."""

from functools import lru_cache
from typing import Any

from tutor.check.calls import call_all
from tutor.check.child import load
from tutor.check.code import results
from tutor.check.outcome import Outcome, Reply
from tutor.check.probes import SIGNATURES, Case, cases, problems
from tutor.check.report import Result


@lru_cache(maxsize=4)
def asked(seed: int) -> dict[str, list[Case]]:
    """The calls of every function."""
    known = problems(seed)
    return {function: cases(function, known) for function in SIGNATURES}


def outcome(function: Any, called: list[Case]) -> Outcome:
    """What a function returns."""
    told = call_all(function, [case.arguments for case in called], "code.py", [])
    return Outcome([Reply.read(reply) for reply in told], None, True)


def grade_here(source: str, seed: int = 0) -> dict[str, Result]:
    """The result of each function that the source defines."""
    module = load(source, "code.py")
    made = {f: outcome(getattr(module, f), called) for f, called in asked(seed).items() if hasattr(module, f)}
    return {result.id: result for result in results(asked(seed), made)}
