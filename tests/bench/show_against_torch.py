"""A whole `tutor show softmax` against a Python that only imports torch."""

import sys

from pty_clock import TUTOR, interleave, report, run_time

ours, theirs = interleave(
    lambda: run_time([*TUTOR, "show", "softmax"]),
    lambda: run_time([sys.executable, "-c", "import torch"]),
    11,
)
report("tutor show softmax", ours, "import torch", theirs, 1.1)
