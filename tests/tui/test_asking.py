"""Answering in place: hidden results, verdicts, diagnoses, hints, and what is remembered."""

import json
from pathlib import Path

import pytest
from textual.widgets import Input
from tui.driving import lesson_at, screen_text, shown


def prose_of(app: object) -> str:
    """The prose as one line."""
    return " ".join(line.strip() for line in shown(app, "prose"))  # type: ignore[arg-type]


async def test_the_result_is_hidden_until_it_is_right_then_unfolds(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("a")
        await pilot.pause()
        assert "0.718" not in screen_text(app)
        assert "?›" in "\n".join(shown(app, "stage"))
        await pilot.press(*"0.718", "enter")
        await pilot.pause()
        assert prose_of(app).startswith("✓ Right.")
        assert "131.504 / 183.244  =  0.718" in shown(app, "working")[0]
        assert not app.lesson_screen.typing


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0.857", "√d_head"),  # the catalogue's M01
        ("0.693", "head 2"),  # fisherman's weight is head 2's strongest, published
        ("71.8", "percentage"),
        ("nan", "Not read"),
        ("", "Nothing typed"),
        ("0.72", "Right so far"),
    ],
)
async def test_a_wrong_answer_says_which_mistake(tmp_path: Path, typed: str, said: str) -> None:
    source = 1 if typed == "0.693" else None
    async with lesson_at(tmp_path, "softmax", 4, source=source) as (app, pilot):
        await pilot.press("a")
        await pilot.pause()
        app.screen.query_one(Input).value = typed
        await pilot.press("enter")
        await pilot.pause()
        assert said in prose_of(app)
        assert app.lesson_screen.typing


async def test_three_hints_none_of_them_the_answer(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("a")
        await pilot.pause()
        hints = []
        for _ in range(4):
            await pilot.press("h")
            await pilot.pause()
            hints.append(prose_of(app))
            assert "0.718" not in screen_text(app)
        assert len(set(hints)) == 3
        assert app.screen.query_one(Input).value == ""


async def test_escape_leaves_and_shows_the_result_again(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        before = screen_text(app)
        await pilot.press("a", "1", "escape")
        await pilot.pause()
        assert screen_text(app) == before


async def test_hiding_lasts_until_shown_or_answered(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("t")
        assert "0.718" not in screen_text(app)
        await pilot.press("left", "right")
        assert "0.718" not in screen_text(app)
        await pilot.press("enter")
        assert "0.718" in screen_text(app)
        await pilot.press("down")
        assert "0.053" not in screen_text(app)  # bank's weight
        await pilot.press("a", *"0.053", "enter")
        await pilot.pause()
        assert "0.053" in screen_text(app)
        await pilot.press("up", "down", "t")
        assert "0.053" in screen_text(app)


async def test_nothing_is_asked_where_nothing_is_lit(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "other-bank", 1) as (app, pilot):
        assert app.lesson_screen.check_action("ask", ()) is None
        await pilot.press("a")
        assert not app.lesson_screen.typing


async def test_answers_and_beats_are_remembered_and_shown(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("a", *"0.857", "enter")
        await pilot.pause()
        await pilot.press("escape", "q")
    kept = json.loads((tmp_path / "progress.json").read_text())
    assert "softmax/weights" in kept["seen"]
    (answer,) = kept["answers"].values()
    assert answer["right"] is False and answer["stop"] == "softmax"
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("o")
        await pilot.pause()
        from textual.widgets import Static

        text = str(app.screen.query_one(Static).content)
        assert "0 of 1" in text and "●" in text


async def test_an_empty_paste_and_odd_text_are_no_wrong_answer(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("a")
        await pilot.pause()
        for typed in ("e", "-", ".", "[/]", "1e-3-"):
            app.screen.query_one(Input).value = typed
            await pilot.press("enter")
            await pilot.pause()
            assert "Not read" in prose_of(app), typed
