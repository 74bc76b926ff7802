"""One colour per role: inks to terminal styles, for a dark or a light ground."""

from dataclasses import dataclass, field
from functools import lru_cache

from rich.color import Color
from rich.style import Style

from tutor.draw.line import Ink

ROLES = ("text", "dim", "E", "Q", "K", "V", "A", "delta", "right", "wrong")
_ROLE_COLOURS = {
    True: dict(zip(ROLES, (
        "#E4E2DC", "#9A9C9F", "#7DB3FF", "#C3A2F7", "#E8B04A",
        "#4CC9BE", "#FF8FA3", "#86CF72", "#86CF72", "#FF9B7A",
    ), strict=True)),
    False: dict(zip(ROLES, (
        "#23252A", "#5F6167", "#1B5FB4", "#6E3FB8", "#855700",
        "#00696A", "#B0234A", "#2F6B1D", "#2F6B1D", "#A8380F",
    ), strict=True)),
}  # fmt: skip
GROUND = {True: "#15171C", False: "#FBFAF6"}
LIT = {True: "#232730", False: "#EFECE3"}
PANEL = {True: "#1C1F26", False: "#F5F3EC"}
_RAMPS = {
    (True, "w"): "15171Cw 2D282Ew 483A40w 634C54w 805F68w 9E737Dk BE8893k DE9DA9k FFB3C0k",
    (False, "w"): "FBFAF6k EDDDDBk DFC0C0k D0A3A6k C0878Dk B06C74k 9E505Cw 8D3446w 7A1030w",
    (True, "s"): "F0A050k B37B46k 7A573Aw 45362Cw 15171Cw 2A3A4Bw 406080w 5789B9k 6FB4F5k",
    (False, "s"): "A84A00w C0774Fk D6A286k E9CEBDk FBFAF6k C3D3E4k 8DACD1k 5886BDk 1F5FA8w",
}

CLICK = "lesson"
"""the key of an ink's action in a style's meta"""


@dataclass(frozen=True)
class Palette:
    """The styles of one theme; made once, each ink resolved once."""

    dark: bool = True
    colours: bool = True
    """False: signs, bold and underline only (NO_COLOR)"""
    ground: str | None = None
    """the colour behind everything; None leaves the terminal's own"""
    _styles: dict[Ink, Style] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    @lru_cache
    def of(dark: bool, colours: bool, ground: str | None) -> "Palette":
        """The one palette of these settings."""
        return Palette(dark, colours, ground)

    def style(self, ink: Ink) -> Style:
        """The style of an ink."""
        style = self._styles.get(ink)
        if style is None:
            style = self._styles[ink] = self._make(ink)
        return style

    def colour(self, role: str) -> str:
        """The colour of a role, as #RRGGBB."""
        return _ROLE_COLOURS[self.dark][role]

    def _make(self, ink: Ink) -> Style:
        meta = {CLICK: ink.click} if ink.click else None
        attributes = {
            "bold": ink.bold or None,
            "underline": ink.underline or None,
            "reverse": ink.reverse or None,
            "meta": meta,
        }
        if not self.colours:
            return Style(dim=ink.dim or ink.role == "dim" or None, **attributes)  # type: ignore[arg-type]
        figure, ground = (
            self.colour("dim" if ink.dim else ink.role),
            LIT[self.dark] if ink.lit else self.ground,
        )
        if ink.ground and not ink.dim:
            ground, figure = self._step(ink.ground)
        return Style(
            color=Color.parse(figure),
            bgcolor=Color.parse(ground) if ground else None,
            **attributes,  # type: ignore[arg-type]
        )

    def _step(self, ground: str) -> tuple[str, str]:
        """Ground and figure colour of a ramp's step."""
        step = _RAMPS[self.dark, ground[0]].split()[int(ground[1:])]
        return f"#{step[:6]}", "#FFFFFF" if step[6] == "w" else "#000000"


def weight_ground(weight: float) -> str:
    """The ramp's step of a share between 0 and 1."""
    return f"w{round(8 * min(max(weight, 0.0), 1.0))}"


def signed_ground(value: float, largest: float) -> str:
    """The ramp's step of a signed value in a block whose largest magnitude is given; none where that is 0."""
    if not largest:
        return ""
    share = value / largest
    return f"s{round(4 + 4 * min(max(share, -1.0), 1.0))}"
