"""What a learner has seen and answered, stop by stop and skill by skill, as lines."""

from tutor.draw.line import DIM, EMPTY, Ink, Line, Span
from tutor.lesson import Lesson, Stop
from tutor.progress import Progress

_SEEN, _NOT_YET = "●", "○"


def overview(lesson: Lesson, progress: Progress, here: str) -> list[Line]:
    """One line a stop: beats seen, answers, and the mistake last made; then the skills."""
    lines: list[Line] = [(Span("  stop             beats       answers    to look at again", DIM),), EMPTY]
    chapter = None
    for stop in lesson.stops:
        if stop.chapter != chapter:
            chapter = stop.chapter
            lines.append((Span(f"  {chapter} {stop.chapter_title}", Ink(bold=True)),))
        lines.append(_line(stop, progress, here))
    lines.append(EMPTY)
    skills = "   ".join(f"{skill} {right} of {all_}" for skill, (right, all_) in progress.by_skill().items())
    lines.append((Span("  by skill   ", DIM), Span(skills or "no answers yet: press a at any beat")))
    lines.append((Span(f"  {_SEEN} beat seen   {_NOT_YET} not yet   ▶ where you are", DIM),))
    return lines


def _line(stop: Stop, progress: Progress, here: str) -> Line:
    beats = "".join(_SEEN if f"{stop.id}/{beat}" in progress.seen else _NOT_YET for beat in stop.beats)
    answers = progress.of_stop(stop.screen_id) if stop.id == stop.screen_id else []
    right = sum(answer.right for answer in answers)
    wrong = sorted((answer for answer in answers if not answer.right), key=lambda answer: answer.time)
    again = wrong[-1].diagnosis.split("|")[0].replace("-", " ") if wrong else ""
    told = f"{right} of {len(answers)}" if answers else "–"
    sign = "▶" if stop.id == here else " "
    return (
        Span(f"{sign} {stop.id:<16} ", Ink(bold=stop.id == here)),
        Span(f"{beats:<11} {told:<10} "),
        Span(again, Ink("wrong")),
    )
