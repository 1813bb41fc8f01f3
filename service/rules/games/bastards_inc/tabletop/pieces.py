"""The pieces on the board: vice presidents with their black money, the bar of Stuff, numbers beside icons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.rules.games.bastards_inc.edition.numbers import MOST_STUFF
from service.rules.games.bastards_inc.tabletop.icons import icon
from service.rules.games.bastards_inc.tabletop.looks import INK, PAPER
from service.rules.svg import Look, Svg, element, group, moved

Lettering = Callable[[str, str, float, float, Look, float], Svg]
"""(role, text, x, y, looks, room): draws a line of text that fits the room (0: any)."""

RADIUS = 13.0
STEP = 31.0
CASE = (27.0, 20.0)
_CELL = (27.0, 11.0)
_MIDDLE: Look = {"text_anchor": "middle"}


class Pawn(NamedTuple):
    """A vice president as it is drawn: its seat, its colour, its black money; `faint` if it is not quite there."""

    seat: int
    colour: str
    black: int = 0
    faint: bool = False


def pawns(lettering: Lettering, crowd: Sequence[Pawn], x: float, y: float, width: float) -> Svg:
    """Return vice presidents side by side, closer where there are many; `y` is the middle of the discs."""
    step = min(STEP, (width - 2 * RADIUS) / max(1, len(crowd) - 1))
    return group([_pawn(lettering, each, x + RADIUS + step * number, y) for number, each in enumerate(crowd)])


def _pawn(lettering: Lettering, pawn: Pawn, x: float, y: float) -> Svg:
    line: Look = {"stroke": INK, "stroke_width": 1.8}
    disc = element("circle", cx=x, cy=y, r=RADIUS, fill=pawn.colour, **line)
    number = lettering("tag", str(pawn.seat + 1), x, y + 6.5, {"fill": INK, **_MIDDLE}, 0)
    drawn = [disc, number]
    if pawn.black:
        left, top = x - CASE[0] / 2, y + RADIUS + 1.5
        drawn += [
            element("path", d=f"M{x - 5:g} {top:g}v-3h10v3", fill="none", stroke=INK, stroke_width=2),
            element("rect", x=left, y=top, width=CASE[0], height=CASE[1], rx=3, fill=INK),
            lettering("tag", str(pawn.black), x, top + 16.5, {"fill": PAPER, **_MIDDLE}, 0),
        ]
    more: Look = {"opacity": 0.5} if pawn.faint else {}
    return group(drawn, **more)


@lru_cache(256)
def stuff_bar(stuff: int, legal_up_to: int, looks: tuple[tuple[str, str | float], ...]) -> Svg:
    """Return the Stuff of a region as cells, 200 units wide; those that are illegal to fill lie on grey."""
    on: Look = dict(looks)
    wide, high = _CELL
    grey = legal_up_to * (wide + 2)
    end = MOST_STUFF * (wide + 2) - grey
    cells = [
        element("rect", x=22 + grey - 1, y=0, width=end, height=high + 4, rx=2, fill="#9aa09d"),
        icon("stuff", 0, -1.5, 18, on),
    ]
    for number in range(MOST_STUFF):
        box: Look = {"x": 22 + number * (wide + 2), "y": 2, "width": wide - 2, "height": high, "rx": 2}
        full: Look = {"fill": INK if number >= legal_up_to else PAPER, "stroke": PAPER, "stroke_width": 1.2}
        empty: Look = {"fill": "none", "stroke": INK if number >= legal_up_to else PAPER, "stroke_width": 1.2}
        cells.append(element("rect", **box, **(full if number < stuff else empty)))
    return group(cells)


def numbered(lettering: Lettering, name: str, number: int, x: float, y: float, looks: Look) -> Svg:
    """Return an icon with a number on its right, about 48 units wide; `y` is the baseline."""
    return group([icon(name, x, y - 16, 19, looks), lettering("tag", str(number), x + 22, y, looks, 0)])


def burst(x: float, y: float, size: float) -> Svg:
    """Return the marker of a war with its upper left corner at a point."""
    fire = icon("war", 0, 0, size, {"fill": "#ffd23f", "stroke": INK, "stroke_width": 1.4})
    return moved(x, y, fire, icon("stuff", size * 0.27, size * 0.27, size * 0.46, {"fill": "#8e1d2c"}))
