"""The modules against an independent computation, PyTorch's own layer and finite differences."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import assert_close, forward
from worksheets import CHEQUE_IDS, RIVER_BANK, RIVER_IDS, made, sentences

from tutor.engine.library import library_layer
from tutor.engine.model import ScratchMultiHead, TinyMultiHeadLM, pad_left, through_modules
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError

BOTH = [RIVER_IDS, CHEQUE_IDS]


@st.composite
def fitting(draw: st.DrawFn) -> Worksheet:
    """Worksheets whose heads divide d_model."""
    d_head, heads = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    return made(
        draw(st.integers(0, 10**6)), d_model=heads * d_head, d_head=d_head, d_v=d_head, heads=heads,
        hidden=draw(st.integers(1, 5)), vocabulary=draw(st.integers(1, 6)), context=draw(st.integers(1, 8)),
    )  # fmt: skip


def padding(*n_pad: int, tokens: int = 4) -> torch.Tensor:
    return torch.tensor([[token < n for token in range(tokens)] for n in n_pad])


def through(worksheet: Worksheet, ids: Any, pad: Any, causal: bool) -> tuple[Any, Any, Any]:
    """A, delta_E and all rows' logits of one batch."""
    model = TinyMultiHeadLM.from_worksheet(worksheet)
    with torch.inference_mode():
        delta_E, A = model.attention(model.embed(ids, pad), causal, pad)
        return A.numpy(), delta_E.numpy(), model(ids, pad, causal=causal, all_rows=True).numpy()


def test_the_lesson_s_weights_and_logits() -> None:
    A, delta_E, logits = through_modules(RIVER_BANK, BOTH)
    assert (A.size, logits[:, -1].size) == (400, 40)
    assert A[0, :, 9].round(3).max(-1).tolist() == [0.718, 0.693]
    assert delta_E[0, 9].round(3).tolist() == [3.005, -0.018, 1.552, 0.538]
    for b, ids in enumerate(BOTH):
        expected = forward(RIVER_BANK, ids)
        assert_close(A[b], expected["A"], 1e-14)
        assert_close(delta_E[b], expected["delta_E"], 1e-14)
        assert_close(logits[b], expected["logits"], 1e-14)


@given(st.data(), fitting(), st.booleans())
def test_a_padded_batch_is_its_sentences(data: st.DataObject, worksheet: Worksheet, causal: bool) -> None:
    batch = data.draw(st.lists(sentences(worksheet), min_size=1, max_size=4))
    ids, pad = pad_left(batch)
    A, delta_E, logits = through(worksheet, ids, pad, causal)
    assert all(np.isfinite(numbers).all() for numbers in (A, delta_E, logits))
    assert_close(A.sum(-1), np.ones(A.shape[:-1]), 1e-12)
    for b, sentence in enumerate(batch):
        expected, n = forward(worksheet, sentence, causal=causal), len(sentence)
        assert_close(A[b, :, -n:, -n:], expected["A"], 1e-9)
        assert not A[b, :, -n:, :-n].any()
        assert_close(delta_E[b, -n:], expected["delta_E"], 1e-9)
        assert_close(logits[b, -n:], expected["logits"], 1e-9)


@given(st.data(), st.integers(0, 9), st.booleans())
def test_no_word_s_row_reads_pad(data: st.DataObject, n_pad: int, causal: bool) -> None:
    pad = padding(n_pad, tokens=10)
    others = data.draw(st.lists(st.integers(0, 19), min_size=n_pad, max_size=n_pad))
    results = [
        through(RIVER_BANK, [[*front, *RIVER_IDS[n_pad:]]], pad, causal) for front in ([0] * n_pad, others)
    ]
    for first, second in zip(*results, strict=True):
        assert np.array_equal(first[..., n_pad:, :], second[..., n_pad:, :])


def test_a_pad_row_keeps_its_causal_prefix() -> None:
    A, _, _ = through(RIVER_BANK, [RIVER_IDS], padding(3, tokens=10), True)
    assert (A[0, :, :3, :3] > 0).tolist() == [np.tri(3, dtype=bool).tolist()] * 2
    assert not A[0, :, :3, 3:].any()
    assert A[0, :, 0, 0].tolist() == [1, 1]


@given(st.data(), fitting(), st.booleans())
def test_the_library_layer_with_the_same_masks(
    data: st.DataObject, worksheet: Worksheet, causal: bool
) -> None:
    ids, pad = pad_left(data.draw(st.lists(sentences(worksheet), min_size=1, max_size=3)))
    E = TinyMultiHeadLM.from_worksheet(worksheet).embed(ids, pad).detach()
    later = torch.ones(E.shape[1], E.shape[1], dtype=torch.bool).triu(1) if causal else None
    with torch.no_grad():
        delta_E, A = ScratchMultiHead.from_worksheet(worksheet)(E, causal, pad)
        expected_delta_E, expected_A = library_layer(worksheet)(
            E, E, E, key_padding_mask=pad, attn_mask=later, average_attn_weights=False
        )
    # The library leaves a PAD row nothing to read, and gives NaN there.
    word = ~pad
    assert_close(delta_E[word], expected_delta_E[word], 1e-12)
    assert_close(A.transpose(1, 2)[word], expected_A.transpose(1, 2)[word], 1e-12)


def test_earlier_rows_do_not_hear_later_words() -> None:
    before = through(RIVER_BANK, [RIVER_IDS], padding(2, tokens=10), True)
    after = through(RIVER_BANK, [(*RIVER_IDS[:6], 19, 18, 17, 16)], padding(2, tokens=10), True)
    for first, second in zip(before, after, strict=True):
        assert np.array_equal(first[..., :6, :], second[..., :6, :])
        assert not np.array_equal(first, second)


def test_the_last_row_s_logits() -> None:
    model = TinyMultiHeadLM.from_worksheet(RIVER_BANK)
    ids, pad = pad_left([RIVER_IDS, CHEQUE_IDS[:7]])
    last, every = model(ids, pad), model(ids, pad, all_rows=True)
    assert (tuple(last.shape), tuple(every.shape)) == ((2, 20), (2, 10, 20))
    assert_close(last.detach(), every[:, -1].detach(), 1e-15)
    assert_close(last[1].detach(), forward(RIVER_BANK, CHEQUE_IDS[:7])["logits"][-1], 1e-14)


@pytest.mark.parametrize("n_pad", [0, 2])
def test_gradients_are_the_finite_differences(n_pad: int) -> None:
    worksheet = made(5, d_model=4, d_head=2, d_v=2, heads=2, hidden=3, vocabulary=5, context=4)
    model = TinyMultiHeadLM.from_worksheet(worksheet)
    ids, pad = [[1, 2, 3, 4], [0, 4, 0, 2]], padding(0, n_pad)
    names, parameters = zip(*model.named_parameters(), strict=True)
    assert len(names) == 10

    def loss(*values: torch.Tensor) -> torch.Tensor:
        given = dict(zip(names, values, strict=True))
        logits = torch.func.functional_call(model, given, (ids, pad))
        return torch.nn.functional.cross_entropy(logits, torch.tensor([1, 3]))

    values = tuple(parameter.detach().clone().requires_grad_() for parameter in parameters)
    assert torch.autograd.gradcheck(loss, values)
    gradients = torch.autograd.grad(loss(*values), values)
    assert all(gradient.isfinite().all() and gradient.any() for gradient in gradients)


@settings(max_examples=20)
@given(st.data(), st.integers(0, 3), st.booleans())
def test_with_bias_as_the_library_has_it(data: st.DataObject, n_pad: int, causal: bool) -> None:
    torch.manual_seed(data.draw(st.integers(0, 1000)))
    layer = ScratchMultiHead(6, 3, bias=True).double()
    library = torch.nn.MultiheadAttention(6, 3, batch_first=True, dtype=torch.float64)
    packed = [layer.W_Q, layer.W_K, layer.W_V]
    with torch.no_grad():
        library.in_proj_weight.copy_(torch.cat([projection.weight for projection in packed]))
        library.in_proj_bias.copy_(torch.cat([projection.bias for projection in packed]))
        library.out_proj.load_state_dict(layer.W_O.state_dict())
        E, pad = torch.randn(2, 4, 6, dtype=torch.float64), padding(0, n_pad)
        later = torch.ones(4, 4, dtype=torch.bool).triu(1) if causal else None
        delta_E, _ = layer(E, causal, pad)
        expected, _ = library(E, E, E, key_padding_mask=pad, attn_mask=later)
    assert_close(delta_E[~pad], expected[~pad], 1e-12)
    assert sum(parameter.numel() for parameter in layer.parameters()) == 4 * 6 * (6 + 1)


def test_sizes_of_the_lesson() -> None:
    model = TinyMultiHeadLM.from_worksheet(RIVER_BANK)
    attention = {name: tuple(weight.shape) for name, weight in model.attention.named_parameters()}
    assert attention == {f"W_{matrix}.weight": (4, 4) for matrix in "QKVO"}
    assert (model.W_hidden.weight.shape, model.W_vocab.weight.shape) == ((8, 4), (20, 8))
    assert not torch.equal(model.attention.W_Q.weight, model.attention.W_K.weight)


def test_loading_copies() -> None:
    model = TinyMultiHeadLM.from_worksheet(RIVER_BANK)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    assert TinyMultiHeadLM.from_worksheet(RIVER_BANK).token_embedding.weight.any()
    assert_close(through_modules(RIVER_BANK, BOTH)[0][0], forward(RIVER_BANK, RIVER_IDS)["A"], 1e-14)


@pytest.mark.parametrize(("d_model", "n_heads"), [(4, 3), (3, 2), (2, 4), (4, 0), (0, 1), (4, -2)])
def test_heads_that_do_not_divide_the_width(d_model: int, n_heads: int) -> None:
    with pytest.raises(TutorError, match=f"d_model {d_model} and {n_heads} heads given.*divide"):
        ScratchMultiHead(d_model, n_heads)
    with pytest.raises(TutorError, match="divide"):
        TinyMultiHeadLM(5, 4, d_model, n_heads, 3)


@pytest.mark.parametrize(
    ("d_model", "d_head", "d_v", "heads"), [(4, 2, 1, 2), (4, 2, 2, 1), (4, 2, 2, 3), (3, 2, 2, 2)]
)
def test_a_worksheet_of_other_widths(d_model: int, d_head: int, d_v: int, heads: int) -> None:
    worksheet = made(
        0, d_model=d_model, d_head=d_head, d_v=d_v, heads=heads, hidden=2, vocabulary=3, context=4
    )
    for module in (ScratchMultiHead, TinyMultiHeadLM):
        with pytest.raises(TutorError, match=f"d_head {d_head}, d_v {d_v}, {heads} heads.*d_model / n_heads"):
            module.from_worksheet(worksheet)


@pytest.mark.parametrize(
    ("ids", "pad", "given_", "allowed"),
    [
        ([[0] * 11], None, "11 ids", "at most 10"),
        ([[0, 1, 20]], None, "Id 20", "0 to 19"),
        ([[0, -1]], None, "Id -1", "0 to 19"),
        ([[0, 1], [0]], None, "[1, 2] ids", "one length"),
        ([[]], None, "shape [1, 0]", "[batch, token]"),
        ([[0, 1, 2, 3]], padding(4), "Sentence 1 of the batch is all PAD", "at least one word"),
        ([[0, 1, 2, 3]] * 2, padding(1, 4), "Sentence 2 of the batch is all PAD", "at least one word"),
        ([[0, 1, 2, 3]], ~padding(3), "Sentence 1 of the batch has PAD after a word", "left only"),
        ([[0, 1, 2, 3]], torch.tensor([[True, False, True, False]]), "PAD after a word", "left only"),
        ([[0, 1, 2, 3]] * 2, padding(1), "shape [1, 4]", "[2, 4]"),
        ([[0, 1]], padding(1), "shape [1, 4]", "[1, 2]"),
        ([[0, 1, 2, 3]], padding(1).int(), "torch.int32", "torch.bool"),
    ],
)
def test_batches_that_cannot_be_read(ids: Any, pad: Any, given_: str, allowed: str) -> None:
    with pytest.raises(TutorError) as caught:
        TinyMultiHeadLM.from_worksheet(RIVER_BANK)(ids, pad)
    message = str(caught.value)
    assert given_ in message
    assert allowed in message
    assert "\n" not in message


@pytest.mark.parametrize("pad", [padding(4), ~padding(3), padding(1, 1)])
def test_the_layer_refuses_the_same_paddings(pad: torch.Tensor) -> None:
    with pytest.raises(TutorError):
        ScratchMultiHead(4, 2)(torch.zeros(1, 4, 4), key_padding=pad)


@pytest.mark.parametrize("batch", [[], [[]], [[], [0]], [[0.5]]])
def test_sentences_that_cannot_be_padded(batch: Any) -> None:
    with pytest.raises(TutorError):
        through_modules(RIVER_BANK, batch)


def test_the_padding_of_sentences() -> None:
    ids, pad = pad_left([[7], [1, 2, 3]])
    assert ids == [[0, 0, 7], [1, 2, 3]]
    assert pad.tolist() == [[True, True, False], [False, False, False]]
