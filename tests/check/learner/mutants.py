"""Each misconception as a learner would write it: one template, some of its expressions replaced."""

TEMPLATE = """
import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def stand_in(E, W_Q):
    T = len(E)
    return T, np.triu(np.ones((T, T), dtype=bool), 1), W_Q.shape[-1]

def weights_of(E, Q, K, n=1):
    T, blocked, d = stand_in(E, Q)
    d_model = E.shape[-1]
    raw = {raw}
    s = {scale}
    scores = {mask}
    A = {softmax}
    return A

def attention_weights(E, W_Q, W_K):
    return weights_of(E, E @ W_Q, E @ W_K)

def mixed(E, A, Q, K, V):
    blocked = np.triu(np.ones((len(E), len(E)), dtype=bool), 1)
    return {mix}

def head(E, W_Q, W_K, W_V):
    Q, K, V = E @ W_Q, E @ W_K, E @ W_V
    return mixed(E, weights_of(E, Q, K), Q, K, V)

def split_heads(X, n):
    T = len(X)
    return {split}

def merge_heads(Z):
    n, T = Z.shape[:2]
    return {join}

def projected(E, W_Q, W_K, W_V, n):
    {project}
    return Q, K, V

def multi_head(E, W_Q, W_K, W_V, W_O, n):
    Q, K, V = projected(E, W_Q, W_K, W_V, n)
    A = {all_weights}
    Z = np.stack([mixed(E, *rows) for rows in zip(A, Q, K, V)])
    joined = merge_heads(Z)
    return {output}

def block(E, W_Q, W_K, W_V, W_O, n):
    delta = multi_head(E, W_Q, W_K, W_V, W_O, n)
    return {residual}
"""

RIGHT = {
    "raw": "Q @ K.T",
    "scale": "raw / np.sqrt(d)",
    "mask": "np.where(blocked, -np.inf, s)",
    "softmax": "softmax(scores)",
    "mix": "A @ V",
    "split": "X.reshape(T, n, -1).transpose(1, 0, 2)",
    "join": "Z.transpose(1, 0, 2).reshape(T, -1)",
    "project": "Q, K, V = (split_heads(E @ W, n) for W in (W_Q, W_K, W_V))",
    "all_weights": "[weights_of(E, q, k, n) for q, k in zip(Q, K)]",
    "output": "joined @ W_O",
    "residual": "E + delta",
}


def source(**replaced: str) -> str:
    """The learner's file with those expressions in place of the right ones."""
    made = TEMPLATE
    for name, expression in {**RIGHT, **replaced}.items():
        made = made.replace(f"{{{name}}}", expression)
    return made


def _project(**letters: str) -> dict[str, str]:
    """The projections with some of Q, K and V made in another way."""
    return {"project": "; ".join([RIGHT["project"], *(f"{name} = {made}" for name, made in letters.items())])}


_AGAIN = "split_heads(E @ {0}, n)"
_SLICES = "np.stack(np.split(E, n, -1))"
_BLOCK = "np.stack([np.split(E, n, -1)[h] @ np.split(np.split({0}, n, 0)[h], n, -1)[h] for h in range(n)])"
_UNMASKED = {"mask": "s"}
_EXP = "np.exp(scores)"

MUTANTS: dict[str, dict[str, str]] = {
    "query-transposed": _project(Q=_AGAIN.format("W_Q.T")),
    "key-transposed": _project(K=_AGAIN.format("W_K.T")),
    "value-transposed": _project(V=_AGAIN.format("W_V.T")),
    "all-transposed": _project(**{x: _AGAIN.format(f"W_{x}.T") for x in "QKV"}),
    "keys-as-values": _project(V="K"),
    "queries-as-values": _project(V="Q"),
    "embedding-as-values": _project(V=_SLICES),
    "queries-and-keys-swapped": _project(Q="split_heads(E @ W_K, n)", K="split_heads(E @ W_Q, n)"),
    "queries-as-keys": _project(K="Q"),
    "keys-as-queries": _project(Q="K"),
    "embedding-scored": _project(Q=_SLICES, K=_SLICES),
    "first-head-everywhere": _project(**{x: f"[{x}[0]] * n" for x in "QKV"}),
    "last-head-everywhere": _project(**{x: f"[{x}[-1]] * n" for x in "QKV"}),
    "split-without-transpose": {"split": "X.reshape(n, T, -1)"},
    "split-before-projecting": _project(**{x: _BLOCK.format(f"W_{x}") for x in "QKV"}),
    "heads-interleaved-in-split": {"split": "X.reshape(T, -1, n).transpose(2, 0, 1)"},
    "split-and-merged-without-transpose": {"split": "X.reshape(n, T, -1)", "join": "Z.reshape(T, -1)"},
    "no-scale": {"scale": "raw"},
    "scale-by-d-model": {"scale": "raw / np.sqrt(d_model)"},
    "scale-by-d-head": {"scale": "raw / d"},
    "scaled-twice": {"raw": "Q @ K.T / np.sqrt(d)"},
    "scale-by-heads": {"scale": "raw / n"},
    "scale-by-root-of-heads": {"scale": "raw / np.sqrt(n)"},
    "scale-by-root-of-three": {"scale": "raw / np.sqrt(3)"},
    "scale-by-whole-width": {"scale": "raw / d_model"},
    "scale-by-length": {"scale": "raw / np.sqrt(T)"},
    "scale-multiplied": {"scale": "raw * np.sqrt(d)"},
    "root-of-score": {"scale": "np.sqrt(raw)"},
    "powers-of-two": {"softmax": "2**scores / (2**scores).sum(-1, keepdims=True)"},
    "powers-of-ten": {"softmax": "10**scores / (10**scores).sum(-1, keepdims=True)"},
    "sign-turned": {"scale": "-raw / np.sqrt(d)"},
    "cosine": {
        "raw": "Q @ K.T / np.maximum(1e-30, np.outer(*(np.linalg.norm(x, axis=-1) for x in (Q, K))))",
        "scale": "raw",
    },
    "one-wide-head": {
        "all_weights": "[weights_of(E, np.concatenate(list(Q), -1), np.concatenate(list(K), -1))] * n"
    },
    "first-product-only": {"raw": "Q[:, :1] @ K[:, :1].T"},
    "no-mask": _UNMASKED,
    "mask-zero": {"mask": "np.where(blocked, 0, s)"},
    "mask-minus-one": {"mask": "np.where(blocked, -1, s)"},
    "mask-inverted": {"mask": "np.where(blocked.T, -np.inf, s)"},
    "mask-diagonal": {"mask": "np.where(np.triu(np.ones((T, T))) == 1, -np.inf, s)"},
    "mask-off-by-one": {"mask": "np.where(np.triu(np.ones((T, T)), 2) == 1, -np.inf, s)"},
    "zero-as-masked": {"mask": "np.where(s * np.tril(np.ones((T, T))) == 0, -np.inf, s)"},
    "scores-rounded-to-two": {"scale": "np.round(raw / np.sqrt(d), 2)"},
    "scores-rounded-to-three": {"scale": "np.round(raw / np.sqrt(d), 3)"},
    "softmax-over-receivers": {"softmax": "softmax(scores.T).T"},
    "softmax-over-receivers-unmasked": {"softmax": "softmax(scores.T).T", **_UNMASKED},
    "softmax-over-heads": {
        "softmax": _EXP,
        "all_weights": "(lambda X: X / X.sum(0))(np.stack([weights_of(E, q, k, n) for q, k in zip(Q, K)]))",
    },
    "softmax-over-all": {"softmax": f"{_EXP} / {_EXP}.sum()"},
    "masked-after-softmax": {"softmax": "np.where(blocked, 0, softmax(s))"},
    "masked-and-renormalised": {
        "softmax": "(lambda X: X / X.sum(-1, keepdims=True))(np.where(blocked, 0, softmax(s)))"
    },
    "no-exp": {"softmax": "(lambda X: X / X.sum(-1, keepdims=True))(np.where(blocked, 0, s))"},
    "not-normalised": {"softmax": _EXP},
    "scores-as-weights": {"softmax": "np.where(blocked, 0, s)"},
    "hard-maximum": {"softmax": "np.eye(T)[scores.argmax(-1)]"},
    "plain-average": {"softmax": "~blocked / (~blocked).sum(-1, keepdims=True)"},
    "sigmoid": {"softmax": "1 / (1 + np.exp(-scores))"},
    "total-without-self": {"softmax": f"{_EXP} / ({_EXP}.sum(-1) - np.diagonal({_EXP}))[:, None]"},
    "total-of-the-others": {"softmax": f"{_EXP} / ({_EXP}.sum(-1, keepdims=True) - {_EXP})"},
    "dropout-left-on": {"softmax": "softmax(scores) / 0.9"},
    "weights-rounded-to-two": {"softmax": "softmax(scores).round(2)"},
    "weights-rounded-to-three": {"softmax": "softmax(scores).round(3)"},
    "weights-transposed": {"mix": "A.T @ V"},
    "value-of-receiver": {"mix": "A.sum(-1, keepdims=True) * V"},
    "message-without-self": {"mix": "(A - np.diag(np.diagonal(A))) @ V"},
    "strongest-only": {"mix": "A.max(-1, keepdims=True) * V[A.argmax(-1)]"},
    "values-unweighted": {"mix": "~blocked @ V"},
    "message-averaged": {"mix": "A @ V / np.arange(1, len(E) + 1)[:, None]"},
    "scores-times-values": {"mix": "np.tril(Q @ K.T / np.sqrt(Q.shape[-1])) @ V"},
    "merged-without-transpose": {"join": "Z.reshape(T, -1)"},
    "heads-averaged": {"join": "np.tile(Z.mean(0), n)"},
    "heads-summed": {"join": "np.tile(Z.sum(0), n)"},
    "heads-reversed": {"join": "np.concatenate(list(Z[::-1]), -1)"},
    "heads-interleaved": {"join": "Z.transpose(1, 2, 0).reshape(T, -1)"},
    "first-head-repeated": {"join": "np.tile(Z[0], n)"},
    "output-transposed": {"output": "joined @ W_O.T"},
    "no-output": {"output": "joined"},
    "output-blocks-swapped": {"output": "sum(z @ W for z, W in zip(Z[::-1], np.split(W_O, n)))"},
    "first-block-only": {"output": "Z[0] @ np.split(W_O, n)[0]"},
    "output-twice": {"output": "joined @ W_O @ W_O"},
    "output-bias": {"output": "joined @ W_O + 0.1"},
    "residual-before-output": {"output": "(joined + E) @ W_O", "residual": "delta"},
    "no-residual": {"residual": "delta"},
    "update-doubled": {"residual": "delta + delta"},
    "residual-multiplied": {"residual": "E * delta"},
    "residual-subtracted": {"residual": "E - delta"},
    "residual-twice": {"residual": "E + E + delta"},
    "layer-norm": {
        "residual": "(lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True))(E + delta)"
    },
}
"""By the variant's id."""
