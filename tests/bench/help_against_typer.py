"""A whole `tutor --help` against a Python that only imports typer."""

import sys

from pty_clock import TUTOR, interleave, report, run_time

ours, theirs = interleave(
    lambda: run_time([*TUTOR, "--help"]), lambda: run_time([sys.executable, "-c", "import typer"]), 25
)
report("tutor --help", ours, "import typer", theirs, 1.2)
