"""Right: einsum, q and k each scaled by d_head to the power -1/4, blocks of W_O summed head by head."""

import numpy as np


def attention_weights(E, W_Q, W_K):
    root = W_Q.shape[1] ** -0.25
    scores = np.einsum("rm,md,sn,nd->rs", E, W_Q * root, E, W_K * root)
    full = np.exp(scores - scores.max(-1)[:, None])
    seen = np.tril(full / full.sum(-1)[:, None])
    return seen / seen.sum(-1)[:, None]


def head(E, W_Q, W_K, W_V):
    return np.einsum("rs,sm,md->rd", attention_weights(E, W_Q, W_K), E, W_V)


def multi_head(E, W_Q, W_K, W_V, W_O, n_heads):
    width = W_Q.shape[1] // n_heads
    parts = [slice(h * width, h * width + width) for h in range(n_heads)]
    return sum(head(E, W_Q[:, p], W_K[:, p], W_V[:, p]) @ W_O[p] for p in parts)


def split_heads(X, n_heads):
    return list(np.split(X, n_heads, axis=1))


def merge_heads(Z):
    return np.concatenate([z for z in Z], axis=-1)
