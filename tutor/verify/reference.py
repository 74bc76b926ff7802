"""The forward pass a second time, written apart from the engine: one sentence, one receiver after another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tutor.engine.worksheet import Head, Worksheet

Array = Any


@np.errstate(over="ignore")
def reference(worksheet: Worksheet, ids: Sequence[int], causal: bool = True) -> dict[str, Array]:
    """Every array of a Trace by its name, without the batch axis."""
    token_rows = np.array([worksheet.token_embedding[id] for id in ids], dtype=np.float64)
    position_rows = np.array(worksheet.position_embedding, dtype=np.float64)[: len(ids)]
    E = token_rows + position_rows
    heads = [_head(E, head, causal) for head in worksheet.heads]
    found = {name: np.stack([head[name] for head in heads]) for name in heads[0]}
    joined = np.hstack([head["messages"] for head in heads])
    delta_E = np.dot(joined, np.array(worksheet.W_O, dtype=np.float64))
    return {
        "ids": np.array(ids),
        "token_rows": token_rows,
        "position_rows": position_rows,
        "E": E,
        **found,
        "joined": joined,
        "delta_E": delta_E,
        "E_prime": E + delta_E,
        **_prediction(E + delta_E, worksheet),
    }


def _head(E: Array, head: Head, causal: bool) -> dict[str, Array]:
    """One head, receiver by receiver: softmax over the sources it may read, then their weighted values."""
    Q, K, V = (np.dot(E, np.array(W, dtype=np.float64)) for W in (head.W_Q, head.W_K, head.W_V))
    n = len(E)
    raw = np.array([[np.dot(Q[i], K[j]) for j in range(n)] for i in range(n)])
    scores = np.full((n, n), -math.inf)
    exp, shifted_exp, A = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    row_max, total, shifted_total = np.zeros(n), np.zeros(n), np.zeros(n)
    contributions = np.zeros((n, n, V.shape[1]))
    for i in range(n):
        allowed = range(i + 1) if causal else range(n)
        for j in allowed:
            scores[i, j] = raw[i, j] / math.sqrt(Q.shape[1])
        row_max[i] = max(scores[i, j] for j in allowed)
        for j in allowed:
            exp[i, j] = np.exp(scores[i, j])
            shifted_exp[i, j] = math.exp(scores[i, j] - row_max[i])
        total[i], shifted_total[i] = exp[i].sum(), shifted_exp[i].sum()
        for j in allowed:
            A[i, j] = shifted_exp[i, j] / shifted_total[i]
            contributions[i, j] = A[i, j] * V[j]
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "raw": raw,
        "scores": scores,
        "row_max": row_max,
        "shifted_exp": shifted_exp,
        "shifted_total": shifted_total,
        "exp": exp,
        "total": total,
        "A": A,
        "contributions": contributions,
        "messages": contributions.sum(axis=1),
    }


def _prediction(E_prime: Array, worksheet: Worksheet) -> dict[str, Array]:
    """The hidden layer, the logits and their softmax over the vocabulary, for every row."""
    W_hidden, b_hidden = np.array(worksheet.W_hidden, dtype=np.float64), np.array(worksheet.b_hidden)
    W_vocab, b_vocab = np.array(worksheet.W_vocab, dtype=np.float64), np.array(worksheet.b_vocab)
    pre_hidden = np.dot(E_prime, W_hidden) + b_hidden
    hidden = np.where(pre_hidden > 0, pre_hidden, 0.0)
    logits = np.dot(hidden, W_vocab) + b_vocab
    logit_max = logits.max(axis=1)
    logit_exp = np.exp(logits)
    logit_shifted_exp = np.exp(logits - logit_max[:, None])
    return {
        "pre_hidden": pre_hidden,
        "hidden": hidden,
        "logits": logits,
        "logit_max": logit_max,
        "logit_shifted_exp": logit_shifted_exp,
        "logit_shifted_total": logit_shifted_exp.sum(axis=1),
        "logit_exp": logit_exp,
        "logit_total": logit_exp.sum(axis=1),
        "probabilities": logit_shifted_exp / logit_shifted_exp.sum(axis=1, keepdims=True),
    }
