"""The checks of the modules pass for the lesson, and fail for modules that are wrong."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from worksheets import RIVER_BANK, made

from tutor.engine.model import through_modules
from tutor.engine.worksheet import Worksheet
from tutor.verify.modules import check_modules

NAMES = [
    "weights of every head",
    "final logits",
    "nn.MultiheadAttention",
    "rows of A sum to 1",
    "no weight on a blocked source",
    "earlier rows stay",
    "a padded batch",
]


def failed(worksheet: Worksheet) -> list[str]:
    return [check.name.removeprefix("modules: ") for check in check_modules(worksheet) if not check.passed]


def test_the_lesson_passes() -> None:
    checks = list(check_modules(RIVER_BANK))
    assert [check.name for check in checks] == [f"modules: {name}" for name in NAMES]
    assert all(check.passed for check in checks)
    assert checks[0].detail.startswith("400 ")
    assert checks[1].detail.startswith("40 ")


@pytest.mark.parametrize(
    ("mistake", "found"),
    [
        (lambda A, delta_E, logits: (1.01 * A, delta_E, logits), {NAMES[0], NAMES[2], NAMES[3], NAMES[6]}),
        (lambda A, delta_E, logits: (A[:, ::-1], delta_E, logits), {NAMES[0], NAMES[2], NAMES[6]}),
        (lambda A, delta_E, logits: (A.swapaxes(2, 3), delta_E, logits), {*NAMES} - {NAMES[1]}),
        (lambda A, delta_E, logits: (A, delta_E + 1e-9, logits), {NAMES[2], NAMES[6]}),
        (lambda A, delta_E, logits: (A, delta_E, logits[..., ::-1]), {NAMES[1], NAMES[6]}),
        (lambda A, delta_E, logits: (A, delta_E, logits + logits[:, -1:]), {NAMES[1], NAMES[5], NAMES[6]}),
    ],
)
def test_wrong_modules_fail(
    monkeypatch: pytest.MonkeyPatch, mistake: Callable[..., Any], found: set[str]
) -> None:
    def wrong(worksheet: Worksheet, sentences: Sequence[Sequence[int]]) -> Any:
        return mistake(*through_modules(worksheet, sentences))

    monkeypatch.setattr("tutor.verify.modules.through_modules", wrong)
    assert set(failed(RIVER_BANK)) == found


def test_padding_that_is_read_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from tutor.engine import model

    def all_words(padding: Any, E: Any) -> Any:
        return model.torch.zeros(E.shape[:2], dtype=model.torch.bool)

    monkeypatch.setattr(model, "_padding", all_words)
    assert set(failed(RIVER_BANK)) == {"no weight on a blocked source", "a padded batch"}


def test_a_mask_that_blocks_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from tutor.engine import model

    blocked = model._blocked
    monkeypatch.setattr(model, "_blocked", lambda padding, causal: blocked(padding, False))
    # The last row may read every word, so its logits stay.
    assert set(failed(RIVER_BANK)) == {*NAMES} - {"final logits", "rows of A sum to 1"}


def test_other_worksheets() -> None:
    fits = made(4, d_model=6, d_head=2, d_v=2, heads=3, hidden=5, vocabulary=6, context=7)
    assert failed(fits) == []
    other = made(4, d_model=6, d_head=3, d_v=2, heads=3, hidden=5, vocabulary=6, context=7)
    (check,) = check_modules(other)
    assert check.passed
    assert check.detail.startswith("not compared: The worksheet has d_head 3")
