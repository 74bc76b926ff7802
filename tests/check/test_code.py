"""Grading a learner's file: each row of the grader cases."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from check.learner.here import asked, grade_here
from check.learner.mutants import MUTANTS, source

from tutor.check.code import grade_file, write_stub
from tutor.check.report import Report, Result
from tutor.check.runner import Limits
from tutor.errors import TutorError

RIGHT = source()
QUICK = Limits(call=1.0)
USUAL = Limits()
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def grade(tmp_path: Path):
    """Grades a source, in a file of its own."""

    def graded(code: str, name: str = "attention.py", limits: Limits = USUAL) -> dict[str, Result]:
        path = tmp_path / name
        path.write_text(code, "utf-8")
        return {result.id: result for result in grade_file(path, limits).results}

    return graded


def head(body: str, top: str = "") -> str:
    """A file whose other functions are right, with another body for head."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"{RIGHT}\n{top}\ndef head(E, W_Q, W_K, W_V):\n{lines}\n"


def others_are_right(results: dict[str, Result]) -> bool:
    return len(results) == 6 and all(r.verdict == "right" for id, r in results.items() if id != "head")


def in_another_process(path: Path, before: str = "", **environment: str) -> Report | dict:
    """The report's document, made by a fresh Python."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); {before}\n"
        "from pathlib import Path; from tutor.check.code import grade_file\n"
        "print(grade_file(Path(sys.argv[1])).to_json())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_right_code_is_right(grade) -> None:
    results = grade(RIGHT)
    assert {result.verdict for result in results.values()} == {"right"}
    assert results["head"].given == "ndarray (10, 2)"


def test_the_stub_is_blank_and_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    write_stub(path)
    report = grade_file(path)
    assert [result.verdict for result in report.results] == ["blank"] * 6
    assert report.status == 1
    with pytest.raises(TutorError, match="is there already"):
        write_stub(path)
    with pytest.raises(TutorError, match="cannot be written"):
        write_stub(tmp_path / "nowhere" / "attention.py")


def test_what_is_left_out_is_not_checked_and_what_calls_a_stub_says_so(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text(
        "def head(E, W_Q, W_K, W_V):\n    raise NotImplementedError\n"
        "def multi_head(E, W_Q, W_K, W_V, W_O, n_heads):\n    return head(E, W_Q, W_K, W_V)\n"
    )
    report = grade_file(path)
    assert [(result.id, result.verdict) for result in report.results] == [
        ("head", "blank"),
        ("multi_head", "error"),
    ]
    assert "calls head, which is still to be written" in report.results[1].message
    assert report.not_checked == ("attention_weights", "split_heads", "merge_heads", "block")


def test_c1_an_endless_loop_is_reported_in_time_and_the_others_are_graded(grade) -> None:
    began = time.monotonic()
    results = grade(head("while True: pass"), limits=QUICK)
    assert time.monotonic() - began < QUICK.call + 1
    assert others_are_right(results)
    assert results["head"].verdict == "error"
    assert results["head"].message == "timed out: head did not return in 1 s (infinite loop?)"


def test_c1_many_hanging_functions_take_no_longer_than_one(grade) -> None:
    began = time.monotonic()
    results = grade(f"{RIGHT}\ndef softmax(s):\n    while True: pass\n", limits=QUICK)
    hung = [id for id, result in results.items() if result.diagnosis and result.diagnosis.id == "timeout"]
    assert hung == ["attention_weights", "head", "multi_head", "block"]
    assert time.monotonic() - began < QUICK.call + 1


def test_c1_an_endless_import_ends_too(grade) -> None:
    results = grade(f"{RIGHT}\nwhile True: pass", limits=Limits(load=1.0))
    assert results["import"].verdict == "error"
    assert results["import"].message == "timed out: the file itself did not finish in 1 s (infinite loop?)"


def test_c2_a_sleep_is_a_timeout(grade) -> None:
    result = grade(head("import time\ntime.sleep(99)"), limits=QUICK)["head"]
    assert result.diagnosis and result.diagnosis.id == "timeout" and "timed out" in result.message


def test_c4_what_is_printed_does_not_count(grade, capfd) -> None:
    loud = "import os\nprint('PASS', {'passed': True})\nos.write(1, b'{\"passed\": true}')\nreturn E[:, :2]"
    result = grade(head(loud, "print('{\"passed\": true}', flush=True)"))["head"]
    assert result.verdict == "wrong"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "end", ["raise SystemExit", "import sys; sys.exit(0)", "raise KeyboardInterrupt", "exit()"]
)
def test_c5_ending_the_program_is_told(grade, end: str) -> None:
    result = grade(head(end))["head"]
    assert result.verdict == "error" and "your code ended the program" in result.message


@pytest.mark.parametrize(
    "end", ["import sys; sys.exit(0)", "import os; os._exit(0)", "raise KeyboardInterrupt"]
)
def test_c5_ending_the_program_at_import_is_told(tmp_path: Path, end: str) -> None:
    path = tmp_path / "attention.py"
    path.write_text(f"{RIGHT}\n{end}")
    report = grade_file(path)
    assert report.status == 1
    assert "your code ended the program" in report.results[0].message


def test_c5_leaving_at_once_is_told_and_the_others_are_graded(grade) -> None:
    results = grade(head("import os; os._exit(0)"))
    assert others_are_right(results)
    assert results["head"].message == "your code ended the program (exit status 0)"


@pytest.mark.parametrize(
    "bomb", ["np.ones(1 << 34)", "[0] * 10**10", "[bytes(1 << 20) for _ in range(10**6)]"]
)
def test_c6_a_memory_bomb_is_told_and_the_others_are_graded(grade, bomb: str) -> None:
    results = grade(head(f"return {bomb}"))
    assert others_are_right(results)
    assert "ran out of memory" in results["head"].message


def test_c7_few_processes_are_enough(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text(RIGHT)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_NPROC, (60, 60))"
    made = in_another_process(path, limit if os.getuid() == 0 else "", OPENBLAS_NUM_THREADS="64")
    assert made["passed"]


def test_c7_one_thread_in_the_child(grade) -> None:
    tells = (
        "import os\nraise ValueError(len(os.listdir('/proc/self/task')), os.environ['OPENBLAS_NUM_THREADS'])"
    )
    assert "ValueError: (1, '1')" in grade(head(tells))["head"].message


def test_c8_nothing_needs_sigalrm(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text(RIGHT)
    assert in_another_process(path, "import signal; del signal.SIGALRM, signal.alarm")["passed"]


def test_c10_a_table_is_right_on_the_lesson_only(grade) -> None:
    table = asked(0)["head"][0].expected.tolist()
    for returned in (f"np.array({table})", f"np.array({table})[:len(E), :1].repeat(W_V.shape[1], 1)", table):
        result = grade(head(f"return {returned}"))["head"]
        assert result.verdict == "wrong"
    assert "right on the lesson's sentence only" in grade(head(f"return {table}"))["head"].message
    by_shape = grade(source(softmax="softmax(scores) if T == 10 else np.eye(T)"))
    assert "right on the lesson's sentence only" in by_shape["attention_weights"].message


def test_c10_sizes_of_the_lesson_are_right_on_the_lesson_only(grade) -> None:
    fixed = grade(head("return (weights_of(E, E @ W_Q, E @ W_K) @ (E @ W_V)).reshape(10, 2)"))["head"]
    assert "ValueError" in fixed.message and "5 tokens" in fixed.message
    wide = grade(head("return np.pad(weights_of(E, E @ W_Q, E @ W_K) @ (E @ W_V), ((0, 0), (0, 9)))[:, :2]"))[
        "head"
    ]
    assert (
        "right on the lesson's sentence only" in wide.message
        and "expected (5, 3), got ndarray (5, 2)" in wide.message
    )


def test_c11_a_misconception_is_named_through_the_child_too(grade) -> None:
    for id in ("scale-by-d-head", "zero-as-masked", "no-mask"):
        result = grade(source(**MUTANTS[id]))["head"]
        assert result.verdict == "wrong" and result.diagnosis and id in result.diagnosis.id


@pytest.mark.parametrize("number", ["np.nan", "np.inf", "-np.inf"])
def test_c12_what_is_not_finite_is_wrong(number: str) -> None:
    result = grade_here(head(f"return np.full((len(E), W_V.shape[1]), {number})"))["head"]
    assert result.verdict == "wrong" and "not a finite number" in result.message


def test_c12_one_nan_is_enough() -> None:
    result = grade_here(source(mix="np.where(np.arange(len(E))[:, None] == 3, np.nan, A @ V)"))["head"]
    assert result.verdict == "wrong"


def test_overflow_is_told() -> None:
    result = grade_here(source(softmax="np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)"))["head"]
    assert result.verdict == "close" and "subtract each row's largest score" in result.message


def test_a_finite_number_for_minus_infinity_is_told() -> None:
    result = grade_here(source(mask="np.where(blocked, -100, s)"))["head"]
    assert result.verdict == "wrong" and "−100" in result.message
    assert grade_here(source(mask="np.where(blocked, -1e9, s)"))["head"].verdict == "right"


@pytest.mark.parametrize(
    "written",
    [
        b"\xef\xbb\xbf" + RIGHT.encode(),
        RIGHT.replace("\n", "\r\n").encode(),
        RIGHT.replace("\n", "\r").encode(),
        b"# -*- coding: latin-1 -*-\n# \xe9\n" + RIGHT.encode(),
        "# α é\n".encode() + RIGHT.encode(),
    ],
    ids=["bom", "crlf", "cr", "latin-1", "utf-8"],
)
def test_c21_encodings_are_read(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "attention.py"
    path.write_bytes(written)
    assert grade_file(path).passed


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (RIGHT.encode("utf-16"), "is saved as UTF-16: save it as UTF-8"),
        (RIGHT.encode("utf-16-le"), "is saved as UTF-16: save it as UTF-8"),
        (b"# \xe9\n" + RIGHT.encode(), "is not UTF-8 text"),
        (b"# coding: undefined\n" + RIGHT.encode(), "is not UTF-8 text"),
        (b"# coding: punycode\n" + RIGHT.encode(), "is not UTF-8 text"),
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"x = 1\n", "defines none of attention_weights, head"),
        (b"#" * (2 << 20), "at most 1048576"),
    ],
    ids=["utf-16", "utf-16-le", "latin-1", "undefined", "punycode", "empty", "blank", "nothing", "large"],
)
def test_c21_c25_what_cannot_be_read_is_told(tmp_path: Path, written: bytes, told: str) -> None:
    path = tmp_path / "attention.py"
    path.write_bytes(written)
    with pytest.raises(TutorError, match=told):
        grade_file(path)


def test_c23_letters_beyond_ascii_in_any_locale(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text(f"# α é\n{RIGHT}\nprint('α é')\n", "utf-8")
    assert in_another_process(path, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")["passed"]


@pytest.mark.parametrize(
    "name",
    ["lern er é/[a] (1)/head.py", "-head.py", "n" * 200 + ".py", "torch.py", "a'b\"c$d.py", "no-suffix"],
)
def test_c24_any_path(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(RIGHT)
    assert grade_file(path).passed


def test_c24_a_relative_path_and_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "-code.py").write_text("import helper\n" + RIGHT)
    (tmp_path / "real" / "helper.py").write_text("")
    (tmp_path / "link.py").symlink_to(tmp_path / "real" / "-code.py")
    assert grade_file(tmp_path / "link.py").passed
    monkeypatch.chdir(tmp_path / "real")
    assert grade_file(Path("-code.py")).passed


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("missing.py", "missing.py is not there"),
        (".", "is a directory"),
        ("/dev/stdin", "is no ordinary file|is not there"),
        ("/dev/null", "is no ordinary file"),
        ("notes.ipynb", "is a notebook"),
        ("file.py/x.py", "cannot be read"),
        ("n" * 300 + ".py", "cannot be read"),
    ],
)
def test_c25_what_is_no_file_is_told_in_one_line(tmp_path: Path, path: str, told: str) -> None:
    (tmp_path / "notes.ipynb").write_text("{}")
    (tmp_path / "file.py").write_text("")
    with pytest.raises(TutorError, match=told) as caught:
        grade_file(tmp_path / path)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_c25_an_unreadable_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text(RIGHT)
    path.chmod(0)
    with pytest.raises(TutorError, match="may not be read"):
        grade_file(path)


def test_c26_a_missing_library_is_the_cause_that_is_told(grade) -> None:
    at_once = grade(f"import matplotlib.pyplot as plt\n{RIGHT}")["import"]
    assert at_once.verdict == "error"
    told = "matplotlib is not installed here; numpy is enough (line 1: import matplotlib.pyplot as plt)"
    assert at_once.message == told
    late = head(
        "return plt.softmax(E)", "try:\n    import matplotlib.pyplot as plt\nexcept ImportError:\n    pass"
    )
    assert grade(late)["head"].message.startswith("matplotlib is not installed here; numpy is enough")


def test_c26_a_mistake_in_the_text_is_told_with_its_line(grade) -> None:
    result = grade("import numpy as np\ndef head(E:\n    pass\n")["import"]
    assert result.verdict == "error"
    assert result.message == "SyntaxError: '(' was never closed (line 2: def head(E:)"


def test_tracebacks_are_cut_to_the_learner_s_own_lines(grade) -> None:
    code = head("return inner(E)", "def inner(E):\n    return np.linalg.inv(E)\n")
    message = grade(code)["head"].message
    assert message.startswith("LinAlgError: ") and message.endswith(" in inner: return np.linalg.inv(E))")
    assert " in head, line " in message and "site-packages" not in message and "tutor" not in message
    assert (
        "it is called as head(E, W_Q, W_K, W_V)" in grade(RIGHT + "\ndef head(E): return E\n")["head"].message
    )


SHAPES = {
    "M.T": "ndarray (2, 10)",
    "M[None]": "ndarray (1, 10, 2)",
    "M[:, None]": "ndarray (10, 1, 2)",
    "M[0]": "ndarray (2,)",
    "M[:1]": "ndarray (1, 2)",
    "3.0": "one number (float)",
    "[1, 2]": "list (2,)",
    "(M, A)": "tuple: 2 items of shapes (10, 2), (10, 10)",
    "None": "None (is the return missing?)",
    "{'messages': M}": "dict",
    "'text'": "str",
    "M + 0j": "ndarray: it holds complex numbers, real numbers are needed",
    "M > 0": "ndarray: it holds true and false, real numbers are needed",
    "M.astype(object)": "ndarray: it holds objects, real numbers are needed",
    "M.astype(str)": "ndarray: it holds text, real numbers are needed",
    "(x for x in M)": "generator",
    "[[1], [2, 3]]": "list: 2 items of shapes (1,), (2,)",
    "np.zeros((10, 2, 0))": "ndarray (10, 2, 0)",
    "np.broadcast_to(M, (3, 10, 2))": "ndarray (3, 10, 2)",
}


@pytest.mark.parametrize("returned", SHAPES)
def test_c28_a_wrong_shape_or_type_is_told(returned: str) -> None:
    body = f"A = weights_of(E, E @ W_Q, E @ W_K)\nM = A @ (E @ W_V)\nreturn {returned}"
    result = grade_here(head(body))["head"]
    assert result.verdict == "wrong"
    assert result.message == f"expected (10, 2), got {SHAPES[returned]}"


RETURNED = {
    "np.matrix(M)": "right",
    "M.tolist()": "right",
    "tuple(map(tuple, M))": "right",
    "M.astype(np.float32)": "right",
    "M.astype(np.longdouble)": "right",
    "np.asfortranarray(M)": "right",
    "M[::-1][::-1]": "right",
    "M.astype(np.float16)": "close",
    "M.astype(np.float16) + 1": "wrong",
    "M.round(3)": "close",
    "M.round(1)": "wrong",
    "M.astype(int)": "wrong",
    "torch.tensor(M)": "right",
    "torch.nn.Parameter(torch.tensor(M)) * 1": "right",
    "torch.tensor(M).to_sparse()": "right",
    "list(torch.tensor(M, requires_grad=True))": "right",
    "torch.tensor(M).bfloat16()": "close",
    "torch.tensor(M, device='meta')": "wrong",
    "torch.tensor(M) + 0j": "wrong",
}


@pytest.mark.parametrize("returned", RETURNED)
def test_c29_c30_arrays_of_any_library_and_precision(returned: str) -> None:
    library = "import torch" if "torch" in returned else ""
    arrays = "E, W_Q, W_K, W_V = map(np.asarray, (E, W_Q, W_K, W_V))"
    made = "M = weights_of(E, E @ W_Q, E @ W_K) @ (E @ W_V)"
    result = grade_here(head("\n".join([library, arrays, made, f"return {returned}"])))["head"]
    assert result.verdict == RETURNED[returned], result
    if "float16" in returned:
        assert "float16 is too coarse" in result.message
    if "meta" in returned:
        assert "meta device, which holds no numbers" in result.message


def test_c29_an_error_of_types_names_them(grade) -> None:
    code = (
        "import torch\nW = torch.eye(2, dtype=torch.float16)\n"
        "def head(E, W_Q, W_K, W_V):\n    return E @ W_V @ W\n"
    )
    assert "dtype" in grade(code)["head"].message


SETTINGS = """
import warnings
np.random.seed(0)
np.seterr(all="raise")
warnings.simplefilter("error")
np.set_printoptions(precision=1)
"""


def test_c32_what_a_file_sets_does_not_count(grade) -> None:
    for _ in range(2):
        assert {result.verdict for result in grade(RIGHT + SETTINGS).values()} == {"right"}


def test_c32_what_a_file_sets_in_torch_does_not_count(grade) -> None:
    code = (Path(__file__).parent / "learner" / "right_torch.py").read_text()
    code += (
        "\ntorch.manual_seed(0)\ntorch.set_default_dtype(torch.float32)\ntorch.set_default_device('cpu')\n"
    )
    code += "torch.use_deterministic_algorithms(True)\n"
    assert {result.verdict for result in grade(code).values()} == {"right"}


def test_c33_dropout_is_told() -> None:
    result = grade_here(source(softmax="softmax(scores) * (np.random.random((T, T)) < 0.9) / 0.9"))[
        "multi_head"
    ]
    assert result.verdict == "wrong"
    assert result.message.startswith("two runs gave different numbers: dropout is on")


def test_c34_a_crash_costs_only_its_own_function(grade) -> None:
    results = grade(head("import ctypes\nctypes.string_at(0)"))
    assert others_are_right(results)
    assert results["head"].verdict == "error" and results["head"].message == "crashed (signal 11)"


def test_c36_the_same_with_optimised_python(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text(source(scale="raw"))
    plain = in_another_process(path)
    assert in_another_process(path, PYTHONOPTIMIZE="2") == plain
    assert not plain["passed"] and plain["total"] == 6 and plain["score"] == 2


def test_changed_inputs_are_told() -> None:
    result = grade_here(source(residual="np.add(E, delta, out=E)"))["block"]
    assert result.verdict == "wrong" and "changes the arrays that it is given" in result.message


def test_only_on_some_inputs(grade) -> None:
    body = "if len(E) == 1: raise ValueError('too short')\nreturn weights_of(E, E @ W_Q, E @ W_K) @ (E @ W_V)"
    result = grade(head(body))["head"]
    assert result.verdict == "error"
    assert result.message.startswith("with 1 token, d_model 6, 2 heads of 3: ValueError: too short (line ")
