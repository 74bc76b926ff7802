"""Multi-head attention and the prediction after it, one formula a line: the page to read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from tutor.engine.trace import Trace
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError


@dataclass(frozen=True, eq=False)
class Weights:
    """A worksheet's matrices as float64 tensors, the heads stacked."""

    token_embedding: Tensor
    """[n_vocab, d_model]"""
    position_embedding: Tensor
    """[context, d_model]"""
    W_Q: Tensor
    """[head, d_model, d_head]"""
    W_K: Tensor
    """[head, d_model, d_head]"""
    W_V: Tensor
    """[head, d_model, d_v]"""
    W_O: Tensor
    """[n_heads * d_v, d_model]"""
    W_hidden: Tensor
    """[d_model, n_hidden]"""
    b_hidden: Tensor
    """[n_hidden]"""
    W_vocab: Tensor
    """[n_hidden, n_vocab]"""
    b_vocab: Tensor
    """[n_vocab]"""

    @staticmethod
    @lru_cache(maxsize=8)
    def of(worksheet: Worksheet) -> Weights:
        """The tensors of that worksheet, made once."""

        def tensor(numbers: object) -> Tensor:
            return torch.tensor(numbers, dtype=torch.float64)

        return Weights(
            token_embedding=tensor(worksheet.token_embedding),
            position_embedding=tensor(worksheet.position_embedding),
            W_Q=tensor([head.W_Q for head in worksheet.heads]),
            W_K=tensor([head.W_K for head in worksheet.heads]),
            W_V=tensor([head.W_V for head in worksheet.heads]),
            W_O=tensor(worksheet.W_O),
            W_hidden=tensor(worksheet.W_hidden),
            b_hidden=tensor(worksheet.b_hidden),
            W_vocab=tensor(worksheet.W_vocab),
            b_vocab=tensor(worksheet.b_vocab),
        )


@lru_cache(maxsize=64)
@torch.inference_mode(False)  # an ordinary tensor, so that training may use it too
def causal_mask(tokens: int) -> Tensor:
    """M: 0 where a receiver may read a source, -inf where the source comes later. [receiver, source]"""
    return torch.full((tokens, tokens), -math.inf, dtype=torch.float64).triu(1)


@torch.inference_mode()
def trace(
    weights: Weights, ids: Tensor | Sequence[Sequence[int]], *, causal: bool = True, scaled: bool = True
) -> Trace:
    """Every intermediate of a batch of sentences of one length; TutorError for ids that cannot be traced."""
    w = weights
    ids = batch_of(ids, w.position_embedding.shape[0])  # [batch, token]

    token_rows = rows_of(w.token_embedding, ids)  # [batch, token, d_model]
    position_rows = w.position_embedding[: ids.shape[1]].expand_as(token_rows)  # [batch, token, d_model]
    E = token_rows + position_rows  # [batch, token, d_model]

    each_head = E.unsqueeze(1)  # [batch, 1, token, d_model]: every head projects the same rows
    Q = each_head @ w.W_Q  # [batch, head, receiver, d_head]
    K = each_head @ w.W_K  # [batch, head, source, d_head]
    V = each_head @ w.W_V  # [batch, head, source, d_v]

    raw = Q @ K.mT  # [batch, head, receiver, source]
    s = raw / math.sqrt(Q.shape[-1]) if scaled else raw  # [batch, head, receiver, source]
    scores = s + causal_mask(ids.shape[1]) if causal else s  # [batch, head, receiver, source]

    # softmax: subtracting each row's largest score changes no weight and keeps exp from overflowing
    row_max = scores.amax(-1)  # [batch, head, receiver]
    shifted_exp = (scores - row_max.unsqueeze(-1)).exp()  # [batch, head, receiver, source]
    shifted_total = shifted_exp.sum(-1)  # [batch, head, receiver]
    A = shifted_exp / shifted_total.unsqueeze(-1)  # [batch, head, receiver, source]
    exp = scores.exp()  # [batch, head, receiver, source]
    total = exp.sum(-1)  # [batch, head, receiver]

    contributions = A.unsqueeze(-1) * V.unsqueeze(2)  # [batch, head, receiver, source, d_v]
    messages = A @ V  # [batch, head, receiver, d_v]
    joined = messages.transpose(1, 2).flatten(2)  # [batch, token, n_heads * d_v]
    delta_E = joined @ w.W_O  # [batch, token, d_model]
    E_prime = E + delta_E  # [batch, token, d_model]

    pre_hidden = E_prime @ w.W_hidden + w.b_hidden  # [batch, token, n_hidden]
    hidden = pre_hidden.relu()  # [batch, token, n_hidden]
    logits = hidden @ w.W_vocab + w.b_vocab  # [batch, token, n_vocab]

    logit_max = logits.amax(-1)  # [batch, token]
    logit_shifted_exp = (logits - logit_max.unsqueeze(-1)).exp()  # [batch, token, n_vocab]
    logit_shifted_total = logit_shifted_exp.sum(-1)  # [batch, token]
    probabilities = logit_shifted_exp / logit_shifted_total.unsqueeze(-1)  # [batch, token, n_vocab]
    logit_exp = logits.exp()  # [batch, token, n_vocab]
    logit_total = logit_exp.sum(-1)  # [batch, token]

    return Trace(
        ids, token_rows, position_rows, E, Q, K, V, raw, scores,
        row_max, shifted_exp, shifted_total, exp, total, A,
        contributions, messages, joined, delta_E, E_prime, pre_hidden, hidden, logits,
        logit_max, logit_shifted_exp, logit_shifted_total, logit_exp, logit_total, probabilities,
    )  # fmt: skip


def trace_sentence(
    worksheet: Worksheet, ids: Sequence[int], *, causal: bool = True, scaled: bool = True
) -> Trace:
    """Every intermediate of one sentence, as read-only NumPy arrays: a batch of one."""
    return trace(Weights.of(worksheet), [ids], causal=causal, scaled=scaled).sentence(0)


def batch_of(ids: Tensor | Sequence[Sequence[int]], context: int) -> Tensor:
    """`ids` as a tensor [batch, token]; TutorError if no whole numbers, ragged, empty or too long."""
    if not isinstance(ids, Tensor):
        sentences = [list(sentence) for sentence in ids]
        lengths = {len(sentence) for sentence in sentences}
        if len(lengths) > 1:
            raise TutorError(f"Sentences of {sorted(lengths)} ids given; a batch needs one length: split it.")
        if not all(type(id) is int and abs(id) < 2**63 for sentence in sentences for id in sentence):
            raise TutorError("Ids that are no whole numbers given; give ids of the vocabulary.")
        ids = torch.tensor(sentences, dtype=torch.int64)
    if ids.dtype != torch.int64:
        raise TutorError(f"Ids of type {ids.dtype} given; give whole numbers, torch.int64.")
    if ids.dim() != 2 or not ids.numel():
        raise TutorError(f"Ids of shape {list(ids.shape)} given; give [batch, token], at least one of each.")
    if ids.shape[1] > context:
        raise TutorError(f"{ids.shape[1]} ids given, at most {context} allowed; leave out the first ones.")
    return ids


def rows_of(embedding: Tensor, ids: Tensor) -> Tensor:
    """One row of the embedding for each id; TutorError for ids outside it."""
    try:
        return torch.embedding(embedding, ids)
    except IndexError:
        last = len(embedding) - 1
        wrong = next(id for id in ids.flatten().tolist() if not 0 <= id <= last)
        raise TutorError(f"Id {wrong} given; give ids of the vocabulary, from 0 to {last}.") from None
