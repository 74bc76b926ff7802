"""The longest stall of a ticking thread while torch loads in another, plain and ours; run it as a script."""

import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5

TICK = """
import sys, threading, time
sys.path.insert(0, {root!r})
from importlib import import_module
{prepare}
thread = threading.Thread(target=lambda: {load})
last, longest = time.perf_counter(), 0.0
start = last
thread.start()
while thread.is_alive():
    time.sleep(0.001)
    now = time.perf_counter()
    longest, last = max(longest, now - last), now
print(longest * 1000, (last - start) * 1000)
"""

WAYS = {
    "import torch": ("", "import_module('torch')"),
    "load_torch": ("from tutor.engine.loading import load_torch", "load_torch()"),
}


def milliseconds(prepare: str, load: str) -> tuple[float, float]:
    """The longest stall and the whole load in a fresh process."""
    script = TICK.format(root=str(ROOT), prepare=prepare, load=load)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    stall, whole = map(float, run.stdout.split())
    return stall, whole


def main() -> None:
    """Print the medians and the worst stall of interleaved runs."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in WAYS}
    for _ in range(ROUNDS):
        for name, way in WAYS.items():
            runs[name].append(milliseconds(*way))
    for name, timed in runs.items():
        stalls, wholes = zip(*timed, strict=True)
        print(
            f"{name}: longest stall {statistics.median(stalls):.0f} ms (worst {max(stalls):.0f}), "
            f"loaded in {statistics.median(wholes):.0f} ms"
        )


if __name__ == "__main__":
    main()
