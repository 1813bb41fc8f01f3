"""The classes of colours, and their values by day and by night."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from service.rules.games.new_corp_order.terms import Colour
from service.rules.svg import Look

CLASS: Mapping[Colour, str] = {"red": "c1", "black": "c2", "blue": "c3", "white": "c4"}
LOOKS: Mapping[str, tuple[str, str]] = {
    "c1": ("#be1e2d", "#b01b29"),
    "on-c1": ("#ffffff", "#ffffff"),
    "c2": ("#191a1d", "#0b0c0d"),
    "on-c2": ("#ffffff", "#ffffff"),
    "c3": ("#164a94", "#154688"),
    "on-c3": ("#ffffff", "#ffffff"),
    "c4": ("#faf7ee", "#ddd8c9"),
    "on-c4": ("#15181a", "#15181a"),
    "c5": ("#d9783a", "#d9783a"),
    "on-c5": ("#15181a", "#15181a"),
    "c6": ("#3f7f73", "#3a756a"),
    "on-c6": ("#ffffff", "#ffffff"),
    "c7": ("#6f5c93", "#6a588c"),
    "on-c7": ("#ffffff", "#ffffff"),
    "c8": ("#6b7240", "#676e3e"),
    "on-c8": ("#ffffff", "#ffffff"),
}
"""The four conglomerates, then the backgrounds of the book's four consultants."""

WATERMARK: Mapping[Colour, float] = {"red": 0.17, "black": 0.2, "blue": 0.22, "white": 0.13}
"""How much of its sign shines through the tile of a conglomerate."""


@cache
def filled(name: str) -> Look:
    """Return the attributes of a thing in the colour of a class."""
    return {"class_": name, "fill": LOOKS[name][0]}


def of(colour: Colour) -> Look:
    """Return the attributes of a thing in a conglomerate's colour."""
    return filled(CLASS[colour])


def on(colour: Colour) -> Look:
    """Return the attributes of a thing that lies on a conglomerate's colour."""
    return filled(f"on-{CLASS[colour]}")
