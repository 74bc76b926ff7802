"""The record of one forward pass: every intermediate under its own name, frozen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from tutor.engine.worksheet import Worksheet

# A torch tensor with a leading batch axis; for one sentence a NumPy array or nested tuples without it.
Numbers = Any


@dataclass(frozen=True, eq=False)
class Trace:
    """Every number between token ids and next-word probabilities; shapes below are those of a batch."""

    ids: Numbers
    """Token ids. [batch, token]"""
    token_rows: Numbers
    """The ids' rows of the token embedding. [batch, token, d_model]"""
    position_rows: Numbers
    """The positions' rows of the position embedding. [batch, token, d_model]"""
    E: Numbers
    """Token rows + position rows. [batch, token, d_model]"""
    Q: Numbers
    """Queries, E W_Q. [batch, head, receiver, d_head]"""
    K: Numbers
    """Keys, E W_K. [batch, head, source, d_head]"""
    V: Numbers
    """Values, E W_V. [batch, head, source, d_v]"""
    raw: Numbers
    """Raw scores, Q Kᵀ, blocked sources too. [batch, head, receiver, source]"""
    scores: Numbers
    """Raw scores / √d_head, -inf where blocked. [batch, head, receiver, source]"""
    row_max: Numbers
    """The largest score of each row. [batch, head, receiver]"""
    shifted_exp: Numbers
    """exp(scores - row_max), which cannot overflow. [batch, head, receiver, source]"""
    shifted_total: Numbers
    """The sum of shifted_exp over the sources. [batch, head, receiver]"""
    exp: Numbers
    """exp(scores), inf where it overflows. [batch, head, receiver, source]"""
    total: Numbers
    """The sum of exp over the sources, inf where it overflows. [batch, head, receiver]"""
    A: Numbers
    """Weights, shifted_exp / shifted_total; each row sums to 1. [batch, head, receiver, source]"""
    contributions: Numbers
    """Weight × value row of each source. [batch, head, receiver, source, d_v]"""
    messages: Numbers
    """The contributions' sum over the sources, A V. [batch, head, receiver, d_v]"""
    joined: Numbers
    """The heads' messages side by side. [batch, token, n_heads * d_v]"""
    delta_E: Numbers
    """The update, joined W_O. [batch, token, d_model]"""
    E_prime: Numbers
    """E + delta_E. [batch, token, d_model]"""
    pre_hidden: Numbers
    """E_prime W_hidden + b_hidden. [batch, token, n_hidden]"""
    hidden: Numbers
    """relu(pre_hidden). [batch, token, n_hidden]"""
    logits: Numbers
    """hidden W_vocab + b_vocab. [batch, token, n_vocab]"""
    logit_max: Numbers
    """The largest logit of each row. [batch, token]"""
    logit_shifted_exp: Numbers
    """exp(logits - logit_max), which cannot overflow. [batch, token, n_vocab]"""
    logit_shifted_total: Numbers
    """The sum of logit_shifted_exp over the vocabulary. [batch, token]"""
    logit_exp: Numbers
    """exp(logits), inf where it overflows. [batch, token, n_vocab]"""
    logit_total: Numbers
    """The sum of logit_exp over the vocabulary, inf where it overflows. [batch, token]"""
    probabilities: Numbers
    """Of each word to come next; each row sums to 1. [batch, token, n_vocab]"""

    def sentence(self, b: int) -> Trace:
        """Sentence `b` of a batch, from 0: the record without its batch axis, in read-only arrays."""
        return Trace(**{field.name: read_only(getattr(self, field.name)[b]) for field in fields(self)})

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every field."""
        return {field.name: tuple(getattr(self, field.name).shape) for field in fields(self)}

    def share(self, head: int, receiver: int, source: int) -> tuple[float, float]:
        """The exp and the total that make a weight, shifted where plain ones overflow; of one sentence."""
        total = float(self.total[head][receiver])
        if total < math.inf:
            return float(self.exp[head][receiver][source]), total
        return float(self.shifted_exp[head][receiver][source]), float(self.shifted_total[head][receiver])

    def likeliest(self, receiver: int, count: int) -> list[int]:
        """The words most likely to come next, equal ones in the order of the vocabulary; of one sentence."""
        logits = [round(float(logit), 9) for logit in self.logits[receiver]]
        return sorted(range(len(logits)), key=lambda word: -logits[word])[:count]

    def strongest(self, head: int, receiver: int) -> int:
        """The source with the largest weight, all from 0, the first of equals; for one sentence only."""
        weights = self.A[head][receiver]
        return max(range(len(weights)), key=lambda source: float(weights[source]))


TraceOf = Callable[[Worksheet, tuple[int, ...], bool], Trace]
"""Traces the ids of one sentence, with the causal mask or without."""


def read_only(tensor: Numbers) -> Numbers:
    """A tensor as a NumPy array that cannot be written."""
    array = tensor.numpy()
    array.flags.writeable = False
    return array
