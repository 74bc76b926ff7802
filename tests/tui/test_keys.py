"""Keys as journeys: press, then look at the place and the screen."""

from itertools import zip_longest
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.widgets import Static
from tui.driving import lesson_at, screen_text, shown

from tutor.choice import Choice
from tutor.draw.line import text_of
from tutor.lesson import Lesson
from tutor.paths import content_folder
from tutor.show import show
from tutor.tui.tracer import Tracer

LESSON = Lesson.load(content_folder())


async def test_right_walks_every_beat_and_left_walks_back(tmp_path: Path) -> None:
    async with lesson_at(tmp_path) as (app, pilot):
        walked = [(app.place.stop, app.place.beat)]
        for _ in range(sum(len(stop.beats) for stop in LESSON.stops) - 1):
            await pilot.press("right")
            walked.append((app.place.stop, app.place.beat))
        assert walked == [(stop.id, beat) for stop in LESSON.stops for beat in range(len(stop.beats))]
        await pilot.press("right")
        assert (app.place.stop, app.place.beat) == walked[-1]
        for expected in reversed(walked[:-1]):
            await pilot.press("left")
            assert (app.place.stop, app.place.beat) == expected


@pytest.mark.parametrize("keys", [("right", "left"), ("n", "p"), ("space", "p"), ("pagedown", "pageup")])
async def test_a_key_and_its_opposite(tmp_path: Path, keys: tuple[str, str]) -> None:
    async with lesson_at(tmp_path, "query") as (app, pilot):
        here = app.place
        await pilot.press(keys[0])
        assert app.place != here
        await pilot.press(keys[1])
        assert app.place == here


async def test_home_and_end_stay_in_the_stop(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 2) as (app, pilot):
        await pilot.press("end")
        assert (app.place.stop, app.place.beat) == ("softmax", len(LESSON.stop("softmax").beats) - 1)
        await pilot.press("home")
        assert (app.place.stop, app.place.beat) == ("softmax", 0)


async def test_source_receiver_head_and_column(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("up")
        assert app.place.source == 4  # one above river, the strongest
        await pilot.press("down", "down")
        assert app.place.source == 6
        await pilot.press("[", "[", "[")
        assert app.place.receiver == 6  # bank
        assert "▶7 bank" in shown(app, "title")[0]
        await pilot.press("]", "shift+down", "shift+down")
        assert app.place.receiver is None  # the last word
        await pilot.press("tab")
        assert app.place.head == 1
        await pilot.press("1")
        assert app.place.head == 0
        await pilot.press("comma")
        assert app.place.column == 2
        assert "exp(" in shown(app, "working")[0]
        await pilot.press("full_stop")
        assert "0.053" in shown(app, "working")[0]  # bank's weight, published
        await pilot.press("0")
        assert (app.place.source, app.place.receiver, app.place.column) == (None, None, None)


async def test_entering_a_stop_sets_its_head(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "query", 4) as (app, pilot):
        await pilot.press("tab")
        assert app.place.head == 1
        await pilot.press("pagedown")
        assert app.place.head == 0


async def test_next_sentence_and_back_to_the_lessons_own(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "prediction", 4) as (app, pilot):
        assert "61.0 %" in screen_text(app)
        await pilot.press("s")
        assert app.place.sentence.startswith("She deposited")
        assert "61.6 %" in screen_text(app)
        await pilot.press("0")
        assert app.place.sentence.startswith("The fisherman")


async def test_a_key_that_cannot_act_is_greyed(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "query", 1) as (app, pilot):
        screen = app.lesson_screen
        assert screen.check_action("move", ("source", 1)) is None
        assert screen.check_action("move", ("forward",)) is True
        assert screen.check_action("move", ("head", 3)) is None
        here = app.place
        await pilot.press("up", "3")
        assert app.place == here


async def test_more_decimals_and_back(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        await pilot.press("d")
        assert "0.717644" in shown(app, "working")[0]
        await pilot.press("d")
        assert "0.717644" not in screen_text(app)


async def test_go_to_filters_and_enters(tmp_path: Path) -> None:
    async with lesson_at(tmp_path) as (app, pilot):
        await pilot.press("g", *"predi", "enter")
        await pilot.pause()
        assert app.place.stop == "prediction"
        await pilot.press("g", "escape")
        await pilot.pause()
        assert app.place.stop == "prediction"


async def test_help_is_made_from_the_bindings_and_closes(tmp_path: Path) -> None:
    async with lesson_at(tmp_path) as (app, pilot):
        await pilot.press("question_mark")
        await pilot.pause()
        text = str(app.screen.query_one(Static).content)
        for binding in app.lesson_screen.BINDINGS:
            assert isinstance(binding, Binding)
            if binding.description:
                assert binding.tooltip in text
        await pilot.press("escape")
        assert app.screen is app.lesson_screen


async def test_q_quits_and_ctrl_c_twice(tmp_path: Path) -> None:
    async with lesson_at(tmp_path) as (app, pilot):
        await pilot.press("ctrl+c")
        assert app.is_running and not app._exit
        await pilot.press("ctrl+c")
        assert app._exit
    async with lesson_at(tmp_path) as (app, pilot):
        await pilot.press("q")
        assert app._exit


@pytest.mark.parametrize("width", [80, 100, 132])
@pytest.mark.parametrize("stop", [stop.id for stop in LESSON.stops])
async def test_the_screen_shows_the_lines_that_show_prints(tmp_path: Path, stop: str, width: int) -> None:
    async with lesson_at(tmp_path, stop, size=(width, 60)) as (app, pilot):
        for beat in range(len(LESSON.stop(stop).beats)):
            printed = [text_of(line) for line in show(stop, Choice(beat=beat + 1), width)]
            painted = screen_text(app).split("\n")[:-1]
            assert [line for line in painted if line] == [line for line in printed if line]
            await pilot.press("right")


async def test_keys_act_and_nothing_jumps_before_the_engine_is_there(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, LESSON.stops[0].id, load=False) as (app, pilot):
        loaded = Tracer()
        loaded.load()
        for _ in range(sum(len(stop.beats) for stop in LESSON.stops)):
            before = screen_text(app)
            waiting, app.tracer = app.tracer, loaded
            app.lesson_screen.draw_lesson()
            after = screen_text(app)
            for was, now in zip(before.split("\n"), after.split("\n"), strict=True):
                cells = zip_longest(was, now, fillvalue=" ")
                assert all(a == b or a == " " or (a == "…" and b != " ") for a, b in cells), (was, now)
            app.tracer = waiting
            await pilot.press("right")
