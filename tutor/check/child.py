"""What runs in the child process: the learner's file, and each of its functions in a process of its own."""

from __future__ import annotations

import json
import os
import sys
import warnings
from types import ModuleType
from typing import Any

from tutor.check import faults
from tutor.check.calls import call_all
from tutor.check.guard import confine, die_with_parent


class Pipe:
    """A way to the parent: each line begins with the word that came with the request."""

    def __init__(self, descriptor: int, nonce: str) -> None:
        self.descriptor = descriptor
        self.nonce = nonce

    def tell(self, **told: Any) -> None:
        """Send one line."""
        line = f"{self.nonce}{json.dumps(told)}\n".encode()
        while line:
            line = line[os.write(self.descriptor, line) :]

    def close(self) -> None:
        """Send no more."""
        os.close(self.descriptor)


def main() -> None:
    """Read one request from standard input; answer on what standard output was and on the pipes it names."""
    with open(os.dup(0), encoding="utf-8") as asked:
        request = json.load(asked)
    pipe = Pipe(os.dup(1), request["nonce"])
    pipes = {name: Pipe(descriptor, request["nonce"]) for name, descriptor in request["pipes"].items()}
    _keep_to_ourselves(pipes)
    confine(request["memory"])
    me = os.getpid()
    try:
        module = load(request["source"], request["path"])
        told: dict[str, Any] = {"defined": [name for name in pipes if hasattr(module, name)]}
    except BaseException as error:  # SystemExit too
        told = {"fault": faults.say(error, request["path"], request["source"].split("\n"))}
    if os.getpid() == me:  # not a copy that the learner's code has forked
        pipe.tell(**told)
        serve(told.get("defined", []), request, pipe, pipes)
    os._exit(0)


def _keep_to_ourselves(pipes: dict[str, Pipe]) -> None:
    """No standard streams and no tutor for the learner's code, no pipes for programs that it starts."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for pipe in pipes.values():
        os.set_inheritable(pipe.descriptor, False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "tutor"]:
        del sys.modules[name]
    sys.modules["tutor"] = None  # type: ignore[assignment]


def load(source: str, path: str) -> ModuleType:
    """The learner's file as a module; what lies beside it can be imported, but comes after all libraries."""
    module = ModuleType("submission")
    module.__file__ = path
    sys.modules["submission"] = module
    sys.argv = [path]
    sys.path.append(os.path.dirname(os.path.realpath(path)))
    exec(compile(source, path, "exec", dont_inherit=True), vars(module))
    return module


def serve(defined: list[str], request: dict[str, Any], pipe: Pipe, pipes: dict[str, Pipe]) -> None:
    """Start one process a function, all at once, and tell how each has ended."""
    workers: dict[int, str] = {}
    for name in defined:
        worker = _fork(bool(workers))
        while worker is None:
            _tell_one_end(workers, pipe)
            worker = _fork(bool(workers))
        if worker == 0:
            die_with_parent()
            for other in pipes.keys() - {name}:
                pipes[other].close()
            _work(name, request, pipes[name])
        workers[worker] = name
    for answers in pipes.values():
        answers.close()
    while workers:
        _tell_one_end(workers, pipe)


def _fork(may_wait: bool) -> int | None:
    """A copy of this process; None if processes are scarce and one may end soon."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where the learner's code has started threads
            return os.fork()
    except OSError:
        if may_wait:
            return None
        raise


def _tell_one_end(workers: dict[int, str], pipe: Pipe) -> None:
    ended, status = os.wait()
    if ended in workers:
        pipe.tell(ended=workers.pop(ended), status=status)


def _work(name: str, request: dict[str, Any], pipe: Pipe) -> None:
    me = os.getpid()
    function = getattr(sys.modules["submission"], name)
    for told in call_all(function, request["jobs"][name], request["path"], request["source"].split("\n")):
        if os.getpid() != me:
            break
        pipe.tell(**told)
    else:
        pipe.tell(done=True)
    os._exit(0)
