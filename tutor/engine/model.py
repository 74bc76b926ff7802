"""The same attention as attention.py in modules that can learn, for batches padded on the left."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from tutor.engine.attention import Weights, batch_of, rows_of
from tutor.engine.library import library_layer
from tutor.engine.trace import Numbers, read_only
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError


class ScratchMultiHead(nn.Module):
    """Self-attention, the heads packed side by side; TutorError if they do not divide d_model."""

    def __init__(self, d_model: int, n_heads: int, bias: bool = False) -> None:
        super().__init__()
        if d_model < 1 or n_heads < 1 or d_model % n_heads:
            given = f"d_model {d_model} and {n_heads} heads given"
            raise TutorError(f"{given}; give a d_model that the heads divide without remainder.")
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model, bias)
        self.W_K = nn.Linear(d_model, d_model, bias)
        self.W_V = nn.Linear(d_model, d_model, bias)
        self.W_O = nn.Linear(d_model, d_model, bias)

    @classmethod
    def from_worksheet(cls, worksheet: Worksheet) -> ScratchMultiHead:
        """In float64 with the worksheet's weights; TutorError unless d_head = d_v = d_model / n_heads."""
        library = library_layer(worksheet)
        packed = library.in_proj_weight.chunk(3)  # three of [n_heads * d_head, d_model]
        layer = cls(worksheet.d_model, worksheet.n_heads).double()
        projections = (layer.W_Q, layer.W_K, layer.W_V, layer.W_O)
        with torch.no_grad():
            for projection, weight in zip(projections, (*packed, library.out_proj.weight), strict=True):
                projection.weight.copy_(weight)
        return layer

    def forward(
        self, E: Tensor, causal: bool = True, key_padding: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """delta_E [batch, token, d_model], A [batch, head, receiver, source]; `key_padding`: True at PAD."""
        blocked = _blocked(_padding(key_padding, E), causal)  # [batch, 1, receiver, source]

        # project first, split after: every head comes from whole rows of E
        Q = self._split(self.W_Q(E))  # [batch, head, receiver, d_head]
        K = self._split(self.W_K(E))  # [batch, head, source, d_head]
        V = self._split(self.W_V(E))  # [batch, head, source, d_head]

        raw = Q @ K.mT  # [batch, head, receiver, source]
        s = raw / math.sqrt(self.d_head)  # [batch, head, receiver, source]
        scores = s.masked_fill(blocked, -math.inf)  # [batch, head, receiver, source]
        A = scores.softmax(-1)  # [batch, head, receiver, source]

        messages = A @ V  # [batch, head, receiver, d_head]
        joined = messages.transpose(1, 2).flatten(2)  # [batch, token, d_model]
        delta_E = self.W_O(joined)  # [batch, token, d_model]
        return delta_E, A

    def _split(self, packed: Tensor) -> Tensor:
        """[batch, token, d_model] to [batch, head, token, d_head]."""
        parts: Tensor = packed.unflatten(-1, (self.n_heads, self.d_head))  # [batch, token, head, d_head]
        return parts.transpose(1, 2)  # [batch, head, token, d_head]


class TinyMultiHeadLM(nn.Module):
    """Token and position rows, attention, residual, MLP: ids to the next word's logits."""

    def __init__(
        self, n_vocab: int, context: int, d_model: int, n_heads: int, n_hidden: int, bias: bool = False
    ) -> None:
        super().__init__()
        self.token_embedding = nn.Embedding(n_vocab, d_model)
        self.position_embedding = nn.Embedding(context, d_model)
        self.attention = ScratchMultiHead(d_model, n_heads, bias)
        self.W_hidden = nn.Linear(d_model, n_hidden)
        self.W_vocab = nn.Linear(n_hidden, n_vocab)

    @classmethod
    def from_worksheet(cls, worksheet: Worksheet) -> TinyMultiHeadLM:
        """In float64 with the worksheet's weights; TutorError unless d_head = d_v = d_model / n_heads."""
        attention, w = ScratchMultiHead.from_worksheet(worksheet), Weights.of(worksheet)
        model = cls(
            worksheet.n_vocab, worksheet.context, worksheet.d_model, worksheet.n_heads, worksheet.n_hidden
        ).double()
        model.attention = attention
        with torch.no_grad():
            model.token_embedding.weight.copy_(w.token_embedding)  # [n_vocab, d_model]
            model.position_embedding.weight.copy_(w.position_embedding)  # [context, d_model]
            model.W_hidden.weight.copy_(w.W_hidden.mT)  # [n_hidden, d_model]
            model.W_hidden.bias.copy_(w.b_hidden)  # [n_hidden]
            model.W_vocab.weight.copy_(w.W_vocab.mT)  # [n_vocab, n_hidden]
            model.W_vocab.bias.copy_(w.b_vocab)  # [n_vocab]
        return model

    def embed(self, ids: Tensor | Sequence[Sequence[int]], padding: Tensor | None = None) -> Tensor:
        """E [batch, token, d_model], positions counted from the first word; TutorError as for `forward`."""
        ids = batch_of(ids, self.position_embedding.num_embeddings)  # [batch, token]
        token_rows = rows_of(self.token_embedding.weight, ids)  # [batch, token, d_model]
        words = ~_padding(padding, token_rows)  # [batch, token]
        positions = (words.cumsum(1) - 1).clamp(min=0)  # [batch, token], a PAD's is unused
        position_rows: Tensor = self.position_embedding(positions)  # [batch, token, d_model]
        return token_rows + position_rows  # [batch, token, d_model]

    def forward(
        self,
        ids: Tensor | Sequence[Sequence[int]],
        padding: Tensor | None = None,
        *,
        causal: bool = True,
        all_rows: bool = False,
    ) -> Tensor:
        """Logits of the last row [batch, n_vocab], or of all rows [batch, token, n_vocab].

        TutorError for ids outside vocabulary or context, and for PAD not on the left or in all of a sentence.
        """
        E = self.embed(ids, padding)  # [batch, token, d_model]
        delta_E, _ = self.attention(E, causal, padding)  # [batch, token, d_model]
        E_prime = E + delta_E  # [batch, token, d_model]
        rows = E_prime if all_rows else E_prime[:, -1]  # [batch, (token,) d_model]
        hidden = self.W_hidden(rows).relu()  # [batch, (token,) n_hidden]
        logits: Tensor = self.W_vocab(hidden)  # [batch, (token,) n_vocab]
        return logits


def pad_left(sentences: Sequence[Sequence[int]]) -> tuple[list[list[int]], Tensor]:
    """Ids of one length and their padding, both [batch, token]; a PAD's id, 0, reaches no word's row."""
    longest = max(map(len, sentences), default=0)
    n_pad = [longest - len(sentence) for sentence in sentences]
    ids = [[0] * n + list(sentence) for n, sentence in zip(n_pad, sentences, strict=True)]
    padding = torch.arange(longest) < torch.tensor(n_pad).unsqueeze(-1)
    return ids, padding


@torch.inference_mode()
def through_modules(
    worksheet: Worksheet, sentences: Sequence[Sequence[int]]
) -> tuple[Numbers, Numbers, Numbers]:
    """A, delta_E and all rows' logits of a batch of sentences, padded on the left, as read-only arrays."""
    model = TinyMultiHeadLM.from_worksheet(worksheet)
    ids, padding = pad_left(sentences)  # [batch, token]
    delta_E, A = model.attention(model.embed(ids, padding), key_padding=padding)
    logits = model(ids, padding, all_rows=True)  # [batch, token, n_vocab]
    return read_only(A), read_only(delta_E), read_only(logits)


def _blocked(padding: Tensor, causal: bool) -> Tensor:
    """True at later sources, and at PAD unless PAD asks: never a whole row. [batch, 1, receiver, source]"""
    pad_source = padding.unsqueeze(1) & ~padding.unsqueeze(2)  # [batch, receiver, source]
    later = torch.ones_like(pad_source).triu(1)  # [batch, receiver, source]
    return (pad_source | later if causal else pad_source).unsqueeze(1)


def _padding(given: Tensor | None, E: Tensor) -> Tensor:
    """The padding as booleans [batch, token], none at all for None; TutorError for one that does not fit."""
    shape = E.shape[:2]
    if given is None:
        return torch.zeros(shape, dtype=torch.bool, device=E.device)
    if given.dtype != torch.bool or given.shape != shape:
        told = f"Padding of shape {list(given.shape)} and type {given.dtype} given"
        raise TutorError(f"{told}; give {list(shape)} of torch.bool, True at PAD.")
    for b, row in enumerate(given.tolist()):
        n_pad = sum(row)
        if n_pad == len(row):
            raise TutorError(f"Sentence {b + 1} of the batch is all PAD; leave at least one word in it.")
        if not all(row[:n_pad]):
            raise TutorError(f"Sentence {b + 1} of the batch has PAD after a word; pad on the left only.")
    return given
