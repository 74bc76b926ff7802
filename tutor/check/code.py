"""Grading the learner's own code: six functions, called on the lesson's sentences and on hidden problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tutor.check.judge import judge, sorted_out
from tutor.check.locate import Own
from tutor.check.outcome import Outcome
from tutor.check.probes import SIGNATURES, Case, cases, problems
from tutor.check.report import Diagnosis, Report, Result
from tutor.check.runner import Limits, run
from tutor.check.source import read_source
from tutor.check.stub import STUB
from tutor.errors import TutorError, shown


def write_stub(path: Path) -> None:
    """Write a file with the six functions still to be filled in; TutorError if there is one already."""
    name = shown(str(path), 250)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(STUB)
    except FileExistsError:
        raise TutorError(f"{name} is there already and is kept: choose another name") from None
    except OSError as error:
        raise TutorError(f"{name} cannot be written ({error.strerror}): choose another place") from None


def grade_file(path: Path, limits: Limits | None = None) -> Report:
    """A result for each of the functions that the file defines; TutorError if there is nothing to grade."""
    source = read_source(path)
    known = problems()
    asked = {function: cases(function, known) for function in SIGNATURES}
    jobs = {function: [case.arguments for case in asked[function]] for function in SIGNATURES}
    made = run(source, path, jobs, limits or Limits())
    if made.fault is not None:
        told = Diagnosis(made.fault.id, "import", made.fault.message)
        return Report((Result("import", None, "error", told),), tuple(SIGNATURES))
    outcomes = made.outcomes or {}
    if not outcomes:
        given = shown(str(path), 250)
        raise TutorError(f"{given} defines none of {', '.join(SIGNATURES)}: define one of them")
    return Report(
        tuple(results(asked, outcomes)),
        tuple(function for function in SIGNATURES if function not in outcomes),
    )


def results(asked: Mapping[str, Sequence[Case]], outcomes: Mapping[str, Outcome]) -> Iterator[Result]:
    """The result of each function: what the others returned tells where a mistake of its own begins."""
    own: Own = {
        function: {(a.case.problem, a.case.head): a.got for a in sorted_out(asked[function], outcome)[0]}
        for function, outcome in outcomes.items()
    }
    for function, outcome in outcomes.items():
        yield judge(function, asked[function], outcome, own)
