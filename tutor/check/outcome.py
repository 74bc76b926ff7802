"""What came of a run: the lines that the child sends, believed only as far as arrays and faults go."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tutor.check.faults import Fault
from tutor.check.pipe import Lines
from tutor.check.values import Value

_NOT_OURS = Fault("channel", "something other than the grader wrote to its pipe: leave open files alone")


@dataclass(frozen=True)
class Reply:
    """What came of one list of arguments."""

    values: tuple[Value, ...] = ()
    """of two calls; none where there is a fault"""
    changed: bool = False
    """whether a call changed its arguments"""
    fault: Fault | None = None

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Reply:
        """The reply that a child told of; ValueError if it told no such thing."""
        if "fault" in told:
            return cls(fault=Fault.read(told["fault"]))
        first, second = told["values"]
        return cls((Value.read(first), Value.read(second)), told["changed"] is not False)


@dataclass
class Outcome:
    """What came of one function."""

    replies: list[Reply] = field(default_factory=list)
    """in the order of the arguments; fewer where it ended early"""
    fault: Fault | None = None
    """why it ended early"""
    is_over: bool = False

    def end(self, fault: Fault | None) -> None:
        """Nothing more comes, for that reason if it is early."""
        if not self.is_over:
            self.fault, self.is_over = fault, True


@dataclass
class Run:
    """What came of a file."""

    fault: Fault | None = None
    """why it could not be loaded"""
    outcomes: dict[str, Outcome] | None = None
    """of the functions that it defines; None before it is loaded"""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to wait for."""
        outcomes = self.outcomes
        return self.fault is not None or (outcomes is not None and all(o.is_over for o in outcomes.values()))

    def hear(self, main: Lines, answers: Mapping[str, Lines]) -> None:
        """Take in all that has come since."""
        for name, outcome in (self.outcomes or {}).items():
            _take(outcome, answers[name])
        try:
            for told in main.read():
                if "fault" in told:
                    self.fault = Fault.read(told["fault"])
                elif "defined" in told:
                    self.outcomes = {name: Outcome() for name in answers if name in told["defined"]}
                elif self.outcomes is not None:
                    outcome = self.outcomes[told["ended"]]
                    _take(outcome, answers[told["ended"]])
                    outcome.end(Fault.of_exit(os.waitstatus_to_exitcode(told["status"])))
        except (ValueError, KeyError, TypeError, OverflowError):
            self.end(_NOT_OURS)

    def end(self, fault: Fault) -> None:
        """Nothing more comes, for that reason."""
        if self.outcomes is None:
            self.fault = self.fault or fault
        for outcome in (self.outcomes or {}).values():
            outcome.end(fault)


def _take(outcome: Outcome, lines: Lines) -> None:
    try:
        for told in lines.read():
            if "done" in told:
                outcome.end(None)
            elif not outcome.is_over:
                outcome.replies.append(Reply.read(told))
    except (ValueError, KeyError, TypeError):
        outcome.end(_NOT_OURS)


def listen(main: Lines, answers: Mapping[str, Lines], load: float, call: float) -> Run:
    """All that comes until every function is over, the child has ended or the seconds have passed."""
    run = Run()
    deadline, is_loaded = time.monotonic() + load, False
    while not run.is_over and main.is_open:
        left = deadline - time.monotonic()
        if left <= 0:
            _time_out(run, load, call)
            break
        with selectors.DefaultSelector() as selector:
            for lines in (main, *answers.values()):
                if lines.is_open:
                    selector.register(lines.descriptor, selectors.EVENT_READ)
            selector.select(left)
        run.hear(main, answers)
        if run.outcomes is not None and not is_loaded:
            deadline, is_loaded = time.monotonic() + call, True
    return run


def _time_out(run: Run, load: float, call: float) -> None:
    if run.outcomes is None:
        run.end(Fault("timeout", f"timed out: the file itself did not finish in {load:g} s (infinite loop?)"))
    for name, outcome in (run.outcomes or {}).items():
        outcome.end(Fault("timeout", f"timed out: {name} did not return in {call:g} s (infinite loop?)"))
