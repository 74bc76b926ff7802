"""`tutor check`: a round, a blank sheet, a list, or the report of what was handed in."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from tutor.check.questions import Question
from tutor.check.report import Report
from tutor.draw.line import Line, Span
from tutor.errors import TutorError, shown
from tutor.output import print_lines

USAGE = (
    "nothing to grade: give a file (`tutor check answers.toml`, `tutor check attention.py`, `-` for standard "
    "input), write one (`tutor check --new answers.toml`), or run `tutor check` in a terminal"
)


@dataclass(frozen=True)
class Check:
    """What the options ask for."""

    file: str | None = None
    new: str | None = None
    listed: bool = False
    as_json: bool = False
    junit: str | None = None
    reveal: bool = False
    seed: int | None = None
    count: int | None = None
    stop: str | None = None
    worksheet: str | None = None

    def run(self) -> int:
        """Do it: 0 all right, 1 something wrong; TutorError, exit 2, where nothing can be graded."""
        given = [self.file is not None, self.new is not None, self.listed]
        if sum(given) > 1:
            raise TutorError("FILE, --new and --list are given together: use one of them")
        if self.new is not None:
            return self._write(Path(self.new))
        if self.listed:
            return self._list()
        return self._report(self._graded())

    def _graded(self) -> Report:
        if self.file is None:
            return self._round()
        if self.file.endswith(".py"):
            from tutor.check.code import grade_file

            return grade_file(Path(self.file))
        from tutor.check.sheet import grade_sheet

        return grade_sheet(self.file, self.reveal)

    def _report(self, report: Report) -> int:
        if self.junit is not None:
            try:
                Path(self.junit).write_text(report.to_junit(), "utf-8")
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                raise TutorError(f"{shown(self.junit, 200)} cannot be written ({reason})") from None
        if self.as_json:
            sys.stdout.write(report.to_json() + "\n")
        else:
            print_lines(report.lines())
        return report.status

    def _round(self) -> Report:
        talk = sys.stderr if self.as_json else sys.stdout  # the document alone is on standard output
        if not (sys.stdin.isatty() and talk.isatty()):
            raise TutorError(USAGE)
        from tutor.check.round import play

        with redirect_stdout(talk):
            return play(self._drawn(), lambda text: print_lines([(Span(text),)]), _hear, self.reveal)

    def _write(self, path: Path) -> int:
        if path.suffix == ".py":
            from tutor.check.code import write_stub

            write_stub(path)
            told = f"{path} is written: fill it in, then `tutor check {path}`"
        else:
            from tutor.check.sheet import blank, write

            drawn = self._drawn()
            write(path, blank(drawn, str(path)))
            told = f"{len(drawn)} questions are in {path}: answer them, then `tutor check {path}`"
        print_lines([(Span(told),)])
        return 0

    def _drawn(self) -> list[Question]:
        from tutor.check.selection import USUAL, draw

        return draw(USUAL if self.count is None else self.count, self.seed, self.worksheet, self.stop)

    def _list(self) -> int:
        from tutor.check.selection import all_questions

        drawn = self.count is not None or self.seed is not None
        questions = self._drawn() if drawn else list(all_questions(self.worksheet, self.stop))
        if self.as_json:
            sys.stdout.write(json.dumps([question.to_document() for question in questions]) + "\n")
        else:
            print_lines(_line(question.id, question.prompt) for question in questions)
        return 0


def _line(id: str, prompt: str) -> Line:
    return (Span(f"{id:<52} "), Span(prompt))


def _hear(prompt: str) -> str:
    """A typed line; signs that the terminal's encoding cannot hold make it unreadable, not an end."""
    try:
        return input(prompt)
    except UnicodeDecodeError:
        return "\ufffd"
