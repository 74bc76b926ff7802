"""Files are found in a checkout and in an installed package; the place follows XDG_STATE_HOME."""

import subprocess
import sys
from pathlib import Path

import pytest

from tutor import paths


def test_a_checkout_uses_its_own_folders() -> None:
    checkout = Path(__file__).parent.parent
    assert paths.content_folder() == checkout / "content"
    assert paths.worksheet_folder() == checkout / "worksheet"


def test_an_installed_package_carries_its_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "PACKAGE", tmp_path)
    (tmp_path / "_data").mkdir()
    assert paths.content_folder() == tmp_path / "_data" / "content"
    assert paths.worksheet_folder() == tmp_path / "_data" / "worksheet"


def test_a_worksheet_is_named_so_that_every_folder_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.worksheet_name("river-bank") == "river-bank"
    assert paths.worksheet_name("mine.toml") == str(tmp_path / "mine.toml")
    assert paths.worksheet_path(long := "x" * 5000) == Path(long)


@pytest.mark.skipif(sys.platform == "win32", reason="XDG folders are for Unix")
def test_the_place_follows_xdg_state_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    assert paths.state_file() == Path("/somewhere/attention-tutor/place.json")


def test_finding_folders_does_not_load_platformdirs() -> None:
    code = "import sys, tutor.paths, tutor.place; sys.exit('platformdirs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
