"""Helpers that run the lesson headless and read its screen."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tutor.lesson import Lesson
from tutor.paths import content_folder
from tutor.tui.app import TutorApp
from tutor.tui.line_view import LineView
from tutor.tui.saved import SavedPlace


@asynccontextmanager
async def lesson_at(
    folder: Path,
    stop: str | None = None,
    beat: int = 1,
    size: tuple[int, int] = (80, 24),
    load: bool = True,
    **places: Any,
) -> AsyncIterator[tuple[TutorApp, Pilot[Any]]]:
    """The lesson at a stop's beat, its engine loaded or never; other places of the focus by name."""
    lesson = Lesson.load(content_folder())
    saved = SavedPlace(folder / "place.json")
    focus, worksheet = saved.resume(lesson)
    if stop is not None:
        focus = replace(lesson.enter(focus, stop, beat - 1), **places)
    app = TutorApp(focus, lesson, worksheet, saved)
    if not load:
        app._load = lambda: None  # type: ignore[method-assign]
    async with app.run_test(size=size) as pilot:
        while load and app.tracer.waiting:
            await pilot.pause(0.05)
        await pilot.pause()
        yield app, pilot


def shown(app: TutorApp, part: str) -> list[str]:
    """The text of one part of the lesson's screen, as it is painted."""
    view = app.lesson_screen.query_one(f"#{part}", LineView)
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


def screen_text(app: TutorApp) -> str:
    """All parts of the lesson's screen, from top to bottom."""
    parts = ("title", "path-map", "strip", "rule", "stage", "working", "thin-rule", "prose", "key-bar")
    return "\n".join(line for part in parts for line in shown(app, part))
