"""Where the places of the board lie: the pyramid of regions, the media circus, the Lounge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Box(NamedTuple):
    """A rectangle of the board."""

    x: float
    y: float
    width: float
    height: float


WIDTH: Final = 680.0
TILE: Final = (216.0, 124.0)
SQUARE: Final = (216.0, 88.0)
_LEFT, _GAP, _TOP = 6.0, 10.0, 4.0
_ROW = TILE[1] + 8
_HALF = (TILE[0] + _GAP) / 2


def _region(row: int, number: float) -> Box:
    return Box(_LEFT + number * 2 * _HALF, _TOP + row * _ROW, *TILE)


BOXES: Final[Mapping[str, Box]] = {
    "SUP": _region(0, 1),
    "RST": _region(1, 0.5),
    "TIG": _region(1, 1.5),
    "KOR": _region(2, 0),
    "ROG": _region(2, 1),
    "POO": _region(2, 2),
    "TLK": Box(_LEFT, _TOP + 3 * _ROW, *SQUARE),
    "PTY": Box(_LEFT + 2 * _HALF, _TOP + 3 * _ROW, *SQUARE),
    "NWS": Box(_LEFT + 4 * _HALF, _TOP + 3 * _ROW, *SQUARE),
    "VIP": _region(0, 0),
}
HEIGHT: Final = BOXES["NWS"].y + SQUARE[1] + 4
ASIDE: Final = _region(0, 2)
"""Where the round is told, and who has prize and Bunker."""
PYRAMID: Final = f"M{WIDTH / 2:g} -6L{WIDTH + 2:g} {_TOP + 3 * _ROW - 2:g}H-2Z"
"""The shape that lies under the regions."""
