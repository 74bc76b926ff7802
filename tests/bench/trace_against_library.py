"""How long a trace takes beside nn.MultiheadAttention with the same weights; run it as a script."""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tutor.engine.attention import Weights, trace  # noqa: E402
from tutor.engine.library import library_layer  # noqa: E402
from tutor.engine.worksheet import Worksheet  # noqa: E402

ROUNDS, CALLS = 300, 20


def microseconds(call: Callable[[], object]) -> float:
    """The mean of a few calls."""
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6


def main() -> None:
    """Print both medians, from interleaved runs on one thread, and their ratio."""
    torch.set_num_threads(1)
    worksheet = Worksheet.load(ROOT / "worksheet" / "river-bank.toml")
    weights = Weights.of(worksheet)
    layer = library_layer(worksheet)
    ids = torch.tensor([worksheet.read(worksheet.sentences[0].text).ids])
    E = trace(weights, ids).E.clone()
    blocked = torch.ones(E.shape[1], E.shape[1], dtype=torch.bool).triu(1)

    def ours() -> object:
        return trace(weights, ids)

    def library() -> object:
        return layer(E, E, E, attn_mask=blocked, need_weights=True, average_attn_weights=False)

    with torch.inference_mode():
        timed = [(microseconds(ours), microseconds(library)) for _ in range(ROUNDS)]
    traced, layered = (statistics.median(column) for column in zip(*timed[ROUNDS // 10 :], strict=True))
    print(f"trace {traced:.1f} us, nn.MultiheadAttention {layered:.1f} us: ratio {traced / layered:.2f}")


if __name__ == "__main__":
    main()
