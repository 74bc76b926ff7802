"""The command `tutor`: exit 0, 1 where something is wrong, 2 where it could not begin."""

import os
import sys
from typing import TYPE_CHECKING, NoReturn

from tutor.errors import TutorError

if TYPE_CHECKING:
    from tutor.choice import Choice


def main() -> NoReturn:
    """Run the lesson or a command; a mistake is told in one line, never as a traceback."""
    try:
        sys.exit(_status(sys.argv[1:]))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


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
        line = " ".join(str(error).split())
        encoding = sys.stderr.encoding or "ascii"
        sys.stderr.write(f"tutor: {line}".encode(encoding, "replace").decode(encoding) + "\n")
        return 2
    except KeyboardInterrupt:
        return 130


def walk(stop_id: str | None, choice: "Choice | None") -> int:
    """The lesson in a terminal that can show it: at a chosen stop, or where it was left."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        raise TutorError(
            "the lesson needs a terminal: run it in one, print it with `tutor show`, "
            "or test yourself with `tutor check`"
        )
    from tutor.tui.app import run  # late: textual takes 180 ms

    return run(stop_id, choice)


if __name__ == "__main__":
    main()
