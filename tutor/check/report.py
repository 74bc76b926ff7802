"""The report: one result an answer, printed as lines, as one JSON document or as JUnit XML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tutor.draw.line import DIM, EMPTY, PLAIN, Ink, Line, Span, wrap

Verdict = Literal["right", "close", "wrong", "unreadable", "blank", "error"]

CREDIT: dict[Verdict, float] = {"right": 1.0, "close": 0.5}
"""points of an answer where the grader gives no others"""
_ROLES = {"right": "right", "close": "K", "blank": "dim"}
_INDENT, _WIDTH = 12, 100


@dataclass(frozen=True)
class Diagnosis:
    """The mistake that gives exactly this answer."""

    id: str
    """of the variant, or of several joined by `|`"""
    stage: str
    """the step of the forward pass that it belongs to"""
    message: str
    """one sentence or two: what was done, what to do instead"""


@dataclass(frozen=True)
class Result:
    """What came of one answer."""

    id: str
    given: str | None
    """as typed, or what the learner's function returned, in a few words"""
    verdict: Verdict
    diagnosis: Diagnosis | None = None
    note: str = ""
    """what is said where there is no diagnosis"""
    right: str | None = None
    """the right value, only where --reveal asks for it"""
    credit: float | None = None
    """points from 0 to 1; None takes those of the verdict"""

    @property
    def points(self) -> float:
        """Its part of the score."""
        return CREDIT.get(self.verdict, 0.0) if self.credit is None else self.credit

    @property
    def message(self) -> str:
        """What is said about it: the diagnosis, else the note."""
        return self.diagnosis.message if self.diagnosis else self.note

    def to_document(self) -> dict[str, Any]:
        """Plain values; `right` is there only if it is revealed."""
        made = self.diagnosis
        told = None if made is None else {"id": made.id, "stage": made.stage, "message": made.message}
        document = {"id": self.id, "given": self.given, "verdict": self.verdict, "diagnosis": told}
        if self.note:
            document["note"] = self.note
        return document if self.right is None else {**document, "right": self.right}


@dataclass(frozen=True)
class Report:
    """All results, in the order of the answers."""

    results: tuple[Result, ...]
    not_checked: tuple[str, ...] = field(default=())
    """ids of what could be checked and was not given"""
    could_grade: bool = True
    """False: what was given holds nothing that could be graded"""

    @property
    def passed(self) -> bool:
        """Whether there are answers and all are right."""
        return bool(self.results) and all(result.verdict == "right" for result in self.results)

    @property
    def score(self) -> float:
        """The points of all answers."""
        return round(sum(result.points for result in self.results), 3)

    @property
    def total(self) -> int:
        """The most points there are."""
        return len(self.results)

    @property
    def status(self) -> int:
        """The exit status: 0 all right, 1 something wrong, 2 could not grade."""
        if not self.results or not self.could_grade:
            return 2
        return 0 if self.passed else 1

    def to_document(self) -> dict[str, Any]:
        """The document that `--json` prints."""
        return {
            "passed": self.passed,
            "score": self.score,
            "total": self.total,
            "results": [result.to_document() for result in self.results],
            "not_checked": list(self.not_checked),
        }

    def to_json(self) -> str:
        """The document as one JSON object."""
        import json

        return json.dumps(self.to_document(), allow_nan=False)

    def to_junit(self) -> str:
        """One JUnit test suite: a test case an answer."""
        from xml.etree import ElementTree as xml

        suite = xml.Element("testsuite", name="tutor check", tests=str(self.total))
        kinds = {"right": "", "error": "error", "blank": "skipped"}
        counted = [kinds.get(result.verdict, "failure") for result in self.results]
        for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(attribute, str(counted.count(kind)))
        for result, kind in zip(self.results, counted, strict=True):
            case = xml.SubElement(suite, "testcase", classname="tutor.check", name=_writable(result.id))
            if kind:
                told = xml.SubElement(case, kind, message=_writable(result.message or result.verdict))
                told.set("type", result.diagnosis.id if result.diagnosis else result.verdict)
                told.text = f"given: {_writable(result.given or '')}"
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(suite, encoding="unicode") + "\n"

    def lines(self) -> Iterator[Line]:
        """Each answer with what is said about it, then the sum."""
        for result in self.results:
            verdict = Span(
                f"{result.verdict:<{_INDENT}}", Ink(_ROLES.get(result.verdict, "wrong"), bold=True)
            )
            given = Span("" if result.given is None else f"  {_writable(result.given)}", Ink(bold=True))
            yield (verdict, Span(_writable(result.id)), given)
            if result.message:
                yield from _indented(result.message)
            if result.right is not None:
                yield from _indented(f"right: {result.right}", Ink("right"))
        if self.not_checked:
            yield EMPTY
            yield from _indented(f"not checked: {', '.join(self.not_checked)}", DIM)
        yield EMPTY
        right = sum(result.verdict == "right" for result in self.results)
        role = "right" if self.passed else "wrong"
        yield (Span(f"{right} of {self.total} right, {self.score:g} points.", Ink(role, bold=True)),)


def _indented(text: str, ink: Ink = PLAIN) -> Iterator[Line]:
    for paragraph in text.splitlines():
        for line in wrap((Span(_writable(paragraph), ink),), _WIDTH - _INDENT, margin=0):
            yield (Span(" " * _INDENT), *line)


def _writable(text: str) -> str:
    """The text on one line, signs that neither a terminal nor XML can hold as `?`."""
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "?" for sign in text)
