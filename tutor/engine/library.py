"""PyTorch's own attention layer with the worksheet's weights, and sizes counted from real modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from tutor.engine.attention import Weights, trace
from tutor.engine.trace import read_only
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError


def library_layer(worksheet: Worksheet) -> nn.MultiheadAttention:
    """nn.MultiheadAttention in float64 with these weights; TutorError if their sizes do not fit it."""
    d_model, d_head, d_v, n_heads = worksheet.d_model, worksheet.d_head, worksheet.d_v, worksheet.n_heads
    if d_head != d_v or n_heads * d_head != d_model:
        given = f"d_head {d_head}, d_v {d_v}, {n_heads} heads and d_model {d_model}"
        allowed = "nn.MultiheadAttention needs d_head = d_v = d_model / n_heads"
        raise TutorError(f"The worksheet has {given}, but {allowed}; choose a worksheet of such sizes.")
    w = Weights.of(worksheet)
    layer = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True, dtype=torch.float64)
    # The layer computes x Wᵀ, with the three projections stacked and the heads side by side in each.
    packed = torch.cat([projection.mT.flatten(0, 1) for projection in (w.W_Q, w.W_K, w.W_V)])
    with torch.no_grad():
        layer.in_proj_weight.copy_(packed)  # [3 * d_model, d_model]
        layer.out_proj.weight.copy_(w.W_O.mT)  # [d_model, n_heads * d_v]
    return layer.eval()


def library_attention(worksheet: Worksheet, ids: Sequence[int], causal: bool = True) -> tuple[Any, Any]:
    """The library's delta_E [token, d_model] and A [head, receiver, source] for one sentence."""
    layer = library_layer(worksheet)
    E = trace(Weights.of(worksheet), [ids]).E  # [1, token, d_model]
    blocked = torch.ones(len(ids), len(ids), dtype=torch.bool).triu(1) if causal else None
    with torch.inference_mode():
        delta_E, A = layer(E, E, E, attn_mask=blocked, need_weights=True, average_attn_weights=False)
    return read_only(delta_E[0]), read_only(A[0])


def attention_parameters(d_model: int, n_heads: int, bias: bool) -> int:
    """Numbers to learn in one nn.MultiheadAttention."""
    return _count(nn.MultiheadAttention(d_model, n_heads, bias=bias))


def comparison_parameters() -> dict[str, int]:
    """Numbers to learn in the three models of the comparison, as published.toml names them."""
    vocabulary, width, context, hidden = 4000, 64, 64, 256

    def predictor(inputs: int) -> list[nn.Module]:
        return [nn.Linear(inputs, hidden), nn.Linear(hidden, vocabulary)]

    def attention(n_heads: int) -> list[nn.Module]:
        positions = nn.Embedding(context, width)
        layer = nn.MultiheadAttention(width, n_heads, bias=False)
        return [positions, layer, *predictor(width)]

    embedding = nn.Embedding(vocabulary, width)
    models = {"mlp": predictor(context * width), "one_head": attention(1), "four_heads": attention(4)}
    return {name: _count(embedding, *modules) for name, modules in models.items()}


def _count(*modules: nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())
