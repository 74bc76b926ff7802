"""Running a learner's file where it can do little harm.

The file runs in one child process with a session of its own, each of its functions in a copy of that process.
The child gets inputs and returns arrays on private pipes; right values and verdicts exist only in the parent.
Whatever the code prints, returns, patches or writes to the pipes, it passes only by giving right numbers.
Time, memory and the size of files are limited, and at the end every process that the file started is killed.

Only on Linux: the child cannot read the parent's memory, memory is limited, and a process that has left the
session is found. Not promised: that code cannot write your files, use the network or end other processes.
It runs as you do; grade the code of strangers in a container.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor.check.faults import Fault
from tutor.check.guard import guarded
from tutor.check.outcome import Run, listen
from tutor.check.pipe import Lines
from tutor.errors import TutorError

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from tutor.check.child import main; del sys.path[0]; main()"
)
_COMMAND = (sys.executable, "-I", "-B", "-X", "utf8", "-W", "ignore", "-c", _START)
_ROOT = Path(__file__).resolve().parent.parent.parent
# One thread each: a library that wants one for every core dies where processes are limited.
_SETTINGS = {
    **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")},
    "VECLIB_MAXIMUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "MPLBACKEND": "Agg",
}


@dataclass(frozen=True)
class Limits:
    """What a submission may take."""

    load: float = 10.0
    """seconds for running the file itself, its imports included"""
    call: float = 5.0
    """seconds for all calls of its functions, which run side by side"""
    memory: int = 1 << 30
    """bytes for each process"""


def run(source: str, path: Path, jobs: Mapping[str, Sequence[Sequence[Any]]], limits: Limits) -> Run:
    """Run a file and call its functions, each on every list of arguments (numbers and nested lists)."""
    if os.name != "posix":
        raise TutorError("grading code needs Linux or macOS; on Windows use WSL")
    nonce = secrets.token_hex(16)
    with guarded(), ExitStack() as held, ExitStack() as lent:
        ends = {name: os.pipe() for name in jobs}
        for reader, writer in ends.values():
            held.callback(os.close, reader)
            lent.callback(os.close, writer)
        request = {
            "nonce": nonce,
            "source": source,
            "path": os.path.abspath(path),
            "jobs": jobs,
            "pipes": {name: writer for name, (_, writer) in ends.items()},
            "memory": limits.memory,
        }
        child = held.enter_context(_started(path.resolve().parent, [writer for _, writer in ends.values()]))
        lent.close()
        if child.stdin is None or child.stdout is None:
            raise TutorError("the child process has no pipes")
        with suppress(BrokenPipeError), child.stdin:
            child.stdin.write(json.dumps(request).encode())
        answers = {name: Lines(reader, nonce) for name, (reader, _) in ends.items()}
        made = listen(Lines(child.stdout.fileno(), nonce), answers, limits.load, limits.call)
        made.end(Fault.of_exit(_end(child)))
    return made


@contextmanager
def _started(folder: Path, pipes: Sequence[int]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        child = subprocess.Popen(
            [*_COMMAND, str(_ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **_SETTINGS},
            pass_fds=pipes,
            start_new_session=True,
        )
    except OSError as error:
        raise TutorError(f"no process for your code can be started ({error.strerror}): end some") from None
    try:
        yield child
    finally:
        _end(child)
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()


def _end(child: subprocess.Popen[bytes]) -> int:
    """Kill the child and its session; its exit code."""
    if child.returncode is None:
        # Before waiting: until then its number, which is its group's, belongs to no other process.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    return child.wait()
