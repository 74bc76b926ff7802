"""The forward pass of attention.py once more, in NumPy, as named steps that can be replaced."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from tutor.engine.worksheet import Worksheet

Array = Any
Pass = SimpleNamespace
"""The givens and what the steps have made so far, each under its name in Trace."""
Step = Callable[[Pass], dict[str, Array]]
"""Takes the pass so far; returns what it adds."""


@dataclass(frozen=True, eq=False)
class Givens:
    """What one pass starts from, the heads stacked."""

    ids: Array
    """[token]"""
    token_embedding: Array
    """[n_vocab, d_model]"""
    position_embedding: Array
    """[context, d_model]"""
    W_Q: Array
    """[head, d_model, d_head]"""
    W_K: Array
    """[head, d_model, d_head]"""
    W_V: Array
    """[head, d_model, d_v]"""
    W_O: Array
    """[n_heads * d_v, d_model]"""
    blocked: Array
    """True where a receiver may not read a source. [receiver, source]"""
    W_hidden: Array = None
    """[d_model, n_hidden]; this and the following may be left out where the pass ends before `predict`"""
    b_hidden: Array = None
    W_vocab: Array = None
    b_vocab: Array = None

    @classmethod
    def of(cls, worksheet: Worksheet, ids: Sequence[int], causal: bool = True) -> Givens:
        """Those of a worksheet and one sentence."""
        blocked = np.triu(np.ones((len(ids), len(ids)), dtype=bool), 1) & causal
        return cls(ids=np.array(ids), blocked=blocked, **_matrices(worksheet))


@lru_cache(maxsize=8)
def _matrices(worksheet: Worksheet) -> dict[str, Array]:
    stacked = {name: [getattr(head, name) for head in worksheet.heads] for name in ("W_Q", "W_K", "W_V")}
    names = ("token_embedding", "position_embedding", "W_O", "W_hidden", "b_hidden", "W_vocab", "b_vocab")
    numbers = {**stacked, **{name: getattr(worksheet, name) for name in names}}
    return {name: np.array(value, dtype=np.float64) for name, value in numbers.items()}


def embed(p: Pass) -> dict[str, Array]:
    """E: token rows + position rows. [token, d_model]"""
    token_rows = p.token_embedding[p.ids]
    position_rows = p.position_embedding[: len(p.ids)]
    return {"token_rows": token_rows, "position_rows": position_rows, "E": token_rows + position_rows}


def project(p: Pass) -> dict[str, Array]:
    """Q, K, V of every head. [head, token, d_head or d_v]"""
    return {"Q": p.E @ p.W_Q, "K": p.E @ p.W_K, "V": p.E @ p.W_V}


def raw(p: Pass) -> dict[str, Array]:
    """Q Kᵀ. [head, receiver, source]"""
    return {"raw": p.Q @ p.K.swapaxes(-1, -2)}


def scale(p: Pass) -> dict[str, Array]:
    """raw / √d_head. [head, receiver, source]"""
    return {"s": p.raw / math.sqrt(p.Q.shape[-1])}


def mask(p: Pass) -> dict[str, Array]:
    """-inf where blocked. [head, receiver, source]"""
    return {"scores": np.where(p.blocked, -np.inf, p.s)}


def softmax(p: Pass) -> dict[str, Array]:
    """The weights A of every receiver, with all that lies between. [head, receiver, source]"""
    return softmax_over(p.scores, -1)


def softmax_over(scores: Array, axis: int) -> dict[str, Array]:
    """Weights that sum to 1 along an axis, and all that lies between."""
    row_max = scores.max(axis)
    shifted_exp = np.exp(scores - np.expand_dims(row_max, axis))
    exp = np.exp(scores)
    shifted_total = shifted_exp.sum(axis)
    return {
        "row_max": row_max,
        "shifted_exp": shifted_exp,
        "shifted_total": shifted_total,
        "exp": exp,
        "total": exp.sum(axis),
        "A": shifted_exp / np.expand_dims(shifted_total, axis),
    }


def mix(p: Pass) -> dict[str, Array]:
    """Weight × value row, and their sum, A V. [head, receiver, d_v]"""
    return {"contributions": p.A[..., np.newaxis] * p.V[:, np.newaxis], "messages": p.A @ p.V}


def join(p: Pass) -> dict[str, Array]:
    """The heads' messages side by side. [token, n_heads * d_v]"""
    return {"joined": np.concatenate(list(p.messages), axis=-1)}


def output(p: Pass) -> dict[str, Array]:
    """joined W_O. [token, d_model]"""
    return {"delta_E": p.joined @ p.W_O}


def residual(p: Pass) -> dict[str, Array]:
    """E + delta_E. [token, d_model]"""
    return {"E_prime": p.E + p.delta_E}


def predict(p: Pass) -> dict[str, Array]:
    """The hidden layer, the logits and their softmax over the vocabulary. [token, n_vocab]"""
    return predicted(p, p.E_prime)


def predicted(
    p: Pass, rows: Array, relu: Callable[[Array], Array] = lambda x: np.maximum(x, 0)
) -> dict[str, Array]:
    """The prediction from rows of width d_model."""
    pre_hidden = rows @ p.W_hidden + p.b_hidden
    hidden = relu(pre_hidden)
    logits = hidden @ p.W_vocab + p.b_vocab
    made = softmax_over(logits, -1)
    return {
        "pre_hidden": pre_hidden,
        "hidden": hidden,
        "logits": logits,
        "logit_max": made["row_max"],
        "logit_shifted_exp": made["shifted_exp"],
        "logit_shifted_total": made["shifted_total"],
        "logit_exp": made["exp"],
        "logit_total": made["total"],
        "probabilities": made["A"],
    }


STEPS: dict[str, Step] = {
    step.__name__: step
    for step in (embed, project, raw, scale, mask, softmax, mix, join, output, residual, predict)
}
"""In their order."""


def forward(givens: Givens, replaced: Mapping[str, Step] | None = None, last: str = "predict") -> Pass:
    """One pass to the step `last`, with some steps replaced."""
    p = Pass(**{field.name: getattr(givens, field.name) for field in fields(givens)})
    with np.errstate(all="ignore"):  # a deviation may divide by zero or overflow; its numbers are still those
        for name, step in STEPS.items():
            vars(p).update((replaced or {}).get(name, step)(p))
            if name == last:
                break
    return p
