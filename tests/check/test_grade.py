"""Right answers are right in every spelling, misconceptions are named, rounding is never taken for one."""

import re
import tomllib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worksheets import FOLDER, RIVER_BANK

from tutor.check.grade import grade, right_text
from tutor.check.kinds import KINDS
from tutor.check.questions import Question, ask, question
from tutor.check.report import Result
from tutor.check.selection import all_questions
from tutor.check.separation import ROUNDING
from tutor.draw.number import fixed
from tutor.engine.variants import VARIANTS

PUBLISHED = tomllib.loads((FOLDER / "published.toml").read_text("utf-8"))
FINAL = "river-bank/river/{}/r10"

# The catalogue's wrong values as it prints them, all but those for the river's bank at the last receiver.
# Each line: the row, then quantities and values. s and a are the scaled score and weight of head 1 for river
# (b: at bank), r the raw score, m and n the messages, j, d and o the joined row, the update and the output.
CATALOGUE = """
M01 s 6.900 a 0.857
M02 s 3.450 a 0.548
M03 s 3.450 a 0.548
M04 s 9.758 a 0.943
M06 s 3.450 a 0.548
M07 a 0.467 m [2.685, 0.270]
M08 a 0.196 m [1.286, 0.118]
M09 b 0.285 k [1.430, 0.074]
M10 b 0.285 k [1.380, 0.068]
M12 b 0.293 k [1.449, 0.075]
M13 a 0.000
M14 a 0.722 m [2.631, -0.018] n [1.588, 0.497]
M15 b 0.328 k [1.581, 0.085]
M17 r 1.380 a 0.038
M18 r 1.380 a 0.038
M19 j [1.263, 0.791, 1.552, 0.538] d [1.651, 0.791, 1.552, 0.538]
M21 j [2.084, 0.260, 2.084, 0.260] d [2.606, 0.260, 2.084, 0.260]
M22 j [4.169, 0.520, 4.169, 0.520] d [5.211, 0.520, 4.169, 0.520]
M23 j [1.552, 0.538, 2.617, -0.018] d [2.206, 0.538, 2.617, -0.018]
M25 d [2.617, -0.018, 2.206, 0.538] o [2.617, -0.018, 2.206, 2.838]
M26 d [2.617, -0.018, 1.552, 0.538] o [2.617, -0.018, 1.552, 2.838]
M27 o [3.005, -0.018, 1.552, 0.538]
M28 o [6.010, -0.036, 3.104, 1.077]
M29 o [0.000, 0.000, 0.000, 1.238]
M31 r 0.000 a 0.100
M34 r 0.000 a 0.100
M36 m [0.241, 0.241] n [0.538, 0.000]
M38 r 0.000 a 0.100
M39 r 0.460 a 0.000
M40 r 0.000 a 0.100
M41 f 0.166 n [2.617, -0.018]
M43 a 0.361 m [1.854, 0.104]
M44 a 131.504 m [479.521, -3.272]
M45 a 1.000 m [3.100, -0.100]
M46 a 0.100 m [0.750, 0.080]
M47 s 3.382 a 0.538
M49 a 0.000 m [0.000, 0.000]
M50 a 0.797 m [2.908, -0.020]
M51 s 3.450 a 0.178
M52 s 0.684 a 0.102
M55 r 7.200 a 0.757
M56 d [2.206, 0.538, 2.617, -0.018] o [2.206, 0.538, 2.617, 2.282]
M57 r 0.000 a 0.100
M59 a 0.720 m [2.631, -0.019] n [1.546, 0.546]
M61 a 0.722 m [2.631, -0.018] n [1.588, 0.551]
M63 d [3.005, -0.018, 1.552, 2.838]
M65 o [3.105, 0.082, 1.652, 2.938]
M66 a 0.722 m [2.631, -0.018] n [1.666, 0.463]
M68 s 3.450 a 0.548
M69 s 3.984 a 0.619
M73 s 2.627 a 0.320
"""
PLACES = {
    "s": "softmax.scaled/h1/r10/s6",
    "a": "softmax.weight/h1/r10/s6",
    "b": "softmax.weight/h1/r7/s6",
    "f": "softmax.weight/h2/r10/s2",
    "r": "scores.raw/h1/r10/s6",
    "m": "contributions.message/h1/r10",
    "n": "contributions.message/h2/r10",
    "k": "contributions.message/h1/r7",
    "j": "concat.joined/r10",
    "d": "output.delta/r10",
    "o": "residual.output/r10",
}
TYPED = [
    (row[:3], PLACES[letter], value)
    for row in CATALOGUE.strip().splitlines()
    for letter, value in re.findall(r"\b([a-z]) (\[.*?\]|\S+)", row)
]
# Rounding, and the same thing in another form: typed at the places where the catalogue prints them.
ACCEPTED = [
    ("M60", "m", "[2.618, -0.018]"),
    ("M60", "n", "[1.552, 0.540]"),
    ("M70", "s", "4.880"),
    ("M70", "a", "0.717"),
    ("M11", "b", "0.349"),
    ("M71", "a", "0.718"),
]


def graded(place: str, given: Any) -> Result:
    return grade(question(f"river-bank/river/{place}"), given)


@pytest.mark.parametrize(("row", "place", "value"), TYPED)
def test_every_printed_wrong_value_is_refused_and_named(row: str, place: str, value: str) -> None:
    result = graded(place, value)
    assert result.verdict == "wrong" and result.points < 0.5
    assert result.diagnosis is not None
    named = [v for v in VARIANTS if v.id in result.diagnosis.id.split("|")]
    assert row in [v.catalogue for v in named]
    assert result.diagnosis.stage in [v.stage for v in named]
    if len(named) == 1:
        assert result.diagnosis.message.startswith(named[0].message)
    else:
        assert "here" in result.diagnosis.message


def test_the_catalogue_is_covered() -> None:
    nowhere = {"M32", "M33", "M35", "M37", "M67"}  # no difference anywhere on the toy
    accepted = {row for row, _, _ in ACCEPTED}
    assert {v.catalogue for v in VARIANTS if v.catalogue} == {row for row, _, _ in TYPED} | nowhere | accepted


@pytest.mark.parametrize(("row", "letter", "value"), ACCEPTED)
def test_accepted_rows_are_right(row: str, letter: str, value: str) -> None:
    assert graded(PLACES[letter], value).verdict == "right"


def test_the_sources_own_numbers_are_right() -> None:
    river = PUBLISHED["river"]
    wanted: list[tuple[str, Any]] = [
        (f"concat.joined/r{river['receiver']}", river["joined"]),
        (f"output.delta/r{river['receiver']}", river["delta_E"]),
        (f"residual.output/r{river['receiver']}", river["E_prime"]),
        ("prediction.probability/r10/c13", f"{river['percent']['water']} %"),
        ("prediction.probability/r10/c14", f"{river['percent']['boats']}%"),
    ]
    for h, head in enumerate(river["heads"], 1):
        wanted += [
            (f"query.Q/h{h}/r10", head["query"]),
            (f"contributions.message/h{h}/r10", head["messages"]),
        ]
        wanted += [(f"softmax.total/h{h}/r10", head["total"])]
        for kind, name in {"scores.raw": "raw", "softmax.scaled": "scores", "softmax.exp": "exp"}.items():
            wanted += [(f"{kind}/h{h}/r10/s{s}", value) for s, value in enumerate(head[name], 1)]
        wanted += [(f"softmax.weight/h{h}/r10/s{s}", value) for s, value in enumerate(head["A"], 1)]
        wanted += [
            (f"contributions.part/h{h}/r10/s{s}", row) for s, row in enumerate(head["contributions"], 1)
        ]
        wanted += [(f"keys-values.K/h{h}/s{s}", row) for s, row in enumerate(head["K"], 1)]
        wanted += [(f"keys-values.V/h{h}/s{s}", row) for s, row in enumerate(head["V"], 1)]
    for place, value in wanted:
        assert graded(place, value).verdict == "right", place
        assert graded(place, str(value)).verdict == "right", place


def test_each_right_value_is_right_in_every_spelling() -> None:
    for made in list(all_questions())[::4]:
        right = made.right.tolist()
        shown = right_text(made)
        full = ", ".join(map(repr, right))
        spellings = [
            shown,
            shown.replace("−", "-"),
            full,
            [repr(value) for value in right],
            right if made.shape else right[0],
            f"[{full}]",
            f"\ufeff {full}\u00a0",
            "; ".join(f"{value:.4f}" for value in right),
            " ".join(f"{value:+.6f}" for value in right),
            " ".join(f"{value:.9e}" for value in right),
            " ".join(f"{100 * value:.2f}%" for value in right),
            "; ".join(f"{value}/1" for value in right),
            ", ".join(fixed(value, 5) for value in right).translate(
                str.maketrans("0123456789.", "０１２３４５６７８９．")
            ),
            ", ".join(fixed(value, 5) for value in right).translate(
                str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
            ),
            "; ".join(f"{value:.5f}".replace(".", ",") for value in right),
        ]
        for spelling in spellings:
            result = grade(made, spelling)
            assert (result.verdict, result.points) == ("right", 1.0), (made.id, spelling, result.message)
            assert result.diagnosis is None


def test_no_wrong_value_of_an_asked_item_is_right_and_each_is_named() -> None:
    for made in list(all_questions())[::23]:
        bound = made.bound()
        for id, p in made.case.wrong.items():
            values = made.values(p)
            same = not np.isfinite(values).all() or (np.abs(values - made.right) <= bound).all()
            if id in ROUNDING or same:
                continue
            typed = [f"{value:.{made.decimals}f}" for value in values]
            result = grade(made, ", ".join(typed))
            assert result.verdict == "wrong", (made.id, id, typed)
            assert result.diagnosis is not None and id in result.diagnosis.id.split("|"), (made.id, id, typed)


@pytest.mark.parametrize(
    ("place", "given", "verdict", "told"),
    [
        ("a", "0.72", "close", "Right so far: give 3 decimals"),
        ("a", "0.7", "close", "Right so far"),
        ("a", "0.719", "close", "keep 3 decimals"),
        ("a", "0.86", "wrong", "no known mistake"),
        ("a", "71.8", "close", "Did you mean 0.718"),
        ("a", "71.8 %", "right", ""),
        ("a", "0,718", "right", "write a point"),
        ("a", "1,718", "unreadable", "ambiguous"),
        ("a", "nan", "unreadable", "finite"),
        ("a", "", "blank", ""),
        ("a", "0.123", "wrong", "no known mistake"),
        ("a", "6.90", "wrong", "That is the raw score, not the weight"),
        ("a", "0.166", "wrong", "source 2: source 6 is asked"),
        ("a", "0.053", "wrong", "they count from 1"),
        ("a", "0.023", "wrong", "head 2: head 1 is asked"),
        ("s", "6.9", "wrong", "left out the division"),
        ("s", "3.45", "wrong", "You divided by 2 instead of √2"),
        ("s", "0.718", "wrong", "That is the weight"),
        ("m", "[-0.018, 2.617]", "wrong", "another order"),
        ("m", "[2.617, 0.018]", "wrong", "wrong sign"),
        ("m", "[2.617, 0.5]", "wrong", "Right so far: 1 of 2"),
        ("m", "2.617", "unreadable", "2 numbers asked"),
        ("m", "[1.552, 0.538]", "wrong", "head 2"),
        ("d", "[3.005, -0.018, 1.552, 2.838]", "wrong", "added E before"),
        ("j", "[3.005, -0.018, 1.552, 0.538]", "wrong", "That is the update ΔE"),
        ("o", "[3.005, -0.018, 1.552, 0.538]", "wrong", "left the row that came in out"),
    ],
)
def test_what_is_said(place: str, given: str, verdict: str, told: str) -> None:
    result = graded(PLACES[place], given)
    assert result.verdict == verdict
    assert told in result.message and result.message.count("\n") == 0
    assert result.right is None


def test_the_right_value_is_told_only_when_it_is_to_be_revealed() -> None:
    made = question("river-bank/river/contributions.message/h1/r10")
    assert grade(made, "1, 2", reveal=True).right == "[2.617, −0.018]"
    assert "2.617" not in str(grade(made, "1, 2"))


# The last steps of a chain done by hand, in NumPy alone; which steps are rounded is drawn.
@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(RIVER_BANK.vocabulary), min_size=1, max_size=10),
    st.sets(
        st.sampled_from(
            ["raw", "scores", "exp", "total", "A", "contributions", "messages", "delta", "output"]
        )
    ),
    st.booleans(),
    st.booleans(),
)
def test_rounding_by_hand_is_never_a_misconception(
    words: list[str], exact: set[str], shifted: bool, cell: bool
) -> None:
    ids, receiver = [RIVER_BANK.vocabulary.index(word) for word in words], len(words)
    typed: dict[str, Any] = {}

    def step(name: str, values: Any, decimals: int = 3) -> Any:
        kept = values if name in exact else np.round(values, decimals)
        typed[name] = np.round(kept, decimals)
        return kept

    E = np.array(RIVER_BANK.token_embedding)[ids] + np.array(RIVER_BANK.position_embedding)[: len(ids)]
    joined = []
    for h, head in enumerate(RIVER_BANK.heads, 1):
        q, K, V = E[-1] @ np.array(head.W_Q), E @ np.array(head.W_K), E @ np.array(head.W_V)
        raw = step("raw", K @ q, 2)
        scores = step("scores", raw / np.sqrt(2))
        exp = step("exp", np.exp(scores - scores.max() if shifted else scores))
        A = step("A", exp / step("total", exp.sum()))
        message = step("messages", step("contributions", A[:, None] * V).sum(0))
        joined.append(message)
        named = {
            "scores.raw": "raw",
            "softmax.scaled": "scores",
            "softmax.weight": "A",
            "contributions.part": "contributions",
        }
        if not shifted:
            named["softmax.exp"] = "exp"
            assert _verdict("softmax.total", words, h, receiver, None, typed["total"]) == "right"
        for s in range(1, receiver + 1) if cell else [receiver]:
            for kind, name in named.items():
                assert _verdict(kind, words, h, receiver, s, typed[name][s - 1]) == "right"
        assert _verdict("contributions.message", words, h, receiver, None, typed["messages"]) == "right"
    row = np.concatenate(joined)
    delta = step("delta", row @ np.array(RIVER_BANK.W_O))
    output = step("output", E[-1] + delta)
    for kind, values in {"concat.joined": row, "output.delta": delta, "residual.output": output}.items():
        assert _verdict(kind, words, None, receiver, None, values) == "right"
    hidden = np.round(
        np.maximum(output @ np.array(RIVER_BANK.W_hidden) + np.array(RIVER_BANK.b_hidden), 0), 3
    )
    logits = np.round(hidden @ np.array(RIVER_BANK.W_vocab) + np.array(RIVER_BANK.b_vocab), 3)
    shares = np.exp(logits) / np.exp(logits).sum()
    for kind, values in {
        "prediction.hidden": hidden,
        "prediction.logit": logits,
        "prediction.probability": shares,
    }.items():
        for column, value in enumerate(values, 1):
            assert _verdict(kind, words, None, receiver, None, value, column) == "right"


def _verdict(
    kind_id: str, words: list[str], head: Any, receiver: int, source: Any, values: Any, column: Any = None
) -> str:
    kind = next(kind for kind in KINDS if kind.id == kind_id)
    positions = {"head": head, "receiver": receiver, "source": source, "column": column}
    made: Question = ask(kind, "river-bank", " ".join(words), {use: positions[use] for use in kind.uses})
    result = grade(made, ", ".join(fixed(float(value), made.decimals) for value in np.atleast_1d(values)))
    assert result.diagnosis is None, (made.id, result)
    return result.verdict


@pytest.mark.parametrize(
    ("id", "given"),
    [
        ("river-bank/river/softmax.scaled/h1/r10/s6", "4.880"),  # 6.90 / 1.414
        ("river-bank/cheque/softmax.exp/h1/r5/s2", "21.999"),
        ("workshop/joiner/softmax.total/h1/r6", "108.664"),  # −1 for −∞ gives that too
        ("workshop/pilot/contributions.message/h3/r3", "[-0.285, 1.609]"),  # raw scores end in 5
    ],
)
def test_a_rounded_root_and_a_rounded_5_are_no_mistake(id: str, given: str) -> None:
    assert grade(question(id), given).verdict == "right"


@given(
    st.text() | st.floats() | st.integers() | st.booleans() | st.lists(st.text() | st.floats()) | st.none()
)
def test_garbage_is_graded_without_a_crash(given: Any) -> None:
    for place in ("a", "m"):
        result = graded(PLACES[place], given)
        assert result.verdict in ("right", "close", "wrong", "unreadable", "blank")
