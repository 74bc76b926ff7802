"""The command line from outside: what it prints, where, and with which exit status."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyte
import pytest
from pexpect import spawn

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
UTF_8 = {"LC_ALL": "C.UTF-8"}
CHECKOUT = Path(__file__).parent.parent


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PYTHON"))}
    return {**kept, "PYTHONPATH": str(CHECKOUT), **UTF_8, **extra}


def run(*arguments: str, extra: Mapping[str, str] = UTF_8, code: str = "") -> tuple[int, str, str]:
    """Status, standard output and standard error of `tutor` without a terminal."""
    command = ["-c", code] if code else ["-m", "tutor"]
    made = subprocess.run(
        [sys.executable, *command, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(extra),
        timeout=60,
    )
    return made.returncode, made.stdout.decode(), made.stderr.decode()


@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["show", "--help"]])
def test_help_and_list_load_neither_torch_nor_textual(arguments: list[str]) -> None:
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('loaded', {'torch', 'textual', 'numpy'} & set(sys.modules)))\n"
        "from tutor.__main__ import main\n"
        "main()"
    )
    status, out, err = run(*arguments, code=code)
    assert (status, err) == (0, "")
    assert out.endswith("loaded set()\n")


def test_help_names_the_commands() -> None:
    _, out, _ = run("--help")
    assert all(command in out for command in ("show", "list", "trace", "verify"))


@pytest.mark.parametrize("extra", [{}, {"TERM": "dumb"}, {"TERM": ""}])
def test_without_a_terminal_the_lesson_names_show(extra: dict[str, str]) -> None:
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('loaded', {'torch', 'textual', 'typer'} & set(sys.modules)))\n"
        "from tutor.__main__ import main\n"
        "main()"
    )
    status, out, err = run(extra=extra, code=code)
    assert status == 2
    assert err.count("\n") == 1 and "`tutor show`" in err and "`tutor check`" in err
    assert out == "loaded set()\n"


def test_a_dumb_terminal_is_none() -> None:
    child = spawn(
        sys.executable, ["-m", "tutor"], env=environment({"TERM": "dumb"}), encoding="utf-8", timeout=20
    )  # type: ignore[arg-type]
    child.expect("tutor show")
    child.wait()
    assert child.exitstatus == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["shwo"], "shwo"),
        (["show", "nowhere"], "no stop 'nowhere': the stops are welcome"),
        (["show", "a", "b"], "unexpected extra argument"),
        (["show", "--beat", "x"], "should be a valid integer"),
        (["show", "--beat"], "requires an argument"),
        (["show", "--bogus"], "--bogus"),
        (["show", "query", "--head", "3"], "--head 3 is given: allowed are 1 to 2"),
        (["show", "--width", "39"], "allowed are 40 to 132"),
        (["show", "--sentence", "the rivver"], "near: river"),
        (["show", "--sentence", "the\x1b[31m\nx"], "word 2"),
        (["trace", "--case", "money"], "river, cheque"),
        (["trace", "--worksheet", "/nowhere/x.toml"], "/nowhere/x.toml: cannot be read"),
        (["trace", "--worksheet", "."], "cannot be read"),
        (["trace", "--npz", "/nowhere/x.npz"], "cannot be written"),
        (["trace", "--sentence", "the", "--case", "river"], "use one of them"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments: list[str], told: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("tutor: ")
    assert err.count("\n") == 1 and err.endswith("\n")
    assert told in err
    assert err[:-1].isprintable()


def test_piped_output_is_plain_and_the_same_twice() -> None:
    first, second = run("show"), run("show", extra={"TERM": "xterm-256color", "COLUMNS": "120"})
    assert first == second
    status, out, err = first
    assert (status, err) == (0, "")
    assert all(line.isprintable() and len(line) <= 80 for line in out.splitlines())
    assert out == "\n".join(line.rstrip() for line in out.split("\n"))
    assert "0.718" in out


def test_a_locale_without_the_signs_gets_ascii() -> None:
    status, out, err = run("show", extra=ASCII)
    assert (status, err) == (0, "")
    assert out.isascii()
    assert out.count("?") == run("show")[1].count("?")
    assert " A_10,6 =  131.504 / 183.244  =  0.718" in out
    assert " * 6 river" in out and " >10 the" in out


@pytest.mark.parametrize("arguments", [["list"], ["trace"], ["trace", "--json"], ["verify"]])
def test_every_command_prints_ascii_there(arguments: list[str]) -> None:
    status, out, err = run(*arguments, extra=ASCII)
    assert (status, err) == (0, "")
    assert out.isascii()


def test_a_mistake_is_told_in_ascii_there() -> None:
    status, out, err = run("show", "--sentence", "fluß", extra=ASCII)
    assert (status, out) == (2, "")
    assert err.isascii() and "word 1" in err


@pytest.mark.parametrize("command", ["show", "trace", "trace --json", "list"])
def test_a_reader_that_stops_early_is_no_error(command: str) -> None:
    shell = f"set -o pipefail; {sys.executable} -m tutor {command} | head -1"
    made = subprocess.run(["bash", "-c", shell], capture_output=True, env=environment({}), timeout=60)
    assert made.returncode == 0
    assert made.stderr == b""
    assert made.stdout.count(b"\n") == 1


def test_json_is_one_object() -> None:
    status, out, err = run("trace", "--json", "--sentence", "the River")
    assert (status, err) == (0, "")
    assert json.loads(out)["tokens"] == ["the", "River"]


def test_npz_alone_prints_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    assert run("trace", "--npz", str(path)) == (0, "", "")
    assert path.stat().st_size > 0


def test_verify_prints_a_line_a_check() -> None:
    status, out, err = run("verify")
    assert (status, err) == (0, "")
    assert all(line.startswith("ok ") for line in out.splitlines())
    assert "nn.MultiheadAttention" in out and "content: softmax" in out


@pytest.mark.parametrize("command", ["list", "show welcome", "trace --json", "--help"])
def test_a_full_disk_is_told_in_one_line(command: str) -> None:
    with open("/dev/full", "w") as full:
        made = subprocess.run(
            [sys.executable, "-m", "tutor", *command.split()],
            stdout=full, stderr=subprocess.PIPE, env=environment({}), timeout=60,
        )  # fmt: skip
    assert (made.returncode, made.stderr.count(b"\n")) == (2, 1)
    assert b"cannot be written (No space left on device)" in made.stderr


@pytest.mark.parametrize(("shell", "status"), [("list >&-", 0), ("nope 2>&-", 2), ("<&-", 2), (">&-", 2)])
def test_a_closed_stream_is_no_error_of_ours(shell: str, status: int) -> None:
    made = subprocess.run(
        ["sh", "-c", f'exec "$0" -m tutor {shell}', sys.executable],
        stdin=subprocess.DEVNULL, capture_output=True, env=environment({}), timeout=60,
    )  # fmt: skip
    assert made.returncode == status
    assert b"Traceback" not in made.stderr


def test_a_worksheet_may_come_through_a_pipe() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tutor", "show", "welcome", "--worksheet", "/dev/stdin"],
        input=(CHECKOUT / "worksheet" / "river-bank.toml").read_bytes(),
        capture_output=True, env=environment({}), timeout=60,
    )  # fmt: skip
    assert (made.returncode, made.stderr) == (0, b"")


def on_a_terminal(arguments: list[str], columns: int, extra: Mapping[str, str]) -> tuple[str, pyte.Screen]:
    """What `tutor` writes to a terminal of that width, raw and as it looks."""
    screen = pyte.Screen(columns, 60)
    child = spawn(
        sys.executable, ["-m", "tutor", *arguments],
        env=environment({"TERM": "xterm-256color", **extra}),  # type: ignore[arg-type]
        dimensions=(60, columns), encoding="utf-8", timeout=30,
    )  # fmt: skip
    raw = child.read()
    pyte.Stream(screen).feed(raw)
    return raw, screen


def test_a_terminal_gets_colours_and_its_width() -> None:
    raw, screen = on_a_terminal(["show", "softmax", "--beat", "4"], 100, {})
    assert "\x1b[" in raw
    assert any("─" * 60 in line for line in screen.display)
    assert "· beat 4/" in screen.display[0]
    assert len(screen.display[0].rstrip()) == 99


def test_no_color_is_heeded() -> None:
    raw, _ = on_a_terminal(["show", "softmax", "--beat", "4"], 80, {"NO_COLOR": "1"})
    assert "38;2" not in raw and "48;2" not in raw


def test_an_error_of_ours_is_one_line_and_a_report(tmp_path: Path) -> None:
    code = (
        "import sys, tutor.show\n"
        "def broken(*_): raise ZeroDivisionError('secret value')\n"
        "tutor.show.show = broken\n"
        "from tutor.__main__ import main\n"
        "sys.argv[1:] = ['show']\n"
        "main()"
    )
    status, out, err = run(extra={"XDG_STATE_HOME": str(tmp_path)}, code=code)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and "ZeroDivisionError" in err and "error.txt" in err
    assert "broken" in (tmp_path / "attention-tutor" / "error.txt").read_text("utf-8")
