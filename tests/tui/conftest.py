"""The lesson is tested as a terminal of true colours shows it."""

import pytest


@pytest.fixture(autouse=True)
def true_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of true colours, wherever the tests run."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
