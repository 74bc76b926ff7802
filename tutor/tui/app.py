"""The app: what is the same for all screens, and its beginning and end."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.theme import Theme
from textual.timer import Timer

from tutor import place
from tutor.draw.palette import GROUND, LIT, PANEL, Palette
from tutor.engine.worksheet import Worksheet
from tutor.errors import TutorError
from tutor.focus import Focus
from tutor.lesson import Lesson
from tutor.output import is_ascii_only
from tutor.paths import content_folder, state_file, worksheet_path
from tutor.tui.keys import KEYS
from tutor.tui.lesson_screen import LessonScreen
from tutor.tui.tracer import Tracer

THEMES = {
    dark: Theme(
        name="tutor-dark" if dark else "tutor-light",
        primary=Palette(dark).colour("E"),
        foreground=Palette(dark).colour("text"),
        background=GROUND[dark],
        surface=PANEL[dark],
        panel=LIT[dark],
        dark=dark,
    )
    for dark in (True, False)
}
SHIPPED = "river-bank"
KEEP_AFTER = 0.5
"""seconds without a key until the place is saved"""
TWICE = 2.0
"""seconds within which a second ctrl+c quits"""


class TutorApp(App[str]):
    """Owns lesson, worksheet, engine and the saved place; its result is a message for after the end."""

    CSS_PATH = "tutor.tcss"
    TITLE = "Multi-head attention"
    BINDINGS = [
        Binding("ctrl+c", "interrupt", "quit", show=False, priority=True, system=True),
        Binding("ctrl+z", "suspend_process", "suspend", show=False, system=True),
    ]

    def __init__(self, start: Focus, lesson: Lesson, worksheet: Worksheet, state: Path, theme: str) -> None:
        super().__init__()
        self.lesson = lesson
        self.worksheet = worksheet
        self.tracer = Tracer()
        self.ascii_only = is_ascii_only()
        self.place = start
        """where the learner is; replaced, never edited"""
        self.trouble: str | None = None
        """what went wrong with the saved place, told after the first paint"""
        self._state = state
        self._timer: Timer | None = None
        self._warned = False
        self._interrupted = 0.0
        for own in THEMES.values():
            self.register_theme(own)
        self.theme = theme if theme in self.available_themes else THEMES[True].name

    @property
    def palette(self) -> Palette:
        """The styles of the theme."""
        return Palette.of(self.current_theme.dark, "NO_COLOR" not in os.environ)

    def get_default_screen(self) -> Screen[None]:
        """The lesson."""
        return LessonScreen()

    @property
    def lesson_screen(self) -> LessonScreen:
        """The screen at the bottom."""
        screen = self.screen_stack[0]
        assert isinstance(screen, LessonScreen)
        return screen

    def on_mount(self) -> None:
        """Paint first, load the engine after."""
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                number = getattr(signal, name)
                asyncio.get_running_loop().add_signal_handler(number, self._stop, number)
        self.theme_changed_signal.subscribe(self, lambda _: self._redraw())
        if self.trouble:
            self.notify(self.trouble, severity="warning", markup=False)
        self.call_after_refresh(threading.Thread(target=self._load, daemon=True).start)

    def on_unmount(self) -> None:
        """Keep the place."""
        self.keep()

    def go(self, focus: Focus) -> None:
        """Another place; it is saved when the keys rest."""
        self.place = focus
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(KEEP_AFTER, self.keep)

    def keep(self) -> None:
        """Save focus and theme; the first failure is told, the lesson goes on."""
        document = {"focus": self.place.to_document(), "theme": self.theme}
        trouble = place.save(self._state, document)
        if trouble and not self._warned:
            self._warned = True
            if self.is_running:
                self.notify(trouble, severity="warning", markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Themes and the like, and all that the keys do."""
        yield from super().get_system_commands(screen)
        for key in KEYS:
            if key.label:
                command = f"screen.{key.action}"
                yield SystemCommand(f"{key.label} {key.shown}", key.help, lambda c=command: self._run(c))

    async def action_interrupt(self) -> None:
        """Quit at the second press."""
        now = asyncio.get_running_loop().time()
        if now - self._interrupted < TWICE:
            self.exit()
        self._interrupted = now
        self.notify("ctrl+c once more quits", timeout=TWICE)

    def _run(self, command: str) -> None:
        self.call_later(self.run_action, command)

    def _redraw(self) -> None:
        self.lesson_screen.draw_lesson()

    def _load(self) -> None:
        try:
            self.tracer.load()
        except Exception as error:
            self.call_from_thread(self.exit, f"the engine cannot be loaded: {error}", 1)
            return
        self.call_from_thread(self._redraw)

    def _stop(self, number: int) -> None:
        self.exit(return_code=128 + number)


def run() -> int:
    """Walk the lesson from where it was left; the status to exit with."""
    lesson = Lesson.load(content_folder())
    state = state_file()
    document, trouble = place.load(state)
    start, worksheet = _resumed(lesson, document or {})
    theme = (document or {}).get("theme")
    app = TutorApp(start, lesson, worksheet, state, theme if isinstance(theme, str) else "")
    app.trouble = trouble
    told = app.run()
    if told:
        sys.stderr.write(f"tutor: {told}\n")
    return app.return_code or 0


def _resumed(lesson: Lesson, document: dict[str, Any]) -> tuple[Focus, Worksheet]:
    """The saved focus where it still fits its worksheet, else the lesson's start."""
    try:
        focus = Focus.from_document(document.get("focus", {}))
        worksheet = Worksheet.load(worksheet_path(focus.worksheet))
        return lesson.clamp(focus, worksheet), worksheet
    except (ValueError, AttributeError, TutorError):
        worksheet = Worksheet.load(worksheet_path(SHIPPED))
        return lesson.start(worksheet, SHIPPED), worksheet
