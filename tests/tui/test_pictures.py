"""The few pictures that README shows; `pytest tests/tui/test_pictures.py --snapshot-update` renews them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tutor.lesson import Lesson
from tutor.paths import content_folder
from tutor.tui.app import TutorApp
from tutor.tui.saved import SavedPlace

Compare = Callable[..., bool]


def lesson_app(folder: Path, stop: str, beat: int, theme: str) -> TutorApp:
    """The lesson at a stop's beat."""
    lesson = Lesson.load(content_folder())
    saved = SavedPlace(folder / "place.json")
    focus, worksheet = saved.resume(lesson)
    app = TutorApp(lesson.enter(focus, stop, beat - 1), lesson, worksheet, saved)
    app.theme = theme
    return app


async def loaded(pilot: Pilot[Any]) -> None:
    """Wait for the engine."""
    assert isinstance(pilot.app, TutorApp)
    while pilot.app.tracer.waiting:
        await pilot.pause(0.05)
    await pilot.pause()


async def edited(pilot: Pilot[Any]) -> None:
    """Type another sentence."""
    from textual.widgets import Input

    await loaded(pilot)
    await pilot.press("e")
    await pilot.pause()
    editor = pilot.app.screen.query_one(Input)
    editor.value = "She deposited the cheque at the bank and watched the"
    editor.cursor_position = len(editor.value)
    await pilot.pause()


def test_softmax(snap_compare: Compare, tmp_path: Path) -> None:
    app = lesson_app(tmp_path, "softmax", 4, "tutor-dark")
    assert snap_compare(app, terminal_size=(80, 24), run_before=loaded)


def test_scores_of_both_heads(snap_compare: Compare, tmp_path: Path) -> None:
    app = lesson_app(tmp_path, "scores", 4, "tutor-light")
    assert snap_compare(app, terminal_size=(120, 30), run_before=loaded)


def test_edit(snap_compare: Compare, tmp_path: Path) -> None:
    app = lesson_app(tmp_path, "softmax", 4, "tutor-dark")
    assert snap_compare(app, terminal_size=(80, 24), run_before=edited)
