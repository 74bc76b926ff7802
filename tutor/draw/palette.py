"""One colour per role: inks to terminal styles, for any theme and any number of colours."""

from dataclasses import dataclass, field
from functools import lru_cache

from rich.style import Style

from tutor.draw.contrast import mixed, readable
from tutor.draw.line import Ink

ROLES = ("text", "dim", "E", "Q", "K", "V", "A", "delta", "right", "wrong")
GROUND = {True: "#15171C", False: "#FBFAF6"}
LIT = {True: "#232730", False: "#EFECE3"}
PANEL = {True: "#1C1F26", False: "#F5F3EC"}
_COLOURS = {
    True: "#E4E2DC #9A9C9F #7DB3FF #C3A2F7 #E8B04A #4CC9BE #FF8FA3 #86CF72 #86CF72 #FF9B7A",
    False: "#23252A #5F6167 #1B5FB4 #6E3FB8 #855700 #00696A #B0234A #2F6B1D #2F6B1D #A8380F",
}
_SIXTEEN = {
    True: "default,dim,bright_blue,bright_magenta,yellow,bright_cyan,bright_red"
    ",bright_green,bright_green,bright_red",
    False: "default,dim,blue,magenta,bold,bold cyan,red,bold green,bold green,red",
}
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
    """The styles of one theme; each ink is resolved once."""

    dark: bool = True
    depth: str = "true"
    """true colours; 16: the terminal's own; none: signs, bold and underline only"""
    ground: str | None = None
    """the colour behind everything, #RRGGBB; None leaves the terminal's own"""
    _styles: dict[Ink, Style] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    @lru_cache
    def of(dark: bool, depth: str, ground: str | None) -> "Palette":
        """The one palette of these settings."""
        return Palette(dark, depth, ground)

    @property
    def lit(self) -> str:
        """The ground of a lit row."""
        if self.ground in (None, GROUND[self.dark]):
            return LIT[self.dark]
        return mixed(self.ground or "", "#FFFFFF" if self.dark else "#000000", 0.07)

    def style(self, ink: Ink) -> Style:
        """The style of an ink."""
        style = self._styles.get(ink)
        if style is None:
            style = self._styles[ink] = self._made(ink)
        return style

    def colour(self, role: str) -> str:
        """The colour of a role, readable on this ground and on a lit row."""
        colour = _COLOURS[self.dark].split()[ROLES.index(role)]
        return readable(colour, self.ground or GROUND[self.dark], self.lit)

    def _made(self, ink: Ink) -> Style:
        made = Style(
            bold=ink.bold or None,
            underline=ink.underline or None,
            reverse=ink.reverse or None,
            meta={CLICK: ink.click} if ink.click else None,
        )
        role = "dim" if ink.dim else ink.role
        if self.depth == "true":
            return made + self._coloured(ink, role)
        if self.depth == "16":
            return made + Style.parse(_SIXTEEN[self.dark].split(",")[ROLES.index(role)]) + _stepped(ink)
        return made + Style(dim=role == "dim" or None)

    def _coloured(self, ink: Ink, role: str) -> Style:
        if ink.ground and not ink.dim:
            step = _RAMPS[self.dark, ink.ground[0]].split()[int(ink.ground[1:])]
            return Style(color="#FFFFFF" if step[6] == "w" else "#000000", bgcolor=f"#{step[:6]}")
        return Style(color=self.colour(role), bgcolor=self.lit if ink.lit else self.ground)


def _stepped(ink: Ink) -> Style:
    """A ramp's step without grounds: small weights dim, large ones bold, the largest reversed."""
    if not ink.ground.startswith("w") or ink.dim:
        return Style()
    step = int(ink.ground[1:])
    return Style(dim=step == 0 or None, bold=step >= 3 or None, reverse=step >= 4 or None)
