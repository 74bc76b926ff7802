"""Readable colours: WCAG 2 contrast, and a colour moved until it has enough of it."""

from functools import lru_cache

ENOUGH = 4.5
"""WCAG 2, level AA"""


def contrast(one: str, other: str) -> float:
    """Contrast of two colours #RRGGBB, from 1 to 21. [WCAG 2.2, contrast ratio]"""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def mixed(colour: str, other: str, share: float) -> str:
    """The colour with a share of another one."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


@lru_cache(maxsize=256)
def readable(colour: str, *grounds: str) -> str:
    """The colour, moved towards white or black as little as it takes to be read on all the grounds."""
    towards = "#FFFFFF" if _luminance(grounds[0]) < 0.2 else "#000000"
    for step in range(21):
        moved = mixed(colour, towards, step / 20)
        if all(contrast(moved, ground) >= ENOUGH for ground in grounds):
            return moved
    return towards


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _luminance(colour: str) -> float:
    shares = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
