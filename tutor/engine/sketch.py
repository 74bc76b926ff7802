"""The forward pass in plain Python: the same numbers as attention.py, there before torch is loaded."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tutor.engine.trace import Trace
from tutor.engine.worksheet import Worksheet

Row = tuple[float, ...]
Rows = tuple[Row, ...]


def _add(left: Sequence[float], right: Sequence[float]) -> Row:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _product(left: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> Rows:
    """left [n, m] times right [m, k]. [n, k]"""
    columns = tuple(zip(*right, strict=True))
    return tuple(
        tuple(sum(a * b for a, b in zip(row, column, strict=True)) for column in columns) for row in left
    )


def _exp(number: float) -> float:
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


def _softmax(row: Row) -> tuple[float, Row, float, Row, float, Row]:
    """The largest number, exp and total shifted by it, exp and total as they are, and the weights."""
    largest = max(row)
    shifted_exp = tuple(math.exp(number - largest) for number in row)
    shifted_total = sum(shifted_exp)
    exp = tuple(_exp(number) for number in row)
    return largest, shifted_exp, shifted_total, exp, sum(exp), tuple(e / shifted_total for e in shifted_exp)


def sketch(worksheet: Worksheet, ids: Sequence[int], causal: bool = True) -> Trace:
    """Every intermediate of one sentence as nested tuples, in the shapes of `Trace.sentence`."""
    w = worksheet
    token_rows = tuple(tuple(map(float, w.token_embedding[id])) for id in ids)
    position_rows = tuple(tuple(map(float, row)) for row in w.position_embedding[: len(ids)])
    E = tuple(map(_add, token_rows, position_rows))

    Q = tuple(_product(E, head.W_Q) for head in w.heads)
    K = tuple(_product(E, head.W_K) for head in w.heads)
    V = tuple(_product(E, head.W_V) for head in w.heads)
    raw = tuple(_product(q, tuple(zip(*k, strict=True))) for q, k in zip(Q, K, strict=True))
    scores = tuple(
        tuple(
            tuple(
                -math.inf if causal and source > receiver else r / math.sqrt(w.d_head)
                for source, r in enumerate(row)
            )
            for receiver, row in enumerate(rows)
        )
        for rows in raw
    )
    row_max, shifted_exp, shifted_total, exp, total, A = zip(
        *(zip(*map(_softmax, rows), strict=True) for rows in scores), strict=True
    )

    contributions = tuple(
        tuple(
            tuple(tuple(weight * v for v in value) for weight, value in zip(row, values, strict=True))
            for row in rows
        )
        for rows, values in zip(A, V, strict=True)
    )
    messages = tuple(_product(rows, values) for rows, values in zip(A, V, strict=True))
    joined = tuple(tuple(m for message in token for m in message) for token in zip(*messages, strict=True))
    delta_E = _product(joined, w.W_O)
    E_prime = tuple(map(_add, E, delta_E))

    pre_hidden = tuple(_add(row, w.b_hidden) for row in _product(E_prime, w.W_hidden))
    hidden = tuple(tuple(max(unit, 0.0) for unit in row) for row in pre_hidden)
    logits = tuple(_add(row, w.b_vocab) for row in _product(hidden, w.W_vocab))
    predicted = zip(*map(_softmax, logits), strict=True)

    return Trace(
        tuple(ids), token_rows, position_rows, E, Q, K, V, raw, scores,
        row_max, shifted_exp, shifted_total, exp, total, A,
        contributions, messages, joined, delta_E, E_prime, pre_hidden, hidden, logits, *predicted,
    )  # fmt: skip
