"""Clicks: words, rows, stations, keys, and the wheel."""

from pathlib import Path

from textual.pilot import Pilot
from tui.driving import lesson_at, shown

from tutor.tui.app import TutorApp


async def click(pilot: Pilot[object], part: str, text: str, shift: bool = False) -> None:
    """Click on a text in a part of the screen."""
    app = pilot.app
    assert isinstance(app, TutorApp)
    y, line = next((y, line) for y, line in enumerate(shown(app, part)) if text in line)
    await pilot.click(f"#{part}", offset=(line.index(text) + 1, y), shift=shift)
    await pilot.pause()


async def test_a_word_becomes_the_source_with_shift_the_receiver(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await click(pilot, "strip", "fisherman")
        assert app.place.source == 1
        await click(pilot, "strip", "bank", shift=True)
        assert app.place.receiver == 6


async def test_a_row_of_the_table_becomes_the_source(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await click(pilot, "stage", "beside")
        assert app.place.source == 3
        await click(pilot, "stage", "0.053")  # bank's weight
        assert app.place.source == 6


async def test_a_row_of_q_becomes_the_receiver_and_one_of_k_the_source(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "keys-values", 4) as (app, pilot):
        y, line = next((y, line) for y, line in enumerate(shown(app, "stage")) if "beside" in line)
        await pilot.click("#stage", offset=(line.index("2.0"), y))
        await pilot.pause()
        assert app.place.receiver == 3
        await pilot.click("#stage", offset=(line.index("0.6"), y))
        await pilot.pause()
        assert (app.place.receiver, app.place.source) == (3, 3)


async def test_a_row_of_joined_becomes_the_receiver(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "concat", 3) as (app, pilot):
        await click(pilot, "stage", "watched")
        assert app.place.receiver == 8


async def test_stations_and_keys_act(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await click(pilot, "path-map", "predict")
        assert app.place.stop == "prediction"
        await click(pilot, "key-bar", "next")
        assert app.place.beat == 1
        await click(pilot, "key-bar", "back")
        assert app.place.beat == 0


async def test_a_station_keeps_the_head_where_it_can(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "query-2") as (app, pilot):
        await click(pilot, "path-map", "softmax")
        assert app.place.stop == "softmax-2"


async def test_the_wheel_and_j_k_scroll_the_stage(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4, size=(80, 18)) as (app, pilot):
        before = shown(app, "stage")
        assert "more" in before[-1]
        await pilot.press("k", "k", "k", "k", "k", "k", "k", "k", "k")
        top = shown(app, "stage")
        assert "The" in top[2] or "The" in top[3]
        await pilot.press(*["j"] * 30)
        bottom = shown(app, "stage")
        assert "shared total" in bottom[-1]
        assert bottom[0] == top[0]  # the header is pinned


async def test_clicks_do_nothing_while_editing(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        here = app.place
        await pilot.press("e")
        await pilot.pause()
        await click(pilot, "path-map", "predict")
        assert app.place == here and app.lesson_screen.typing
