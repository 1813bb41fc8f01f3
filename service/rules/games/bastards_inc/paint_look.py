"""What the picture's parts look like, and how its texts fit: it has no fonts of its own, so that they may be wide."""

from __future__ import annotations

from typing import Final

from service.rules.games.bastards_inc.tabletop.looks import INK
from service.rules.svg import BOLD, PLAIN, Look, Svg, line_of
from service.rules.tabletop.drawing import ROLES

SIZE: Final = 18.5
"""The size of text that has to be readable: 9.5 pixels on a screen of 360 pixels, where the picture has 700 units."""
FELT: Look = {"class_": "felt", "fill": "#24594e"}
LIGHT: Look = {"class_": "on-felt", "fill": "#f5f2e7"}
DARK: Look = {"class_": "on-card", "fill": INK}
FAINT: Look = {"class_": "on-card", "fill": "#4b4a43"}
CARD: Look = {"class_": "card", "fill": "#fdfbf4"}


def letter(role: str, text: str, x: float, y: float, looks: Look, room: float) -> Svg:
    """Return a line of text of the board in the size of its role, made smaller to fit its room."""
    weight = BOLD if ROLES[role].weight > 500 else PLAIN
    return line_of(text, x, y, size=ROLES[role].large, width=room, looks={**looks, **weight})
