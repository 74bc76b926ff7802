"""Grading an answer sheet against a bare import of torch."""

import subprocess
import sys
import tempfile
from pathlib import Path

from pty_clock import CHECKOUT, TUTOR, interleave, report, run_time

with tempfile.TemporaryDirectory() as folder:
    sheet = Path(folder, "answers.toml")
    subprocess.run(
        [*TUTOR, "check", "--new", str(sheet), "--count", "8"],
        cwd=CHECKOUT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    sheet.write_text(sheet.read_text("utf-8").replace('answer = ""', 'answer = "0.5"'), "utf-8")
    # Status 1, something is wrong, is what a sheet of 0.5s gets.
    check = ["sh", "-c", '"$@" || [ $? = 1 ]', "check", *TUTOR, "check", str(sheet)]
    ours, theirs = interleave(
        lambda: run_time(check), lambda: run_time([sys.executable, "-c", "import torch"]), 9
    )
report("tutor check answers.toml", ours, "import torch", theirs, 0.95)
