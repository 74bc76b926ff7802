"""Traces for the lesson: sketches until torch is there, the engine's afterwards."""

from functools import lru_cache

from tutor.engine.sketch import sketch
from tutor.engine.trace import Trace, TraceOf
from tutor.engine.worksheet import Worksheet


class Tracer:
    """One function of a sentence; `waiting` says that its numbers are not the engine's yet."""

    def __init__(self) -> None:
        self._trace_of: TraceOf = lru_cache(maxsize=32)(sketch)
        self.waiting = True

    def load(self) -> None:
        """Load the engine; takes a second or two, best called from a thread."""
        from tutor.engine.start import engine

        self._trace_of = engine()
        self.waiting = False

    def __call__(self, worksheet: Worksheet, ids: tuple[int, ...], causal: bool) -> Trace:
        return self._trace_of(worksheet, ids, causal)
