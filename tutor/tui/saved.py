"""The learner's place between two runs: read, kept, and never overwritten when it is damaged."""

from pathlib import Path

from tutor import place
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError
from tutor.focus import Focus
from tutor.lesson import Lesson
from tutor.paths import worksheet_path
from tutor.progress import ProgressFile

SHIPPED = "river-bank"
"""the worksheet of the lesson"""


class SavedPlace:
    """The saved focus and theme; `trouble` is what to tell the learner about them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        document, self.trouble = place.load(path)
        self._document = document or {}
        self._progress_file = ProgressFile(path.with_name("progress.json"))
        self.progress, trouble = self._progress_file.load()
        self.trouble = self.trouble or trouble
        self._may_write = document is not None or not self.trouble or not path.exists()
        self._told = False
        theme = self._document.get("theme")
        self.theme = theme if isinstance(theme, str) else ""

    def resume(self, lesson: Lesson) -> tuple[Focus, Worksheet]:
        """The saved focus where it still fits its worksheet, else the lesson's start."""
        if self._document:
            try:
                focus = Focus.from_document(self._document.get("focus", {}))
                worksheet = Worksheet.load(worksheet_path(focus.worksheet))
                return lesson.clamp(focus, worksheet), worksheet
            except (ValueError, AttributeError):
                self.trouble = place.set_aside(self._path)
            except TutorError as error:
                self.trouble = f"{place.set_aside(self._path, 'cannot be shown')}; {error}"
        worksheet = Worksheet.load(worksheet_path(SHIPPED))
        return lesson.start(worksheet, SHIPPED), worksheet

    def keep(self, focus: Focus, theme: str) -> str | None:
        """Save; the first failure gives a message."""
        if not self._may_write:
            return None
        trouble = place.save(self._path, {"focus": focus.to_document(), "theme": theme})
        trouble = self._progress_file.save(self.progress) or trouble
        told, self._told = self._told, self._told or trouble is not None
        return None if told else trouble

    def report(self, error: Exception) -> str:
        """Write down an error of ours; what to tell the learner."""
        return place.report(self._path.with_name("error.txt"), error)
