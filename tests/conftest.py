"""What every test shares: a place of its own to save in, and one hypothesis profile."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a property may have to import torch, so no deadline.
settings.register_profile("tutor", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("tutor")


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the learner's own saved place, and the colours and size of this terminal, out of the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
