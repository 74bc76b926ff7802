"""The replaceable pass equals the engine, and every misconception gives a number of its own somewhere."""

import itertools
import re
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import assert_close
from worksheets import FOLDER, RIVER_BANK, RIVER_IDS, made, sentences, worksheets

from tutor.engine.attention import trace_sentence
from tutor.engine.forward import STEPS, Givens, forward
from tutor.engine.slips import slip
from tutor.engine.trace import Trace
from tutor.engine.variants import VARIANTS, deviations, locate, value_at, variant
from tutor.engine.worksheet import Worksheet

WORKSHOP = Worksheet.load(FOLDER / "workshop.toml")
COMPARED = (
    "E", "Q", "K", "V", "raw", "scores", "exp", "total", "A", "contributions", "messages", "joined",
    "delta_E", "E_prime", "hidden", "logits", "probabilities",
)  # fmt: skip
CATALOGUE = [
    1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26, 27, 28, 29, 31, 32, 33,
    34, 35, 36, 37, 38, 39, 40, 41, 43, 44, 45, 46, 47, 49, 50, 51, 52, 55, 56, 57, 59, 60, 61, 63, 65, 66,
    67, 68, 69, 70, 71, 73,
]  # fmt: skip
ALGEBRAICALLY_EQUAL = {("scale-by-d-head", "scaled-twice")}


@given(st.data())
def test_nothing_replaced_is_the_engine(data: st.DataObject) -> None:
    worksheet = data.draw(worksheets())
    ids, causal = data.draw(sentences(worksheet)), data.draw(st.booleans())
    p, trace = forward(Givens.of(worksheet, ids, causal)), trace_sentence(worksheet, ids, causal=causal)
    for field in fields(Trace):
        assert_close(getattr(p, field.name), getattr(trace, field.name), 1e-9, field.name)


def test_every_row_of_the_catalogue_is_there_once() -> None:
    numbers = [int(v.catalogue[1:]) for v in VARIANTS if v.catalogue]
    assert sorted(numbers) == CATALOGUE
    assert len({v.id for v in VARIANTS}) == len(VARIANTS)
    assert {v.catalogue for v in VARIANTS if v.accepted} == {"M11", "M60", "M70", "M71"}


@pytest.mark.parametrize("v", VARIANTS, ids=lambda v: v.id)
def test_a_variant_says_what_was_done_and_what_to_do(v: Any) -> None:
    assert v.stage in STEPS
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", v.id)
    assert re.fullmatch(r"[a-z].*[^.]", v.did) and re.fullmatch(r"[A-Zh].*\.", v.instead)
    assert v.message == f"You {v.did}. {v.instead}"


@pytest.mark.parametrize(
    ("d_model", "heads", "d_head"), [(6, 2, 3), (12, 3, 4), (4, 2, 2), (5, 2, 3), (3, 1, 3)]
)
@pytest.mark.parametrize("tokens", [1, 2, 7])
@pytest.mark.parametrize("causal", [True, False])
def test_variants_work_in_any_shape(d_model: int, heads: int, d_head: int, tokens: int, causal: bool) -> None:
    worksheet = made(
        3, d_model=d_model, d_head=d_head, d_v=d_head, heads=heads, hidden=4, vocabulary=9, context=9
    )
    givens = Givens.of(worksheet, range(1, tokens + 1), causal)
    right = forward(givens)
    found = deviations(givens)
    assert len(found) > 60
    for id, p in found.items():
        for name in COMPARED:
            assert getattr(p, name).shape == getattr(right, name).shape, (id, name)
    if not causal or tokens == 1:
        assert not {"no-mask", "mask-diagonal", "mask-inverted"} & found.keys()


def test_a_pass_may_end_before_the_prediction() -> None:
    givens = Givens.of(RIVER_BANK, RIVER_IDS)
    attention = Givens(**{f.name: getattr(givens, f.name) for f in fields(Givens)[:8]})
    found = deviations(attention, last="residual")
    assert_close(found["no-scale"].E_prime, deviations(givens)["no-scale"].E_prime, 1e-12)


def test_steps_and_paths_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="no step"):
        slip([], "", "scale", "did", "Do.", nothing=lambda p: {})
    with pytest.raises(KeyError):
        variant("no-such")
    with pytest.raises(ValueError, match="no path"):
        locate("heads[0].A[-1]")
    assert locate("heads[0].A[6][5]") == (0, "A", (6, 5))
    assert value_at(
        deviations(Givens.of(RIVER_BANK, RIVER_IDS))["no-mask"], "heads[0].A[6][5]"
    ) == pytest.approx(0.285, abs=5e-4)


def test_the_workshop_is_what_it_says() -> None:
    w = WORKSHOP
    assert len({w.d_head, w.n_heads, w.d_model**0.5, w.d_head**0.5, w.n_heads**0.5, float(w.d_model)}) == 6
    assert w.n_heads * w.d_head == w.n_heads * w.d_v == w.d_model
    assert all(number for row in w.W_O for number in row)
    assert all(head.W_K != head.W_V != head.W_Q for head in w.heads)
    for sentence in w.sentences:
        raw = trace_sentence(w, w.read(sentence.text).ids).raw
        rows = [
            r
            for r in range(len(raw[0]))
            if (np.tril(raw[1] == 0)[r]).any() and not (raw[1][r, : r + 1] == 0).all()
        ]
        assert rows, "an exact zero among scores that are not all zero"


def test_what_the_river_cannot_tell_apart_the_workshop_can() -> None:
    assert _inseparable(RIVER_BANK) >= {
        ("scale-by-d-head", "scale-by-d-model"),
        ("keys-as-values", "right"),
        ("key-transposed", "right"),
        ("right", "value-transposed"),
        ("embedding-as-values", "right"),
        ("right", "scale-by-root-of-heads"),
    }
    assert _inseparable(RIVER_BANK) & _inseparable(WORKSHOP) == ALGEBRAICALLY_EQUAL
    assert not [pair for pair in _inseparable(WORKSHOP) if "right" in pair]


def _inseparable(worksheet: Worksheet) -> set[tuple[str, str]]:
    """Pairs that nowhere differ by more than a few units of the third decimal."""
    numbers: dict[str, list[Any]] = {}
    for sentence in worksheet.sentences:
        givens = Givens.of(worksheet, worksheet.read(sentence.text).ids)
        passes = {**deviations(givens), "right": forward(givens)}
        for id, p in passes.items():
            asked = [
                np.ravel(np.where(givens.blocked, 0, getattr(p, name)))
                for name in ("raw", "scores", "exp", "A")
            ]
            others = [
                np.ravel(getattr(p, n))
                for n in COMPARED
                if n not in ("raw", "scores", "exp", "A", "contributions")
            ]
            numbers.setdefault(id, []).extend([*asked, *others])
    rows = {
        id: np.nan_to_num(np.concatenate(parts), nan=1e9, posinf=1e9, neginf=-1e9)
        for id, parts in numbers.items()
    }
    accepted = {v.id for v in VARIANTS if v.accepted}
    pairs = itertools.combinations(sorted(rows.keys() - accepted), 2)
    return {(a, b) for a, b in pairs if np.abs(rows[a] - rows[b]).max() < 5e-3}
