"""`tutor show`: the stored looks, the source's numbers on the screens, and what the options refuse.

The files in `tests/stored/` were read by people. After a wanted change of the looks, write them anew with
`UPDATE_STORED=1 make test ARGS="-k stored"` and read the difference that git shows.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tutor.choice import Choice, terminal_width
from tutor.draw.line import text_of
from tutor.errors import TutorError
from tutor.lesson import Lesson
from tutor.paths import content_folder, worksheet_folder
from tutor.show import list_stops
from tutor.show import show as show_lines

STORED = Path(__file__).parent / "stored"
LESSON = Lesson.load(content_folder())
STOPS = [stop.id for stop in LESSON.stops]
PUBLISHED: Any = tomllib.loads(
    (worksheet_folder() / "published.toml").read_text("utf-8"), parse_float=lambda text: text
)


def show(stop: str | None = None, width: int | None = 80, at: str = "", **options: Any) -> list[str]:
    """The lines of a stop, at the beat of that name or at all."""
    if at and stop:
        options["beat"] = LESSON.stop(stop).beats.index(at) + 1
    return [text_of(line) for line in show_lines(stop, Choice(**options), width)]


def compare(name: str, lines: list[str]) -> None:
    path = STORED / f"{name}.txt"
    if "UPDATE_STORED" in os.environ:
        path.write_text("\n".join(lines) + "\n", "utf-8")
    assert lines == path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("stop", STOPS)
def test_the_stored_looks(stop: str) -> None:
    compare(stop, show(stop))


@pytest.mark.parametrize(("stop", "width"), [("softmax", 120), ("query", 120), ("query", 40), ("scores", 40)])
def test_the_stored_looks_of_other_widths(stop: str, width: int) -> None:
    compare(f"{stop}-at-{width}", show(stop, width))


def test_the_stored_list() -> None:
    compare("list", [text_of(line) for line in list_stops()])


def test_no_stored_look_is_left_over() -> None:
    extra = {"softmax-at-120", "query-at-120", "query-at-40", "scores-at-40", "list"}
    assert {path.stem for path in STORED.glob("*.txt")} == {*STOPS, *extra}


def test_all_stops_follow_each_other() -> None:
    assert show() == "\n\n".join("\n".join(show(stop)) for stop in STOPS).split("\n")


def numbers_in(lines: list[str]) -> set[str]:
    return set(re.findall(r"−?\d+(?:\.\d+)?", "\n".join(lines)))


def printed(values: Any) -> set[str]:
    """The source's numbers as the lesson writes them: a true minus, no negative zero."""
    if isinstance(values, list):
        return set().union(*map(printed, values))
    if isinstance(values, dict):
        return printed(list(values.values()))
    return {str(values).replace("-", "−")}


@pytest.mark.parametrize("head", [0, 1])
def test_the_source_s_numbers_of_each_head_are_on_the_screens(head: int) -> None:
    section = PUBLISHED["river"]["heads"][head]
    softmax = numbers_in(show("softmax", at="weights", head=head + 1))
    for name in ("raw", "scores", "exp", "total", "A"):
        assert printed(section[name]) <= softmax, name
    scores = numbers_in(show("scores", at="all", head=head + 1))
    assert printed(section["raw"]) | printed(section["K"]) <= scores
    assert printed(section["query"]) <= numbers_in(show("query", at="query", head=head + 1))


def test_the_source_s_other_numbers_are_on_the_screens() -> None:
    river, cheque = PUBLISHED["river"], PUBLISHED["cheque"]
    assert printed(river["embedding"]) | printed(river["ids"]) <= numbers_in(show("embed", at="all"))
    assert printed(river["percent"]) | printed(river["E_prime"]) <= numbers_in(
        show("prediction", at="shares")
    )
    assert printed(cheque["percent"]) <= numbers_in(show("prediction", at="shares", case="cheque"))
    for head, weights in enumerate(cheque["weights"], 1):
        lines = show("softmax", at="weights", head=head, case="cheque")
        assert printed(weights) <= numbers_in(lines)


@pytest.mark.parametrize(
    ("stop", "at", "head", "shown"),
    [
        ("scores", "first", 1, "product 1 of r₁₀,₆  =  2.3×3.1  =  7.13"),
        ("scores", "rest", 1, "r₁₀,₆  =  2.3×3.1 + 2.3×(−0.1)  =  7.13 − 0.23  =  6.90"),
        ("softmax", "scaled", 1, "s₁₀,₆  =  6.90 / √2  =  4.879"),
        ("softmax", "exp", 1, "exp(s₁₀,₆)  =  exp(4.879)  =  131.504"),
        ("softmax", "weights", 1, "A₁₀,₆  =  131.504 / 183.244  =  0.718"),
        ("softmax", "weights", 2, "A₁₀,₂  =  30.427 / 43.908  =  0.693"),
        ("prediction", "shares", None, "61.0 %"),
    ],
)
def test_the_worked_arithmetic(stop: str, at: str, head: int | None, shown: str) -> None:
    assert shown in "\n".join(show(stop, at=at, head=head))


def test_options_choose_the_lit_cell() -> None:
    lines = show("softmax", at="weights", head=2, receiver=7, source=4, column=2, width=80)
    assert "head 2 person · ▶7 bank · ◆4 beside" in lines[0]
    assert any(line.startswith(" ◆ 4 beside") and "‹" in line for line in lines)


def test_a_blocked_source() -> None:
    lines = show("softmax", at="weights", receiver=2, source=5)
    working = next(line for line in lines if line.startswith(" A₂,₅  =  0"))
    assert "blocked" in working and "source 5 comes after receiver 2" in working
    row = next(line for line in lines if line.startswith(" ◆ 5 the"))
    assert row.count("×") == 3
    free = show("softmax", at="weights", receiver=2, source=5, causal=False)
    assert not any("×" in line for line in free)
    assert "mask off" in free[0]


def test_a_sentence_as_typed() -> None:
    lines = show("embed", at="ids", sentence="THE  bank")
    assert "  THE ▶bank◆  ___" in lines
    assert show("embed", sentence="THE  bank") == show("embed", sentence=" THE bank ")


def test_a_beat_that_only_some_stops_have() -> None:
    assert len([line for line in show(beat=5) if "beat 5/" in line]) == sum(
        len(stop.beats) >= 5 for stop in LESSON.stops
    )


@pytest.mark.parametrize(
    ("stop", "options", "told"),
    [
        ("nowhere", {}, "no stop 'nowhere': the stops are welcome, embed, query"),
        ("query-2", {"beat": 9}, "--beat 9 is given: allowed are 1 to "),
        ("query", {"beat": 0}, "--beat 0 is given: allowed are 1 to "),
        (None, {"head": 3}, "--head 3 is given: allowed are 1 to 2"),
        (None, {"receiver": 11}, "--receiver 11 is given: allowed are 1 to 10"),
        (None, {"sentence": "the bank", "source": 3}, "--source 3 is given: allowed are 1 to 2"),
        ("softmax", {"column": 5}, "--column 5 is given: allowed are 1 to 4"),
        (None, {"column": 0}, "--column 0 is given: columns count from 1"),
        (None, {"width": 39}, "--width 39 is given: allowed are 40 to 132"),
        (None, {"width": 133}, "--width 133 is given: allowed are 40 to 132"),
        (None, {"sentence": "the bank", "case": "river"}, "use one of them"),
        (None, {"case": "money"}, "no case money: this worksheet has river, cheque"),
        (None, {"sentence": ""}, "No words given"),
        (None, {"sentence": "the " * 11}, "11 words given, at most 10 allowed"),
        (None, {"sentence": "the rivver"}, 'word 2 "rivver" (near: river'),
        (None, {"worksheet": "nowhere.toml"}, "nowhere.toml: cannot be read"),
    ],
)
def test_what_is_refused(stop: str | None, options: dict[str, Any], told: str) -> None:
    with pytest.raises(TutorError) as caught:
        show(stop, **options)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_width_of_a_pipe_is_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert terminal_width(None) == 80
