"""The focus as a document, and in its range."""

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.focus import Focus

places = st.none() | st.integers(0, 10**6)
focuses = st.builds(
    Focus,
    st.text(),
    st.text(),
    st.text(),
    beat=st.integers(0, 99),
    head=st.integers(0, 99),
    receiver=places,
    source=places,
    column=places,
    causal=st.booleans(),
)
SOME = Focus("river-bank", "The river", "softmax", 2, 1, 1, 0, 3, False)


@given(focuses)
def test_a_document_brings_the_focus_back(focus: Focus) -> None:
    written = json.dumps(focus.to_document())
    assert Focus.from_document(json.loads(written)) == focus


@pytest.mark.parametrize("name", list(asdict(SOME)))
def test_a_missing_field_or_one_of_another_type(name: str) -> None:
    document = SOME.to_document()
    wrong: list[Any] = [1.5, ["x"], {}, b"", "1" if name not in ("worksheet", "sentence", "stop") else 1]
    wrong += [1] if name == "causal" else [True]
    wrong += [None] if name in ("worksheet", "sentence", "stop", "beat", "head", "causal") else []
    for value in wrong:
        with pytest.raises(ValueError, match=name):
            Focus.from_document({**document, name: value})
    del document[name]
    with pytest.raises(ValueError, match=name):
        Focus.from_document(document)


@pytest.mark.parametrize("document", [[], "focus", 3, None])
def test_what_is_no_document(document: Any) -> None:
    with pytest.raises(ValueError, match="document"):
        Focus.from_document(document)


def test_what_is_not_known_is_left_out() -> None:
    assert Focus.from_document({**SOME.to_document(), "newer": 1}) == SOME


@given(focuses, st.integers(1, 9), st.integers(1, 9), st.integers(1, 12))
def test_within(focus: Focus, n_beats: int, n_heads: int, n_words: int) -> None:
    made = focus.within(n_beats, n_heads, n_words)
    assert made.beat == min(focus.beat, n_beats - 1)
    assert made.head == min(focus.head, n_heads - 1)
    assert (made.receiver is None) == (focus.receiver is None)
    assert 0 <= (made.receiver or 0) < n_words and 0 <= (made.source or 0) < n_words
    assert made.within(n_beats, n_heads, n_words) == made


def test_negative_positions_become_the_first() -> None:
    made = replace(SOME, beat=-1, head=-2, receiver=-3, source=-4, column=-5).within(3, 2, 5)
    assert (made.beat, made.head, made.receiver, made.source, made.column) == (0, 0, 0, 0, 0)
