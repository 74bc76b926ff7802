"""Verification passes on the lesson, and fails as soon as a number of either side is altered."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import assert_close, forward
from worksheets import FOLDER, RIVER_BANK, made, sentences, worksheets

from tutor.engine.attention import trace_sentence
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError
from tutor.verify.numbers import check_numbers
from tutor.verify.reference import reference

PUBLISHED = (FOLDER / "published.toml").read_text("utf-8")


def failed(worksheet: Worksheet, published: Path | None = None) -> list[str]:
    return [check.name for check in check_numbers(worksheet, published) if not check.passed]


def test_the_lesson_passes() -> None:
    checks = list(check_numbers(RIVER_BANK))
    assert [check for check in checks if not check.passed] == []
    assert len({check.name for check in checks}) == len(checks) == 24
    assert "351 compared" in next(check.detail for check in checks if "left out" in check.name)
    assert any("not recomputed" in check.detail for check in checks)


@pytest.mark.parametrize(
    ("old", "new", "section"),
    [
        ("6.90, 3.22", "6.91, 3.22", "head 1"),
        ("131.504", "131.505", "head 1"),
        ("0.718, 0.053", "0.719, 0.053", "head 1"),
        ("total = 43.908", "total = 43.909", "head 2"),
        ("[ 2.225, -0.072]", "[ 2.226, -0.072]", "head 1"),
        ("all_other_sources = [0.097", "all_other_sources = [0.098", "head 2"),
        ("others = 0.113", "others = 0.114", "wide"),
        ("value_width = 4", "value_width = 2", "wide"),
        ("fisherman = 4.83\n", "fisherman = 4.84\n", "wide"),
        ("joined = [2.617", "joined = [2.616", "update"),
        ("water = 61.0", "water = 61.1", "next word"),
        ("2.471384", "2.471385", "cheque"),
        ("she = 0.862", "she = 0.863", "cheque"),
        ("clerk = 25.7", "clerk = 25.8", "cheque"),
        ("ids = [8, 9, 0", "ids = [8, 9, 1", "cheque"),
        ('["water", "teller"]', '["water", "clerk"]', "batch"),
        ("scores = [2, 2, 10, 10]", "scores = [2, 2, 10]", "batch"),
        ("offset = [0.2,", "offset = [0.3,", "bias"),
        ("parameters_with = 80", "parameters_with = 84", "bias"),
        ("one = [8.4", "one = [8.5", "mixtures"),
        ("two_weights = [[0.8, 0.2], [0.2, 0.8]]", "two_weights = [[0.8, 0.2], [0.3, 0.8]]", "mixtures"),
        ("2332832", "2332833", "parameters"),
        ("perplexity = 31.34", "perplexity = 33.34", "perplexities"),
        ("embedding = [0.0, 0.0, 0.0, 2.3]", "embedding = [0.0, 0.0, 2.3]", "embedding"),
        ("delta_E = [3.005, -0.018, 1.552, 0.538]\n", "", "update"),
        ("[bias]\n", "[bias]\nextra = 1.0\n", "left out"),
    ],
)
def test_an_altered_print_fails(tmp_path: Path, old: str, new: str, section: str) -> None:
    assert PUBLISHED.count(old) >= 1
    path = tmp_path / "published.toml"
    path.write_text(PUBLISHED.replace(old, new, 1), "utf-8")
    names = failed(RIVER_BANK, path)
    assert any(section in name for name in names)
    assert [name for name in names if section not in name and "left out" not in name] == []


@pytest.mark.parametrize("key", ["token_embedding", "position_embedding", "W_O", "W_hidden", "W_vocab"])
def test_an_altered_worksheet_fails(key: str) -> None:
    matrix = getattr(RIVER_BANK, key)
    row = tuple(2 * number for number in matrix[0])
    altered: dict[str, Any] = {key: (row, *matrix[1:])}
    assert failed(replace(RIVER_BANK, **altered))


def test_a_wrong_engine_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistake(causal: bool = True, scaled: bool = True) -> None:
        wrong = partial(trace_sentence, causal=causal, scaled=scaled)
        monkeypatch.setattr("tutor.verify.numbers.trace_sentence", wrong)

    mistake(scaled=False)
    assert {"river: nn.MultiheadAttention", "river: second computation"} <= set(failed(RIVER_BANK))
    mistake(causal=False)
    assert {
        "river: no weight on a blocked source",
        "river: earlier rows stay",
        "river: second computation",
    } <= set(failed(RIVER_BANK))


def test_another_worksheet_is_checked_without_the_print() -> None:
    checks = list(
        check_numbers(made(3, d_model=4, d_head=2, d_v=3, heads=3, hidden=5, vocabulary=6, context=7))
    )
    assert all(check.passed for check in checks)
    assert not any("published" in check.name for check in checks)
    assert any("not compared" in check.detail for check in checks)


def test_no_print_to_compare_with(tmp_path: Path) -> None:
    with pytest.raises(TutorError, match=r"missing\.toml cannot be read"):
        failed(RIVER_BANK, tmp_path / "missing.toml")


@settings(max_examples=50)
@given(st.data(), worksheets(), st.booleans())
def test_both_second_computations_agree(data: st.DataObject, worksheet: Worksheet, causal: bool) -> None:
    ids = data.draw(sentences(worksheet))
    one, other = reference(worksheet, ids, causal), forward(worksheet, ids, causal=causal)
    assert set(one) == set(other)
    for name in one:
        assert_close(one[name], other[name], 1e-9, name)
