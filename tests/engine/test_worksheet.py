"""Reading worksheets and sentences: what is taken, and what is told when it cannot be."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worksheets import FOLDER, RIVER_BANK, RIVER_IDS, made

from tutor.engine.givens import WorksheetError
from tutor.engine.worksheet import ReadySentence, SentenceError, Tokens, Worksheet
from tutor.errors import TutorError, shown

TEXT = (FOLDER / "river-bank.toml").read_text("utf-8")


def test_the_lesson_as_written() -> None:
    w = RIVER_BANK
    assert (w.d_model, w.d_head, w.d_v, w.n_heads, w.n_hidden, w.n_vocab, w.context) == (
        4,
        2,
        2,
        2,
        8,
        20,
        10,
    )
    assert w.vocabulary[:5] == ("the", "fisherman", "sat", "beside", "river")
    assert w.token_embedding[0] == (0.0, 0.0, 0.0, 2.4)
    assert repr(w.W_O[2]) == "(0.25, 0, 1, 0)"
    assert [head.label for head in w.heads] == ["setting", "person"]
    assert [sentence.name for sentence in w.sentences] == ["river", "cheque"]
    assert w.sentences[1].candidates == ("teller", "clerk", "queue", "money")


def test_reading_keeps_the_words_as_typed() -> None:
    assert RIVER_BANK.read(" THE\tfisherman\n sat ") == Tokens(("THE", "fisherman", "sat"), (0, 1, 2))
    assert RIVER_BANK.read(RIVER_BANK.sentences[0].text).ids == RIVER_IDS


@pytest.mark.parametrize(
    ("text", "unknown", "told"),
    [
        ("", (), ["No words", "1 to 10"]),
        (" \t\n", (), ["No words"]),
        ("the rivr bank", (1,), ['word 2 "rivr"', "river", "20 words"]),
        ("the river, xq bank", (1, 2), ['word 2 "river,"', 'word 3 "xq"']),
        ("the " * 11, (), ["11 words", "at most 10", "take out 1"]),
        ("rivr " * 12, tuple(range(12)), ["12 words", "take out 2"]),
        ("a b c d e", (0, 1, 2, 3, 4), ['word 3 "c"', "2 more"]),
        ("the \x1b[31mriver", (1,), ['"?[31mriver"']),
        ("the r\u202eiver", (1,), ['"r?iver"']),
        ("the " + "x" * 10**6, (1,), ['"xxxxxxxxxxxxxxxxx..."']),
        ("the " + "川" * 30, (1,), ["川...", "word 2"]),
    ],
    ids=lambda value: repr(value)[:30] if isinstance(value, str) else "",
)
def test_sentences_that_cannot_be_read(text: str, unknown: tuple[int, ...], told: list[str]) -> None:
    with pytest.raises(SentenceError) as caught:
        RIVER_BANK.read(text)
    message = str(caught.value)
    assert caught.value.unknown == unknown
    assert all(part in message for part in told), message
    assert message.isprintable()
    assert len(message) < 300


@given(st.text())
def test_any_text_is_read_or_told(text: str) -> None:
    try:
        tokens = RIVER_BANK.read(text)
    except SentenceError as error:
        assert str(error).isprintable()
    else:
        assert [RIVER_BANK.vocabulary[id] for id in tokens.ids] == text.casefold().split()


def test_nearest_and_completions() -> None:
    assert RIVER_BANK.nearest("Fishermen")[0] == "fisherman"
    assert RIVER_BANK.nearest("zzzz") == []
    assert len(RIVER_BANK.nearest("at")) <= 3
    assert RIVER_BANK.completions("B") == ["beside", "bank", "boats"]
    assert RIVER_BANK.completions("q") == ["queue"]
    assert RIVER_BANK.completions("") == list(RIVER_BANK.vocabulary)


def test_one_wide_head_has_the_same_numbers_side_by_side() -> None:
    wide = RIVER_BANK.one_wide_head()
    assert (wide.n_heads, wide.d_head, wide.d_v) == (1, 4, 4)
    assert wide.heads[0].W_Q == ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 1, 0))
    assert wide.heads[0].W_V == ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    assert wide.heads[0].value_axes == ("water", "finance", "person", "glue")


def test_lists_given_in_python_are_frozen() -> None:
    numbers = [list(row) for row in RIVER_BANK.W_O]
    sheet = replace(RIVER_BANK, W_O=numbers)  # type: ignore[arg-type]
    numbers[0][0] = 99
    assert sheet.W_O == RIVER_BANK.W_O


def changed(key: str, value: Any) -> Callable[[], Worksheet]:
    return lambda: replace(RIVER_BANK, **{key: value})


def with_head(**parts: Any) -> Callable[[], Worksheet]:
    first, second = RIVER_BANK.heads
    return changed("heads", (first, replace(second, **parts)))


def with_sentence(**parts: Any) -> Callable[[], Worksheet]:
    return changed("sentences", (replace(RIVER_BANK.sentences[0], **parts),))


def first_row(matrix: Any, *row: Any) -> Any:
    return (row, *matrix[1:])


W = RIVER_BANK


@pytest.mark.parametrize(
    ("build", "told"),
    [
        (changed("name", ""), ["name", "printable"]),
        (changed("name", "a\nb"), ["name", "printable"]),
        (changed("context", 0), ["context is 0", "from 1"]),
        (changed("context", True), ["context is True", "from 1"]),
        (changed("context", 11), ["position_embedding", "[10, 4]", "[11, 4]"]),
        (changed("axes", W.axes[:3]), ["axes has 3", "needs 4", "d_model"]),
        (changed("axes", "wfpg"), ["axes", "list of texts"]),
        (changed("vocabulary", ()), ["vocabulary", "list of texts"]),
        (changed("vocabulary", (*W.vocabulary[:19], "the")), ['"the" stands twice', "once"]),
        (changed("vocabulary", (*W.vocabulary[:19], "a b")), ['"a b"', "white space"]),
        (changed("vocabulary", (*W.vocabulary[:19], "Money")), ['"Money"', 'write "money"']),
        (changed("vocabulary", (*W.vocabulary[:19], "a\x07")), ["vocabulary, item 20", "printable"]),
        (changed("vocabulary", W.vocabulary[:19]), ["token_embedding", "[20, 4]", "[19, 4]", "n_vocab"]),
        (changed("token_embedding", ()), ["token_embedding", "at least one number"]),
        (changed("token_embedding", [[]] * 20), ["token_embedding", "at least one number"]),
        (changed("W_O", W.W_O[:3]), ["W_O has shape [3, 4]", "[4, 4]", "n_heads * d_v"]),
        (changed("W_O", first_row(W.W_O, 1, 0, 0)), ["W_O row 1 has 3", "[4, 4]"]),
        (changed("W_O", 3), ["W_O is 3", "[4, 4]"]),
        (changed("W_O", (1, 2, 3, 4)), ["W_O is a list of 4", "[4, 4]"]),
        (changed("W_O", first_row(W.W_O, 1, 0, 0, True)), ["W_O row 1, number 4 is True", "finite"]),
        (changed("W_O", first_row(W.W_O, 1, 0, 0, "x")), ["W_O row 1, number 4 is 'x'", "finite"]),
        (changed("W_O", first_row(W.W_O, 1, 0, 0, None)), ["number 4 is None", "finite"]),
        (changed("W_O", first_row(W.W_O, math.nan, 0, 0, 0)), ["number 1 is nan", "finite"]),
        (changed("W_O", first_row(W.W_O, 0, -math.inf, 0, 0)), ["number 2 is -inf", "finite"]),
        (changed("W_O", first_row(W.W_O, 10**5000, 0, 0, 0)), ["number 1 is too large", "1e+12"]),
        (changed("W_hidden", W.W_hidden[:3]), ["W_hidden has shape [3, 8]", "[4, 8]"]),
        (changed("b_hidden", W.b_hidden[:3]), ["b_hidden has shape [3]", "[8]"]),
        (changed("b_hidden", 1.0), ["b_hidden is 1.0", "[8]"]),
        (changed("W_vocab", W.W_vocab[:3]), ["W_vocab has shape [3, 20]", "[8, 20]"]),
        (changed("b_vocab", W.b_vocab[:3]), ["b_vocab has shape [3]", "[20]"]),
        (changed("heads", ()), ["heads", "at least one Head"]),
        (changed("heads", ({},)), ["heads", "at least one Head"]),
        (changed("heads", W.heads[:1]), ["W_O has shape [4, 4]", "[2, 4]"]),
        (with_head(label=" "), ["head 2 label"]),
        (with_head(W_Q=W.W_O), ["head 2 W_Q has shape [4, 4]", "[4, 2]", "d_head"]),
        (with_head(W_K=W.W_O), ["head 2 W_K has shape [4, 4]", "[4, 2]", "d_head"]),
        (with_head(W_V=W.W_O), ["head 2 W_V has shape [4, 4]", "[4, 2]", "d_v"]),
        (with_head(query_axes=("a",)), ["head 2 query_axes has 1", "needs 2"]),
        (with_head(key_axes=("a", "b", "c")), ["head 2 key_axes has 3", "needs 2"]),
        (with_head(value_axes=("a", 3)), ["head 2 value_axes, item 2 is 3", "text"]),
        (changed("sentences", ()), ["sentences", "at least one"]),
        (with_sentence(text="the ocean"), ["sentences.river.text", '"ocean"']),
        (with_sentence(text="the " * 11), ["sentences.river.text", "11 words", "at most 10"]),
        (with_sentence(text=""), ["sentences.river.text", "text"]),
        (with_sentence(target="ocean"), ["sentences.river", '"ocean"', "vocabulary"]),
        (with_sentence(candidates=("water", "ocean")), ["sentences.river", '"ocean"', "vocabulary"]),
        (with_sentence(candidates=()), ["sentences.river.candidates"]),
        (with_sentence(name=""), ["sentence name"]),
        (changed("sentences", W.sentences[:1] * 2), ["sentences", "river", "twice"]),
    ],
)
def test_worksheets_that_do_not_fit(build: Callable[[], Worksheet], told: list[str]) -> None:
    with pytest.raises(WorksheetError) as caught:
        build()
    message = str(caught.value)
    assert all(part in message for part in told), message
    assert message.isprintable()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("context = 10", "context = ", ["is not TOML", "line"]),
        ("context = 10", "", ["has no context"]),
        ("context = 10", "context = 10\ndepth = 3", ['unknown key "depth"']),
        ("context = 10", 'context = "10"', ["context is '10'", "whole number"]),
        ("context = 10", "context = " + "[" * 5000, ["is not TOML"]),
        ("context = 10", "context = 0x" + "f" * 5000, ["context is too large"]),
        ("[0.7, 0.7, 0.0, 0.7]", "[0.7, 0.7, 0.7]", ["token_embedding row 6 has 3", "[20, 4]"]),
        ("money     =", "the       =", ["is not TOML"]),
        ("money     =", '"the money" =', ['"the money"', "white space"]),
        ("money     =", "Money     =", ['"Money"', 'write "money"']),
        ('label = "person"', "", ["head 2 has no label"]),
        ('label = "person"', 'label = "person"\nbias = 1', ['head 2 has an unknown key "bias"']),
        ('target = "teller"', "", ["sentences.cheque has no target"]),
        ('target = "teller"', 'target = "teler"', ["sentences.cheque", '"teler"', "vocabulary"]),
        ("beside the river", "beside the ocean", ["sentences.river.text", '"ocean"']),
        ("  [   1, 0, 0, 0],", "  [true, 0, 0, 0],", ["W_O row 1, number 1 is True"]),
        ("  [   1, 0, 0, 0],", "  [nan, 0, 0, 0],", ["W_O row 1, number 1 is nan"]),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_files_that_cannot_be_used(tmp_path: Path, old: str, new: str, told: list[str]) -> None:
    assert old in TEXT
    path = tmp_path / "edited.toml"
    path.write_text(TEXT.replace(old, new, 1), "utf-8")
    check_refused(path, told)


def check_refused(path: Path, told: list[str]) -> None:
    """Loading fails in one printable line with the file's name and these parts."""
    with pytest.raises(WorksheetError) as caught:
        Worksheet.load(path)
    message = str(caught.value)
    assert all(part in message for part in [path.name, *told]), message
    assert message.isprintable()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", ["has no name"]),
        (b"\xff\xfe", ["byte 0 is not UTF-8"]),
        (b"token_embedding = 3\n", ["has no name"]),
    ],
)
def test_files_that_are_no_worksheets(tmp_path: Path, content: bytes, told: list[str]) -> None:
    path = tmp_path / "other.toml"
    path.write_bytes(content)
    check_refused(path, told)


@pytest.mark.parametrize("key", ["token_embedding", "sentences", "heads"])
def test_a_number_where_a_table_belongs(tmp_path: Path, key: str) -> None:
    keys = (
        "name",
        "axes",
        "context",
        "position_embedding",
        "W_O",
        "W_hidden",
        "b_hidden",
        "W_vocab",
        "b_vocab",
    )
    path = tmp_path / "flat.toml"
    path.write_text("".join(f"{name} = 3\n" for name in (*keys, "token_embedding", "sentences", "heads")))
    check_refused(path, ["token_embedding is 3", "table"])
    tables = {"token_embedding": "[token_embedding]\nthe = [1]\n", "sentences": "[sentences.a]\n"}
    path.write_text("".join(f"{name} = 3\n" for name in (*keys, "heads")) + "".join(tables.values()))
    check_refused(path, ["heads is 3"])


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    check_refused(tmp_path / "missing.toml", ["No such file", "give the path"])
    check_refused(tmp_path, ["Is a directory", "give the path"])


def test_a_file_from_another_editor(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert Worksheet.load(path).vocabulary == RIVER_BANK.vocabulary


def test_worksheets_are_compared_by_identity() -> None:
    assert replace(RIVER_BANK) != RIVER_BANK
    assert len({RIVER_BANK, replace(RIVER_BANK)}) == 2


def test_any_sizes_are_allowed() -> None:
    sheet = made(0, d_model=3, d_head=1, d_v=5, heads=7, hidden=2, vocabulary=1, context=1)
    assert (sheet.d_model, sheet.d_head, sheet.d_v, sheet.n_heads, sheet.n_hidden) == (3, 1, 5, 7, 2)
    assert sheet.read("WORD0").ids == (0,)


def test_errors_share_one_kind() -> None:
    assert issubclass(WorksheetError, TutorError)
    assert issubclass(SentenceError, TutorError)
    assert isinstance(RIVER_BANK.sentences[0], ReadySentence)


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("bank", 20, "bank"),
        ("a\x00\x1b\nb", 20, "a???b"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc..."),
        ("川川川", 6, "川川川"),
        ("川川川川", 6, "川..."),
        ("\ud800", 6, "?"),
    ],
)
def test_text_is_shown_safely(text: str, cells: int, expected: str) -> None:
    assert shown(text, cells) == expected


def test_the_files_print_as_published() -> None:
    assert json.dumps(RIVER_BANK.position_embedding[0]) == "[0.1, 0.0, 0.1, -0.1]"
