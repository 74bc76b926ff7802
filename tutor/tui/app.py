"""The app: what is the same for all screens, and its beginning and end."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.driver import Driver
from textual.screen import Screen
from textual.theme import Theme
from textual.timer import Timer
from textual.widgets import Input

from tutor.choice import Choice
from tutor.draw.palette import GROUND, LIT, PANEL, Palette
from tutor.engine.worksheet import Worksheet
from tutor.focus import Focus
from tutor.lesson import Lesson
from tutor.output import is_ascii_only
from tutor.paths import content_folder, state_file, worksheet_name
from tutor.tui.driver import forgiving
from tutor.tui.keys import KEYS
from tutor.tui.lesson_screen import LessonScreen
from tutor.tui.saved import SHIPPED, SavedPlace
from tutor.tui.tracer import Tracer
from tutor.view import View

if TYPE_CHECKING:
    from tutor.tui.asking import Asking

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
KEEP_AFTER = 0.5
"""seconds without a key until the place is saved"""
LAST_CALL = 1.5
"""seconds that a signal leaves for an orderly end"""
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

    def __init__(self, start: Focus, lesson: Lesson, worksheet: Worksheet, saved: SavedPlace) -> None:
        super().__init__()
        self.lesson = lesson
        self.worksheet = worksheet
        self.tracer = Tracer()
        self.ascii_only = is_ascii_only()
        self.place = start
        """where the learner is; replaced, never edited"""
        self.progress = saved.progress
        self._drawn: Focus | None = None
        """the last place that was drawn, to go back to after an error of ours"""
        self._saved = saved
        self._saving: Timer | None = None
        self._interrupted = 0.0
        for own in THEMES.values():
            self.register_theme(own)
        self.theme = saved.theme if saved.theme in self.available_themes else THEMES[True].name
        self._imposed = ""
        """the theme of a terminal of few colours, which is not remembered"""
        if self.console.color_system == "standard":
            self.theme = self._imposed = "ansi-dark" if self.current_theme.dark else "ansi-light"

    @property
    def palette(self) -> Palette:
        """The styles of the theme."""
        dark, ground = self.current_theme.dark, self.theme_variables["background"]
        if "NO_COLOR" in os.environ:
            return Palette.of(dark, "none", None)
        return Palette.of(dark, "true", ground[:7]) if ground[0] == "#" else Palette.of(dark, "16", None)

    def get_driver_class(self) -> type[Driver]:
        """One that no key can end."""
        return forgiving(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        """The lesson."""
        return LessonScreen()

    @property
    def lesson_screen(self) -> LessonScreen:
        """The screen at the bottom."""
        screen = self.screen_stack[0]
        assert isinstance(screen, LessonScreen)
        return screen

    async def on_event(self, event: events.Event) -> None:
        """A key acts before the next one is looked at, which may be text for the box that it opens."""
        if isinstance(event, events.Key) and not event.is_forwarded and self.focused is None:
            for priority in (True, False):
                if await self._check_bindings(event.key, priority):
                    return
        await super().on_event(event)

    def on_mount(self) -> None:
        """Paint first, load the engine after."""
        for name in ("SIGTERM", "SIGHUP"):
            if number := getattr(signal, name, None):
                asyncio.get_running_loop().add_signal_handler(number, self._stop, number)
        self.theme_changed_signal.subscribe(self, lambda _: self._redraw())
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self._warn(self._saved.trouble)
        self.call_after_refresh(threading.Thread(target=self._load, daemon=True).start)

    def on_unmount(self) -> None:
        """Keep the place."""
        self.keep()

    def go(self, focus: Focus) -> None:
        """Another place; it is saved when the keys rest."""
        self.place = focus
        if self._saving is not None:
            self._saving.stop()
        self._saving = self.set_timer(KEEP_AFTER, self.keep)

    def drew(self, place: Focus, view: View) -> None:
        """A place is on the screen: it is seen."""
        self._drawn = place
        self.progress.seen.add(f"{place.stop}/{view.beat}")

    def answered(self, asking: "Asking") -> None:
        """Note the last answer to a question."""
        self.progress.answers[asking.question.id] = asking.noted

    def keep(self) -> None:
        """Save place, progress and theme; the first failure is told, the lesson goes on."""
        theme = self._saved.theme if self.theme == self._imposed else self.theme
        self._warn(self._saved.keep(self.place, theme))

    def _warn(self, trouble: str | None) -> None:
        if trouble and self.is_running:
            self.notify(trouble, severity="warning", markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Themes and the like, and all that the keys do."""
        own = ("Keys", "Maximize", "Minimize")  # the lesson has its own help, and nothing to maximize
        yield from (command for command in super().get_system_commands(screen) if command.title not in own)
        for key in KEYS:
            if key.label:
                command = f"screen.{key.action}"
                yield SystemCommand(f"{key.label} {key.shown}", key.help, lambda c=command: self._run(c))

    async def action_command_palette(self) -> None:  # type: ignore[override]  # any action may wait
        """Themes and commands, ready for what is typed."""
        from tutor.tui.dialogs import Commands  # late: 15 ms that the first paint need not wait for

        if not isinstance(self.screen, Commands):
            commands = Commands()
            await self.push_screen(commands)
            commands.set_focus(commands.query_one(Input))

    def action_interrupt(self) -> None:
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
            import tutor.tui.asking  # noqa: F401  # here: 50 ms that the first key after would wait for
        except Exception as error:
            self.call_later(self.exit, f"the engine cannot be loaded: {error}", 1)
        else:
            self.call_later(self._redraw)

    def _stop(self, number: int) -> None:
        """End by a signal, with the place kept; a terminal that is gone can hold up the end for ever."""
        self.keep()
        last = threading.Timer(LAST_CALL, os._exit, (128 + number,))
        last.daemon = True
        last.start()
        self.exit(return_code=128 + number)

    def _handle_exception(self, error: Exception) -> None:
        """An error of ours ends the lesson with one line; the report has the rest."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        if self._exit:
            return  # a key that came while the lesson closed
        self.place = self._drawn or self.lesson.start(self.worksheet, SHIPPED)
        self.exit(f"an error of ours ended the lesson: {self._saved.report(error)}", 1)


def run(stop_id: str | None, choice: Choice | None) -> int:
    """Walk the lesson from a chosen stop, or from where it was left; the status to exit with."""
    lesson = Lesson.load(content_folder())
    saved = SavedPlace(state_file())
    if choice is None:
        start, worksheet = saved.resume(lesson)
    else:
        worksheet, text = choice.open()
        kept = replace(choice, worksheet=worksheet_name(choice.worksheet))
        start = next(kept.focuses(lesson, stop_id, worksheet, text))
    app = TutorApp(start, lesson, worksheet, saved)
    told = app.run()
    if told:
        sys.stderr.write(f"tutor: {told}\n")
    if app.tracer.waiting:
        sys.stderr.flush()
        os._exit(app.return_code or 0)  # a thread that still loads torch would crash at the interpreter's end
    return app.return_code or 0
