"""The file that a learner fills in."""

STUB = '''"""Multi-head attention in your own code. Grade it with `tutor check` and the name of this file.

Use numpy or torch. You get float64 arrays (tensors, if this file imports torch); return new ones and leave
those that you get as they are. Shapes are in brackets: rows are tokens, a receiver's row reads the rows of
sources. Sizes differ from call to call, down to a single token, and scores may be as large as 1000.

Every receiver reads itself and the sources before it, none after it. A function that still raises
NotImplementedError counts as blank; one that you delete is not checked.
"""

import numpy as np


def attention_weights(E, W_Q, W_K):
    """One head's weights A: how much each receiver reads of each source.

    E [tokens, d_model], W_Q and W_K [d_model, d_head]
    returns A [tokens, tokens], receivers down, sources across; each row sums to 1
    """
    raise NotImplementedError


def head(E, W_Q, W_K, W_V):
    """One head's messages: the weighted sum of the sources' values.

    E [tokens, d_model], W_Q, W_K and W_V [d_model, d_head]
    returns messages [tokens, d_head]
    """
    raise NotImplementedError


def split_heads(X, n_heads):
    """Rows with all heads side by side, head 1 first, cut into heads.

    X [tokens, n_heads * d_head]
    returns [n_heads, tokens, d_head]
    """
    raise NotImplementedError


def merge_heads(Z):
    """The way back: the heads' rows side by side, head 1 first.

    Z [n_heads, tokens, d_head]
    returns [tokens, n_heads * d_head]
    """
    raise NotImplementedError


def multi_head(E, W_Q, W_K, W_V, W_O, n_heads):
    """The update ΔE: every head's messages, joined, times W_O.

    E [tokens, d_model]; W_Q, W_K and W_V [d_model, n_heads * d_head], packed: the heads' columns side by side
    W_O [n_heads * d_head, d_model]
    returns delta_E [tokens, d_model]
    """
    raise NotImplementedError


def block(E, W_Q, W_K, W_V, W_O, n_heads):
    """The rows after attention, E′ = E + ΔE.

    As multi_head; returns E_prime [tokens, d_model]
    """
    raise NotImplementedError
'''
