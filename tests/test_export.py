"""`tutor trace`: one JSON object, a NumPy file or tables, equal to an independent computation."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import assert_close, forward
from worksheets import CHEQUE_IDS, RIVER_BANK, RIVER_IDS, made, scaled_up, sentences, worksheets

from tutor.choice import Choice
from tutor.draw.line import text_of
from tutor.engine.attention import trace_sentence
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError
from tutor.export import tables, to_json, traced, write_npz

KEYS = ["tokens", "ids", "E", "heads"]
PER_TOKEN = ["joined", "delta_E", "E_prime", "hidden", "logits", "probabilities"]
PER_HEAD = ["Q", "K", "V", "raw", "scores", "exp", "total", "A", "contributions", "messages"]


def document(worksheet: Worksheet, ids: Any, causal: bool = True) -> dict[str, Any]:
    words = [worksheet.vocabulary[id] for id in ids]
    text = to_json(worksheet, words, trace_sentence(worksheet, ids, causal=causal))
    read: dict[str, Any] = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    return read


def shape(value: Any) -> list[int]:
    return [len(value), *shape(value[0])] if isinstance(value, list) else []


def test_keys_and_shapes() -> None:
    sheet = made(4, d_model=5, d_head=2, d_v=3, heads=4, hidden=6, vocabulary=7, context=9)
    read = document(sheet, [0, 1, 2, 3, 4, 5, 6, 0])
    assert list(read) == KEYS + PER_TOKEN
    assert [list(head) for head in read["heads"]] == [["label", *PER_HEAD]] * 4
    assert [shape(read[name]) for name in ["tokens", "ids", "E", *PER_TOKEN]] == [
        [8], [8], [8, 5], [8, 12], [8, 5], [8, 5], [8, 6], [8, 7], [8, 7],
    ]  # fmt: skip
    for head in read["heads"]:
        assert [shape(head[name]) for name in PER_HEAD] == [
            [8, 2], [8, 2], [8, 3], [8, 8], [8, 8], [8, 8], [8], [8, 8], [8, 8, 3], [8, 3],
        ]  # fmt: skip


def test_the_river_as_printed() -> None:
    _, words, _ = choice = traced(Choice())
    read = json.loads(to_json(*choice))
    assert words[0] == read["tokens"][0] == "The"
    assert read["ids"] == list(RIVER_IDS)
    setting, person = read["heads"]
    assert (setting["label"], person["label"]) == ("setting", "person")
    assert setting["raw"][9][5] == pytest.approx(6.9)
    assert [round(head["total"][9], 3) for head in read["heads"]] == [183.244, 43.908]
    assert (round(setting["A"][9][5], 3), round(person["A"][9][1], 3)) == (0.718, 0.693)
    assert [round(100 * share, 1) for share in read["probabilities"][9][12:16]] == [61.0, 19.2, 12.0, 4.9]


def test_tokens_are_as_typed() -> None:
    assert json.loads(to_json(*traced(Choice(sentence="THE  bank"))))["tokens"] == ["THE", "bank"]


def test_blocked_scores_are_null_and_their_weights_0() -> None:
    for head in document(RIVER_BANK, CHEQUE_IDS)["heads"]:
        for receiver in range(10):
            for source in range(10):
                blocked = source > receiver
                assert (head["scores"][receiver][source] is None) == blocked
                assert (head["exp"][receiver][source] == 0) == blocked
                assert (head["A"][receiver][source] == 0) == blocked
                assert head["raw"][receiver][source] is not None


def test_without_the_mask_nothing_is_null() -> None:
    assert "null" not in json.dumps(document(RIVER_BANK, RIVER_IDS, causal=False))


def test_what_overflows_is_null() -> None:
    heads = document(scaled_up(RIVER_BANK, 30.0), RIVER_IDS)["heads"]
    assert heads[0]["exp"][9][5] is None
    assert heads[0]["total"][9] is None
    assert heads[0]["scores"][9][5] > 1000
    assert sum(heads[0]["A"][9]) == pytest.approx(1)


def assert_equal(got: Any, expected: Any, name: str) -> None:
    """Equal shapes, the same places null, the numbers close."""
    expected = np.asarray(expected, dtype=float)
    got = np.array(got, dtype=float)  # null becomes nan
    assert got.shape == expected.shape, name
    assert np.array_equal(np.isnan(got), ~np.isfinite(expected)), name
    finite = np.isfinite(expected)
    assert_close(got[finite], expected[finite], 1e-9, name)


@given(st.data(), worksheets(), st.booleans())
def test_json_is_the_independent_computation(data: st.DataObject, worksheet: Worksheet, causal: bool) -> None:
    ids = data.draw(sentences(worksheet))
    read, expected = document(worksheet, ids, causal), forward(worksheet, ids, causal=causal)
    assert read["ids"] == ids
    for name in ["E", *PER_TOKEN]:
        assert_equal(read[name], expected[name], name)
    for at, head in enumerate(read["heads"]):
        for name in PER_HEAD:
            assert_equal(head[name], expected[name][at], name)


def test_the_numpy_file_holds_the_same(tmp_path: Path) -> None:
    path = tmp_path / "river.data"
    write_npz(path, *traced(Choice()))
    expected = forward(RIVER_BANK, RIVER_IDS)
    with np.load(path) as file:
        names = {*PER_TOKEN, "tokens", "ids", "E"}
        names |= {f"heads[{at}].{name}" for at in range(2) for name in ["label", *PER_HEAD]}
        assert set(file) == names
        assert file["tokens"].tolist()[:2] == ["The", "fisherman"]
        assert str(file["heads[1].label"]) == "person"
        for name in PER_TOKEN:
            assert_close(file[name], expected[name], 1e-9, name)
        for name in PER_HEAD:
            assert_close(file[f"heads[1].{name}"], expected[name][1], 1e-9, name)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(TutorError, match="cannot be written"):
        write_npz(tmp_path / "none" / "x.npz", *traced(Choice()))


def test_the_tables() -> None:
    lines = [text_of(line) for line in tables(*traced(Choice()))]
    captions = [line for line in lines if line.endswith("]") and "[" in line]
    assert captions[0] == "E [10×4]"
    assert "head 1 setting · A [10×10]" in captions
    assert "probabilities [10×20]" in captions
    start = lines.index("head 1 setting · A [10×10]")
    river = lines[start + 11].split()
    assert " ".join(river) == "10 the 0.006 0.166 0.009 0.012 0.008 0.718 0.053 0.005 0.017 0.005"
    first = lines[start + 2].split()
    assert first == ["1", "The", "1.000", *["0.000"] * 9]
    scores = lines.index("head 1 setting · scores [10×10]")
    assert lines[scores + 2].split()[3:] == ["×"] * 9
