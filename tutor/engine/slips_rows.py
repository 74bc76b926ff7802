"""Misconceptions on the way from ids to queries, keys and values."""

from __future__ import annotations

import numpy as np

from tutor.engine.forward import Array, Pass, project
from tutor.engine.slips import Made, Register, fit, joined_heads, slip, split, viewed

ROWS: Register = []

_ADD = "Each row of E is the token's row plus the row of its position, counted from the first word."


@slip(ROWS, "M55", "embed", "left the position rows out", _ADD)
def no_position(p: Pass) -> Made:
    return _embedded(p, p.token_embedding[p.ids], 0 * p.position_embedding[: len(p.ids)])


@slip(ROWS, "", "embed", "took each position row one place too late", _ADD)
def position_late(p: Pass) -> Made:
    return _embedded(p, p.token_embedding[p.ids], p.position_embedding[1 : len(p.ids) + 1])


@slip(ROWS, "", "embed", "took the position row alone", _ADD)
def no_token(p: Pass) -> Made:
    return _embedded(p, 0 * p.token_embedding[p.ids], p.position_embedding[: len(p.ids)])


@slip(ROWS, "", "embed", "took the position row away instead of adding it", _ADD)
def position_subtracted(p: Pass) -> Made:
    return _embedded(p, p.token_embedding[p.ids], -p.position_embedding[: len(p.ids)])


@slip(ROWS, "", "embed", "took each id's row one too early", "Ids count from 0.")
def id_from_one(p: Pass) -> Made:
    return _embedded(p, p.token_embedding[p.ids - 1], p.position_embedding[: len(p.ids)])


def _embedded(p: Pass, token_rows: Array, position_rows: Array) -> Made:
    return {"token_rows": token_rows, "position_rows": position_rows, "E": token_rows + position_rows}


_AS_IS = "Multiply a row of E by each column of W as it stands (nn.Linear keeps W the other way round)."
_OWN = "Queries, keys and values have a matrix each: Q = E W_Q, K = E W_K, V = E W_V."
_HEADS = "Each head has W_Q, W_K and W_V of its own."
_PROJECT = "Project first, Q = E W_Q, K = E W_K, V = E W_V, and split into heads after."
_RESHAPE = "Reshape to [token, head, width] first, then swap the first two axes."


def _transposed(p: Pass, name: str) -> Array:
    """E Wᵀ with the heads' matrices side by side."""
    return split(p.E @ joined_heads(getattr(p, name)).T, len(p.W_Q))


@slip(ROWS, "M31", "project", "multiplied by the transpose of W_Q", _AS_IS)
def query_transposed(p: Pass) -> Made:
    return {**project(p), "Q": _transposed(p, "W_Q")}


@slip(ROWS, "M32", "project", "multiplied by the transpose of W_K", _AS_IS)
def key_transposed(p: Pass) -> Made:
    return {**project(p), "K": _transposed(p, "W_K")}


@slip(ROWS, "M33", "project", "multiplied by the transpose of W_V", _AS_IS)
def value_transposed(p: Pass) -> Made:
    return {**project(p), "V": _transposed(p, "W_V")}


@slip(ROWS, "M34", "project", "multiplied by the transposes of W_Q, W_K and W_V", _AS_IS)
def all_transposed(p: Pass) -> Made:
    return {"Q": _transposed(p, "W_Q"), "K": _transposed(p, "W_K"), "V": _transposed(p, "W_V")}


@slip(ROWS, "M35", "project", "took the keys as values", _OWN)
def keys_as_values(p: Pass) -> Made:
    made = project(p)
    return {**made, "V": made["K"]}


@slip(ROWS, "M36", "project", "took the queries as values", _OWN)
def queries_as_values(p: Pass) -> Made:
    made = project(p)
    return {**made, "V": made["Q"]}


@slip(ROWS, "M37", "project", "took slices of E as values", _PROJECT)
def embedding_as_values(p: Pass) -> Made:
    return {**project(p), "V": _slices(p, p.W_V.shape[-1])}


@slip(ROWS, "M38", "project", "swapped queries and keys", _OWN)
def queries_and_keys_swapped(p: Pass) -> Made:
    made = project(p)
    return {**made, "Q": made["K"], "K": made["Q"]}


@slip(ROWS, "M39", "project", "took the queries as keys", _OWN)
def queries_as_keys(p: Pass) -> Made:
    made = project(p)
    return {**made, "K": made["Q"]}


@slip(ROWS, "", "project", "took the keys as queries", _OWN)
def keys_as_queries(p: Pass) -> Made:
    made = project(p)
    return {**made, "Q": made["K"]}


@slip(ROWS, "M40", "project", "scored slices of E with themselves", _PROJECT)
def embedding_scored(p: Pass) -> Made:
    rows = _slices(p, p.W_Q.shape[-1])
    return {**project(p), "Q": rows, "K": rows}


@slip(ROWS, "M41", "project", "used head 1's matrices for every head", _HEADS)
def first_head_everywhere(p: Pass) -> Made:
    return _heads(p, [0] * len(p.W_Q))


@slip(ROWS, "", "project", "used the last head's matrices for every head", _HEADS)
def last_head_everywhere(p: Pass) -> Made:
    return _heads(p, [-1] * len(p.W_Q))


@slip(ROWS, "M17", "project", "split the heads by a plain reshape", _RESHAPE)
def split_without_transpose(p: Pass) -> Made:
    return {name: viewed(value) for name, value in project(p).items()}


@slip(ROWS, "M57", "project", "gave each head only its slice of E", _PROJECT)
def split_before_projecting(p: Pass) -> Made:
    n_heads, d_model = p.W_Q.shape[:2]
    fit(d_model % n_heads == 0)
    rows = split(p.E, n_heads)  # [head, token, d_model / n_heads]
    made = {}
    for letter in "QKV":
        W = getattr(p, f"W_{letter}")
        made[letter] = rows @ np.stack([block[h] for h, block in enumerate(np.split(W, n_heads, axis=1))])
    return made


@slip(ROWS, "", "project", "split the coordinates by turns among the heads", _RESHAPE)
def heads_interleaved_in_split(p: Pass) -> Made:
    return {name: _interleaved(value) for name, value in project(p).items()}


def _slices(p: Pass, width: int) -> Array:
    """E cut into one slice a head. [head, token, width]"""
    n_heads = len(p.W_Q)
    fit(n_heads * width <= p.E.shape[-1])
    return split(p.E[:, : n_heads * width], n_heads)


def _heads(p: Pass, chosen: list[int]) -> Made:
    """The projections by the matrices of the chosen heads."""
    return {name: value[chosen] for name, value in project(p).items()}


def _interleaved(heads: Array) -> Array:
    """Cut as if coordinates of one head lay n_heads apart. [head, token, width]"""
    packed = joined_heads(heads)
    return np.stack([packed[:, h :: len(heads)] for h in range(len(heads))])


def _merged_plainly(p: Pass) -> Made:
    return {"joined": p.messages.reshape(len(p.E), -1)}


@slip(ROWS, "M18", "project", "split and joined the heads by plain reshapes", _RESHAPE, join=_merged_plainly)
def split_and_merged_without_transpose(p: Pass) -> Made:
    return split_without_transpose(p)
