"""A round in the terminal: one question after another, the wrong ones again with other numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tutor.check.grade import grade
from tutor.check.questions import Question
from tutor.check.report import Report, Result
from tutor.check.selection import another

TRIES = 3
"""how often an item of the round comes at most"""
HELP = "Type the answer and enter. h: a hint · s: skip · Ctrl+C: end."

Say = Callable[[str], None]
Hear = Callable[[str], str]


@dataclass
class _Item:
    """A question of the round, in its present form."""

    question: Question
    slot: int
    tries: int = 1


def play(questions: Sequence[Question], say: Say, hear: Hear, reveal: bool = False) -> Report:
    """Ask all questions; the report has the last answer to each that was answered."""
    queue = deque(_Item(question, slot) for slot, question in enumerate(questions))
    results: dict[int, Result] = {}
    asked = list(questions)
    say(f"{len(questions)} questions. {HELP}")
    try:
        while queue:
            item = queue.popleft()
            result = _ask(item, len(questions), say, hear, reveal)
            results[item.slot] = result
            if result.verdict != "right" and item.tries < TRIES:
                other = another(item.question, asked)
                asked.append(other)
                queue.append(_Item(other, item.slot, item.tries + 1))
                say(
                    "It comes again later, with other numbers."
                    if other != item.question
                    else "It comes again."
                )
    except (KeyboardInterrupt, EOFError):
        say("")
    answered = tuple(results[slot] for slot in sorted(results))
    left = tuple(question.id for slot, question in enumerate(questions) if slot not in results)
    return Report(answered, left)


def _ask(item: _Item, total: int, say: Say, hear: Hear, reveal: bool) -> Result:
    """One question, until there is an answer that can be read or it is skipped."""
    question, hints = item.question, iter(item.question.kind.hints)
    again = " · again" if item.tries > 1 else ""
    say("")
    say(f"{item.slot + 1} of {total}{again} · {question.stop} · worksheet {question.worksheet}")
    say(f"  {question.sentence}")
    say(f"  {question.prompt}")
    while True:
        typed = hear("  = ").strip()
        if typed.lower() == "h":
            say(f"  {next(hints, 'No more hints: try, or skip with s.')}")
            continue
        result = grade(question, "" if typed.lower() == "s" else typed, reveal)
        if result.verdict == "blank":
            say("  Skipped.")
        else:
            say(f"  {result.verdict.capitalize()}. {result.message}".rstrip())
        if result.right is not None:
            say(f"  right: {result.right}")
        if result.verdict != "unreadable":
            return result
