"""All lines of one view, in the order in which the lesson and `tutor show` print them."""

from dataclasses import dataclass

from rich.cells import cell_len

from tutor.draw.line import DIM, Ink, Line, Rows, Span, cut, ends, width_of, wrap
from tutor.lesson import Lesson, Stop
from tutor.view import Stage, View

HAND_CHOSEN = "hand-chosen weights"
_LONG_TITLE = 100


@dataclass(frozen=True)
class Frame:
    """The parts of the screen, from top to bottom."""

    title: Line
    path_map: Line
    strip: list[Line]
    rule: Line
    stage: Stage
    prose: list[Line]
    width: int

    def lines(self) -> list[Line]:
        """Everything, the stage unscrolled."""
        return [
            self.title,
            self.path_map,
            *self.strip,
            self.rule,
            *self.stage.pinned,
            *self.stage.body,
            self.stage.working,
            thin_rule(self.width),
            *self.prose,
        ]


def frame(lesson: Lesson, view: View) -> Frame:
    """The frame of one view."""
    stop = lesson.stop(view.focus.stop)
    return Frame(
        title(lesson, stop, view),
        path_map(lesson, stop, view.width),
        strip(view, stop),
        named_rule(
            HAND_CHOSEN if view.focus.causal else f"+ the mask would block · {HAND_CHOSEN}", view.width
        ),
        _within(stop.screen.render(view), view.width),
        wrap(stop.prose(view), view.width),
        view.width,
    )


def _within(stage: Stage, width: int) -> Stage:
    """The stage, its lines cut where a worksheet has names wider than the window."""
    return Stage(
        Rows(stage.body.count, lambda y: cut(stage.body.line(y), width)),
        cut(stage.working, width),
        [cut(line, width) for line in stage.pinned],
        stage.keep,
    )


def title(lesson: Lesson, stop: Stop, view: View) -> Line:
    """Chapter and stop at the left, the place at the right: the longest forms that fit, the place first."""
    name = stop.content.title
    lefts = [f" {stop.chapter} {stop.chapter_title} · {name}", f" {stop.chapter} · {name}"]
    if view.width >= _LONG_TITLE:
        lefts.insert(0, f" {lesson.title} · {stop.chapter} {stop.chapter_title} · {name}")
    for right in (_place(stop, view, words=True), _place(stop, view, words=False)):
        for left in [*lefts, f" {name}"]:
            line = ends((Span(left, Ink(bold=True)),), right, view.width)
            if width_of(line) <= view.width:
                return line
    return cut(line, view.width)


def _place(stop: Stop, view: View, words: bool) -> Line:
    """Head, receiver and source as far as the stop uses them, and the beat; with words or without."""
    uses = stop.content.uses
    parts = []
    if "head" in uses:
        parts.append(Span(view.head_name(view.head) if words else f"head {view.head + 1}", Ink("A")))
    for use, sign, token, ink in (
        ("receiver", "▶", view.receiver, Ink(bold=True)),
        ("source", "◆", view.source, Ink(underline=True)),
    ):
        if use in uses:
            parts.append(Span(f"{sign}{token + 1}" + (f" {view.words[token]}" if words else ""), ink))
    if not view.focus.causal:
        parts.append(Span("mask off", Ink("wrong")))
    parts.append(Span(f"beat {view.focus.beat + 1}/{len(stop.beats)}", DIM))
    line: Line = ()
    for part in parts:
        line += (*((Span(" · ", DIM),) if line else ()), part)
    return (*line, Span(" "))


def path_map(lesson: Lesson, stop: Stop, width: int) -> Line:
    """The stations; the current one in brackets, passed ones normal, those to come dim."""
    here = lesson.stations.index(stop.content.station)
    spans: list[Span] = []
    for at, station in enumerate(lesson.stations):
        click = f"move('station', {station!r})"
        if at == here:
            spans.append(Span(f"[{station}]", Ink(bold=True, reverse=True, click=click)))
        else:
            spans.append(Span(f" {station} ", Ink("text" if at < here else "dim", click=click)))
        spans.append(Span("─", DIM))
    if width_of(spans[:-1]) <= width:
        return tuple(spans[:-1])
    current = Span(f"[{stop.content.station}]", Ink(bold=True, reverse=True))
    return (Span(" "), current, Span(f" {here + 1} of {len(lesson.stations)}", DIM))


def strip(view: View, stop: Stop) -> list[Line]:
    """The sentence with its signs, in as many rows as it needs; two at most, those around the lit words."""
    uses = stop.content.uses
    lines: list[list[Span]] = [[]]
    at: dict[int, int] = {}
    for token, word in enumerate(view.words):
        receiver = token == view.receiver and "receiver" in uses
        source = token == view.source and "source" in uses
        before = " ▶" if receiver else " ◆" if source else "  "
        click = f"move('at_source', {token})"
        ink = Ink(bold=receiver, underline=source, lit=receiver or source, click=click)
        spans = [Span(before, Ink(bold=True)), Span(word, ink)]
        if receiver and source:
            spans.append(Span("◆", Ink(bold=True)))
        if lines[-1] and width_of(lines[-1]) + width_of(spans) > view.width - 1:
            lines.append([])
        lines[-1] += spans
        at[token] = len(lines) - 1
    if width_of(lines[-1]) + 5 > view.width - 1:
        lines.append([])
    lines[-1].append(Span("  ___", DIM))
    if len(lines) > 2:
        first = min(at[view.receiver], len(lines) - 2)
        lines = lines[first : first + 2]
    return [cut(tuple(spans), view.width) for spans in lines]


def named_rule(words: str, width: int) -> Line:
    """A rule that ends in words."""
    end = f" {words} ─"
    return cut((Span("─" * max(0, width - cell_len(end)) + end, DIM),), width)


def thin_rule(width: int) -> Line:
    """A rule."""
    return (Span("─" * width, DIM),)
