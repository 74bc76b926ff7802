"""The engine against the source's print, an independent computation and PyTorch's own layer."""

from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reference import assert_close, forward
from worksheets import CHEQUE_IDS, RIVER_BANK, RIVER_IDS, made, scaled_up, sentences, worksheets

from tutor.engine.attention import Weights, causal_mask, trace, trace_sentence
from tutor.engine.library import library_attention, library_layer
from tutor.engine.sketch import sketch
from tutor.engine.trace import Trace
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError

NAMES = [field.name for field in fields(Trace)]


def test_river_as_printed() -> None:
    t = trace_sentence(RIVER_BANK, RIVER_IDS)
    assert t.Q[0][9].tolist() == pytest.approx([2.3, 2.3])
    assert t.raw[0][9][5] == pytest.approx(6.90)
    assert t.exp[0][9].round(3).tolist() == [
        1.177,
        30.427,
        1.629,
        2.255,
        1.384,
        131.504,
        9.746,
        1.0,
        3.122,
        1.0,
    ]
    assert t.total[:, 9].round(3).tolist() == [183.244, 43.908]
    assert t.A[0][9].round(3).tolist() == [
        0.006,
        0.166,
        0.009,
        0.012,
        0.008,
        0.718,
        0.053,
        0.005,
        0.017,
        0.005,
    ]
    assert t.A[1][9].round(3).tolist() == [
        0.027,
        0.693,
        0.06,
        0.027,
        0.023,
        0.023,
        0.027,
        0.027,
        0.071,
        0.023,
    ]
    assert t.joined[9].round(3).tolist() == [2.617, -0.018, 1.552, 0.538]
    assert t.delta_E[9].round(3).tolist() == [3.005, -0.018, 1.552, 0.538]
    assert t.E_prime[9].round(3).tolist() == [3.005, -0.018, 1.552, 2.838]
    assert (100 * t.probabilities[9][12:16]).round(1).tolist() == [61.0, 19.2, 12.0, 4.9]
    assert (t.strongest(0, 9), t.strongest(1, 9)) == (5, 1)


def test_cheque_as_printed() -> None:
    t = trace_sentence(RIVER_BANK, CHEQUE_IDS)
    assert t.messages[:, 9].round(6).tolist() == [[0.053005, 2.471384], [2.366992, 0.460906]]
    assert (100 * t.probabilities[9][16:18]).round(1).tolist() == [61.6, 25.7]


@given(st.data(), st.booleans(), st.booleans())
def test_any_sentence_of_the_lesson(data: st.DataObject, causal: bool, scaled: bool) -> None:
    ids = data.draw(sentences(RIVER_BANK))
    t = trace_sentence(RIVER_BANK, ids, causal=causal, scaled=scaled)
    expected = forward(RIVER_BANK, ids, causal=causal, scaled=scaled)
    for name in NAMES:
        assert_close(getattr(t, name), expected[name], 1e-9, name)


@given(st.data(), worksheets(), st.booleans(), st.booleans())
def test_any_worksheet(data: st.DataObject, worksheet: Worksheet, causal: bool, scaled: bool) -> None:
    ids = data.draw(sentences(worksheet))
    t = trace_sentence(worksheet, ids, causal=causal, scaled=scaled)
    expected = forward(worksheet, ids, causal=causal, scaled=scaled)
    for name in NAMES:
        assert_close(getattr(t, name), expected[name], 1e-9, name)


@given(st.data(), worksheets(), st.booleans())
def test_the_sketch_is_the_trace(data: st.DataObject, worksheet: Worksheet, causal: bool) -> None:
    ids = data.draw(sentences(worksheet))
    t, drawn = trace_sentence(worksheet, ids, causal=causal), sketch(worksheet, ids, causal=causal)
    for name in NAMES:
        assert_close(getattr(drawn, name), getattr(t, name), 1e-12, name)


@pytest.mark.parametrize(("ids", "strongest"), [(RIVER_IDS, [5, 1]), (CHEQUE_IDS, [3, 0])])
def test_the_sketch_looks_like_the_trace(ids: tuple[int, ...], strongest: list[int]) -> None:
    t, drawn = trace_sentence(RIVER_BANK, ids), sketch(RIVER_BANK, ids)
    for name in NAMES:
        both = [np.asarray(getattr(record, name), dtype=np.float64).ravel() for record in (t, drawn)]
        as_shown = [[f"{number:z.3f}" for number in numbers] for numbers in both]
        assert as_shown[0] == as_shown[1], name
    assert [drawn.strongest(head, 9) for head in (0, 1)] == strongest
    assert isinstance(drawn.A[0][9][5], float)


@given(st.data(), st.booleans())
def test_the_library_layer_agrees(data: st.DataObject, causal: bool) -> None:
    d_head, heads = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    sizes = {"d_model": heads * d_head, "d_head": d_head, "d_v": d_head, "heads": heads}
    worksheet = made(data.draw(st.integers(0, 10**6)), **sizes, hidden=3, vocabulary=6, context=8)
    ids = data.draw(sentences(worksheet))
    t, (delta_E, A) = trace_sentence(worksheet, ids, causal=causal), library_attention(worksheet, ids, causal)
    assert_close(t.delta_E, delta_E, 1e-12)
    assert_close(t.A, A, 1e-12)


@pytest.mark.parametrize("ids", [RIVER_IDS, CHEQUE_IDS])
def test_the_library_layer_agrees_on_the_lesson(ids: tuple[int, ...]) -> None:
    t, (delta_E, A) = trace_sentence(RIVER_BANK, ids), library_attention(RIVER_BANK, ids)
    assert np.abs(t.delta_E - delta_E).max() <= 1e-12
    assert np.abs(t.A - A).max() <= 1e-12


@pytest.mark.parametrize(
    ("d_model", "d_head", "d_v", "heads"), [(4, 2, 1, 2), (4, 2, 2, 1), (4, 2, 2, 3), (3, 2, 2, 2)]
)
def test_the_library_layer_refuses_other_widths(d_model: int, d_head: int, d_v: int, heads: int) -> None:
    worksheet = made(
        0, d_model=d_model, d_head=d_head, d_v=d_v, heads=heads, hidden=2, vocabulary=3, context=4
    )
    with pytest.raises(TutorError, match=f"d_head {d_head}, d_v {d_v}, {heads} heads and d_model {d_model}"):
        library_layer(worksheet)


def test_a_batch_is_its_sentences() -> None:
    batch = trace(Weights.of(RIVER_BANK), [RIVER_IDS, CHEQUE_IDS])
    for b, ids in enumerate([RIVER_IDS, CHEQUE_IDS]):
        alone = trace_sentence(RIVER_BANK, ids)
        for name in NAMES:
            assert_close(getattr(batch.sentence(b), name), getattr(alone, name), 1e-15, name)


def test_shapes_of_a_batch() -> None:
    worksheet = made(1, d_model=5, d_head=2, d_v=3, heads=4, hidden=6, vocabulary=7, context=9)
    t = trace(Weights.of(worksheet), torch.zeros(2, 8, dtype=torch.int64))
    expected = {
        "ids": (2, 8), "token_rows": (2, 8, 5), "position_rows": (2, 8, 5), "E": (2, 8, 5),
        "Q": (2, 4, 8, 2), "K": (2, 4, 8, 2), "V": (2, 4, 8, 3), "raw": (2, 4, 8, 8), "scores": (2, 4, 8, 8),
        "row_max": (2, 4, 8), "shifted_exp": (2, 4, 8, 8), "shifted_total": (2, 4, 8),
        "exp": (2, 4, 8, 8), "total": (2, 4, 8), "A": (2, 4, 8, 8), "contributions": (2, 4, 8, 8, 3),
        "messages": (2, 4, 8, 3), "joined": (2, 8, 12), "delta_E": (2, 8, 5), "E_prime": (2, 8, 5),
        "pre_hidden": (2, 8, 6), "hidden": (2, 8, 6), "logits": (2, 8, 7), "logit_max": (2, 8),
        "logit_shifted_exp": (2, 8, 7), "logit_shifted_total": (2, 8), "logit_exp": (2, 8, 7),
        "logit_total": (2, 8), "probabilities": (2, 8, 7),
    }  # fmt: skip
    assert {name: tuple(getattr(t, name).shape) for name in NAMES} == expected
    assert all(getattr(t, name).dtype == torch.float64 for name in NAMES if name != "ids")


@pytest.mark.parametrize("factor", [30.0, -30.0, 1e5])
def test_huge_scores_give_finite_weights(factor: float) -> None:
    worksheet = scaled_up(RIVER_BANK, factor)
    for t in (trace_sentence(worksheet, RIVER_IDS), sketch(worksheet, RIVER_IDS)):
        scores = np.asarray(t.scores)
        assert np.abs(scores[np.isfinite(scores)]).max() > 1000
        assert np.isfinite(np.asarray(t.A)).all()
        assert_close(np.asarray(t.A).sum(-1), np.ones((2, 10)), 1e-12)
        assert np.isfinite(np.asarray(t.probabilities)).all()
        assert np.isposinf(np.asarray(t.total)).any()


def test_a_trace_cannot_be_written() -> None:
    t = trace_sentence(RIVER_BANK, RIVER_IDS)
    with pytest.raises(FrozenInstanceError):
        t.A = t.raw  # type: ignore[misc]
    for name in NAMES:
        array = getattr(t, name)
        assert array.dtype == (np.int64 if name == "ids" else np.float64)
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(FrozenInstanceError):
        sketch(RIVER_BANK, RIVER_IDS).A = ()  # type: ignore[misc]


def test_the_first_of_equal_sources_is_the_strongest() -> None:
    flat = made(0, d_model=2, d_head=1, d_v=1, heads=1, hidden=1, vocabulary=2, context=5)
    level = replace(flat, heads=(replace(flat.heads[0], W_Q=((0,), (0,))),))
    assert trace_sentence(level, [0, 1, 0, 1]).strongest(0, 3) == 0
    assert sketch(level, [0, 1, 0, 1]).strongest(0, 3) == 0


def test_weights_are_made_once() -> None:
    assert Weights.of(RIVER_BANK) is Weights.of(RIVER_BANK)
    assert Weights.of(replace(RIVER_BANK)) is not Weights.of(RIVER_BANK)


def test_the_mask_is_an_ordinary_tensor_for_training() -> None:
    trace_sentence(RIVER_BANK, RIVER_IDS[:4])
    assert not causal_mask(4).is_inference()
    assert not Weights.of(RIVER_BANK).W_Q.is_inference()


@pytest.mark.parametrize(
    ("ids", "given_", "allowed"),
    [
        ([], "shape [0]", "[batch, token]"),
        ([[]], "shape [1, 0]", "[batch, token]"),
        ([[0, 1], [0]], "[1, 2] ids", "one length"),
        ([[20]], "Id 20", "0 to 19"),
        ([[-1]], "Id -1", "0 to 19"),
        ([[0.5]], "no whole numbers", "ids of the vocabulary"),
        ([[True]], "no whole numbers", "ids of the vocabulary"),
        ([[2**70]], "no whole numbers", "ids of the vocabulary"),
        ([[0] * 11], "11 ids", "at most 10"),
        (torch.zeros(3, dtype=torch.int64), "shape [3]", "[batch, token]"),
        (torch.zeros(1, 3), "torch.float32", "torch.int64"),
        (torch.full((1, 3), -20), "Id -20", "0 to 19"),
    ],
)
def test_ids_that_cannot_be_traced(ids: object, given_: str, allowed: str) -> None:
    with pytest.raises(TutorError) as caught:
        trace(Weights.of(RIVER_BANK), ids)  # type: ignore[arg-type]
    message = str(caught.value)
    assert given_ in message
    assert allowed in message
    assert "\n" not in message
