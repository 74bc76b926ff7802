"""What a learner has seen and answered, kept so that two running lessons never lose each other's part."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutor import place


@dataclass(frozen=True)
class Answer:
    """The last answer to one question."""

    stop: str
    skill: str
    right: bool
    diagnosis: str = ""
    """the mistake that was named, or nothing"""
    time: float = 0.0
    """seconds since 1970, so that of two the later one counts"""


@dataclass
class Progress:
    """Beats seen, as `stop/beat`, and the last answer to each question."""

    seen: set[str] = field(default_factory=set)
    answers: dict[str, Answer] = field(default_factory=dict)

    def merge(self, other: Progress) -> None:
        """Take in what the other has: every beat, and of two answers the later."""
        self.seen |= other.seen
        for question, answer in other.answers.items():
            if question not in self.answers or self.answers[question].time < answer.time:
                self.answers[question] = answer

    def of_stop(self, stop: str) -> list[Answer]:
        """The answers at one stop."""
        return [answer for answer in self.answers.values() if answer.stop == stop]

    def by_skill(self) -> dict[str, tuple[int, int]]:
        """Right answers and all answers of each skill."""
        counted: dict[str, tuple[int, int]] = {}
        for answer in self.answers.values():
            right, total = counted.get(answer.skill, (0, 0))
            counted[answer.skill] = right + answer.right, total + 1
        return counted

    def to_document(self) -> dict[str, Any]:
        """As plain values."""
        answers = {question: vars(answer) for question, answer in self.answers.items()}
        return {"seen": sorted(self.seen), "answers": answers}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Progress:
        """What `to_document` wrote; ValueError where it is something else."""
        try:
            seen = {str(beat) for beat in document.get("seen", ())}
            answers = {str(id): _answer(kept) for id, kept in document.get("answers", {}).items()}
        except (TypeError, AttributeError, KeyError, OverflowError) as error:
            raise ValueError(str(error)) from None
        return cls(seen, answers)


def _answer(kept: Mapping[str, Any]) -> Answer:
    stop, skill, diagnosis = (str(kept[name]) for name in ("stop", "skill", "diagnosis"))
    return Answer(stop, skill, bool(kept["right"]), diagnosis, float(kept["time"]))


class ProgressFile:
    """The progress on disk; each save takes in what is there before it writes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> tuple[Progress, str | None]:
        """The progress, and a message if something was wrong with the file, which is then set aside."""
        document, trouble = place.load(self._path)
        try:
            return Progress.from_document(document or {}), trouble
        except ValueError:
            return Progress(), place.set_aside(self._path)

    def save(self, progress: Progress) -> str | None:
        """Merge with the file and write; a message where it cannot be written."""
        try:
            with _alone(self._path):
                there, _ = self.load()
                progress.merge(there)
                return place.save(self._path, progress.to_document())
        except OSError as error:
            return f"progress is not saved: {error.strerror or error}"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Only one process at a time between reading and writing, where the system has file locks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    lock = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
