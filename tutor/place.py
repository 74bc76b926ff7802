"""Keeps one small JSON document between runs, and never fails a lesson over it."""

import json
import os
from contextlib import suppress
from typing import Any

Document = dict[str, Any]
AnyPath = str | os.PathLike[str]


def load(path: AnyPath) -> tuple[Document | None, str | None]:
    """Return the saved document, or None, and a message if something was wrong with it."""
    try:
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            return None, f"your place is not read: {_shown(path)} is not a plain file"
        with open(path, "rb") as file:
            document = json.loads(file.read())
    except (FileNotFoundError, NotADirectoryError):
        return None, None
    except (IsADirectoryError, ValueError, RecursionError):
        return None, set_aside(path)
    except OSError as error:
        return None, f"your place is not read: {_reason(error)} ({_shown(path)})"
    return (document, None) if isinstance(document, dict) else (None, set_aside(path))


def save(path: AnyPath, document: Document) -> str | None:
    """Replace the document in one step, or leave the old one and say why in a message."""
    text = json.dumps(document, indent=1) + "\n"
    try:
        _replace(os.path.realpath(path), text)  # a symlinked file stays a link
    except OSError as error:
        return f"progress is not saved: {_reason(error)} ({_shown(path)})"
    return None


def report(path: AnyPath, error: Exception) -> str:
    """Write an error's traceback, which holds no values, to a file; what to tell the learner."""
    import traceback  # late: only an error needs it

    try:
        _replace(os.fspath(path), "".join(traceback.format_exception(error)))
    except OSError:
        return f"{type(error).__name__}; run `tutor` to go on"
    return f"{type(error).__name__}, see {_shown(path)}; run `tutor` to go on"


def _replace(target: str, text: str) -> None:
    """Write beside the target, then rename over it; whatever fails, nothing is left behind."""
    temporary = f"{target}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _require_replaceable(target)
        # No fsync, which may cost a key press its speed: a file torn by a power cut is set aside by load.
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, target)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def set_aside(path: AnyPath, fault: str = "was damaged") -> str:
    """Rename a file that cannot be used to a name that nothing has yet; the message tells it."""
    base = f"{os.fspath(path)}.damaged"
    kept, number = base, 1
    while os.path.lexists(kept):
        number += 1
        kept = f"{base}-{number}"
    try:
        os.rename(path, kept)
    except OSError as error:
        return f"your place is damaged and cannot be set aside: {_reason(error)} ({_shown(path)})"
    return f"your place {fault}: it is kept as {_shown(kept)}"


def _require_replaceable(target: str) -> None:
    """Raise OSError unless the file is missing, or plain and ours to read and write."""
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(None, "not a plain file")
    with suppress(FileNotFoundError), open(target, "r+b"):
        pass


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _shown(path: AnyPath) -> str:
    """The path on one line, without bytes that a terminal cannot print."""
    return "".join(sign if sign.isprintable() else "?" for sign in os.fspath(path))
