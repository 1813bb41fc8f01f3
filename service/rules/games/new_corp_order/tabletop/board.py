"""The grid of companies as a board: a tile with a printed edge for each company, its agents in a tray below."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.paint_icons import drawing
from service.rules.games.new_corp_order.state_of_play import objectives
from service.rules.games.new_corp_order.tabletop.looks import of, on
from service.rules.games.new_corp_order.tabletop.pieces import INK, agent_at, sign, star
from service.rules.games.new_corp_order.tabletop.words import speaker, word
from service.rules.games.new_corp_order.terms import Colour
from service.rules.games.new_corp_order.words.voice import Voice
from service.rules.kernel import Json
from service.rules.shapes import Board, Mark, Place
from service.rules.svg import Look, Svg, element, group
from service.rules.tabletop.drawing import AXIS, EDGE, TRAY, WIDTH, lettered
from service.rules.tabletop.drawing import INK as ON_TRAY

LEFT, TOP = 26.0, 26.0
STEP = (164.0, 121.0)
TILE = (156.0, 113.0)
ARROWS = 93.0
"""How far below its upper edge a tile's agents stand: the height of arrows."""
FAN = 8
"""No more agents than this are drawn side by side; the number says how many there are."""
CROSSED = 22
"""The room in a tray for an arrow that crosses its side."""
COUNTED = 50
"""The room in a tray for the tag that says how many agents came or left."""
CLOSEST = 7
"""No agents beside such a tag stand closer than this."""
LONGEST_LINE = 15
"""The most characters of a company's name in one line."""
_TRAY = "M3 74H153V102.5A7.5 7.5 0 0 1 145.5 110H10.5A7.5 7.5 0 0 1 3 102.5Z"
_BREAKS = re.compile(r" |(?<=[a-z])(?=[A-Z])")


class _Tile(NamedTuple):
    """What decides how a tile looks; `arriving` is the colour of agents that are about to arrive, with their number.

    `west` and `east` tell whether an arrow crosses that side, and `counted` whether a tag tells how many agents came or
    left, so that the tray leaves room for it.
    """

    square: str
    name: str
    type: str
    kind: str
    colour: Colour
    agents: int
    scored: bool
    leaving: int = 0
    arriving: tuple[Colour, int] | None = None
    west: bool = False
    east: bool = False
    counted: bool = False


def board(sight: Sight, marks: Sequence[Mark]) -> Board:
    """Return the grid; companies of objectives that the reader knows have a star, agents on the move are drawn so."""
    voice, view = speaker(sight), sight.view
    scored = set(objectives(view) or ())
    held = {each["square"]: each for each in view["grid"]["companies"]}
    here = [mark for mark in marks if mark.at in held]
    places = {square: _place(voice, each, scored, here, held) for square, each in held.items()}
    height = TOP + view["grid"]["rows"] * STEP[1] - 2
    return Board(label=word(sight, "board"), width=WIDTH, height=height, ground=_ground(voice, view), places=places)


def corner(square: str) -> tuple[float, float]:
    """Return the upper left corner of a square's tile."""
    return LEFT + COLUMNS.index(square[0]) * STEP[0], TOP + (int(square[1:]) - 1) * STEP[1]


def _place(
    voice: Voice, company: Json, scored: Collection[str], marks: Sequence[Mark], held: Mapping[str, Json]
) -> Place:
    square, kind, colour, agents = (company[key] for key in ("square", "type", "colour", "agents"))
    x, y = corner(square)
    arrows = [mark for mark in marks if mark.origin in held]
    moves = [mark for mark in arrows if mark.kind == "move" and mark.count]
    across = {end for mark in arrows if square in (mark.at, mark.origin) for end in (mark.at, mark.origin or "")}
    came = [(held[mark.origin or ""]["colour"], mark.count) for mark in moves if mark.at == square]
    tile = _Tile(
        square=square,
        name=company["name"],
        type=kind,
        kind=voice.language.short_types[kind],
        colour=colour,
        agents=agents,
        scored=kind in scored,
        leaving=sum(mark.count for mark in moves if mark.origin == square),
        arriving=came[0] if came else None,
        west=_beside(square, -1) in across,
        east=_beside(square, 1) in across,
        counted=any(mark.at == square and mark.kind in {"gain", "loss"} for mark in marks),
    )
    label = f"{square} {company['name']}, {voice.type(kind)}, {voice.coloured('agents-listed', agents, colour)}"
    return Place(x, y, *TILE, (x + TILE[0] / 2, y + ARROWS), label, _drawn(tile))


def _beside(square: str, step: int) -> str | None:
    column = COLUMNS.index(square[0]) + step
    return f"{COLUMNS[column]}{square[1:]}" if 0 <= column < len(COLUMNS) else None


@lru_cache(2048)
def _drawn(tile: _Tile) -> Svg:
    x, y = corner(tile.square)
    looks = on(tile.colour)
    inner: list[Svg] = []
    if tile.colour == "white":
        edge: Look = {"class_": "inner", "fill": "none", "stroke": INK, "stroke_width": 1.2}
        inner = [element("rect", x=3.5, y=3.5, width=149, height=106, rx=7, **edge)]
    drawn = [
        element("rect", width=TILE[0], height=TILE[1], rx=10, **EDGE),
        element("rect", x=3, y=3, width=150, height=107, rx=7.5, **of(tile.colour)),
        sign(tile.colour, 118, 42, 30, True),
        *inner,
        lettered("sq", tile.square, 10, 26, looks),
        element("path", d=drawing(tile.type), transform="translate(121 8)", fill_rule="evenodd", **looks),
        lettered("kind", tile.kind, 41, 26, looks),
        *(lettered("name", line, 10, height, looks) for line, height in _name(tile.name)),
        element("path", d=_TRAY, **TRAY),
        *_tray(tile),
    ]
    return group(drawn, transform=f"translate({x:g} {y:g})")


def _tray(tile: _Tile) -> list[Svg]:
    """The number of agents, the agents, and the star of an objective."""
    colour, number, leaving = tile.colour, tile.agents, tile.leaving
    if tile.arriving is not None:
        arrived = tile.arriving
        number, colour = arrived[1] + (number if arrived[0] == colour else 0), arrived[0]
    inset, end = CROSSED if tile.west else 0, 141 - (COUNTED if tile.counted else CROSSED if tile.east else 0)
    first, room = 46 + inset + 14 * (len(str(number)) - 1), end - 29 if tile.scored else end
    drawn = min(number, FAN, 1 + int(max(0, room - first) / CLOSEST) if tile.counted else FAN)
    step = min(21.0, (room - first) / max(1, drawn - 1))
    stay = drawn - min(leaving, drawn)
    agents = [agent_at(colour, first + step * each, ARROWS, each >= stay) for each in range(drawn)]
    goal = [star(end - 4, ARROWS, 12)] if tile.scored else []
    return [lettered("n", str(number - leaving), 12 + inset, 101, ON_TRAY), *agents, *goal]


@lru_cache(64)
def _name(name: str) -> tuple[tuple[str, int], ...]:
    """A company's name in one line or two, with their baselines."""
    if len(name) <= LONGEST_LINE:
        return ((name, 51),)
    halves = [(name[: at.start()], name[at.end() :]) for at in _BREAKS.finditer(name)]
    above, below = min(halves, key=lambda pair: max(map(len, pair)))
    return ((above, 46), (below, 63))


def _ground(voice: Voice, view: Json) -> Svg:
    """The names of columns and rows, and the marker of ODS."""
    looks = {**AXIS, "text_anchor": "middle"}
    names = [lettered("axis", name, corner(f"{name}1")[0] + TILE[0] / 2, 17, looks) for name in COLUMNS]
    names += [
        lettered("axis", str(row), 10, corner(f"A{row}")[1] + TILE[1] / 2 + 6, looks)
        for row in range(1, view["grid"]["rows"] + 1)
    ]
    marker = [_marker(voice.language.ods, view["solo"]["marker"])] if view["solo"] else []
    return group([*names, *marker])


def _marker(name: str, column: str) -> Svg:
    middle = corner(f"{column}1")[0] + TILE[0] / 2
    looks: Look = {"class_": "ods", "fill": "#5b6260", "stroke": "#ffffff", "stroke_width": 1.5}
    box = element("rect", x=middle + 20, y=-2, width=60, height=26, rx=5, **looks)
    return group([box, lettered("tag", name, middle + 50, 19.5, {"fill": "#ffffff", "text_anchor": "middle"})])
