"""What can be asked: one kind a quantity, with the words of its question and its hints."""

from __future__ import annotations

from dataclasses import dataclass

TOKENS = ("receiver", "source")
PER_HEAD = frozenset({"Q", "K", "V", "raw", "scores", "exp", "total", "A", "contributions", "messages"})
"""Names in the trace that stand under `heads`."""


@dataclass(frozen=True)
class Kind:
    """A quantity of the trace, asked for as one number or as one short row."""

    id: str
    """its stop and its own word, such as `softmax.weight`"""
    field: str
    """its name in the trace"""
    uses: tuple[str, ...]
    """which of head, receiver, source and column it needs, in the order of the trace's axes"""
    what: str
    """the quantity in words, to follow its place; {word} and {column} stand for the column's"""
    hints: tuple[str, str, str]
    decimals: int = 3
    row: bool = False
    """a row of numbers unless a column is named"""

    @property
    def stop(self) -> str:
        """The lesson's stop that teaches it."""
        return self.id.partition(".")[0]


_CELL = ("head", "receiver", "source")
_SOFTMAX = "A = exp(s) / total, one row a receiver; the total runs over the sources that it may read."
_MASK = "Sources after the receiver count for nothing, the receiver itself does count."

KINDS: tuple[Kind, ...] = (
    Kind("embed.E", "E", ("source",), "its row of E", (
        "Two rows are added: one for the word, one for its place.",
        "E = row of the token embedding + row of the position embedding.",
        "Take the row of this position, counted from 1 at the first word of the sentence.",
    ), row=True),
    Kind("query.Q", "Q", ("head", "receiver"), "its query, e W_Q", (
        "The query is a row of E times a matrix.",
        "q = e W_Q: each number of q comes from one column of this head's W_Q.",
        "Work out e first, then multiply it with the first column of W_Q and add, then with the second.",
    ), row=True),
    Kind("keys-values.K", "K", ("head", "source"), "its key, e W_K", (
        "The key is a row of E times a matrix of its own.",
        "k = e W_K: each number of k comes from one column of this head's W_K.",
        "Use W_K, not W_Q or W_V, and the head that is asked.",
    ), row=True),
    Kind("keys-values.V", "V", ("head", "source"), "its value, e W_V", (
        "The value is a row of E times a matrix of its own.",
        "v = e W_V: each number of v comes from one column of this head's W_V.",
        "Use W_V, not W_K, and the head that is asked.",
    ), row=True),
    Kind("scores.raw", "raw", _CELL, "the raw score, q · k", (
        "A raw score compares the receiver's query with the source's key.",
        "r = q · k: multiply in pairs and add.",
        "The query is the receiver's, the key is the source's, both of this head; nothing is divided yet.",
    ), decimals=2),
    Kind("softmax.scaled", "scores", _CELL, "the scaled score", (
        "Start from the raw score q · k.",
        "s = r / √d_head.",
        "d_head is the width of one head's query, not that of E and not the number of heads.",
    )),
    Kind("softmax.exp", "exp", _CELL, "exp of the scaled score", (
        "Scale the raw score first.",
        "exp(s), with s = r / √d_head.",
        "exp takes powers of e = 2.718; of 0 it makes 1, of a negative number something below 1.",
    )),
    Kind("softmax.total", "total", ("head", "receiver"), "the total of exp over its sources", (
        "All weights of a row share one total.",
        "total = exp(s) of the first source + of the second + … .",
        _MASK,
    )),
    Kind("softmax.weight", "A", _CELL, "the weight A", (
        "Compare this source's exp with that of all sources together.",
        _SOFTMAX,
        _MASK,
    )),
    Kind("contributions.part", "contributions", _CELL, "its contribution, weight × value", (
        "One weight multiplies the whole value row.",
        "contribution = A × v, with the source's value v = e W_V.",
        "The weight belongs to receiver and source, the value to the source alone.",
    ), row=True),
    Kind("contributions.message", "messages", ("head", "receiver"), "its message", (
        "A message gathers what all sources contribute.",
        "message = sum of A × v over the sources, one row of A V.",
        _MASK,
    ), row=True),
    Kind("concat.joined", "joined", ("receiver",), "its row of joined", (
        "The heads' messages become one row.",
        "joined = message of head 1, then message of head 2, and so on.",
        "They stand side by side: nothing is added and nothing averaged.",
    ), row=True),
    Kind("output.delta", "delta_E", ("receiver",), "its update ΔE", (
        "The joined row goes through one more matrix.",
        "Δe = joined W_O: each number comes from one column of W_O.",
        "W_O stands to the right, as it is; E is not added yet.",
    ), row=True),
    Kind("residual.output", "E_prime", ("receiver",), "its row of E′", (
        "The update does not replace the row that came in.",
        "e′ = e + Δe.",
        "Add number by number; e holds the position row too.",
    ), row=True),
    Kind("prediction.hidden", "hidden", ("receiver", "column"), "hidden unit {column}", (
        "The prediction reads the receiver's row of E′.",
        "hidden = relu(e′ W_hidden + b_hidden).",
        "relu turns a negative sum into 0; one unit reads one column of W_hidden.",
    )),
    Kind("prediction.logit", "logits", ("receiver", "column"), "the logit of “{word}”", (
        "A logit is a word's score before its probability.",
        "logits = hidden W_vocab + b_vocab.",
        "Take the word's column of W_vocab and its number of b_vocab.",
    )),
    Kind("prediction.probability", "probabilities", ("receiver", "column"), "the probability of “{word}”", (
        "The logits of all words become shares.",
        "probability = exp(logit) / total of exp over the whole vocabulary.",
        "Every word of the vocabulary counts in the total.",
    )),
    Kind("batching.weight", "A", _CELL, "the weight A", (
        "Four indices name one cell: sentence, head, receiver, source.",
        "In code each of them counts from 0.",
        _SOFTMAX,
    )),
)  # fmt: skip
"""In the order of the lesson."""
BY_ID = {kind.id: kind for kind in KINDS}
STOPS = tuple(dict.fromkeys(kind.stop for kind in KINDS))
