"""The question of the lit cell asks for the number that is lit, and the veil leaves it nowhere else."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from tutor.check import answer
from tutor.check.grade import right_text
from tutor.check.lit import question_for
from tutor.check.questions import Question
from tutor.draw.line import text_of
from tutor.engine.start import engine
from tutor.engine.worksheet import Worksheet
from tutor.focus import Focus
from tutor.frame import frame
from tutor.lesson import Lesson, Stop
from tutor.paths import content_folder, worksheet_path
from tutor.veil import veiled
from tutor.view import View

LESSON = Lesson.load(content_folder())
LIT = re.compile(r"‹(?! )([^›]*)›")
TOKENS = ((8, 5), (2, 0))
"""receiver and source"""


def lit(lines: list[str]) -> list[str]:
    return [found[1].strip() for line in lines for found in LIT.finditer(line)]


def asked(stop: Stop, view: View) -> Question | None:
    focus = view.focus
    return question_for(
        stop.screen_id,
        focus.worksheet,
        focus.sentence,
        view.head,
        view.receiver,
        view.source,
        view.column,
        focus.causal,
        view.beat,
    )


def views(name: str, stop: Stop, width: int, causal: bool = True) -> Iterator[View]:
    """Every beat, head and column, with some receivers and sources."""
    worksheet = Worksheet.load(worksheet_path(name))
    text = worksheet.sentences[0].text
    for beat, head, tokens in product(range(len(stop.beats)), range(worksheet.n_heads), TOKENS):
        receiver, source = (min(token, len(text.split()) - 1) for token in tokens)
        focus = Focus(name, text, stop.id, beat, head, receiver, source, None, causal)
        own = LESSON.view(focus, worksheet, engine(), width)
        for column in stop.screen.columns(own).order:
            yield LESSON.view(replace(focus, column=column), worksheet, engine(), width)


@pytest.mark.parametrize("name", ["river-bank", "workshop"])
@pytest.mark.parametrize("stop", LESSON.stops, ids=lambda stop: stop.id)
def test_the_number_asked_is_the_one_that_is_lit(name: str, stop: Stop) -> None:
    for view in (*views(name, stop, 80), *views(name, stop, 120, causal=False)):
        made, stage = asked(stop, view), frame(LESSON, view).stage
        shown = [cells for line in (*stage.pinned, *stage.body) if (cells := lit([text_of(line)]))]
        if made is None or not shown:
            continue
        # Heads side by side each have a lit cell, in their order; one below another, this head is first.
        own = shown[0][view.heads_shown.index(view.head) if len(shown[0]) > 1 else 0]
        typed = answer.read(own.replace(" ", ""))
        assert typed.values, (view.focus, own)
        apart = abs(typed.values[0] - float(made.right[0]))
        assert apart <= 0.5 * 10.0 ** -min(typed.decimals[0], 3) + 1e-9, (view.focus, made.id, own)


@pytest.mark.parametrize("stop", LESSON.stops, ids=lambda stop: stop.id)
def test_the_veil_leaves_no_lit_cell_and_no_row_of_the_result(stop: Stop) -> None:
    for view in views("river-bank", stop, 120):
        made = asked(stop, view)
        if made is None:
            continue
        hidden = veiled(frame(LESSON, view), stop, view)
        body = [text_of(line) for line in (*hidden.stage.pinned, *hidden.stage.body)]
        assert not [cell for cell in lit(body) if "?" not in cell], view.focus
        right, working = right_text(made), text_of(hidden.stage.working)
        named = [line for line in body if line.split()[:1] == working.split()[:1]]
        told = [working, *named, *map(text_of, hidden.prose)]
        assert not [line for line in told if right in re.findall(r"−?[\d.]+\d", line)], view.focus


def test_the_veil_names_the_head_that_is_asked() -> None:
    stop = LESSON.stop("contributions")
    for view in views("river-bank", stop, 120):
        axis = view.worksheet.heads[view.head].value_axes[view.column]
        assert axis in text_of(veiled(frame(LESSON, view), stop, view).stage.working)
