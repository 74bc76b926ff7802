"""Progress is merged, never overwritten."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.progress import Answer, Progress, ProgressFile

ANSWERS = st.builds(
    Answer,
    st.sampled_from(["softmax", "scores"]),
    st.just("scale"),
    st.booleans(),
    st.text(),
    st.floats(0, 1e9),
)
PROGRESS = st.builds(
    Progress,
    st.sets(st.sampled_from(["a/1", "b/2", "c/3"])),
    st.dictionaries(st.sampled_from("xyz"), ANSWERS),
)


@given(PROGRESS, PROGRESS)
def test_merging_loses_nothing(one: Progress, other: Progress) -> None:
    seen, times = one.seen | other.seen, {}
    for progress in (one, other):
        for question, answer in progress.answers.items():
            times[question] = max(times.get(question, 0.0), answer.time)
    one.merge(other)
    assert one.seen == seen
    assert {question: answer.time for question, answer in one.answers.items()} == times


@given(PROGRESS)
def test_a_document_comes_back(progress: Progress) -> None:
    assert Progress.from_document(progress.to_document()) == progress


def test_two_copies_keep_each_others_progress(tmp_path: Path) -> None:
    file = ProgressFile(tmp_path / "progress.json")
    first, _ = file.load()
    second, _ = file.load()
    first.seen.add("softmax/3")
    second.seen.add("softmax/1")
    assert file.save(first) is None
    assert file.save(second) is None
    assert file.load()[0].seen == {"softmax/1", "softmax/3"}


def test_many_processes_at_once(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from tutor.progress import *\n"
        "file = ProgressFile(pathlib.Path(sys.argv[1]))\n"
        "for n in range(20):\n"
        "    progress, _ = file.load(); progress.seen.add(f'{sys.argv[2]}/{n}'); file.save(progress)\n"
    )
    path = tmp_path / "progress.json"
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), str(n)]) for n in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert len(ProgressFile(path).load()[0].seen) == 80


@pytest.mark.parametrize(
    "damage",
    [
        '{"answers": {"x": {"stop": 1, "nonsense": 2}}}',
        '{"answers": {"x": {"stop": "a", "skill": "b", "diagnosis": "", "right": true, "time": 1%s}}}'
        % ("0" * 400),
        '{"seen": 5}',
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "progress.json"
    path.write_text(damage)
    progress, trouble = ProgressFile(path).load()
    assert progress == Progress() and trouble and "damaged" in trouble
    assert len(list(tmp_path.glob("*.damaged*"))) == 1


def test_an_unwritable_folder_gives_a_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    message = ProgressFile(tmp_path / "file" / "progress.json").save(Progress({"a/1"}))
    assert message and message.startswith("progress is not saved")
