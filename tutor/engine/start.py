"""The engine behind one function, torch loaded when it is asked for."""

from functools import lru_cache

from tutor.engine.trace import Trace, TraceOf
from tutor.engine.worksheet import Worksheet


def engine() -> TraceOf:
    """Traces one sentence's ids, with the causal mask or without; remembers the last ones."""
    from tutor.engine.loading import load_torch  # late: torch takes 1.4 s to load

    load_torch()
    from tutor.engine.attention import trace_sentence

    @lru_cache(maxsize=32)
    def trace_of(worksheet: Worksheet, ids: tuple[int, ...], causal: bool) -> Trace:
        return trace_sentence(worksheet, ids, causal=causal)

    return trace_of
