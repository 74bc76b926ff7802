"""The command `tutor`: exit 0, 1 where something is wrong, 2 where it could not begin."""

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # -m looks there first: a learner's json.py would run in place of the library

from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from tutor.errors import TutorError

if TYPE_CHECKING:
    from tutor.choice import Choice


def main() -> NoReturn:
    """Run the lesson or a command; a mistake is told in one line, never as a traceback."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who started us
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    try:
        sys.exit(_status(sys.argv[1:]))
    except BrokenPipeError:
        _discard_output()
        sys.exit(0)


def _discard_output() -> None:
    """Let what is still to be written go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _status(arguments: list[str]) -> int:
    try:
        if arguments:
            from tutor.cli import run  # late: typer takes 35 ms that the first paint need not wait for

            status = run(arguments)
        else:
            status = walk(None, None)
        sys.stdout.flush()
        return status
    except TutorError as error:
        return _refused(str(error))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        if error.filename is not None:
            return _refused(f"{error.filename}: {error.strerror}")
        _discard_output()  # an error without a file is one of standard output
        return _refused(f"the output cannot be written ({error.strerror})")
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from tutor import paths, place  # late: only an error of ours needs them

        told = place.report(paths.state_file().with_name("error.txt"), error)
        return _refused(f"an error of ours ended the command: {told}")


def _refused(message: str) -> int:
    """Tell in one line why nothing came of it."""
    encoding = sys.stderr.encoding or "ascii"
    line = " ".join(message.split()).encode(encoding, "replace").decode(encoding)
    with suppress(OSError):
        sys.stderr.write(f"tutor: {line}\n")
    return 2


def walk(stop_id: str | None, choice: "Choice | None") -> int:
    """The lesson in a terminal that can show it: at a chosen stop, or where it was left."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "", "dumb"):
        raise TutorError(
            "the lesson needs a terminal: run it in one, print it with `tutor show`, "
            "or test yourself with `tutor check`"
        )
    from tutor.tui.app import run  # late: textual takes 180 ms

    return run(stop_id, choice)


if __name__ == "__main__":
    main()
