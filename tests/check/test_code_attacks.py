"""Code that tries to pass without computing the numbers, or to outlive or read its grader."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from check.learner.mutants import source

from tutor.check.code import grade_file
from tutor.check.pipe import Lines, Noise
from tutor.check.report import Result
from tutor.check.runner import Limits

RIGHT = source()
USUAL = Limits()
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="promised on Linux only")
# Everything that the grader's part of the child has at hand, taken from its frames.
FRAMES = """
import sys
def found(name):
    frame = sys._getframe()
    while frame:
        if name in frame.f_locals:
            return frame.f_locals[name]
        frame = frame.f_back
"""


@pytest.fixture
def grade(tmp_path: Path):
    """Grades a source, in a file of its own."""

    def graded(code: str, limits: Limits = USUAL) -> dict[str, Result]:
        path = tmp_path / "attention.py"
        path.write_text(code, "utf-8")
        return {result.id: result for result in grade_file(path, limits).results}

    return graded


def passed(results: dict[str, Result]) -> list[str]:
    return [id for id, result in results.items() if result.verdict in ("right", "close")]


def wrong_everywhere(top: str = "", returned: str = "np.zeros((len(E), W_V.shape[1]))") -> str:
    return f"import numpy as np\n{top}\ndef head(E, W_Q, W_K, W_V):\n    return {returned}\n"


TRUE = "lambda *a, **k: True"
PATCHES = {
    "numpy": f"np.allclose = np.array_equal = np.isclose = np.all = {TRUE}\nnp.abs = lambda *a: 0",
    "builtins": f"import builtins as b\nb.all = b.any = b.isinstance = {TRUE}\nb.abs = lambda x: 0",
    "builtins that the grader needs": "import builtins as b\nb.len = b.str = b.type = lambda *a: 0",
    "json": "import json\njson.dumps = lambda *a, **k: '{\"done\": true}'",
    "os": "import os\nos.write = lambda f, data: len(data)\nos._exit = lambda code: None",
    "fork": "import os\nos.fork = lambda: 0",
    "getpid": "import os\nos.getpid = lambda: 1",
    "sys.modules": "import sys\nsys.modules.clear()",
    "tracing": "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)",
    "no calls": f"{FRAMES}\nfound('request')['jobs'].clear()",
    "fewer calls": f"{FRAMES}\nfor calls in found('request')['jobs'].values(): del calls[1:]",
    "closed pipes": "import os\nos.closerange(0, 100)",
}


@pytest.mark.parametrize("name", PATCHES)
def test_patching_what_the_grader_uses_does_not_pass(grade, name: str) -> None:
    assert not passed(grade(wrong_everywhere(PATCHES[name]), Limits(load=2.0, call=2.0)))


def test_a_patched_torch_does_not_pass(grade) -> None:
    top = (
        "import torch\ntorch.allclose = torch.equal = lambda *a, **k: True\n"
        "torch.Tensor.__eq__ = lambda *a: True\ntorch.Tensor.detach = lambda self: self\n"
    )
    assert not passed(grade(wrong_everywhere(top, "torch.zeros(len(E), W_V.shape[1])")))


FORGERIES = """
class Always(np.ndarray):
    def __eq__(self, other): return True
    def __sub__(self, other): return np.zeros(1)
    __rsub__ = __sub__
    def __array_ufunc__(self, *a, **k): return np.zeros(1)
    def __array_function__(self, *a, **k): return True
    def tolist(self): return self
    def ravel(self): return self
    def astype(self, *a): return self
    shape = property(lambda self: (10, 2))

class Any:
    shape = (10, 2)
    dtype = "float64"
    def __eq__(self, other): return True
    def __array__(self, *a, **k): return np.zeros((10, 2))
    def __float__(self): return 0.0
    def __getattr__(self, name): return lambda *a, **k: self

class Number(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__

class Rows(list):
    def __iter__(self): return iter([[Number(0)] * 2] * 10)
"""


@pytest.mark.parametrize(
    "returned",
    [
        "np.zeros((10, 2)).view(Always)",
        "Any()",
        "[[Number(0)] * W_V.shape[1]] * len(E)",
        "Rows([1])",
        "[Any()] * 10",
    ],
)
def test_forged_types_do_not_pass(grade, returned: str) -> None:
    result = grade(wrong_everywhere(FORGERIES, returned))["head"]
    assert result.verdict in ("wrong", "error")


def test_lines_sent_by_the_code_itself_do_not_pass(grade) -> None:
    forged = """
    pipe = found("pipe")
    zeros = {"kind": "x", "dtype": "float64", "shape": [10, 2], "numbers": [0.0] * 20, "problem": ""}
    values = {"values": [zeros, zeros], "changed": False}
    for told in ({"passed": True}, {"verdict": "right"}, {"done": True}, values):
        pipe.tell(**told)
    return np.zeros((10, 2))
"""
    code = f"import numpy as np\n{FRAMES}\ndef head(E, W_Q, W_K, W_V):\n{forged}"
    assert not passed(grade(code))


@pytest.mark.parametrize(
    "told",
    [
        '{"values": 3}',
        '{"values": [{}, {}]}',
        '{"fault": {"kind": "x"}}',
        '{"fault": {"kind": "", "type": "", "text": "", "name": "", "where": [["x", 1, 2]]}}',
        "[" * 100000,
        "1" * 100000,
        '{"values": [{"kind": "", "dtype": "", "shape": [-1], "numbers": ["x"], "problem": ""}, {}]}',
        '{"values": [{"kind": "", "dtype": "", "shape": [1e999], "numbers": [], "problem": ""}, {}]}',
        "null",
        "\\x00\\xff",
    ],
)
def test_any_other_line_is_told_as_noise(grade, told: str) -> None:
    forged = f"""
    import os
    pipe = found("pipe")
    os.write(pipe.descriptor, (pipe.nonce + {told!r} + "\\n").encode())
    return np.zeros((10, 2))
"""
    result = grade(f"import numpy as np\n{FRAMES}\ndef head(E, W_Q, W_K, W_V):\n{forged}")["head"]
    assert result.verdict == "error" and "wrote to its pipe" in result.message


def test_writing_into_every_file_is_noise(grade) -> None:
    every = (
        "import os\n    for n in range(99):\n        try: os.write(n, b'\\n')\n        except OSError: pass\n"
    )
    code = f"import numpy as np\ndef head(E, W_Q, W_K, W_V):\n    {every}    return np.zeros((10, 2))\n"
    result = grade(code)["head"]
    assert result.verdict == "error" and "wrote to its pipe" in result.message


def test_a_flood_ends(grade) -> None:
    flood = "import os\n    while True: os.write(found('pipe').descriptor, b'x' * 65536)\n"
    result = grade(f"import numpy as np\n{FRAMES}\ndef head(E, W_Q, W_K, W_V):\n    {flood}")["head"]
    assert "wrote to its pipe" in result.message


def test_a_line_needs_its_word() -> None:
    reader, writer = os.pipe()
    lines = Lines(reader, "word")
    os.write(writer, b'word{"a": 1}\nwo')
    assert lines.read() == [{"a": 1}]
    os.write(writer, b'rd{"b": 2}\nother{"c": 3}\n')
    with pytest.raises(Noise):
        lines.read()
    os.close(reader)
    os.close(writer)


def test_copies_of_the_process_do_not_answer(grade) -> None:
    code = RIGHT.replace("    return weights_of(", "    import os; os.fork()\n    return weights_of(")
    results = grade("import os\nos.fork()\n" + code)
    assert {result.verdict for result in results.values()} == {"right"}


def test_scarce_processes_are_waited_for(grade) -> None:
    top = (
        "import os\nreal, asked = os.fork, []\ndef fork():\n    asked.append(1)\n"
        "    if len(asked) % 2 == 0: raise BlockingIOError\n    return real()\nos.fork = fork\n"
    )
    assert len(passed(grade(RIGHT + top))) == 6


def test_threads_do_not_disturb(grade) -> None:
    top = "import threading, time\ndef run():\n    while True: time.sleep(0.01)\n"
    results = grade(f"{RIGHT}{top}threading.Thread(target=run).start()\n")
    assert {result.verdict for result in results.values()} == {"right"}


OUTLIVE = """
import os, time
def stay():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open({path!r}, "a") as file: file.write(f"{{os.getpid()}}\\n")
            time.sleep(60)
            os._exit(0)
        time.sleep(60)
        os._exit(0)
"""


@LINUX
@pytest.mark.parametrize("where", ["import", "call", "hang"])
def test_no_process_outlives_its_grading(grade, tmp_path: Path, where: str) -> None:
    path = tmp_path / "pids"
    code = RIGHT + OUTLIVE.format(path=str(path))
    code += "stay(); time.sleep(0.2)\n" if where == "import" else ""
    code += "def head(*a):\n    stay(); time.sleep(0.2)\n" if where != "import" else ""
    code += "    while True: pass\n" if where == "hang" else ""
    grade(code, Limits(call=1.0))
    pids = [int(line) for line in path.read_text().split()]
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


READS = """
import ctypes, os
def tries():
    grader = os.getppid()
    libc = ctypes.CDLL(None, use_errno=True)
    yield "mem", lambda: open(f"/proc/{grader}/mem", "rb")
    yield "maps", lambda: open(f"/proc/{grader}/maps").read(1)
    yield "environ", lambda: open(f"/proc/{grader}/environ").read(1)
    yield "files", lambda: [open(f"/proc/{grader}/fd/{n}", "rb") for n in range(20)]
    def traced():
        if libc.ptrace(16, grader, 0, 0): raise OSError(ctypes.get_errno())
        libc.ptrace(17, grader, 0, 0)
    yield "ptrace", traced
    def unlimited():
        import resource
        resource.setrlimit(resource.RLIMIT_DATA, (-1, -1))
    yield "limits", unlimited
could = []
for name, attempt in tries():
    try: attempt(); could.append(name)
    except (OSError, ValueError): pass
def head(*a): raise RuntimeError(f"could {could}, saw {len(os.listdir('/proc/self/fd'))} files")
"""


@LINUX
def test_the_grader_s_memory_and_files_cannot_be_read(grade) -> None:
    message = grade(READS)["head"].message
    assert "could []" in message
    assert open("/proc/self/mem", "rb").close() is None  # and it can be read again afterwards


def test_the_child_is_told_inputs_only(grade) -> None:
    code = f"""{FRAMES}
def head(E, W_Q, W_K, W_V):
    keys = sorted(found("request"))
    raise RuntimeError(keys)
"""
    assert "['jobs', 'memory', 'nonce', 'path', 'pipes', 'source']" in grade(code)["head"].message


def test_the_tutor_cannot_be_imported(grade) -> None:
    for line in ("import tutor", "from tutor.engine.attention import trace", "import tutor.engine"):
        assert "cannot be imported here" in grade(f"{line}\n{RIGHT}")["import"].message


def test_files_beside_it_named_like_libraries_change_nothing(tmp_path: Path) -> None:
    for name in (
        "numpy",
        "torch",
        "json",
        "os",
        "ast",
        "tutor",
        "random",
        "warnings",
        "traceback",
        "resource",
        "child",
    ):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')\n")
    (tmp_path / "numpy").mkdir()
    (tmp_path / "helper.py").write_text("def same(x):\n    return x\n")
    path = tmp_path / "attention.py"
    path.write_text("import json, random\nfrom helper import same\n" + RIGHT)
    assert grade_file(path).passed
    assert not (tmp_path / "__pycache__").exists()


def test_the_code_under_main_does_not_run(grade) -> None:
    assert len(passed(grade(f"{RIGHT}\nif __name__ == '__main__':\n    raise SystemExit\n"))) == 6


def test_questions_to_the_keyboard_end_at_once(grade) -> None:
    assert "EOFError" in grade(wrong_everywhere(returned="input('?')"))["head"].message


def test_killing_the_child_s_first_process_does_not_pass(grade) -> None:
    began = time.monotonic()
    results = grade(wrong_everywhere(returned="__import__('os').kill(__import__('os').getppid(), 9)"))
    assert not passed(results) and time.monotonic() - began < 3


def test_two_gradings_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.py", "two.py")]
    found: dict[str, bool] = {}
    for path in paths:
        path.write_text(RIGHT)
    threads = [
        threading.Thread(target=lambda path=path: found.update({path.name: grade_file(path).passed}))
        for path in paths
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"one.py": True, "two.py": True}
