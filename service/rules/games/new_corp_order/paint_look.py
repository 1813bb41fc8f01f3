"""What the picture's parts look like: each look is a class that a stylesheet may recolour, and its colour by day."""

from __future__ import annotations

from functools import cache

from service.rules.svg import Look

LEGIBLE = 18.5
"""The size of text that has to be readable: 11 pixels on a screen of 360 pixels, where the picture has 600 units."""

_FILLS = {
    "paper": "#f4f0e6",
    "panel": "#fffdf7",
    "ink": "#1d1d1b",
    "faint": "#5a5548",
    "mark": "#a34a00",
    "ods": "#6a6a6a",
    "conglomerate-red": "#b3202c",
    "conglomerate-black": "#2b2b2e",
    "conglomerate-blue": "#1f5fae",
    "conglomerate-white": "#ffffff",
    "tint-red": "#f8dcd8",
    "tint-black": "#d6d4d0",
    "tint-blue": "#d6e5f7",
    "tint-white": "#fdfcf8",
    "on-red": "#ffffff",
    "on-black": "#ffffff",
    "on-blue": "#ffffff",
    "on-white": "#1d1d1b",
}
_STROKES = {"outline": "#1d1d1b", "edge": "#fffdf7", "line": "#b5ac98", "marked": "#a34a00"}


@cache
def _look(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    written = {"class_": " ".join(names)}
    for name in names:
        if name in _FILLS:
            written["fill"] = _FILLS[name]
        else:
            written["stroke"] = _STROKES[name]
    return tuple(written.items())


def coloured(colour: str) -> Look:
    """Return the attributes of a thing in a conglomerate's colour, with an outline visible on the same colour."""
    return look(f"conglomerate-{colour}", "edge" if colour == "black" else "outline")


def look(*names: str) -> Look:
    """Return the attributes of looks: one that fills, one that is a line, or both."""
    return dict(_look(names))
