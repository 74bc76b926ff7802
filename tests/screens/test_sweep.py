"""Every stop × beat × head × receiver × source × column: drawn, within the width, the trace untouched.

New screens are tested by existing. A position that a stop does not use is left out: it changes no text.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from hashlib import sha256
from itertools import product

import numpy as np
import pytest
from worksheets import RIVER_BANK

from tutor.draw.line import Line, text_of, width_of
from tutor.draw.number import Numbers
from tutor.engine.sketch import sketch
from tutor.engine.start import engine
from tutor.engine.trace import Trace, TraceOf
from tutor.focus import Focus
from tutor.frame import frame
from tutor.lesson import Lesson, Stop
from tutor.paths import content_folder

LESSON = Lesson.load(content_folder())
START = LESSON.start(RIVER_BANK, "river-bank")
BEATS = [
    pytest.param(stop, beat, id=f"{stop.id}-{name}")
    for stop in LESSON.stops
    for beat, name in enumerate(stop.beats)
]
FEW = [5, 9]
BARS = " ▏▎▍▌▋▊▉█"


@pytest.fixture(scope="module")
def trace_of() -> TraceOf:
    return engine()


def digest(trace: Trace) -> str:
    made = sha256()
    for field in fields(trace):
        made.update(np.asarray(getattr(trace, field.name)).tobytes())
    return made.hexdigest()


def focuses(stop: Stop, beat: int, words: list[int], trace_of: TraceOf, width: int) -> Iterator[Focus]:
    """Every focus at a beat whose receiver and source are among these words; of few words, few columns."""
    uses = stop.content.uses
    own = LESSON.enter(START, stop.id, beat)
    heads = range(RIVER_BANK.n_heads) if "head" in uses else [own.head]
    receivers = words if "receiver" in uses else [None]
    sources = words if "source" in uses else [None]
    for head, receiver, source in product(heads, receivers, sources):
        here = replace(own, head=head, receiver=receiver, source=source)
        order = list(stop.screen.columns(LESSON.view(here, RIVER_BANK, trace_of, width)).order)
        walked = order if len(words) == 10 else dict.fromkeys([order[0], order[-1]])
        for column in walked if "column" in uses else [None]:
            yield replace(here, column=column)


def lines_of(focus: Focus, trace_of: TraceOf, width: int, numbers: Numbers | None = None) -> list[Line]:
    view = LESSON.view(focus, RIVER_BANK, trace_of, width, numbers)
    made = frame(LESSON, view)
    assert text_of(made.stage.working), focus
    return made.lines()


def stays(waiting: str, known: str) -> bool:
    """Whether only … become numbers or words of their width, and only blanks become bars."""
    room = max(len(waiting), len(known))
    return all(
        before == after or (before == "…" and after != " ") or (before == " " and after in BARS)
        for before, after in zip(waiting.ljust(room), known.ljust(room), strict=True)
    )


@pytest.mark.parametrize(("stop", "beat"), BEATS)
def test_every_view_at_80_columns(stop: Stop, beat: int, trace_of: TraceOf) -> None:
    trace = trace_of(RIVER_BANK, RIVER_BANK.read(START.sentence).ids, True)
    before = digest(trace)
    for focus in focuses(stop, beat, list(range(10)), trace_of, 80):
        for line in lines_of(focus, trace_of, 80):
            assert width_of(line) <= 80, (focus, text_of(line))
    assert digest(trace) == before


@pytest.mark.parametrize(("stop", "beat"), BEATS)
@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 132])
def test_nothing_is_cut_at_any_width(stop: Stop, beat: int, width: int, trace_of: TraceOf) -> None:
    for focus in focuses(stop, beat, FEW, trace_of, width):
        view = LESSON.view(focus, RIVER_BANK, trace_of, width)
        stage = stop.screen.render(view)
        for line in [*stage.pinned, *stage.body, stage.working]:
            assert width_of(line) <= width, (focus, text_of(line))
        assert 0 <= stage.keep < max(1, stage.body.count)
        assert all(width_of(line) <= width for line in frame(LESSON, view).lines())


@pytest.mark.parametrize(("stop", "beat"), BEATS)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_nothing_moves_when_the_numbers_arrive(stop: Stop, beat: int, width: int, trace_of: TraceOf) -> None:
    for focus in focuses(stop, beat, FEW, trace_of, width):
        waiting = lines_of(focus, sketch, width, Numbers(waiting=True))
        known = lines_of(focus, trace_of, width)
        assert len(waiting) == len(known)
        for before, after in zip(map(text_of, waiting), map(text_of, known), strict=True):
            assert stays(before, after), (focus, before, after)


@pytest.mark.parametrize(("stop", "beat"), BEATS)
def test_a_position_that_is_not_used_changes_no_text(stop: Stop, beat: int, trace_of: TraceOf) -> None:
    own = replace(LESSON.enter(START, stop.id, beat), source=5)
    plain = [text_of(line) for line in lines_of(own, trace_of, 80)]
    others = {"head": 1 - own.head, "receiver": 4, "source": 2}
    for name in others.keys() - set(stop.content.uses):
        other = replace(own, **{name: others[name]})
        assert [text_of(line) for line in lines_of(other, trace_of, 80)] == plain, name


@pytest.mark.parametrize(("stop", "beat"), BEATS)
def test_without_the_mask(stop: Stop, beat: int, trace_of: TraceOf) -> None:
    for focus in focuses(stop, beat, FEW, trace_of, 80):
        lines = lines_of(replace(focus, causal=False), trace_of, 80)
        assert not any("blocked" in text_of(line) for line in lines)
