"""Role colours are read in every theme, and signs where there is no colour."""

import itertools
from pathlib import Path

import pytest
from tui.driving import lesson_at, screen_text

from tutor.draw.line import Ink
from tutor.draw.palette import ROLES, Palette


def luminance(colour: str) -> float:
    """Relative luminance of #RRGGBB. [WCAG 2.2]"""
    linear = []
    for at in (1, 3, 5):
        share = int(colour[at : at + 2], 16) / 255
        linear.append(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def ratio(one: str, other: str) -> float:
    """Contrast ratio. [WCAG 2.2]"""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_ratio_of_black_and_white_is_21() -> None:
    assert ratio("#000000", "#FFFFFF") == pytest.approx(21)


async def test_roles_hold_their_contrast_in_every_theme(tmp_path: Path) -> None:
    async with lesson_at(tmp_path, "softmax", 4) as (app, pilot):
        grounds = set()
        for theme in app.available_themes:
            app.theme = theme
            await pilot.pause()
            palette = app.palette
            if palette.depth != "true":
                assert theme.startswith("ansi")
                continue
            assert palette.ground is not None
            grounds.add(palette.ground)
            for role, lit in itertools.product(ROLES, (False, True)):
                style = palette.style(Ink(role, lit=lit))
                assert style.color is not None and style.bgcolor is not None
                assert ratio(style.color.name, style.bgcolor.name) >= 4.5, (theme, role, lit)
        assert len(grounds) > 10


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("ramp", ["w", "s"])
def test_figures_are_read_on_every_step_of_a_ramp(dark: bool, ramp: str) -> None:
    for step in range(9):
        style = Palette(dark).style(Ink(ground=f"{ramp}{step}"))
        assert style.color is not None and style.bgcolor is not None
        assert ratio(style.color.name, style.bgcolor.name) >= 4.5


async def test_no_color_leaves_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with lesson_at(tmp_path, "softmax", 4) as (app, _):
        for role in ROLES:
            assert app.palette.style(Ink(role, ground="w8", lit=True)).color is None
        text = screen_text(app)
        assert "▶10 the" in text and "◆ 6 river" in text and "‹0.718›" in text


async def test_the_theme_is_remembered(tmp_path: Path) -> None:
    async with lesson_at(tmp_path) as (app, pilot):
        app.theme = "nord"
        await pilot.press("right", "q")
    async with lesson_at(tmp_path) as (app, _):
        assert app.theme == "nord"
        assert (app.place.stop, app.place.beat) == ("welcome", 1)
