"""The tiles of the board: a region, a media square, the Lounge."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.bastards_inc.edition.numbers import CAMPAIGN, PITY_CAMPAIGN
from service.rules.games.bastards_inc.tabletop.icons import icon
from service.rules.games.bastards_inc.tabletop.layout import SQUARE, TILE
from service.rules.games.bastards_inc.tabletop.looks import of, on
from service.rules.games.bastards_inc.tabletop.pieces import Lettering, Pawn, burst, numbered, pawns, stuff_bar
from service.rules.games.bastards_inc.tabletop.words import Speaker
from service.rules.games.bastards_inc.terms import LOUNGE, PITY
from service.rules.kernel import Json
from service.rules.svg import Look, Svg, element, group, moved
from service.rules.tabletop.drawing import EDGE, TRAY

_COLUMNS = (10.0, 61.0, 112.0, 163.0)
_BURST = 40.0
_ACROSS, _ROWS = 6, 3
"""So many rest in a row of the Lounge, and in so many rows; with more they stand closer."""


def region(told: Speaker, each: Json, crowd: Sequence[Pawn], lettering: Lettering) -> Svg:
    """Return a region: what it asks for and pays, its Stuff, who stands there, and whether it is at war."""
    name, (width, height) = each["id"], TILE
    looks = on(name)
    values = zip(("score-cor", "score-cri", "score-tec", "billions"), ("cor", "cri", "tec", "income"), strict=True)
    drawn = [
        *_plate(name, width, height, 50),
        lettering("sq", name, 10, 23, looks, 0),
        lettering("name", told.name(name), 60, 22, looks, 150),
        *(
            numbered(lettering, symbol, each[key], x, 47, looks)
            for x, (symbol, key) in zip(_COLUMNS, values, strict=True)
        ),
        moved(10, 54, stuff_bar(each["stuff"], each["legal_up_to"], tuple(looks.items()))),
        pawns(lettering, crowd, 8, height - 38, width - 14 - (_BURST if each["war"] else 0)),
    ]
    if each["war"]:
        drawn.append(burst(width - _BURST - 6, height - 52, _BURST))
    return group(drawn)


def square(told: Speaker, each: Json, crowd: Sequence[Pawn], lettering: Lettering, pity: bool) -> Svg:
    """Return a media square: the Media power that it asks for, what a campaign earns there, who stands there."""
    name, (width, height) = each["id"], SQUARE
    looks = on(name)
    drawn = [
        *_plate(name, width, height, 34),
        icon(f"place-{name.lower()}", 9, 5, 21, looks),
        lettering("sq", name, 38, 23, looks, 0),
        numbered(lettering, "score-med", each["med"], _COLUMNS[2], 23, looks),
        numbered(lettering, "influence", PITY_CAMPAIGN if pity and name == PITY else CAMPAIGN, _COLUMNS[3], 23, looks),
        lettering("name", told.name(name), 10, 45, looks, 196),
        pawns(lettering, crowd, 8, height - 20, width - 14),
    ]
    return group(drawn)


def lounge(told: Speaker, crowd: Sequence[Pawn], lettering: Lettering) -> Svg:
    """Return the Lounge and who rests there, in rows."""
    looks = on(LOUNGE)
    across = max(_ACROSS, -(-len(crowd) // _ROWS))
    rows = [crowd[at : at + across] for at in range(0, len(crowd), across)]
    drawn = [
        *_plate(LOUNGE, *TILE, 90),
        icon("place-vip", 9, 5, 21, looks),
        lettering("sq", LOUNGE, 38, 23, looks, 0),
        lettering("name", told.word("lounge"), 86, 22, looks, 120),
        *(pawns(lettering, each, 8, 48 + 29 * row, TILE[0] - 16) for row, each in enumerate(rows)),
    ]
    return group(drawn)


def _plate(name: str, width: float, height: float, tray: float) -> list[Svg]:
    """The printed edge, the colour of the place, and the tray on which pieces stand."""
    right, top, bottom = width - 3, height - 3 - tray, height - 3
    shape = (
        f"M3 {top:g}H{right:g}V{bottom - 7.5:g}A7.5 7.5 0 0 1 {right - 7.5:g} {bottom:g}"
        f"H10.5A7.5 7.5 0 0 1 3 {bottom - 7.5:g}Z"
    )
    box: Look = {"x": 3, "y": 3, "width": width - 6, "height": height - 6, "rx": 7.5}
    return [
        element("rect", width=width, height=height, rx=10, **EDGE),
        element("rect", **box, **of(name)),
        element("path", d=shape, **TRAY),
    ]
