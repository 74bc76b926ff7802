"""Sheets are written blank, read in every usual encoding and form, and graded."""

import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tutor.check.selection import draw
from tutor.check.sheet import blank, grade_sheet, write
from tutor.errors import TutorError

BANK = "river-bank/river/softmax.weight/h1/r7/s6"
MESSAGE = "river-bank/river/contributions.message/h1/r10"
SHEET = f"""\
[[question]]
id = "{BANK}"
answer = "0.349"

[[question]]
id = "{MESSAGE}"
answer = "[2.617, −0.018]"
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    return tmp_path / "lern er é [a] (1)" / "answers.toml"


def save(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def verdicts(path: Path) -> list[str]:
    return [result.verdict for result in grade_sheet(str(path)).results]


def test_a_blank_sheet_is_toml_and_blank(sheet: Path) -> None:
    drawn = draw(12, 1)
    save(sheet, blank(drawn, str(sheet)))
    entries = tomllib.loads(sheet.read_text("utf-8"))["question"]
    assert [entry["id"] for entry in entries] == [made.id for made in drawn]
    assert all(entry["answer"] == "" and entry["prompt"] and entry["sentence"] for entry in entries)
    assert verdicts(sheet) == ["blank"] * 12
    assert grade_sheet(str(sheet)).status == 1


def test_a_sheet_is_never_written_over(sheet: Path) -> None:
    save(sheet, "mine")
    with pytest.raises(TutorError, match="is there already"):
        write(sheet, "yours")
    assert sheet.read_text() == "mine"
    with pytest.raises(TutorError, match="cannot be written"):
        write(sheet / "deeper", "x")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("as_json", [False, True])
def test_encodings_and_line_ends(sheet: Path, encoding: str, end: str, as_json: bool) -> None:
    text = json.dumps(tomllib.loads(SHEET), indent=1, ensure_ascii=False) if as_json else SHEET
    assert verdicts(save(sheet, text.replace("\n", end).encode(encoding))) == ["right", "right"]


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("0.349", "right"),
        ("0.3490", "right"),
        ("[0.349]", "right"),
        ('["0.349"]', "right"),
        ("nan", "unreadable"),
        ("inf", "unreadable"),
        ("true", "unreadable"),
        ("1_000.0", "unreadable"),
        ("0.35", "right"),
        ("0.285", "wrong"),
        ("{ a = 1 }", "unreadable"),
        ("2024-01-01", "unreadable"),
        (f"0x{'f' * 9000}", "unreadable"),
    ],
)
def test_answers_that_are_no_strings(sheet: Path, answer: str, verdict: str) -> None:
    assert verdicts(save(sheet, f'[[question]]\nid = "{BANK}"\nanswer = {answer}\n')) == [verdict]


@pytest.mark.parametrize(
    "document",
    [
        {"question": [{"id": BANK, "answer": 0.349}]},
        {"questions": [{"id": BANK, "answer": "0.349"}]},
        [{"id": BANK, "answer": [0.349], "prompt": "?"}],
        {"question": {"id": BANK, "answer": "34.9%"}},
    ],
)
def test_forms_of_json(sheet: Path, document: Any) -> None:
    assert verdicts(save(sheet, json.dumps(document))) == ["right"]


def test_numbers_of_json_that_python_cannot_hold(sheet: Path) -> None:
    text = f'[{{"id": "{BANK}", "answer": NaN}}, {{"id": "{BANK}", "answer": {"9" * 6000}}}]'
    assert verdicts(save(sheet, text)) == ["unreadable", "unreadable"]


def test_unknown_questions_are_errors_among_the_others(sheet: Path) -> None:
    save(sheet, SHEET + '[[question]]\nid = "river-bank/x"\nanswer = "1"\n[[question]]\nanswer = "1"\n')
    report = grade_sheet(str(sheet))
    assert [result.verdict for result in report.results] == ["right", "right", "error", "error"]
    assert report.status == 1
    assert report.results[2].message.startswith("No question river-bank/x: an id is")
    assert report.results[3].id == "question 4"


def test_a_sheet_of_unknown_questions_cannot_be_graded(sheet: Path) -> None:
    assert grade_sheet(str(save(sheet, '[[question]]\nid = "x"\nanswer = "1"\n'))).status == 2


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SHEET.encode("utf-16"))))
    assert grade_sheet("-").passed


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"hello", "is not TOML"),
        (b"{", "is not JSON"),
        (b"[" * 100_000, "is not TOML"),
        (b'{"a": ' * 100_000, "is not JSON"),
        (b"[]", "no \\[\\[question\\]\\] tables"),
        (b"answer = 1", "no \\[\\[question\\]\\] tables"),
        (b"question = [1]", "no \\[\\[question\\]\\] tables"),
        (b"a = '\x96'", "is not utf-8: save the file as UTF-8"),
    ],
)
def test_files_that_are_no_sheets(sheet: Path, data: bytes, told: str) -> None:
    with pytest.raises(TutorError, match=told) as error:
        grade_sheet(str(save(sheet, data)))
    assert str(sheet) in str(error.value) and "\n" not in str(error.value)


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    for name, told in {
        str(tmp_path / "missing.toml"): "No such file",
        str(tmp_path): "Is a directory",
        str(tmp_path / "work.ipynb"): "is a notebook",
        "\x00": "cannot be read",
    }.items():
        with pytest.raises(TutorError, match=told):
            grade_sheet(name)


@pytest.mark.parametrize(
    "key",
    ["a" + ".a" * 100_000, "#\n[a" + " . a" * 50_000 + "]", "b = {'='" + '."="' * 50_000],
    ids=["plain", "table", "quoted"],
)
def test_a_key_of_many_parts_is_refused_at_once(sheet: Path, key: str) -> None:
    with pytest.raises(TutorError, match="more than 40 parts"):
        grade_sheet(str(save(sheet, key + " = 1\n")))


def test_an_answer_of_many_parts_is_only_unreadable(sheet: Path) -> None:
    save(sheet, SHEET.replace("0.349", "[{1" + ".1" * 500))
    assert verdicts(sheet) == ["unreadable", "right"]
