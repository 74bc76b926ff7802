"""From start to the first screen: the tutor against a hello-world Textual app."""

import argparse

from pty_clock import HELLO_WORLD, TUTOR, Terminal, interleave, report, script


def first_paint(command: list[str], marker: str) -> float:
    with Terminal(command) as terminal:
        return terminal.wait_for(marker)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--marker", default="Multi-head attention", help="pattern that the first screen shows")
parser.add_argument("--runs", type=int, default=15)
options = parser.parse_args()

hello = script("hello", HELLO_WORLD)
ours, theirs = interleave(
    lambda: first_paint(TUTOR, options.marker), lambda: first_paint(hello, "Hello, world"), options.runs
)
report("first paint: tutor", ours, "hello world", theirs, 1.4)
