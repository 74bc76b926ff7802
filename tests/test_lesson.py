"""The lesson: its order, the steps between beats, and what its files may not be."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from worksheets import RIVER_BANK, made

from tutor.content import Content
from tutor.engine.sketch import sketch
from tutor.errors import TutorError
from tutor.focus import Focus
from tutor.lesson import Lesson, Stop, next_ready
from tutor.paths import content_folder
from tutor.prose import ContentError

LESSON = Lesson.load(content_folder())
START = LESSON.start(RIVER_BANK, "river-bank")
PLACES = [(stop.id, beat) for stop in LESSON.stops for beat in range(len(stop.beats))]


def walk(focus: Focus, step: str) -> list[Focus]:
    """Every focus from this one until the step leads nowhere."""
    walked = [focus]
    while (after := getattr(LESSON, step)(walked[-1])) != walked[-1]:
        walked.append(after)
    return walked


def test_the_lesson_starts_with_its_own_sentence() -> None:
    text = "The fisherman sat beside the river bank and watched the"
    assert Focus("river-bank", text, "welcome") == START


def test_the_path_of_the_first_head_comes_before_the_second_s() -> None:
    stops = [(stop.screen_id, stop.head) for stop in LESSON.stops]
    first = [
        stops.index((screen, 0)) for screen in ("query", "keys-values", "scores", "softmax", "contributions")
    ]
    second = [
        stops.index((screen, 1)) for screen in ("query", "keys-values", "scores", "softmax", "contributions")
    ]
    assert stops[:2] == [("welcome", None), ("embed", None)]
    assert first + second == sorted(first + second)
    assert ("prediction", None) in stops


def test_forward_never_skips_a_beat_and_back_returns() -> None:
    forward, back = walk(START, "forward"), walk(LESSON.enter(START, PLACES[-1][0], -1), "back")
    assert [(focus.stop, focus.beat) for focus in forward] == PLACES
    assert back == forward[::-1]


def test_a_step_takes_the_column_that_its_beat_speaks_of() -> None:
    there = replace(LESSON.enter(START, "softmax"), column=0)
    assert LESSON.forward(there).column is None
    assert LESSON.back(replace(there, beat=1)).column is None


@pytest.mark.parametrize("stop", LESSON.stops, ids=lambda stop: stop.id)
def test_entering_a_stop_sets_its_head(stop: Stop) -> None:
    entered = LESSON.enter(replace(START, head=1, receiver=3, source=2, column=1), stop.id)
    assert entered == replace(START, stop=stop.id, head=stop.head or 0, receiver=3, source=2)


def test_the_head_stays_overridden_within_a_stop() -> None:
    there = replace(LESSON.enter(START, "softmax"), head=1)
    assert LESSON.forward(there).head == 1
    assert LESSON.other_stop(LESSON.other_stop(there, -1), 1).head == 0


def test_other_stops_end_at_the_lesson_s_ends() -> None:
    last = LESSON.enter(START, LESSON.stops[-1].id)
    assert LESSON.other_stop(START, -1) == START
    assert LESSON.other_stop(last, 1) == last
    assert LESSON.other_stop(START, 2).stop == LESSON.stops[2].id


def test_clamp() -> None:
    wild = Focus("river-bank", "the river bank", "softmax", 99, 99, 99, 99, 99)
    last = len(LESSON.stop("softmax").beats) - 1
    assert LESSON.clamp(wild, RIVER_BANK) == replace(wild, beat=last, head=1, receiver=2, source=2)
    assert LESSON.clamp(replace(wild, stop="gone"), RIVER_BANK).stop == LESSON.stops[0].id


def test_an_unknown_stop_names_those_there_are() -> None:
    with pytest.raises(TutorError, match=r"'nowhere'.*embed.*softmax"):
        LESSON.stop("nowhere")


def test_the_source_is_the_strongest_until_one_is_chosen() -> None:
    there = LESSON.enter(START, "softmax")
    assert LESSON.view(there, RIVER_BANK, sketch, 80).source == 5
    assert LESSON.view(replace(there, head=1), RIVER_BANK, sketch, 80).source == 1
    assert LESSON.view(replace(there, source=0), RIVER_BANK, sketch, 80).source == 0


def test_a_column_that_the_beat_has_not_reached_is_the_last_one_reached() -> None:
    there = replace(LESSON.enter(START, "softmax", 1), column=3)
    assert LESSON.view(there, RIVER_BANK, sketch, 80).column == 1


def test_the_next_ready_sentence() -> None:
    river, cheque = RIVER_BANK.sentences
    assert next_ready(RIVER_BANK, river.text) == cheque
    assert next_ready(RIVER_BANK, " " + cheque.text.upper() + " ") == river
    assert next_ready(RIVER_BANK, "the bank") == river


def test_another_worksheet_s_heads_bound_the_stop_s() -> None:
    single = made(0, d_model=2, d_head=2, d_v=2, heads=1, hidden=2, vocabulary=3, context=4)
    second = next(stop for stop in LESSON.stops if stop.head == 1)
    entered = LESSON.enter(LESSON.start(single, "made"), second.id)
    assert LESSON.clamp(entered, single).head == 0


HEADER = '+++\ntitle = "softmax"\nstation = "softmax"\nuses = ["head"]\n+++\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no header"),
        ("## raw\nwords", "no header"),
        (HEADER.replace("title", "name") + "\n## raw\nwords", "title, station and uses"),
        (HEADER.replace('"softmax"', "3") + "\n## raw\nwords", "texts for title and station"),
        (HEADER.replace('["head"]', '["heads"]') + "\n## raw\nwords", "uses has heads"),
        (HEADER.replace("=", ":") + "\n## raw\nwords", "content/softmax.md"),
        (HEADER + "\nwords\n## raw\nwords", "before the first beat"),
        (HEADER + "\n## raw\nwords\n## raw \nwords", "raw stands twice"),
        (HEADER + "\n", "no beats"),
        (HEADER + "\n## raw\na **term", "not closed"),
    ],
)
def test_a_content_file_s_faults_name_it(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "softmax.md"
    path.write_text(text, "utf-8")
    with pytest.raises(ContentError) as caught:
        Content.load(path)
    assert str(caught.value).startswith("content/softmax.md: ")
    assert told in str(caught.value)


CHAPTER = 'title = "Lesson"\n[[chapters]]\nnumber = 2\ntitle = "One"\nstops = [{}]\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", "cannot be read"),
        ('title = "Lesson"', "'chapters'"),
        ('title = "Lesson"\nchapters = []', "no stops"),
        (CHAPTER.format("{ head = 1 }"), "'screen'"),
        (CHAPTER.format('"embed"'), "not as expected"),
        (CHAPTER.format('{ screen = "query", head = 0 }'), "heads count from 1"),
        (CHAPTER.format('{ screen = "query", head = "one" }'), "heads count from 1"),
        (CHAPTER.format('{ screen = "embed" }, { screen = "embed" }'), "stop embed stands twice"),
        (CHAPTER.format('{ screen = "gone" }'), "content/gone.md"),
        (CHAPTER.format('{ screen = "embed", beats = ["gone"] }'), "content/embed.md has no beat gone"),
    ],
)
def test_the_list_s_faults(text: str, told: str, tmp_path: Path) -> None:
    shutil.copytree(content_folder(), tmp_path, dirs_exist_ok=True)
    (tmp_path / "lesson.toml").write_text(text, "utf-8")
    with pytest.raises(ContentError) as caught:
        Lesson.load(tmp_path)
    assert told in str(caught.value)
    assert str(caught.value).startswith("content/")
