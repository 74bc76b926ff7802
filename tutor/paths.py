"""Where the lesson's files lie and where a learner's place is kept."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds `content` and `worksheet`: inside an installed package, else the checkout."""
    installed = PACKAGE / "_data"
    return installed if installed.is_dir() else PACKAGE.parent


def content_folder() -> Path:
    """The folder of `lesson.toml` and the screens' prose."""
    return data_root() / "content"


def worksheet_folder() -> Path:
    """The folder of the givens and of the source's published numbers."""
    return data_root() / "worksheet"


def state_file() -> Path:
    """The file that keeps a learner's place between runs."""
    from platformdirs import user_state_path  # late: printing a screen keeps no place

    return user_state_path("attention-tutor", appauthor=False) / "place.json"


def worksheet_path(name: str) -> Path:
    """A shipped worksheet by its name, any other by its path."""
    return _shipped(name) or Path(name)


def worksheet_name(given: str) -> str:
    """A shipped worksheet's name as it is; of any other the whole path, which holds in every folder."""
    return given if _shipped(given) else os.path.abspath(given)


def _shipped(name: str) -> Path | None:
    path = worksheet_folder() / f"{name}.toml"
    return path if "/" not in name and os.path.isfile(path) else None  # Path.is_file fails on a long name
