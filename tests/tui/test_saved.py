"""The saved place: what is resumed, and what is told where it cannot be."""

import json
import shutil
from pathlib import Path

from driving import lesson_at
from worksheets import FOLDER

from tutor.choice import Choice
from tutor.lesson import Lesson
from tutor.paths import content_folder
from tutor.tui.saved import SavedPlace


def kept(folder: Path, worksheet: str) -> Path:
    """A place at the softmax, on that worksheet."""
    choice = Choice(worksheet)
    focus = next(choice.focuses(Lesson.load(content_folder()), "softmax", *Choice().open()))
    path = folder / "place.json"
    path.write_text(json.dumps({"focus": focus.to_document(), "theme": "nord"}))
    return path


def test_a_worksheet_that_is_gone_is_named_and_the_place_kept(tmp_path: Path) -> None:
    path = kept(tmp_path, "/nowhere/mine.toml")
    saved = SavedPlace(path)
    focus, _ = saved.resume(Lesson.load(content_folder()))
    assert (focus.stop, focus.worksheet) == ("welcome", "river-bank")
    assert saved.trouble and "/nowhere/mine.toml" in saved.trouble and "was damaged" not in saved.trouble
    assert "softmax" in (tmp_path / "place.json.damaged").read_text()


async def test_going_to_a_stop_needs_no_file(tmp_path: Path) -> None:
    worksheet = tmp_path / "mine.toml"
    shutil.copy(FOLDER / "river-bank.toml", worksheet)
    kept(tmp_path, str(worksheet))
    async with lesson_at(tmp_path) as (app, pilot):
        worksheet.unlink()
        await pilot.press("g", *"scores", "space", "2", "enter")
        await pilot.pause()
        assert (app.place.stop, app.place.head) == ("scores", 1)
