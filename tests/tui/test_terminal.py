"""The lesson in a real pseudo-terminal: signals, sizes, encodings, and what it leaves behind."""

import fcntl
import json
import os
import pty
import random
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest

CHECKOUT = Path(__file__).parents[2]
RESTORED = [b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?1006l", b"\x1b[?2004l", b"\x1b[?1049l", b"\x1b[?25h"]


class Terminal:
    """`tutor` in a pseudo-terminal, its output also on a screen that can be read."""

    def __init__(self, home: Path, columns: int = 80, rows: int = 24, **environment: str) -> None:
        self.seen = b""
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.process, self.channel = pty.fork()
        if self.process == 0:
            kept = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
            changed = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_STATE_HOME": str(home)}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(CHECKOUT)
            os.execvpe(sys.executable, [sys.executable, "-m", "tutor"], kept | changed | environment)

    def read(self, seconds: float, until: str = "") -> str:
        """The screen after so many seconds, or as soon as it shows a text."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not (until and until in self.text()):
            if select.select([self.channel], [], [], min(left, 0.05))[0]:
                try:
                    chunk = os.read(self.channel, 1 << 16)
                except OSError:
                    break
                if not chunk:
                    break
                self.seen += chunk
                self._stream.feed(re.sub(rb"\x1b\[[<>=][0-9;]*u", b"", chunk))
        return self.text()

    def text(self) -> str:
        """The screen as it stands."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: bytes) -> None:
        """Send keys."""
        os.write(self.channel, keys)

    def resize(self, columns: int, rows: int) -> None:
        """Another window."""
        fcntl.ioctl(self.channel, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def status(self, seconds: float = 5) -> int | None:
        """The exit status, or None while the program lives."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.05)
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.process = 0
                return os.waitstatus_to_exitcode(status)
        return None

    def close(self) -> None:
        """End the program if it still lives."""
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    """Every terminal that a test opens; closed at its end."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def opened(terminals: list[Terminal], home: Path, **environment: str) -> Terminal:
    """A lesson that shows its first beat."""
    terminal = Terminal(home, **environment)
    terminals.append(terminal)
    terminal.read(20, until="next")
    return terminal


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal_and_keeps_the_place(
    tmp_path: Path, terminals: list[Terminal], number: signal.Signals
) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"n")
    terminal.read(1)
    os.kill(terminal.process, number)
    assert terminal.status() == 128 + number
    assert all(code in terminal.seen for code in RESTORED)
    assert b"Traceback" not in terminal.seen
    saved = json.loads((tmp_path / "attention-tutor" / "place.json").read_text())
    assert (saved["focus"]["beat"], saved["focus"]["stop"]) != (0, "welcome")


def test_a_closed_terminal_ends_the_lesson(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    os.close(terminal.channel)
    end = time.monotonic() + 5
    gone = 0
    while not gone and time.monotonic() < end:
        gone, _ = os.waitpid(terminal.process, os.WNOHANG)
        time.sleep(0.05)
    assert gone
    terminal.process = 0


def test_quitting_while_torch_loads(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"q")
    assert terminal.status() == 0
    assert b"Traceback" not in terminal.seen


def test_ctrl_c_twice(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"\x03")
    terminal.read(3, until="once more")
    terminal.press(b"\x03")
    assert terminal.status() == 0


def test_too_small_says_so_and_comes_back_with_the_text(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"e")
    terminal.read(1)
    terminal.press(b" and")
    terminal.read(3, until=" and")
    for columns, rows in ((40, 10), (20, 5), (1, 1)):
        terminal.resize(columns, rows)
        terminal.read(0.5)
    terminal.resize(39, 24)
    assert "needs 40×12 (now 39×24)" in terminal.read(3, until="(now 39×24)")
    terminal.resize(80, 24)
    assert "watched the and" in terminal.read(3, until="watched the and")
    terminal.press(b" bank")
    assert "the and bank" in terminal.read(3, until="the and bank")
    terminal.press(b"\x1b")
    assert "the  ___" in terminal.read(3, until="the  ___")


def test_two_hundred_sizes_while_typing(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"e")
    terminal.read(1)
    terminal.press(b"\x15")
    terminal.read(0.5)
    terminal.press(b"river")
    sizes = random.Random(7)
    for _ in range(200):
        terminal.resize(sizes.randint(20, 200), sizes.randint(5, 60))
        terminal.read(0.02)
    terminal.resize(80, 24)
    assert "edit river" in terminal.read(5, until="edit river")
    assert terminal.status(0.2) is None


def test_an_empty_paste_changes_nothing(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"e")
    terminal.read(1)
    terminal.press(b"\x1b[200~\x1b[201~ bank")
    assert "watched the bank" in terminal.read(3, until="the bank")


@pytest.mark.parametrize(
    ("keys", "shows"),
    [
        (b"e\x15the bankk\x7f\r", "the  bank  ___"),
        (b"gsoftmaxx\x7f 2 r4\r", "head 2 person · ▶4 beside"),
        (b"e and\x15\x1b[200~the river\x1b[201~ and", "edit the river and"),
    ],
)
def test_keys_that_arrive_at_once_act_in_their_order(
    tmp_path: Path, terminals: list[Terminal], keys: bytes, shows: str
) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.read(20, until="river")
    terminal.press(keys)
    assert shows in terminal.read(5, until=shows)


@pytest.mark.parametrize("keys", [b"gsoftmax\r\r\r", b"\x10\x1b[6~\x1b[B\x1b", b"e\x1b[B\x10\x1b[B", b"??c"])
def test_keys_on_their_way_to_a_dialog_harm_nothing(
    tmp_path: Path, terminals: list[Terminal], keys: bytes
) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(keys)
    assert terminal.status(1.5) is None


def test_an_answer_that_arrives_at_once_with_its_question(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"gsoftmax b4\r")
    terminal.read(20, until="0.718")
    terminal.press(b"a0.718\r")
    assert "Right." in terminal.read(5, until="Right.")


def test_bytes_that_are_no_utf_8_are_skipped(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path)
    terminal.press(b"\xe9\xff")
    terminal.read(1)
    terminal.press(b"\x1b[6~")
    assert "· embed" in terminal.read(5, until="· embed")


def test_an_ascii_locale_gets_ascii(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    for _ in range(4):
        terminal.press(b"\x1b[6~")
        terminal.read(0.5)
    assert terminal.seen.isascii()
    assert "sqrt" in terminal.text() or ">10 the" in terminal.text()


def test_an_unwritable_home_costs_the_saving_only(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, tmp_path, XDG_STATE_HOME="/dev/null")
    terminal.press(b"n")
    assert "not saved" in terminal.read(5, until="not saved")
    terminal.press(b"q")
    assert terminal.status() == 0


def test_a_damaged_place_is_set_aside(tmp_path: Path, terminals: list[Terminal]) -> None:
    place = tmp_path / "attention-tutor" / "place.json"
    place.parent.mkdir()
    for text in ("{", '{"focus": {"stop": 3}}'):
        place.write_text(text)
        terminal = opened(terminals, tmp_path)
        assert "damaged" in terminal.read(3, until="damaged")
        terminal.press(b"q")
        assert terminal.status() == 0
    kept = sorted(file.read_text() for file in place.parent.glob("place.json.damaged*"))
    assert kept == ["{", '{"focus": {"stop": 3}}'] or kept == ['{"focus": {"stop": 3}}', "{"]


def test_the_place_is_resumed(tmp_path: Path, terminals: list[Terminal]) -> None:
    first = opened(terminals, tmp_path)
    first.press(b"\x1b[6~n")
    shown = first.read(1.5)
    first.press(b"q")
    assert first.status() == 0
    second = opened(terminals, tmp_path)
    assert second.read(0.5).split("\n")[0] == shown.split("\n")[0]
