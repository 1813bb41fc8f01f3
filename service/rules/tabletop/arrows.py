"""Where an arrow lies that leads from one place of a board to another."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, sin
from typing import Final, NamedTuple

from service.rules.shapes import Place

_NEAR: Final = 40.0
"""Places one above the other with a gap up to this high between them are neighbours."""
_RAISED: Final = 12.0
"""How far above the gap between two rows an arrow lies: on the tray of the upper place, not on the lower one's name."""
_INSIDE: Final = 8.0
"""How far the tip of any other arrow is inside its target: not as far as what stands there."""


class Way(NamedTuple):
    """The middle of an arrow, and its direction in radians."""

    x: float
    y: float
    turn: float


def way(origin: Place, target: Place, length: float) -> Way:
    """Return how an arrow of a length lies: between rows over the gap, else with its tip on the edge of its target."""
    (x1, y1), (x2, y2) = origin.anchor, target.anchor
    turn = atan2(y2 - y1, x2 - x1)
    upper, lower = sorted((origin, target), key=lambda place: place.y)
    down = lower.y - upper.y - upper.height
    if 0 <= down <= _NEAR and abs(upper.x - lower.x) < min(upper.width, lower.width) / 2:
        return Way((x1 + x2) / 2, lower.y - down / 2 - _RAISED, turn)
    middle = _reach(origin, target) + _INSIDE - length / 2
    return Way(x1 + middle * cos(turn), y1 + middle * sin(turn), turn)


def _reach(origin: Place, target: Place) -> float:
    """Return how far it is from the anchor of a place to the edge of another one, on the way to its anchor."""
    (x1, y1), (x2, y2) = origin.anchor, target.anchor
    enters = (
        _share(x1, x2, target.x, target.x + target.width),
        _share(y1, y2, target.y, target.y + target.height),
    )
    return max(0.0, *enters) * hypot(x2 - x1, y2 - y1)


def _share(start: float, end: float, least: float, most: float) -> float:
    """Return after which share of a way along one axis it comes between two bounds."""
    if start == end:
        return -inf
    return ((least if end > start else most) - start) / (end - start)
