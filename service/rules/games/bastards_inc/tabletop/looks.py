"""The classes of colours and their values by day and by night, and the colours of the players' pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.rules.svg import Look

INK: Final = "#15181a"
PAPER: Final = "#fdfbf4"
CLASS: Mapping[str, str] = {
    "SUP": "c1",
    "RST": "c2",
    "TIG": "c3",
    "KOR": "c4",
    "ROG": "c5",
    "POO": "c6",
    "TLK": "c7",
    "PTY": "c7",
    "NWS": "c7",
    "VIP": "c8",
}
"""The class of each place."""
LOOKS: Mapping[str, tuple[str, str]] = {
    "c1": ("#1d4e89", "#1b487f"),
    "on-c1": ("#ffffff", "#ffffff"),
    "c2": ("#3b5b5f", "#375457"),
    "on-c2": ("#ffffff", "#ffffff"),
    "c3": ("#9c4a10", "#91450f"),
    "on-c3": ("#ffffff", "#ffffff"),
    "c4": ("#4a6426", "#455d24"),
    "on-c4": ("#ffffff", "#ffffff"),
    "c5": ("#8e1d2c", "#841b29"),
    "on-c5": ("#ffffff", "#ffffff"),
    "c6": ("#6d5039", "#664b36"),
    "on-c6": ("#ffffff", "#ffffff"),
    "c7": ("#5c3f8f", "#563b86"),
    "on-c7": ("#ffffff", "#ffffff"),
    "c8": ("#f2ead2", "#ddd5bf"),
    "on-c8": ("#15181a", "#15181a"),
}
"""The six regions, the media circus, and what is printed on paper: the Lounge and cards."""
SEATS: Final = ("#f6b42c", "#c9a6ff", "#6fe0d6", "#ffa9c6", "#b9e069", "#8fc4ff")
"""The pieces of the reader, then those of the others in the order of their seats."""


def filled(name: str) -> Look:
    """Return the attributes of a thing in the colour of a class."""
    return {"class_": name, "fill": LOOKS[name][0]}


def of(place: str) -> Look:
    """Return the attributes of a thing in the colour of a place."""
    return filled(CLASS[place])


def on(place: str) -> Look:
    """Return the attributes of a thing that lies on the colour of a place."""
    return filled(f"on-{CLASS[place]}")


def seat_colour(viewer: int | None, seat: int) -> str:
    """Return the colour of a seat's pieces: the reader's is the first, as on the pages."""
    if viewer is None or seat > viewer:
        return SEATS[seat % len(SEATS)]
    return SEATS[0] if seat == viewer else SEATS[seat + 1]
