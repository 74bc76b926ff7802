"""Mistakes in content and screens are found, and each message names its file."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from worksheets import RIVER_BANK

import tutor.verify
from tutor.screens import softmax
from tutor.verify.check import Check
from tutor.verify.content import check_content
from tutor.view import Columns, Fact

LESSON = 'title = "t"\n[[chapters]]\nnumber = 1\ntitle = "c"\nstops = [{ screen = "softmax", head = 1 }]\n'
HEADER = '+++\ntitle = "softmax"\nstation = "softmax"\nuses = ["head"]\n+++\n'


def screen(beats: tuple[str, ...] = ("one",), *facts: str) -> ModuleType:
    """A screen that draws nothing and offers these facts."""
    module = ModuleType("tutor.screens.made")
    module.__dict__.update(
        BEATS=beats,
        columns=lambda view: Columns(range(1), 0),
        render=softmax.render,
        facts=lambda view: {name: Fact("7.13") for name in facts},
    )
    return module


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Check]]:
    """Checks of a lesson with one stop, its prose and its screen."""

    def check(prose: str, module: ModuleType | None = None, header: str = HEADER) -> list[Check]:
        (tmp_path / "lesson.toml").write_text(LESSON.replace("softmax", "made"), "utf-8")
        (tmp_path / "made.md").write_text(header + prose, "utf-8")
        monkeypatch.setitem(sys.modules, "tutor.screens.made", module or screen())
        return list(check_content(tmp_path, RIVER_BANK))

    return check


def faults(checks: list[Check]) -> list[str]:
    return [check.detail for check in checks if not check.passed]


def test_a_right_one_passes(made: Callable[..., list[Check]]) -> None:
    checks = made("\n## one\nThe word “{receiver}” has {total}.\n", screen(("one",), "total"))
    assert faults(checks) == []
    assert [check.name for check in checks] == [
        "content: lesson.toml",
        "content: stray files",
        "content: made",
    ]


@pytest.mark.parametrize(
    ("prose", "module", "told"),
    [
        ("\n## one\nIt has 3 words.\n", screen(), "beat one: a typed-in number, 3: let {a fact} say it"),
        ("\n## one\nIt is −0.23.\n", screen(), "a typed-in number, −0.23.: let {a fact}"),
        ("\n## one\nIt is ½ or r₁.\n", screen(), "a typed-in number"),
        ("\n## one\n{nothing}\n", screen(), "beat one: unknown fact {nothing}: use one of"),
        ("\n## one\nWords.\n", screen(("one",), "total"), "offers {total}, which no beat of content/made.md"),
        ("\n## one\nWords.\n", screen(("one", "two")), "has no beat two, which tutor/screens/made.py shows"),
        (
            "\n## one\nA.\n\n## two\nB.\n",
            screen(),
            "has a beat two: add it to BEATS in tutor/screens/made.py",
        ),
        ("\n## two\nA.\n\n## one\nB.\n", screen(("one", "two")), "out of order: write one, two"),
        ("\n## one\n\n", screen(), "beat one: no words"),
        ("\n## one\n" + "word " * 16, screen(), "a sentence of 16 words, 15 allowed"),
        ("\n## one\n" + "Some words here. " * 9, screen(), "27 words, 26 allowed"),
        ("\n## one\n" + "Extraordinarilylong words. " * 7, screen(), "3 lines at 80 columns, 2 allowed"),
        ("\n## one\nA [word](Z).\n", screen(), "content/made.md: unknown role (Z)"),
        ("words\n", screen(), "content/made.md: prose before the first beat"),
        ("\n## one\nWords.\n", ModuleType("made"), "has no BEATS and no columns and no render and no facts"),
    ],
)
def test_each_fault_is_told_once(
    prose: str, module: ModuleType, told: str, made: Callable[..., list[Check]]
) -> None:
    found = faults(made(prose, module))
    assert len(found) == 1
    assert told in found[0]
    assert "made." in found[0]


def test_sentences_and_words_at_the_limit_pass(made: Callable[..., list[Check]]) -> None:
    assert faults(made("\n## one\n" + "a " * 14 + "b. " + "c " * 10 + "d.")) == []


def test_a_bad_header(made: Callable[..., list[Check]]) -> None:
    assert (
        "content/made.md: uses has heads"
        in faults(made("\n## one\nA.\n", header=HEADER.replace('"head"', '"heads"')))[0]
    )


def test_a_missing_module(tmp_path: Path) -> None:
    (tmp_path / "lesson.toml").write_text(LESSON.replace("softmax", "no-such"), "utf-8")
    (tmp_path / "no-such.md").write_text(HEADER + "\n## one\nA.\n", "utf-8")
    (told,) = faults(list(check_content(tmp_path, RIVER_BANK)))
    assert told.startswith("tutor/screens/no_such.py cannot be imported")


def test_missing_and_stray_files(tmp_path: Path) -> None:
    shutil.copytree(tutor.verify.content_folder(), tmp_path, dirs_exist_ok=True)
    (tmp_path / "softmax.md").rename(tmp_path / "softmaks.md")
    told = faults(list(check_content(tmp_path, RIVER_BANK)))
    assert any(line.startswith("content/softmaks.md belongs to no stop") for line in told)
    assert any(line.startswith("content/softmax.md cannot be read") for line in told)


def test_a_damaged_list(tmp_path: Path) -> None:
    (tmp_path / "lesson.toml").write_text("title = ", "utf-8")
    (told,) = faults(list(check_content(tmp_path, RIVER_BANK)))
    assert told.startswith("content/lesson.toml cannot be read")


def test_beats_out_of_order(tmp_path: Path) -> None:
    shutil.copytree(tutor.verify.content_folder(), tmp_path, dirs_exist_ok=True)
    stop = '{ screen = "softmax", beats = ["exp", "raw"] }'
    text = LESSON.replace('{ screen = "softmax", head = 1 }', stop)
    (tmp_path / "lesson.toml").write_text(text, "utf-8")
    told = faults(list(check_content(tmp_path, RIVER_BANK)))
    assert "content/lesson.toml: the beats of softmax are out of order: write raw, exp" in told


def test_the_shipped_content_passes() -> None:
    assert faults(list(check_content(tutor.verify.content_folder()))) == []


def test_a_failed_check_gives_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = [Check("one", True, "fine"), Check("two", False, "content/x.md: wrong")]
    monkeypatch.setattr(tutor.verify, "checks", lambda: iter(outcomes))
    assert tutor.verify.run() == 1
    assert capsys.readouterr().out == "ok      one: fine\nFAILED  two: content/x.md: wrong\n"
    outcomes.pop()
    assert tutor.verify.run() == 0


def test_a_worksheet_that_cannot_be_read_is_a_failed_check(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tutor.verify, "worksheet_path", lambda name: tmp_path / "none.toml")
    (check,) = tutor.verify.checks()
    assert not check.passed and "none.toml" in check.detail
