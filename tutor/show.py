"""The headless twin: the lines of the lesson, printed."""

from collections.abc import Iterator

from tutor.choice import Choice, terminal_width
from tutor.draw.line import DIM, EMPTY, Ink, Line, Span
from tutor.engine.start import engine
from tutor.errors import TutorError
from tutor.frame import frame
from tutor.lesson import Lesson
from tutor.paths import content_folder


def show(stop_id: str | None, choice: Choice, width: int | None = None) -> Iterator[Line]:
    """The lines of every chosen beat, a blank line between two; TutorError before the first one."""
    lesson = Lesson.load(content_folder())
    worksheet, text = choice.open()
    focuses = list(choice.focuses(lesson, stop_id, worksheet, text))
    cells = terminal_width(width)
    trace_of = engine()
    views = [lesson.view(focus, worksheet, trace_of, cells) for focus in focuses]
    if choice.column is not None:
        last = max(max(lesson.stop(view.focus.stop).screen.columns(view).order) for view in views) + 1
        if choice.column > last:
            raise TutorError(f"--column {choice.column} is given: allowed are 1 to {last} here")
    for at, view in enumerate(views):
        if at:
            yield EMPTY
        yield from frame(lesson, view).lines()


def list_stops() -> Iterator[Line]:
    """Chapters and stops, with the number of beats."""
    chapter = None
    for stop in Lesson.load(content_folder()).stops:
        if stop.chapter != chapter:
            chapter = stop.chapter
            yield (Span(f"{chapter} {stop.chapter_title}", Ink(bold=True)),)
        head = "" if stop.head is None else f"head {stop.head + 1}"
        yield (
            Span(f"   {stop.id:<16}"),
            Span(f"{head:<8}{len(stop.beats)} beat{'s' * (len(stop.beats) > 1)}", DIM),
        )
