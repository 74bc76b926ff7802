"""From a key to the end of its drawing: the tutor against a Textual app that changes one Static."""

import argparse
import time
from itertools import cycle

from pty_clock import ONE_STATIC, TUTOR, Terminal, interleave, report, script

DOWN, UP, END, PAGE_DOWN = b"\x1b[B", b"\x1b[A", b"\x1b[F", b"\x1b[6~"

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--stops", type=int, default=5, help="stops to go forward before the keys (5: softmax)")
parser.add_argument("--columns", type=int, default=100)
parser.add_argument("--rows", type=int, default=30)
parser.add_argument("--runs", type=int, default=60)
options = parser.parse_args()


def settled(terminal: Terminal, marker: str) -> Terminal:
    """The terminal once it shows the marker and has nothing more to draw."""
    terminal.wait_for(marker)
    terminal.wait_for_quiet()
    return terminal


with (
    Terminal(TUTOR, options.columns, options.rows) as tutor,
    Terminal(script("one_static", ONE_STATIC), options.columns, options.rows) as static,
):
    settled(tutor, "next")
    for key in [PAGE_DOWN] * options.stops + [END]:
        tutor.press(key)
        tutor.wait_for_quiet()
    settled(tutor, r"\d\.\d{3}")  # a number: torch is loaded
    settled(static, "count 0")
    keys = {tutor: cycle([UP, DOWN]), static: cycle([UP, DOWN])}

    def last_byte(terminal: Terminal) -> float:
        time.sleep(0.05)
        return terminal.press(next(keys[terminal])).last

    ours, theirs = interleave(lambda: last_byte(tutor), lambda: last_byte(static), options.runs)
report("key to paint: tutor", ours, "one Static", theirs, 2.5)
