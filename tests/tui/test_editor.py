"""Editing the sentence: live comparison, completion, faults, and the way back."""

from pathlib import Path

from textual.widgets import Input
from tui.driving import lesson_at, screen_text, shown


async def test_both_heads_answer_while_typing_and_enter_keeps(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("e")
        await pilot.pause()
        app.screen.query_one(Input).value = "She deposited the cheque at the bank and watched the"
        await pilot.pause()
        stage = "\n".join(shown(app, "stage"))
        for published in ("0.645", "0.862", "2.471", "2.367"):
            assert published in stage
        assert "+0.633" in stage  # 0.64486 − 0.01230, from the worksheet by hand in numpy
        assert "61.6 %" in shown(app, "working")[0] and "61.0 %" in shown(app, "working")[0]
        assert "cheque" in shown(app, "prose")[0] and "She" in shown(app, "prose")[0]
        await pilot.press("enter")
        await pilot.pause()
        assert app.place.sentence == "She deposited the cheque at the bank and watched the"
        assert (app.place.stop, app.place.beat) == ("softmax", 3)


async def test_escape_restores(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "scores", 4) as (app, pilot):
        here, before = app.place, screen_text(app)
        await pilot.press("e", "ctrl+u", *"bank", "escape")
        await pilot.pause()
        assert app.place == here
        assert screen_text(app) == before


async def test_an_unknown_word_is_named_and_the_last_sentence_stays(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "scores", 4) as (app, pilot):
        await pilot.press("e", "ctrl+u", *"the bank", "space", *"cheqe")
        await pilot.pause()
        prose = " ".join(shown(app, "prose"))
        assert "cheqe" in prose and "cheque" in prose and "word 3" in prose
        assert "1 not known" in shown(app, "rule")[0]
        stage = "\n".join(shown(app, "stage"))
        assert "bank" in stage and "cheqe" not in stage
        await pilot.press("enter")
        await pilot.pause()
        assert app.lesson_screen.typing
        await pilot.press("backspace", "tab", "enter")
        await pilot.pause()
        assert app.place.sentence == "the bank cheque"


async def test_empty_and_too_long_say_so(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "scores") as (app, pilot):
        await pilot.press("e", "ctrl+u")
        await pilot.pause()
        assert "No words" in " ".join(shown(app, "prose"))
        app.screen.query_one(Input).value = "the " * 11
        await pilot.pause()
        prose = " ".join(shown(app, "prose"))
        assert "11 words" in prose and "at most 10" in prose


async def test_every_key_is_text(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "scores") as (app, pilot):
        here = app.place
        await pilot.press("e", "ctrl+u")
        keys = "npejksgdqmc0129,.?[]"
        await pilot.press(*("question_mark" if key == "?" else key for key in keys), "space")
        await pilot.pause()
        assert app.screen.query_one(Input).value == keys + " "
        assert app.place == here and app.is_running


async def test_a_dash_stands_where_one_sentence_is_shorter(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "scores") as (app, pilot):
        await pilot.press("e", "ctrl+u", *"the", "space", *"bank")
        await pilot.pause()
        row = next(line for line in shown(app, "stage") if "beside" in line)
        assert row.count("—") == 5  # the word, and now and difference of two heads


async def test_case_folds_and_words_stay_as_typed(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "scores") as (app, pilot):
        await pilot.press("e", "ctrl+u", *"THE", "space", *"Bank", "enter")
        await pilot.pause()
        assert app.place.sentence == "THE Bank"


async def test_markup_and_control_characters_are_only_text(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "scores") as (app, pilot):
        await pilot.press("e")
        app.screen.query_one(Input).value = "[/] [red]x[/red] \x1b[31m {source} **"
        await pilot.pause()
        assert app.is_running
        assert "\x1b" not in screen_text(app)
