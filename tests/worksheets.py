"""Worksheets for tests: the lesson's own, and random ones of random sizes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tutor.engine.worksheet import Head, ReadySentence, Worksheet

FOLDER = Path(__file__).parent.parent / "worksheet"
RIVER_BANK = Worksheet.load(FOLDER / "river-bank.toml")
RIVER_IDS = (0, 1, 2, 3, 0, 4, 5, 6, 7, 0)
CHEQUE_IDS = (8, 9, 0, 10, 11, 0, 5, 6, 7, 0)


def made(
    seed: int, *, d_model: int, d_head: int, d_v: int, heads: int, hidden: int, vocabulary: int, context: int
) -> Worksheet:
    """A worksheet of those sizes with random numbers."""
    random = np.random.default_rng(seed)

    def matrix(rows: int, columns: int) -> Any:
        return tuple(map(tuple, random.normal(size=(rows, columns)).tolist()))

    def axes(kind: str, length: int) -> tuple[str, ...]:
        return tuple(f"{kind} {place}" for place in range(length))

    words = tuple(f"word{place}" for place in range(vocabulary))
    return Worksheet(
        name="made",
        axes=axes("axis", d_model),
        context=context,
        vocabulary=words,
        token_embedding=matrix(vocabulary, d_model),
        position_embedding=matrix(context, d_model),
        heads=tuple(
            Head(
                f"label {number}",
                matrix(d_model, d_head),
                matrix(d_model, d_head),
                matrix(d_model, d_v),
                axes("query", d_head),
                axes("key", d_head),
                axes("value", d_v),
            )
            for number in range(heads)
        ),
        W_O=matrix(heads * d_v, d_model),
        W_hidden=matrix(d_model, hidden),
        b_hidden=matrix(1, hidden)[0],
        W_vocab=matrix(hidden, vocabulary),
        b_vocab=matrix(1, vocabulary)[0],
        sentences=(ReadySentence("first", words[0], words[0], (words[0],)),),
    )


@st.composite
def worksheets(draw: st.DrawFn) -> Worksheet:
    """Worksheets of any sizes, d_v often other than d_head."""
    sizes = {name: draw(st.integers(1, 5)) for name in ("d_model", "d_head", "d_v", "hidden", "vocabulary")}
    return made(
        draw(st.integers(0, 2**32 - 1)),
        heads=draw(st.integers(1, 4)),
        context=draw(st.integers(1, 8)),
        **sizes,
    )


def sentences(worksheet: Worksheet) -> st.SearchStrategy[list[int]]:
    """Ids of any sentence that the worksheet can read."""
    return st.lists(st.integers(0, worksheet.n_vocab - 1), min_size=1, max_size=worksheet.context)


def scaled_up(worksheet: Worksheet, factor: float) -> Worksheet:
    """The same worksheet with its token rows multiplied: scores grow with the square."""
    rows = tuple(tuple(factor * number for number in row) for row in worksheet.token_embedding)
    return replace(worksheet, token_embedding=rows)
