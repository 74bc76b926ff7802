"""Right: plain Python, lists in and out."""

import math


def product(A, B):
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A
    ]


def attention_weights(E, W_Q, W_K):
    Q, K = product(E.tolist(), W_Q.tolist()), product(E.tolist(), W_K.tolist())
    weights = []
    for i, q in enumerate(Q):
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K[: i + 1]]
        exps = [math.exp(s - max(scores)) for s in scores]
        weights.append([e / sum(exps) for e in exps] + [0] * (len(Q) - i - 1))
    return weights


def head(E, W_Q, W_K, W_V):
    return product(attention_weights(E, W_Q, W_K), product(E.tolist(), W_V.tolist()))


def split_heads(X, n_heads):
    width = len(X[0]) // n_heads
    return [[list(row[h * width : (h + 1) * width]) for row in X] for h in range(n_heads)]


def merge_heads(Z):
    return tuple(tuple(number for head in Z for number in head[t]) for t in range(len(Z[0])))
