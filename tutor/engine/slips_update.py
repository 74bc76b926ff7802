"""Misconceptions on the way from messages to the prediction."""

from __future__ import annotations

import numpy as np

from tutor.engine.forward import Array, Pass, predict, predicted, softmax_over
from tutor.engine.slips import Made, Register, fit, joined_heads, slip

UPDATE: Register = []

_JOIN = "Put the heads' messages side by side, head 1 first: joined is n_heads · d_v wide."
_BACK = "Swap the head and token axes back before the reshape."


@slip(UPDATE, "M19", "join", "joined the heads by a plain reshape", _BACK)
def merged_without_transpose(p: Pass) -> Made:
    return {"joined": p.messages.reshape(len(p.E), -1)}


@slip(UPDATE, "M21", "join", "averaged the heads", _JOIN)
def heads_averaged(p: Pass) -> Made:
    return {"joined": np.tile(p.messages.mean(0), len(p.messages))}


@slip(UPDATE, "M22", "join", "added the heads", _JOIN)
def heads_summed(p: Pass) -> Made:
    return {"joined": np.tile(p.messages.sum(0), len(p.messages))}


@slip(UPDATE, "M23", "join", "joined the heads in the wrong order", _JOIN)
def heads_reversed(p: Pass) -> Made:
    return {"joined": joined_heads(p.messages[::-1])}


@slip(UPDATE, "", "join", "joined the heads coordinate by coordinate", _JOIN)
def heads_interleaved(p: Pass) -> Made:
    return {"joined": np.moveaxis(p.messages, 0, -1).reshape(len(p.E), -1)}


@slip(UPDATE, "", "join", "joined the first head with itself", _JOIN)
def first_head_repeated(p: Pass) -> Made:
    return {"joined": np.tile(p.messages[0], len(p.messages))}


_OUTPUT = "Multiply the joined row by W_O, rows of W_O as they stand: delta = joined W_O."


@slip(UPDATE, "M25", "output", "multiplied by the transpose of W_O", _OUTPUT)
def output_transposed(p: Pass) -> Made:
    return {"delta_E": p.joined @ p.W_O.T}


@slip(UPDATE, "M26", "output", "left W_O out", _OUTPUT)
def no_output(p: Pass) -> Made:
    return {"delta_E": p.joined}


@slip(UPDATE, "M56", "output", "multiplied each head by another head's rows of W_O", _OUTPUT)
def output_blocks_swapped(p: Pass) -> Made:
    return {"delta_E": joined_heads(p.messages[::-1]) @ p.W_O}


@slip(UPDATE, "", "output", "multiplied by the first head's rows of W_O only", _OUTPUT)
def first_block_only(p: Pass) -> Made:
    width = p.messages.shape[-1]
    return {"delta_E": p.messages[0] @ p.W_O[:width]}


@slip(UPDATE, "", "output", "multiplied by W_O twice", _OUTPUT)
def output_twice(p: Pass) -> Made:
    return {"delta_E": p.joined @ p.W_O @ p.W_O}


@slip(UPDATE, "M65", "output", "left a bias of 0.1 on in W_O", "This layer has no bias: delta = joined W_O.")
def output_bias(p: Pass) -> Made:
    return {"delta_E": p.joined @ p.W_O + 0.1}


_ADD = "Add the update to the row that came in: E′ = E + ΔE."


def _update_alone(p: Pass) -> Made:
    return {"E_prime": p.delta_E}


@slip(UPDATE, "M63", "output", "added E before multiplying by W_O", _ADD, residual=_update_alone)
def residual_before_output(p: Pass) -> Made:
    return {"delta_E": (p.joined + p.E) @ p.W_O}


@slip(UPDATE, "M27", "residual", "left the row that came in out", _ADD)
def no_residual(p: Pass) -> Made:
    return _update_alone(p)


@slip(UPDATE, "M28", "residual", "added the update to itself", _ADD)
def update_doubled(p: Pass) -> Made:
    return {"E_prime": p.delta_E + p.delta_E}


@slip(UPDATE, "M29", "residual", "multiplied E and the update", _ADD)
def residual_multiplied(p: Pass) -> Made:
    return {"E_prime": p.E * p.delta_E}


@slip(UPDATE, "", "residual", "took the update away from E", _ADD)
def residual_subtracted(p: Pass) -> Made:
    return {"E_prime": p.E - p.delta_E}


@slip(UPDATE, "", "residual", "added only the token row, without its position", _ADD)
def residual_without_position(p: Pass) -> Made:
    return {"E_prime": p.token_rows + p.delta_E}


@slip(UPDATE, "", "residual", "added E twice", _ADD)
def residual_twice(p: Pass) -> Made:
    return {"E_prime": p.E + p.E + p.delta_E}


@slip(UPDATE, "", "residual", "normalised the sum (LayerNorm)", f"{_ADD} This block has no normalisation.")
def layer_norm(p: Pass) -> Made:
    rows = p.E + p.delta_E
    return {"E_prime": (rows - rows.mean(-1, keepdims=True)) / rows.std(-1, keepdims=True)}


_PREDICT = "hidden = relu(e′ W_hidden + b_hidden), logits = hidden W_vocab + b_vocab."
_SHARES = "Take exp of every logit and divide by their total over the whole vocabulary."


@slip(UPDATE, "", "predict", "left relu out", _PREDICT)
def no_relu(p: Pass) -> Made:
    return predicted(p, p.E_prime, relu=lambda rows: rows)


@slip(UPDATE, "", "predict", "left b_hidden out", _PREDICT)
def no_hidden_bias(p: Pass) -> Made:
    return _predicted(p, b_hidden=0)


@slip(UPDATE, "", "predict", "left b_vocab out", _PREDICT)
def no_vocabulary_bias(p: Pass) -> Made:
    return _predicted(p, b_vocab=0)


@slip(UPDATE, "", "predict", "predicted from the update alone", _PREDICT)
def predicted_from_update(p: Pass) -> Made:
    return predicted(p, p.delta_E)


@slip(UPDATE, "", "predict", "predicted from E, before attention", _PREDICT)
def predicted_from_embedding(p: Pass) -> Made:
    return predicted(p, p.E)


@slip(UPDATE, "", "predict", "predicted from the mean of all rows", "Predict from the receiver's row alone.")
def predicted_from_mean(p: Pass) -> Made:
    fit(len(p.E) > 1)
    return predicted(p, np.broadcast_to(p.E_prime.mean(0), p.E_prime.shape))


@slip(UPDATE, "", "predict", "divided the logits by their sum, without exp", _SHARES)
def logits_without_exp(p: Pass) -> Made:
    made = predict(p)
    return {**made, "probabilities": made["logits"] / made["logits"].sum(-1, keepdims=True)}


@slip(UPDATE, "", "predict", "took a sigmoid of each logit by itself", _SHARES)
def sigmoid_of_logits(p: Pass) -> Made:
    made = predict(p)
    return {**made, "probabilities": 1 / (1 + np.exp(-made["logits"]))}


@slip(UPDATE, "", "predict", "took the softmax over the tokens", _SHARES)
def softmax_over_tokens(p: Pass) -> Made:
    made = predict(p)
    return {**made, "probabilities": softmax_over(made["logits"], -2)["A"]}


@slip(UPDATE, "", "predict", "took powers of 2 instead of exp for the words", _SHARES)
def words_by_powers_of_two(p: Pass) -> Made:
    made = predict(p)
    return {**made, "probabilities": softmax_over(made["logits"] * np.log(2), -1)["A"]}


def _predicted(p: Pass, **other: Array) -> Made:
    """The prediction with one of its givens replaced."""
    return predict(Pass(**{**vars(p), **other}))
