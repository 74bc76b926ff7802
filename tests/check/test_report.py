"""The report says the same as lines, as JSON and as JUnit."""

import json
from xml.etree import ElementTree

import pytest

from tutor.check.report import Diagnosis, Report, Result
from tutor.draw.line import text_of

NO_SCALE = Diagnosis("no-scale", "scale", "You left out the division by √d_head. Divide each raw score.")
MIXED = Report(
    (
        Result("a", "0.718", "right"),
        Result("b", "0.857\x1b[31m", "wrong", NO_SCALE),
        Result("c", "0.72", "close", note="Right so far: give 3 decimals."),
        Result("d", "[1, 2]", "wrong", credit=0.25),
        Result("e", "1,234", "unreadable", note="1,234 is ambiguous."),
        Result("f", "", "blank"),
        Result("g", None, "error", note="It crashed.\nline 3"),
    ),
    ("h",),
)


def test_the_document_is_the_contract() -> None:
    document = json.loads(MIXED.to_json())
    assert {key: document[key] for key in ("passed", "score", "total", "not_checked")} == {
        "passed": False,
        "score": 1.75,
        "total": 7,
        "not_checked": ["h"],
    }
    assert document["results"][0] == {"id": "a", "given": "0.718", "verdict": "right", "diagnosis": None}
    assert document["results"][1]["diagnosis"] == {
        "id": "no-scale",
        "stage": "scale",
        "message": NO_SCALE.message,
    }
    assert document["results"][4]["note"] == "1,234 is ambiguous."
    assert MIXED.to_json().isascii()


def test_the_right_value_is_in_the_document_only_if_revealed() -> None:
    assert (
        json.loads(Report((Result("a", "1", "wrong", right="0.718"),)).to_json())["results"][0]["right"]
        == "0.718"
    )
    assert all("right" not in result for result in MIXED.to_document()["results"])


@pytest.mark.parametrize(
    ("report", "status"),
    [
        (MIXED, 1),
        (Report((Result("a", "1", "right"),)), 0),
        (Report((Result("a", "1", "right"), Result("b", "", "blank"))), 1),
        (Report((Result("a", None, "error"),)), 1),
        (Report((Result("a", None, "error"),), could_grade=False), 2),
        (Report(()), 2),
    ],
)
def test_the_status(report: Report, status: int) -> None:
    assert report.status == status and report.passed == (status == 0)


def test_the_lines_hold_no_control_signs() -> None:
    printed = [text_of(line) for line in MIXED.lines()]
    assert printed[:3] == [
        "right       a  0.718",
        "wrong       b  0.857?[31m",
        "            You left out the division by √d_head. Divide each raw score.",
    ]
    assert printed[-3:] == ["            not checked: h", "", "1 of 7 right, 1.75 points."]
    assert all(len(line) <= 100 and line.isprintable() for line in printed)
    assert printed[-6:-4] == ["            It crashed.", "            line 3"]


def test_junit_can_be_read_again() -> None:
    suite = ElementTree.fromstring(MIXED.to_junit())
    assert suite.attrib == {
        "name": "tutor check",
        "tests": "7",
        "failures": "4",
        "errors": "1",
        "skipped": "1",
    }
    assert [case.attrib["name"] for case in suite] == list("abcdefg")
    assert suite[1][0].attrib == {"message": NO_SCALE.message, "type": "no-scale"}
