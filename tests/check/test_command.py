"""`tutor check` as it is typed: statuses, one JSON document, no traceback, no torch."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tutor.check.grade import right_text
from tutor.check.questions import question

BANK = "river-bank/river/softmax.weight/h1/r7/s6"


def tutor(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tutor", "check", *arguments]
    return subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
    )


def one(path: Path, answer: str) -> str:
    path.write_text(f'[[question]]\nid = "{BANK}"\nanswer = "{answer}"\n', "utf-8")
    return str(path)


@pytest.mark.parametrize(
    "environment", [{}, {"PYTHONOPTIMIZE": "2"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}], ids=str
)
@pytest.mark.parametrize(("answer", "status"), [("0.349", 0), ("0.285", 1), ("", 1)])
def test_the_status_of_a_sheet(tmp_path: Path, environment: Any, answer: str, status: int) -> None:
    run = tutor(one(tmp_path / "a.toml", answer), "--json", cwd=tmp_path, **environment)
    assert (run.returncode, run.stderr) == (status, "")
    assert json.loads(run.stdout)["passed"] is (status == 0)


def test_a_sheet_goes_round(tmp_path: Path) -> None:
    made = tutor("--new", "answers.toml", "--seed", "4", "--count", "6", cwd=tmp_path)
    assert made.returncode == 0 and "6 questions are in answers.toml" in made.stdout
    assert tutor("--new", "answers.toml", cwd=tmp_path).returncode == 2
    path = tmp_path / "answers.toml"
    text = path.read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("id = "):
            id = json.loads(line[5:])
            before, _, after = text.partition(line)
            text = before + line + after.replace('answer = ""', f'answer = "{right_text(question(id))}"', 1)
    path.write_text(text, "utf-8")
    run = tutor("answers.toml", "--junit", "out.xml", "--reveal", cwd=tmp_path)
    assert (
        run.returncode == 0 and run.stdout.endswith("6 of 6 right, 6 points.\n") and "right: " in run.stdout
    )
    assert 'tests="6" failures="0"' in (tmp_path / "out.xml").read_text("utf-8")


def test_the_list_is_an_array_and_seeded(tmp_path: Path) -> None:
    run = tutor("--list", "--json", "--stop", "softmax", "--count", "4", "--seed", "1", cwd=tmp_path)
    listed = json.loads(run.stdout)
    needed = {"id", "stop", "head", "receiver", "source", "sentence", "worksheet", "prompt", "shape"}
    assert len(listed) == 4 and all(needed | {"decimals", "path"} <= entry.keys() for entry in listed)
    assert (
        run.stdout
        == tutor("--list", "--json", "--stop", "softmax", "--count", "4", "--seed", "1", cwd=tmp_path).stdout
    )
    assert "softmax.weight" in tutor("--list", "--worksheet", "workshop", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "tutor check answers.toml"),
        (("missing.toml",), "missing.toml cannot be read"),
        (("-nowhere.toml",), "-nowhere.toml cannot be read"),
        (("a.toml", "--list"), "use one of them"),
        (("--list", "--stop", "nowhere"), "the stops with questions are"),
        (("--list", "--count", "0"), "at least 1"),
        (("--list", "--worksheet", "nowhere"), "no worksheet nowhere"),
        (("--new", "no/such/folder.toml"), "cannot be written"),
        (("--list", "--count", "x"), "--count"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(tmp_path: Path, arguments: Any, told: str) -> None:
    run = tutor(*arguments, cwd=tmp_path)
    assert run.returncode == 2 and told in run.stderr and run.stderr.count("\n") == 1 and run.stdout == ""


def test_a_sheet_named_like_an_option(tmp_path: Path) -> None:
    one(tmp_path / "-answers.toml", "0.349")
    assert tutor("-answers.toml", cwd=tmp_path).returncode == 0


def test_typed_answers_load_no_torch(tmp_path: Path) -> None:
    path = one(tmp_path / "a.toml", "0.349")
    code = (
        "import sys; from tutor.check.command import Check; "
        f"status = Check(file={path!r}).run(); print(status, 'torch' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert run.stdout.splitlines()[-1] == "0 False"


def test_a_round_in_a_terminal(tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "tutor", "check", "--stop", "softmax", "--count", "2", "--seed", "1"],
        cwd=str(tmp_path),
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm", "NO_COLOR": "1"},
        encoding="utf-8",
        timeout=30,
        dimensions=(30, 100),
    )
    child.expect("1 of 2")
    child.expect("= ")
    child.sendline("h")
    child.expect("= ")
    child.sendline("123456.789")
    child.expect("comes again later")
    child.expect("2 of 2")
    child.expect("= ")
    child.sendintr()
    child.expect("0 of 1 right")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1


def test_a_round_keeps_the_document_alone_on_standard_output(tmp_path: Path) -> None:
    command = f"{sys.executable} -m tutor check --count 1 --seed 1 --json > out.json"
    child = pexpect.spawn(
        "sh",
        ["-c", command],
        cwd=str(tmp_path),
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm"},
        encoding="utf-8",
        timeout=30,
    )
    child.expect("= ")
    child.sendeof()
    child.expect(pexpect.EOF)
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["total"] == 0


def test_files_beside_the_learner_s_do_not_run_in_the_grader(tmp_path: Path) -> None:
    for name in ("numpy", "json", "typing", "pickle", "selectors"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(0)\n", "utf-8")
    (tmp_path / "attention.py").write_text("def merge_heads(Z):\n    return Z\n", "utf-8")
    run = tutor("attention.py", "--json", cwd=tmp_path)
    assert (run.returncode, json.loads(run.stdout)["passed"]) == (1, False)
