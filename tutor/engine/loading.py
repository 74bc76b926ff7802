"""Loading torch without freezing the screen."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from importlib.util import find_spec
from pathlib import Path


def load_torch() -> None:
    """Import torch so that other threads stall for as little as possible; from a thread or directly."""
    if sys.platform == "linux":
        _preload()
    # The collector would walk the import's objects again and again, and find none to free.
    collecting = gc.isenabled()
    gc.disable()
    try:
        import torch
    finally:
        gc.freeze()
        if collecting:
            gc.enable()
    # At the lesson's sizes a second thread costs more than it gives; it pays from about 64 tokens.
    torch.set_num_threads(1)


def _preload() -> None:
    """Load torch's shared libraries while other threads run; if that fails, the import loads them."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        return
    # Needs all the others, so that one call loads them all.
    library = Path(spec.origin).parent / "lib" / "libtorch_python.so"
    try:
        # dlopen itself, because ctypes.CDLL(path) holds the GIL all the while and a foreign call does not.
        dlopen = ctypes.CDLL(None).dlopen
        dlopen.argtypes, dlopen.restype = [ctypes.c_char_p, ctypes.c_int], ctypes.c_void_p
        dlopen(os.fsencode(library), os.RTLD_NOW)
    except (OSError, AttributeError):
        return
