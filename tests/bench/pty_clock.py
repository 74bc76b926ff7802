"""Times programs from outside: whole runs, and what a terminal shows and when."""

import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

CHECKOUT = Path(__file__).parent.parent.parent
SCRIPTS = tempfile.TemporaryDirectory()
TUTOR = [sys.executable, "-m", "tutor"]
ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_].*?\x1b\\|[()].|[=>78])"
)

HELLO_WORLD = """
from textual.app import App
from textual.widgets import Static

class Hello(App):
    def compose(self):
        yield Static("Hello, world")

Hello().run()
"""

ONE_STATIC = """
from textual.app import App
from textual.widgets import Static

class Counter(App):
    BINDINGS = [("down,up", "count", "Count")]
    count = 0

    def compose(self):
        yield Static("count 0")

    def action_count(self):
        self.count += 1
        self.query_one(Static).update(f"count {self.count}")

Counter().run()
"""


class Reply(NamedTuple):
    """Seconds from a key to the first and to the last byte that it drew."""

    first: float
    last: float


class Silence(Exception):
    """The program did not show what was waited for."""


class Terminal:
    """A program in a pseudo-terminal of its own, with a home of its own."""

    def __init__(self, command: list[str], columns: int = 100, rows: int = 30) -> None:
        self.state = tempfile.TemporaryDirectory()
        self.seen = b""
        environment = clean_environment(XDG_STATE_HOME=self.state.name)
        self.started = time.perf_counter()
        self.process, self.channel = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(CHECKOUT)
            os.execvpe(command[0], command, environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.channel)
        self.state.cleanup()

    def read(self, seconds: float) -> bytes:
        """What arrives next, or nothing after so many seconds."""
        if not select.select([self.channel], [], [], max(seconds, 0))[0]:
            return b""
        try:
            chunk = os.read(self.channel, 1 << 16)
        except OSError:  # Linux's way to say that the program has ended
            chunk = b""
        if not chunk:
            raise Silence(f"the program ended after: {self.text()[-2000:]}")
        self.seen += chunk
        return chunk

    def text(self) -> str:
        """Everything shown so far, without control sequences."""
        return ESCAPES.sub(b"", self.seen).decode("utf-8", "replace")

    def wait_for(self, marker: str, timeout: float = 30) -> float:
        """Seconds from the start of the program until a text that matches the marker is shown."""
        deadline = time.perf_counter() + timeout
        while not re.search(marker, self.text()):
            if not self.read(deadline - time.perf_counter()) and time.perf_counter() > deadline:
                raise Silence(f"no {marker!r} within {timeout:g} s in: {self.text()[-2000:]}")
        return time.perf_counter() - self.started

    def wait_for_quiet(self, quiet: float = 1.0) -> None:
        """Read until nothing is drawn for so many seconds."""
        while self.read(quiet):
            pass

    def press(self, key: bytes, quiet: float = 0.03, timeout: float = 2) -> Reply:
        """Send a key and time its drawing, which is over when the terminal was quiet for so long."""
        pressed = time.perf_counter()
        os.write(self.channel, key)
        if not self.read(timeout):
            raise Silence(f"nothing is drawn on {key!r}")
        first = last = time.perf_counter() - pressed
        while self.read(quiet):
            last = time.perf_counter() - pressed
        return Reply(first, last)


def clean_environment(**changes: str) -> dict[str, str]:
    """The environment of an ordinary learner in a colour terminal, with byte code kept as usual."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | changes


def script(name: str, source: str) -> list[str]:
    """The command that runs a source text, from a temporary file."""
    file = Path(SCRIPTS.name, f"{name}.py")
    file.write_text(source)
    return [sys.executable, str(file)]


def run_time(command: Sequence[str]) -> float:
    """Seconds that a whole run of a command takes."""
    with tempfile.TemporaryDirectory() as state:
        environment = clean_environment(XDG_STATE_HOME=state)
        started = time.perf_counter()
        subprocess.run(command, cwd=CHECKOUT, env=environment, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - started


def interleave(ours: Callable[[], float], theirs: Callable[[], float], runs: int) -> tuple[list[float], ...]:
    """Seconds of both sides, taken in turns after one unmeasured turn each."""
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(runs)]
    return tuple(map(list, zip(*pairs, strict=True)))


def report(what: str, ours: Sequence[float], base: str, theirs: Sequence[float], aim: float) -> None:
    """Print both medians and their ratio on one line."""
    mine, other = statistics.median(ours) * 1000, statistics.median(theirs) * 1000
    print(f"{what} {mine:.1f} ms, {base} {other:.1f} ms, ratio {mine / other:.2f} (aim <= {aim})", flush=True)
