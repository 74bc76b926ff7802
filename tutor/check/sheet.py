"""An answer sheet: a file of questions, written blank and graded when it is filled in."""

from __future__ import annotations

import codecs
import json
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tutor.check.answer import text_of
from tutor.check.grade import grade
from tutor.check.questions import Question, question
from tutor.check.report import Report, Result
from tutor.errors import TutorError, shown

LARGEST = 20_000_000
"""bytes of a sheet"""
_OPENING = """\
# Write each answer between the quotes, then: tutor check {name}
# One number like "0.125", or a row like "[1.5, -0.25]". Only id and answer count, the rest is for you.
"""
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
# tomllib takes minutes for a key of many parts.
_LONG_KEY = re.compile(r'(?:^|[{,\[])[ \t]*(?:(?:[\w-]+|"")[ \t]*\.[ \t]*){40}', re.MULTILINE)
_NEW = "write one with `tutor check --new answers.toml`"
# Longest first: the mark of UTF-16 begins that of UTF-32.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def blank(questions: Iterable[Question], name: str) -> str:
    """The sheet's text, ready to be filled in."""
    parts = [_OPENING.format(name=shown(name, 60))]
    for made in questions:
        about = {"id": made.id, "worksheet": made.worksheet, "sentence": made.sentence, "prompt": made.prompt}
        lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in about.items()]
        parts.append("\n".join(["[[question]]", *lines, 'answer = ""', ""]))
    return "\n".join(parts)


def write(path: Path, text: str) -> None:
    """Write a new file; TutorError where there is one already or it cannot be written."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise TutorError(f"{shown(str(path), 200)} is there already: name a new file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TutorError(f"{shown(str(path), 200)} cannot be written ({reason}): name another file") from None


def grade_sheet(name: str, reveal: bool = False) -> Report:
    """Grade the sheet in a file, or in standard input for `-`; TutorError where it is none."""
    results, known = [], 0
    for number, entry in enumerate(_entries(name), 1):
        made = _known(entry, number)
        known += isinstance(made, Question)
        results.append(grade(made, entry.get("answer"), reveal) if isinstance(made, Question) else made)
    return Report(tuple(results), could_grade=known > 0)


def _known(entry: dict[str, Any], number: int) -> Question | Result:
    """The question of an entry, or what is wrong with it."""
    id, given = entry.get("id"), entry.get("answer")
    if not isinstance(id, str):
        return Result(
            f"question {number}", text_of(given), "error", note="It has no id: keep the id of the sheet."
        )
    try:
        return question(id)
    except TutorError as error:
        return Result(
            shown(id, 200), text_of(given), "error", note=f"{str(error)[:1].upper()}{str(error)[1:]}."
        )


def _entries(name: str) -> list[dict[str, Any]]:
    """The question tables of a sheet."""
    told = "standard input" if name == "-" else shown(name, 200)
    text = _text(_bytes(name, told), told)
    if not text.strip():
        raise TutorError(f"{told} is empty: {_NEW}")
    opening = text.lstrip()[:2]
    is_json = opening.startswith(("{", "[")) and opening != "[["
    document = _json(text, told) if is_json else _toml(text, told)
    entries = document.get("question", document.get("questions")) if isinstance(document, dict) else document
    if isinstance(entries, dict):
        entries = [entries]
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise TutorError(f"{told} has no [[question]] tables with id and answer: {_NEW}")
    return entries


def _bytes(name: str, told: str) -> bytes:
    if name.endswith(".ipynb"):
        raise TutorError(f"{told} is a notebook: save its code as a .py file, or its answers as a sheet")
    try:
        if name == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TutorError(f"{told} cannot be read ({reason}): name a sheet, or {_NEW}") from None
    if len(data) > LARGEST:
        raise TutorError(f"{told} has more than {LARGEST // 10**6} MB: give a sheet of answers")
    return data


def _text(data: bytes, told: str) -> str:
    """The text in whatever encoding its mark says, with plain line ends."""
    encoding = next((kind for mark, kind in _MARKS.items() if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and data[:2].count(0) == 1:  # UTF-16 of a Latin letter, without a mark
        encoding = "utf-16-be" if data[0] == 0 else "utf-16-le"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise TutorError(
            f"{told}: byte {error.start} is not {encoding}: save the file as UTF-8 text"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _toml(text: str, told: str) -> Any:
    if _LONG_KEY.search(_STRING.sub('""', text)):
        raise TutorError(f"{told} has a key of more than 40 parts: {_NEW}")
    try:
        return tomllib.loads(text, parse_float=str)  # as typed, so that its decimals can be counted
    except (ValueError, RecursionError) as error:
        raise TutorError(f"{told} is not TOML ({shown(str(error), 120)}): correct it, or {_NEW}") from None


def _json(text: str, told: str) -> Any:
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise TutorError(f"{told} is not JSON ({shown(str(error), 120)}): correct it, or {_NEW}") from None
