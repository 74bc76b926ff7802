"""The saved place survives what homes and disks do, and nothing of it is ever lost silently."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor import place

DOCUMENT = {"stop": "softmax", "beat": 4, "sentence": ["The", "bank"]}
NOBODY = 65534
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A state file in a folder that is not there yet."""
    return tmp_path / "home" / "attention-tutor" / "place.json"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that an ordinary user can reach; the test runs as one, because root may do anything."""
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    if root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o700)
    shutil.rmtree(folder)


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_missing_file_is_no_news(file: Path) -> None:
    assert place.load(file) == (None, None)


def test_what_is_saved_is_loaded_and_nothing_else_is_left(file: Path) -> None:
    assert place.save(file, {"old": 1}) is None
    assert place.save(str(file), DOCUMENT) is None
    assert place.load(file) == (DOCUMENT, None)
    assert names(file.parent) == ["place.json"]


@given(document=st.dictionaries(st.text(), values, max_size=4))
def test_any_document_comes_back(tmp_path_factory: pytest.TempPathFactory, document: place.Document) -> None:
    file = tmp_path_factory.getbasetemp() / "any" / "place.json"
    assert place.save(file, document) is None
    assert place.load(file) == (document, None)


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b"null", b"\xff\xfe{}", b"[" * 100_000, b"9" * 5_000])
def test_a_damaged_file_isset_aside(file: Path, damage: bytes) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(damage)
    document, message = place.load(file)
    assert document is None
    assert message == f"your place was damaged: it is kept as {file}.damaged"
    assert place.save(file, DOCUMENT) is None
    assert (file.parent / "place.json.damaged").read_bytes() == damage
    assert place.load(file) == (DOCUMENT, None)


def test_an_earlier_damaged_file_is_never_overwritten(file: Path) -> None:
    file.parent.mkdir(parents=True)
    for damage in ("first", "second", "third"):
        file.write_text(damage)
        place.load(file)
    assert names(file.parent) == ["place.json.damaged", "place.json.damaged-2", "place.json.damaged-3"]
    assert (file.parent / "place.json.damaged").read_text() == "first"


def test_a_folder_in_its_place_isset_aside(file: Path) -> None:
    (file / "inner").mkdir(parents=True)
    message = place.save(file, DOCUMENT)
    assert message and message.startswith("progress is not saved: ")
    assert place.load(file)[1] == f"your place was damaged: it is kept as {file}.damaged"
    assert (file.parent / "place.json.damaged" / "inner").is_dir()


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    file.parent.mkdir(parents=True)
    target = tmp_path / "elsewhere" / "mine.json"
    file.symlink_to(target)
    assert place.load(file) == (None, None)
    assert place.save(file, DOCUMENT) is None
    assert file.is_symlink()
    assert json.loads(target.read_text()) == DOCUMENT
    assert names(target.parent) == ["mine.json"]


def test_a_link_to_a_device_is_left_alone(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.symlink_to(os.devnull)
    document, message = place.load(file)
    assert document is None and message and "not a plain file" in message
    saved = place.save(file, DOCUMENT)
    assert saved and "not a plain file" in saved
    assert names(file.parent) == ["place.json"]


def test_a_link_that_leads_nowhere_gives_messages(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.symlink_to(file)
    assert place.load(file)[1]
    place.save(file, DOCUMENT)
    assert names(file.parent) == ["place.json"]


def test_a_home_that_is_no_folder_costs_only_the_saving() -> None:
    file = Path(os.devnull, "attention-tutor", "place.json")
    assert place.load(file) == (None, None)
    assert place.save(file, DOCUMENT) == f"progress is not saved: Not a directory ({file})"


def test_a_home_that_cannot_be_made_costs_only_the_saving(open_folder: Path) -> None:
    open_folder.chmod(0o500)
    file = open_folder / "nonexistent" / "place.json"
    assert place.load(file) == (None, None)
    assert place.save(file, DOCUMENT) == f"progress is not saved: Permission denied ({file})"


def test_a_read_only_folder_keeps_what_it_has(open_folder: Path) -> None:
    file = open_folder / "place.json"
    assert place.save(file, DOCUMENT) is None
    open_folder.chmod(0o500)
    assert place.save(file, {}) == f"progress is not saved: Permission denied ({file})"
    assert place.load(file) == (DOCUMENT, None)


def test_a_damaged_file_in_a_read_only_folder_stays(open_folder: Path) -> None:
    file = open_folder / "place.json"
    file.write_text("{")
    open_folder.chmod(0o500)
    document, message = place.load(file)
    assert document is None and message and "cannot be set aside" in message
    assert file.read_text() == "{"


@pytest.mark.parametrize("mode", [0o000, 0o200])
def test_an_unreadable_file_is_reported_and_not_replaced(open_folder: Path, mode: int) -> None:
    file = open_folder / "place.json"
    file.write_text('{"precious": 1}')
    file.chmod(mode)
    assert place.load(file) == (None, f"your place is not read: Permission denied ({file})")
    assert place.save(file, DOCUMENT) == f"progress is not saved: Permission denied ({file})"
    file.chmod(0o600)
    assert place.load(file) == ({"precious": 1}, None)
    assert names(open_folder) == ["place.json"]


def test_a_full_disk_keeps_the_old_place(file: Path) -> None:
    """A limit on the size of a file stands in for a full disk: both fail the write."""
    assert place.save(file, DOCUMENT) is None
    code = (
        "import resource, sys; from tutor import place;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4)); print(place.save(sys.argv[1], {'a': 'b' * 100}))"
    )
    checkout = Path(__file__).parent.parent
    run = subprocess.run([sys.executable, "-c", code, file], cwd=checkout, capture_output=True, text=True)
    assert run.stdout == f"progress is not saved: File too large ({file})\n"
    assert place.load(file) == (DOCUMENT, None)
    assert names(file.parent) == ["place.json"]


def test_messages_keep_to_one_line() -> None:
    message = place.save("/dev/null/new\nline\x1b[31m\udcff/place.json", DOCUMENT)
    assert message == "progress is not saved: Not a directory (/dev/null/new?line?[31m?/place.json)"


def test_a_document_that_is_not_json_leaves_the_old_place(file: Path) -> None:
    place.save(file, DOCUMENT)
    with pytest.raises(TypeError):
        place.save(file, {"a": object()})
    assert place.load(file) == (DOCUMENT, None)
