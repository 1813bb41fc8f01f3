"""Draws boards: texts by their role, plates with a printed edge, and the board of a ruleset that draws none.

A board has three looks: from 660 units of its own width, below, and from 430 units down. A stylesheet changes between
them by the classes of the texts; `small_look` draws the smallest one for pictures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import atan2, cos, hypot, inf, sin
from typing import Final, NamedTuple

from service.rules.svg import Look, Svg, element, group, moved, said
from service.rules.table_parts import Board, Place
from service.rules.text_width import wrapped

WIDTH = 680.0


class Role(NamedTuple):
    """The size of a text in the three looks (0: not drawn), its weight and width, and how it moves in the smallest."""

    large: float
    medium: float
    small: float
    weight: int
    stretch: int = 100
    shift: tuple[float, float] = (0, 0)


ROLES: Mapping[str, Role] = {
    "axis": Role(18, 20, 24, 700),
    "sq": Role(18, 20, 24, 800, shift=(0, 3)),
    "kind": Role(17, 19, 24, 700, 80, (-31, 31)),
    "name": Role(17, 18.5, 0, 500, 78),
    "n": Role(25, 25, 27, 800),
    "tag": Role(17, 18, 24, 800),
}
"""The roles of texts on boards: `axis` beside it, `sq` a place's name, `kind`, `name`, `n` a count, `tag` a mark."""

_TEXT = re.compile(r'<text class="t-([a-z]+)( [^"]*)?" x="([^"]+)" y="([^"]+)" font-size="[^"]+"([^>]*)>([^<]*)</text>')

INK: Look = {"class_": "on-tray", "fill": "#15181a"}
TRAY: Look = {"class_": "tray", "fill": "#ece7d8"}
EDGE: Look = {"class_": "t-edge", "fill": "#fdfbf4"}
AXIS: Look = {"fill": "#c3d8d0"}
ON_PLATE: Look = {"class_": "on-plate", "fill": "#f5f2e7"}


def lettered(role: str, text: str, x: float, y: float, looks: Look) -> Svg:
    """Return a line of text in the size of its role."""
    size, weight = ROLES[role].large, ROLES[role].weight
    named = " ".join(filter(None, (f"t-{role}", str(looks.get("class_", "")))))
    rest = {key: value for key, value in looks.items() if key != "class_"}
    return element("text", said(text), class_=named, x=x, y=y, font_size=size, font_weight=weight, **rest)


def small_look(svg: str) -> str:
    """Return a board in its smallest look, for a picture that is 430 units wide or less."""
    return _TEXT.sub(_smaller, svg)


def _smaller(text: re.Match[str]) -> str:
    name, further, x, y, rest, words = text.groups()
    role = ROLES[name]
    if not role.small:
        return ""
    x, y = f"{float(x) + role.shift[0]:g}", f"{float(y) + role.shift[1]:g}"
    return f'<text class="t-{name}{further or ""}" x="{x}" y="{y}" font-size="{role.small:g}"{rest}>{words}</text>'


class Plate(NamedTuple):
    """A plate of a plain board: its title, a kind and lines of text in it, and a number (None: none)."""

    title: str
    kind: str = ""
    lines: tuple[str, ...] = ()
    number: int | None = None


PLATE = (213.0, 128.0)
GAP = 14.0
ACROSS = 3


def plates(label: str, named: Mapping[str, Plate]) -> Board:
    """Return a board of plates in rows of three."""
    rows = -(-len(named) // ACROSS)
    places = {name: _plate(number, plate) for number, (name, plate) in enumerate(named.items())}
    height = max(1, rows) * (PLATE[1] + GAP)
    return Board(label=label, width=WIDTH, height=height, ground=Svg(""), places=places)


def _plate(number: int, plate: Plate) -> Place:
    x, y = 6 + number % ACROSS * (PLATE[0] + GAP), 7 + number // ACROSS * (PLATE[1] + GAP)
    label = ", ".join(filter(None, (plate.title, plate.kind, *plate.lines)))
    drawn = [*_frame(), *_texts(plate)]
    anchor = (x + PLATE[0] / 2, y + PLATE[1] - 24)
    return Place(x, y, *PLATE, anchor, label, moved(x, y, group(drawn)))


def _frame() -> Sequence[Svg]:
    width, height = PLATE
    return [
        element("rect", width=width, height=height, rx=10, **EDGE),
        element("rect", x=3, y=3, width=width - 6, height=height - 6, rx=7.5, class_="plate", fill="#24594e"),
        element("rect", x=3, y=height - 45, width=width - 6, height=42, rx=7.5, **TRAY),
    ]


def _texts(plate: Plate) -> Sequence[Svg]:
    width, height = PLATE
    room = width - 24
    title = next(iter(wrapped(plate.title, room, ROLES["sq"].large, bold=True)), "")
    texts = [lettered("sq", shortened(title, room, "sq"), 12, 28, ON_PLATE)]
    texts += [
        lettered("name", shortened(line, room, "name"), 12, 52 + 20 * row, ON_PLATE)
        for row, line in enumerate(plate.lines[:2])
    ]
    if plate.number is not None:
        texts.append(lettered("n", str(plate.number), 14, height - 15, INK))
    return texts


def shortened(text: str, room: float, role: str) -> str:
    """Return a text shortened to the room that it has in the size of its role, by an estimate for the board's font."""
    wide = 0.62 * ROLES[role].large * ROLES[role].stretch / 100
    most = max(1, int(room / wide))
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


# Arrows from one place of a board to another.

_NEAR: Final = 40.0
"""Places one above the other with a gap up to this high between them are neighbours."""
_RAISED: Final = 12.0
"""Height of an arrow above the gap between two rows: on the tray of the upper place, not on the name of the lower."""
_INSIDE: Final = 8.0
"""Depth of the tip of any other arrow inside its target: not as far as the pieces there."""


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
