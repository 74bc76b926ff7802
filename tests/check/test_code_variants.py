"""Misconceptions as code are refused and named, unknown ones placed; right code passes in any form."""

import re
from pathlib import Path

import numpy as np
import pytest
from check.learner.here import asked, grade_here
from check.learner.mutants import MUTANTS, source
from worksheets import RIVER_BANK, RIVER_IDS

from tutor.check.judge import judge
from tutor.check.outcome import Outcome, Reply
from tutor.check.probes import SIGNATURES
from tutor.check.report import Result
from tutor.check.values import Value
from tutor.engine.attention import trace_sentence
from tutor.engine.variants import VARIANTS

LEARNER = Path(__file__).parent / "learner"
# Cannot be made in code that is given E, and with the mask on.
IMPOSSIBLE = {"masked-anyway", "residual-without-position"}
ACCEPTED = {variant.id for variant in VARIANTS if variant.accepted}
# Functions of one head see n_heads nowhere, and split and merge by themselves are only half of this one.
ELSEWHERE = {
    "scale-by-heads": "no-scale",
    "scale-by-root-of-heads": "no-scale",
    "softmax-over-heads": "not-normalised",
    "split-and-merged-without-transpose": "without-transpose",
}
TWINS = [
    {"first-head-everywhere", "first-head-repeated"},
    {"heads-reversed", "output-blocks-swapped"},
    {"scale-by-d-head", "scaled-twice"},
    {"scores-as-weights", "scores-times-values"},
]


def ids(result: Result) -> set[str]:
    return set(result.diagnosis.id.split("|")) if result.diagnosis else set()


def test_every_misconception_is_written_as_code() -> None:
    possible = {variant.id for variant in VARIANTS if variant.stage not in ("embed", "predict")}
    assert set(MUTANTS) == possible - IMPOSSIBLE


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("id", sorted(set(MUTANTS) - ACCEPTED))
def test_a_misconception_in_code_is_refused_and_named(id: str, seed: int) -> None:
    results = grade_here(source(**MUTANTS[id]), seed).values()
    refused = [result for result in results if result.verdict != "right"]
    assert refused and all(result.verdict == "wrong" for result in refused)
    named = [result for result in refused if id in ids(result)]
    assert named
    for result in named:
        assert ids(result) == {id} or ids(result) in TWINS
    for result in refused:
        assert result in named or ELSEWHERE[id] in str(ids(result))


@pytest.mark.parametrize("id", sorted(ACCEPTED))
def test_what_is_accepted_passes(id: str) -> None:
    results = grade_here(source(**MUTANTS[id])).values()
    assert [result.verdict for result in results] == ["right"] * 6


@pytest.mark.parametrize("name", sorted(path.name for path in LEARNER.glob("right_*.py")))
def test_right_code_passes_in_any_form(name: str) -> None:
    for seed in range(5):
        results = grade_here((LEARNER / name).read_text("utf-8"), seed).values()
        assert {result.verdict for result in results} == {"right"}


def test_expected_numbers_are_the_engine_s() -> None:
    trace = trace_sentence(RIVER_BANK, RIVER_IDS)
    for function, name in (("multi_head", "delta_E"), ("block", "E_prime")):
        np.testing.assert_allclose(asked(0)[function][0].expected, getattr(trace, name), rtol=0, atol=1e-12)
    np.testing.assert_allclose(asked(0)["head"][1].expected, trace.messages[1], rtol=0, atol=1e-12)


ORDER = "np.arange(T)[:, None] - np.arange(T)"
UNKNOWN = {
    "mask: first source": (
        "mask",
        {"mask": "np.where(blocked | (np.outer(np.arange(T) > 0, np.arange(T) == 0)), -np.inf, s)"},
    ),
    "mask: every other": ("mask", {"mask": f"np.where(blocked | (({ORDER}) % 2 == 1), -np.inf, s)"}),
    "mask: window of 2": ("mask", {"mask": "np.where(blocked | (np.tri(T, k=-2) == 1), -np.inf, s)"}),
    "mask: two ahead": ("mask", {"mask": "np.where(np.triu(np.ones((T, T)), 3) == 1, -np.inf, s)"}),
    "mask: small": ("mask", {"mask": "np.where(blocked, -5, s)"}),
    "scale: cube root": ("scale", {"scale": "raw / np.cbrt(d)"}),
    "scale: 7": ("scale", {"scale": "raw / 7"}),
    "scale: temperature": ("scale", {"scale": "raw / np.sqrt(d) * 1.1"}),
    "softmax: squares": ("softmax", {"softmax": "normed(np.where(blocked, 0, (s + 9) ** 2))"}),
    "softmax: total plus 1": (
        "softmax",
        {"softmax": "np.exp(scores) / (np.exp(scores).sum(-1)[:, None] + 1)"},
    ),
    "softmax: halved": ("softmax", {"softmax": "softmax(scores) / 2"}),
    "raw: keys turned": ("raw", {"raw": "Q @ K[:, ::-1].T"}),
    "raw: distance": ("raw", {"raw": "-((Q[:, None] - K) ** 2).sum(-1)"}),
    "mix: doubled": ("mix", {"mix": "2 * A @ V"}),
    "mix: normed": ("mix|project", {"mix": "A @ (V / np.linalg.norm(V))"}),
    "mix: one off": ("mix|project", {"mix": "A @ (V + 1)"}),
    "join: turned": ("output|join", {"join": "Z.transpose(1, 0, 2).reshape(T, -1)[:, ::-1]"}),
    "output: inverse": ("output", {"output": "joined @ np.linalg.inv(W_O)"}),
    "output: halved": ("output", {"output": "joined @ W_O / 2"}),
    "residual: halved": ("residual", {"residual": "E + delta / 2"}),
    "residual: squared": ("residual", {"residual": "E + delta**2"}),
}


# What block alone shows of these is the same as that of a mistake in W_O, or in the weights.
AMBIGUOUS = {
    "softmax: halved": "output",
    "mix: doubled": "output",
    "mix: one off": "output",
    "mix: normed": "softmax",
    "residual: halved": "output",
    "residual: squared": "output",
}


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("alone", [False, True])
def test_an_unknown_mistake_is_placed_at_its_step(name: str, alone: bool) -> None:
    stages, replaced = UNKNOWN[name]
    code = source(**replaced) + "\ndef normed(X):\n    return X / X.sum(-1, keepdims=True)\n"
    if alone:  # nothing but block, so that only its own numbers tell
        names = ("attention_weights", "head", "split_heads", "merge_heads", "multi_head")
        for function in names:
            code = re.sub(rf"\b{function}\b", f"_{function}", code)
    for seed in range(3):
        refused = [result for result in grade_here(code, seed).values() if result.verdict != "right"]
        assert refused
        for result in refused:
            assert result.verdict == "wrong" and result.diagnosis is not None
            assert ids(result) in ({"unknown"}, {"large-scores"}), result
            allowed = f"{stages}|{AMBIGUOUS.get(name, '')}" if alone else stages
            assert result.diagnosis.stage in allowed.split("|"), result


def test_a_mistake_is_traced_to_the_function_it_begins_in() -> None:
    results = grade_here(source(scale="raw / 7"))
    assert all("mend attention_weights first" in results[name].message for name in ("head",))
    assert "you divide every raw score by 7" in results["attention_weights"].message


@pytest.mark.parametrize("function", SIGNATURES)
def test_any_numbers_are_judged(function: str) -> None:
    random = np.random.default_rng(0)
    called = asked(0)[function]
    made = [
        lambda right: random.normal(size=right.shape),
        lambda right: random.normal(size=right.shape) * 1e300,
        lambda right: np.zeros(right.shape),
        lambda right: np.full(right.shape, 1e-320),
        lambda right: np.where(random.random(right.shape) < 0.1, np.inf, right),
        lambda right: right + 1e-3,
        lambda right: right[::-1],
        lambda right: -right,
    ]
    for make in made:
        for some in (called, called[:2], called[:1]):
            values = [Value("ndarray", "", case.expected.shape, make(case.expected), "") for case in some]
            outcome = Outcome([Reply((value, value)) for value in values], None, True)
            result = judge(function, some, outcome, {})
            assert result.verdict in ("wrong", "close") and result.message


@pytest.mark.parametrize(
    ("stage", "replaced"),
    [
        ("mask", {"mask": "np.where(blocked, -5, s) + 0 * s[9, 9]"}),
        ("scale", {"scale": "raw / np.cbrt(d) + 0 * raw[9, 9]"}),
        ("raw", {"raw": "Q[:, ::-1] @ K.T + 0 * Q[9, 0]"}),
    ],
)
def test_right_rows_tell_where_only_the_lesson_is_known(stage: str, replaced: dict[str, str]) -> None:
    code = re.sub(r"\battention_weights\b", "_", source(**replaced))
    for function, result in grade_here(code).items():
        if function in ("head", "multi_head", "block"):
            assert result.diagnosis and result.diagnosis.stage == stage, result
