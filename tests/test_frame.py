"""Title, path map and sentence strip around the stage."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from worksheets import RIVER_BANK

from tutor.draw.line import Span, line_of, rows, text_of, width_of
from tutor.engine.sketch import sketch
from tutor.engine.worksheet import Worksheet
from tutor.focus import Focus
from tutor.frame import frame, named_rule, path_map, strip, title
from tutor.lesson import Lesson, Screen
from tutor.paths import content_folder
from tutor.view import Columns, Fact, Stage, View

WHOLE = Lesson.load(content_folder())
LESSON = replace(
    WHOLE, stops=tuple(map(WHOLE.stop, ("embed", "query", "scores", "softmax", "softmax-2", "prediction")))
)
"""the same few stops, however many the lesson gets"""
SOFTMAX = LESSON.enter(LESSON.start(RIVER_BANK, "river-bank"), "softmax", 3)


def view(focus: Focus, width: int = 80, worksheet: Worksheet = RIVER_BANK) -> View:
    return LESSON.view(focus, worksheet, sketch, width)


def title_of(focus: Focus, width: int) -> str:
    return text_of(title(LESSON, LESSON.stop(focus.stop), view(focus, width)))


def strip_of(focus: Focus, width: int = 80, worksheet: Worksheet = RIVER_BANK) -> list[str]:
    made = strip(view(focus, width, worksheet), LESSON.stop(focus.stop))
    return [text_of(line) for line in made]


@pytest.mark.parametrize(
    ("width", "left"),
    [
        (120, " Multi-head attention · 2 One head by hand · softmax "),
        (80, " 2 One head by hand · softmax "),
        (60, " 2 · softmax "),
        (56, " softmax "),
    ],
)
def test_the_title_shrinks_from_the_left(width: int, left: str) -> None:
    made = title_of(SOFTMAX, width)
    assert made.startswith(left)
    beats = len(LESSON.stop("softmax").beats)
    assert made.endswith(f"head 1 setting · ▶10 the · ◆6 river · beat 4/{beats}")
    assert cell_len(made) == width - 1


def test_a_narrow_title_leaves_out_the_words() -> None:
    beats = len(LESSON.stop("softmax").beats)
    assert title_of(SOFTMAX, 48) == f" 2 · softmax       head 1 · ▶10 · ◆6 · beat 4/{beats}"
    assert title_of(SOFTMAX, 40) == f" softmax   head 1 · ▶10 · ◆6 · beat 4/{beats}"


def test_the_title_tells_only_what_the_stop_uses() -> None:
    assert title_of(LESSON.start(RIVER_BANK, "river-bank"), 80).endswith("  ▶10 the · ◆6 river · beat 1/5")
    assert title_of(LESSON.enter(SOFTMAX, "prediction"), 80).endswith("  ▶10 the · beat 1/5")


def test_the_title_tells_that_the_mask_is_off() -> None:
    assert "mask off" in title_of(replace(SOFTMAX, causal=False), 80)
    assert "mask" not in title_of(SOFTMAX, 80)


def test_the_map_marks_the_station() -> None:
    made = path_map(LESSON, LESSON.stop("softmax"), 80)
    assert text_of(made) == " E ─ q ─ scores ─[softmax]─ predict"
    inks = {text: ink for text, ink in made}
    assert inks["[softmax]"].bold and inks["[softmax]"].reverse
    assert (inks[" scores "].role, inks[" predict "].role) == ("text", "dim")
    assert "predict" in inks[" predict "].click


def test_a_narrow_map_counts() -> None:
    assert text_of(path_map(LESSON, LESSON.stop("softmax"), 30)) == " [softmax] 4 of 5"


def test_stations_do_not_move() -> None:
    made = {text_of(path_map(LESSON, stop, 80)).replace("[", " ").replace("]", " ") for stop in LESSON.stops}
    assert len({line.rstrip() for line in made}) == 1


def test_the_strip_s_signs() -> None:
    assert strip_of(SOFTMAX) == [
        "  The  fisherman  sat  beside  the ◆river  bank  and  watched ▶the  ___",
    ]
    assert strip_of(replace(SOFTMAX, receiver=0, source=0, sentence="The bank")) == [" ▶The◆  bank  ___"]
    assert strip_of(LESSON.enter(SOFTMAX, "prediction")) == [
        "  The  fisherman  sat  beside  the  river  bank  and  watched ▶the  ___",
    ]


def test_the_strip_wraps_into_two_rows() -> None:
    assert strip_of(SOFTMAX, 60) == [
        "  The  fisherman  sat  beside  the ◆river  bank  and",
        "  watched ▶the  ___",
    ]


def test_a_long_sentence_shows_the_rows_around_the_receiver() -> None:
    long = "the fisherman deposited the cheque beside the fisherman watched fisherman"
    early, late = (strip_of(replace(SOFTMAX, sentence=long, receiver=at), 40) for at in (0, 9))
    assert len(early) == len(late) == 2
    assert "▶the" in early[0]
    assert "▶fisherman" in "".join(late)
    assert early != late


def test_words_can_be_clicked() -> None:
    made = strip(view(SOFTMAX), LESSON.stop("softmax"))
    assert {text: ink.click for text, ink in made[0]}["river"].endswith("5)")


def test_rules() -> None:
    assert text_of(named_rule("made up", 20)) == "────────── made up ─"
    assert text_of(named_rule("made up", 6)) == " made…"


class Wide(Screen):
    """A screen that draws more than the window holds."""

    BEATS = ("one",)

    def columns(self, view: View) -> Columns:
        return Columns(range(1), 0)

    def render(self, view: View) -> Stage:
        long = line_of("x" * 200)
        return Stage(rows([long, (Span("short"),)]), long, [long])

    def facts(self, view: View) -> dict[str, Fact]:
        return {}


def test_nothing_leaves_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutor.lesson.screen_of", lambda screen_id: Wide())
    (tmp_path / "wide.md").write_text('+++\ntitle="t"\nstation="s"\nuses=[]\n+++\n\n## one\nx\n', "utf-8")
    (tmp_path / "lesson.toml").write_text(
        'title="t"\n[[chapters]]\nnumber=1\ntitle="c"\nstops=[{screen="wide"}]', "utf-8"
    )
    lesson = Lesson.load(tmp_path)
    made = frame(lesson, lesson.view(lesson.start(RIVER_BANK, "x"), RIVER_BANK, sketch, 60))
    assert {width_of(line) for line in made.lines() if "x" in text_of(line)} == {60, 2}
    assert "short" in [text_of(line) for line in made.lines()]
