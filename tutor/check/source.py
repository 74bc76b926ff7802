"""Reading a learner's file: text, or one line on why it cannot be graded."""

from __future__ import annotations

import os
import stat
import tokenize
from pathlib import Path

from tutor.errors import TutorError, shown

_LARGEST = 1 << 20
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_source(path: Path) -> str:
    """The file's text, its lines ended by line feeds; TutorError if it cannot be graded."""
    name = shown(str(path), 250)
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise TutorError(f"{name} is a directory: name the file in it that holds your functions")
        if not stat.S_ISREG(status.st_mode):
            raise TutorError(f"{name} is no ordinary file: save your code in one and name that")
        if path.suffix == ".ipynb":
            raise TutorError(f"{name} is a notebook: save its code as a .py file and name that")
        if status.st_size > _LARGEST:
            raise TutorError(
                f"{name} has {status.st_size} bytes, at most {_LARGEST} are read: name your code"
            )
        written = path.read_bytes()
    except OSError as error:
        raise TutorError(f"{name} {_told(error, name)}") from None
    if written.startswith(_UTF_16) or b"\0" in written[:200]:
        raise TutorError(f"{name} is saved as UTF-16: save it as UTF-8")
    try:
        encoding, _ = tokenize.detect_encoding(iter(written.splitlines(keepends=True)).__next__)
        text = written.decode(encoding)
    except (SyntaxError, LookupError, ValueError):  # odd codecs raise what they like
        raise TutorError(f"{name} is not UTF-8 text: save it as UTF-8") from None
    if not text.strip():
        raise TutorError(f"{name} is empty: write a stub with `tutor check --new` and a new name")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _told(error: OSError, name: str) -> str:
    if isinstance(error, FileNotFoundError):
        return f"is not there: write a stub with `tutor check --new {name}`"
    if isinstance(error, PermissionError):
        return "may not be read: change its permissions"
    return f"cannot be read ({error.strerror}): name the file that holds your functions"
