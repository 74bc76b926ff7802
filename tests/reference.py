"""An independent NumPy computation to judge the engine by: whole blocks at once, head by einsum."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tutor.engine.worksheet import Worksheet


def softmax_parts(scores: Any) -> dict[str, Any]:
    """Everything between scores and weights, over the last axis."""
    with np.errstate(over="ignore"):
        exp = np.exp(scores)
        total = exp.sum(-1)
    peak = np.max(scores, axis=-1)
    shifted = np.exp(scores - peak[..., np.newaxis])
    norm = np.einsum("...s->...", shifted)
    weights = shifted / norm[..., np.newaxis]
    return {
        "max": peak,
        "shifted_exp": shifted,
        "shifted_total": norm,
        "exp": exp,
        "total": total,
        "weights": weights,
    }


def forward(
    worksheet: Worksheet, ids: Sequence[int], *, causal: bool = True, scaled: bool = True
) -> dict[str, Any]:
    """Every field of a Trace by its name, for one sentence."""

    def array(numbers: Any) -> Any:
        return np.asarray(numbers, dtype=np.float64)

    n = len(ids)
    token_rows = np.take(array(worksheet.token_embedding), list(ids), axis=0)
    position_rows = array(worksheet.position_embedding)[np.arange(n)]
    E = token_rows + position_rows
    Q = np.einsum("tm,hmd->htd", E, array([head.W_Q for head in worksheet.heads]))
    K = np.einsum("tm,hmd->htd", E, array([head.W_K for head in worksheet.heads]))
    V = np.einsum("tm,hmd->htd", E, array([head.W_V for head in worksheet.heads]))
    raw = np.einsum("hrd,hsd->hrs", Q, K)
    scores = raw * Q.shape[-1] ** -0.5 if scaled else raw
    if causal:
        scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    attention = softmax_parts(scores)
    A = attention["weights"]
    messages = np.einsum("hrs,hsd->hrd", A, V)
    joined = np.concatenate(list(messages), axis=1)
    delta_E = np.einsum("tj,jm->tm", joined, array(worksheet.W_O))
    pre_hidden = np.einsum("tm,mh->th", E + delta_E, array(worksheet.W_hidden)) + array(worksheet.b_hidden)
    hidden = np.maximum(pre_hidden, 0)
    logits = np.einsum("th,hv->tv", hidden, array(worksheet.W_vocab)) + array(worksheet.b_vocab)
    prediction = softmax_parts(logits)
    return {
        "ids": np.array(ids),
        "token_rows": token_rows,
        "position_rows": position_rows,
        "E": E,
        "Q": Q,
        "K": K,
        "V": V,
        "raw": raw,
        "scores": scores,
        "row_max": attention["max"],
        "shifted_exp": attention["shifted_exp"],
        "shifted_total": attention["shifted_total"],
        "exp": attention["exp"],
        "total": attention["total"],
        "A": A,
        "contributions": np.einsum("hrs,hsd->hrsd", A, V),
        "messages": messages,
        "joined": joined,
        "delta_E": delta_E,
        "E_prime": E + delta_E,
        "pre_hidden": pre_hidden,
        "hidden": hidden,
        "logits": logits,
        "logit_max": prediction["max"],
        "logit_shifted_exp": prediction["shifted_exp"],
        "logit_shifted_total": prediction["shifted_total"],
        "logit_exp": prediction["exp"],
        "logit_total": prediction["total"],
        "probabilities": prediction["weights"],
    }


def assert_close(got: Any, expected: Any, tolerance: float, name: str = "") -> None:
    """Equal shapes, and numbers within the tolerance relative to max(1, largest); infinities equal."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, name
    finite = np.isfinite(expected)
    scale = max(1.0, np.abs(expected[finite]).max(initial=0.0))
    np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance * scale, err_msg=name)
