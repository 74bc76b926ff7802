"""What went wrong in a learner's code: said by the child, read by the parent without trust."""

from __future__ import annotations

import ast
import sys
import traceback
from dataclasses import dataclass
from typing import Any

from tutor.errors import shown

_LINES = 3
_TEXT = 300


@dataclass(frozen=True)
class Fault:
    """Why a function, or the whole file, gave no numbers."""

    id: str
    """raised, missing, ended, memory, blank, timeout, crashed or channel"""
    message: str
    """what happened, and on which of the learner's own lines"""
    place: str = ""
    """the innermost of the learner's functions"""

    @classmethod
    def read(cls, told: Any) -> Fault:
        """The fault that a child told of; ValueError if it told no such thing."""
        try:
            where = [(int(line), str(name), str(code)) for line, name, code in told["where"]]
            kind, raised, text, name = (str(told[key]) for key in ("kind", "type", "text", "name"))
        except (KeyError, TypeError) as error:
            raise ValueError(f"no fault: {error!r}") from None
        text = f"{raised}: {text}" if text else raised
        if kind == "missing" and name == "tutor":
            text = "the tutor's own code cannot be imported here; write the arithmetic yourself"
        elif kind == "missing":
            text = f"{name} is not installed here; numpy is enough"
        elif kind == "ended":
            text = f"your code ended the program ({raised})"
        elif kind == "memory":
            text = f"ran out of memory ({text})"
        return cls(kind, shown(text, _TEXT) + _at(where), where[-1][1] if where else "")

    @classmethod
    def of_exit(cls, code: int) -> Fault:
        """The fault behind the exit code of a process that gave no answer; a signal is negative."""
        if code == -9:
            return cls("crashed", "was killed (signal 9): did it take too much memory?")
        if code < 0:
            return cls("crashed", f"crashed (signal {-code})")
        return cls("ended", f"your code ended the program (exit status {code})")


def say(error: BaseException, path: str, lines: list[str]) -> dict[str, Any]:
    """In the child: what was raised, and the learner's own lines on the way to it."""
    if isinstance(error, MemoryError):
        traceback.clear_frames(error.__traceback__)  # they still hold what filled the memory
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # the learner's own exceptions may do anything
        text = ""
    where = _where(error, path, lines)
    kind, name = "raised", ""
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        kind = "ended"
    elif isinstance(error, MemoryError) or "can't allocate memory" in text:
        kind = "memory"
    elif isinstance(error, NotImplementedError) and where and "NotImplementedError" in where[-1][2]:
        kind = "blank"
    elif isinstance(error, ModuleNotFoundError) and error.name:
        kind, name = "missing", error.name.partition(".")[0]
    elif isinstance(error, NameError):
        name = _imported("\n".join(lines)).get(str(error.name), "")
        kind = "missing" if name and name not in sys.modules else kind
    told = {"kind": kind, "type": type(error).__name__, "text": text[:_TEXT], "name": name}
    return {**told, "where": where}


def _where(error: BaseException, path: str, lines: list[str]) -> list[tuple[int, str, str]]:
    """Line number, function and text of the last of the learner's lines that led to the error."""
    found = []
    if isinstance(error, SyntaxError) and error.filename == path:
        found = [(error.lineno or 0, "<module>")]
    else:
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == path:
                found.append((line, frame.f_code.co_name))
    return [
        (line, name, lines[line - 1].strip()[:100] if 0 < line <= len(lines) else "")
        for line, name in found[-_LINES:]
    ]


def _at(where: list[tuple[int, str, str]]) -> str:
    """The lines in brackets, outermost first, the text of the last one."""
    if not where:
        return ""
    steps = [
        f"line {line}" + (f" in {shown(name, 40)}" if name != "<module>" else "") for line, name, _ in where
    ]
    code = shown(where[-1][2], 100)
    return f" ({', '.join(steps)}{f': {code}' if code else ''})"


def _imported(source: str) -> dict[str, str]:
    """The library behind each name that the file's imports bind."""
    bound = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                library = alias.name.partition(".")[0]
                bound[alias.asname or library] = library
        elif isinstance(node, ast.ImportFrom) and node.module:
            bound.update({alias.asname or alias.name: node.module.partition(".")[0] for alias in node.names})
    return bound
