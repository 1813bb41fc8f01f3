"""Board: the grid of companies, and the pieces beside it (display, supply, HQs, hand)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.notation import DECK
from service.rules.games.new_corp_order.tabletop.draw import objectives
from service.rules.games.new_corp_order.tabletop.symbols import INK, agent_at, drawing, in_colour, on_colour, sign, star
from service.rules.games.new_corp_order.tabletop.words import speaker, word
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, SLOTS, Colour
from service.rules.games.new_corp_order.words.language import Voice
from service.rules.kernel import Json
from service.rules.svg import Look, Svg, element, group
from service.rules.table_parts import Board, Mark, Piece, Place, Zone
from service.rules.table_plugin import Sight
from service.rules.tabletop.drawing import AXIS, EDGE, TRAY, WIDTH, lettered
from service.rules.tabletop.drawing import INK as ON_TRAY

GRID_LEFT, GRID_TOP = 26.0, 26.0
TILE_STEP = (164.0, 121.0)
TILE_SIZE = (156.0, 113.0)
ARROW_HEIGHT = 93.0
"""Distance from the upper edge of a tile to its agents and arrows."""
MOST_AGENTS_DRAWN = 8
"""No more agents than this are drawn side by side; the number says how many there are."""
ARROW_ROOM = 22
"""The room in a tray for an arrow that crosses its side."""
COUNT_ROOM = 50
"""The room in a tray for the tag that says how many agents came or left."""
SMALLEST_AGENT_STEP = 7
"""No agents beside such a tag stand closer than this."""
LONGEST_NAME_LINE = 15
"""The most characters of a company's name in one line."""
_TRAY = "M3 74H153V102.5A7.5 7.5 0 0 1 145.5 110H10.5A7.5 7.5 0 0 1 3 102.5Z"
_BREAKS = re.compile(r" |(?<=[a-z])(?=[A-Z])")


class _Tile(NamedTuple):
    """Key of a drawn tile; `arriving` is the colour of agents that are about to arrive, with their number.

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
    height = GRID_TOP + view["grid"]["rows"] * TILE_STEP[1] - 2
    return Board(label=word(sight, "board"), width=WIDTH, height=height, ground=_ground(voice, view), places=places)


def corner(square: str) -> tuple[float, float]:
    """Return the upper left corner of a square's tile."""
    return GRID_LEFT + COLUMNS.index(square[0]) * TILE_STEP[0], GRID_TOP + (int(square[1:]) - 1) * TILE_STEP[1]


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
    return Place(x, y, *TILE_SIZE, (x + TILE_SIZE[0] / 2, y + ARROW_HEIGHT), label, _drawn(tile))


def _beside(square: str, step: int) -> str | None:
    column = COLUMNS.index(square[0]) + step
    return f"{COLUMNS[column]}{square[1:]}" if 0 <= column < len(COLUMNS) else None


@lru_cache(2048)
def _drawn(tile: _Tile) -> Svg:
    x, y = corner(tile.square)
    looks = on_colour(tile.colour)
    inner: list[Svg] = []
    if tile.colour == "white":
        edge: Look = {"class_": "inner", "fill": "none", "stroke": INK, "stroke_width": 1.2}
        inner = [element("rect", x=3.5, y=3.5, width=149, height=106, rx=7, **edge)]
    drawn = [
        element("rect", width=TILE_SIZE[0], height=TILE_SIZE[1], rx=10, **EDGE),
        element("rect", x=3, y=3, width=150, height=107, rx=7.5, **in_colour(tile.colour)),
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
    inset, end = ARROW_ROOM if tile.west else 0, 141 - (COUNT_ROOM if tile.counted else ARROW_ROOM if tile.east else 0)
    first, room = 46 + inset + 14 * (len(str(number)) - 1), end - 29 if tile.scored else end
    drawn = min(
        number,
        MOST_AGENTS_DRAWN,
        1 + int(max(0, room - first) / SMALLEST_AGENT_STEP) if tile.counted else MOST_AGENTS_DRAWN,
    )
    step = min(21.0, (room - first) / max(1, drawn - 1))
    stay = drawn - min(leaving, drawn)
    agents = [agent_at(colour, first + step * each, ARROW_HEIGHT, each >= stay) for each in range(drawn)]
    goal = [star(end - 4, ARROW_HEIGHT, 12)] if tile.scored else []
    return [lettered("n", str(number - leaving), 12 + inset, 101, ON_TRAY), *agents, *goal]


@lru_cache(64)
def _name(name: str) -> tuple[tuple[str, int], ...]:
    """A company's name in one line or two, with their baselines."""
    if len(name) <= LONGEST_NAME_LINE:
        return ((name, 51),)
    halves = [(name[: at.start()], name[at.end() :]) for at in _BREAKS.finditer(name)]
    above, below = min(halves, key=lambda pair: max(map(len, pair)))
    return ((above, 46), (below, 63))


def _ground(voice: Voice, view: Json) -> Svg:
    """The names of columns and rows, and the marker of ODS."""
    looks = {**AXIS, "text_anchor": "middle"}
    names = [lettered("axis", name, corner(f"{name}1")[0] + TILE_SIZE[0] / 2, 17, looks) for name in COLUMNS]
    names += [
        lettered("axis", str(row), 10, corner(f"A{row}")[1] + TILE_SIZE[1] / 2 + 6, looks)
        for row in range(1, view["grid"]["rows"] + 1)
    ]
    marker = [_marker(voice.language.ods, view["solo"]["marker"])] if view["solo"] else []
    return group([*names, *marker])


def _marker(name: str, column: str) -> Svg:
    middle = corner(f"{column}1")[0] + TILE_SIZE[0] / 2
    looks: Look = {"class_": "ods", "fill": "#5b6260", "stroke": "#ffffff", "stroke_width": 1.5}
    box = element("rect", x=middle + 20, y=-2, width=60, height=26, rx=5, **looks)
    return group([box, lettered("tag", name, middle + 50, 19.5, {"fill": "#ffffff", "text_anchor": "middle"})])


# The pieces beside the board.


def zones(sight: Sight) -> Sequence[Zone]:
    """Return all zones that have something in them; HQs are named by their seats."""
    made = [_display(sight), _supply(sight), _objectives(sight), *_hqs(sight), _hand(sight), _consultants(sight)]
    return [zone for zone in made if zone is not None and zone.pieces]


def hand_place(colour: str) -> str:
    """Return the name of the place of the cards of a colour in the reader's hand."""
    return f"hand-{colour}"


def hq_place(seat: int, colour: str, rotated: bool = False) -> str:
    """Return the name of the place of cards of a colour in an HQ."""
    return f"@{seat}-{colour}{'-rotated' if rotated else ''}"


def _display(sight: Sight) -> Zone:
    voice, shown = speaker(sight), sight.view["display"]
    pieces = []
    for slot, card in zip(SLOTS, shown or (), strict=False):
        told = word(sight, "slot", slot=slot, card=voice.colour(card)) if card else word(sight, "slot.empty", slot=slot)
        states = () if card else ("gap",)
        pieces.append(Piece(symbol=f"card-{card or 'gap'}", label=told, place=slot, states=states))
    cards = sight.view["deck"]
    deck = word(sight, "deck", cards=voice.number("cards", cards))
    pieces.append(Piece(symbol="card-back", label=deck, place=DECK, count=cards, states=("back", "pile")))
    return Zone(id="display", title=word(sight, "display"), owner="shared", pieces=tuple(pieces))


def _supply(sight: Sight) -> Zone:
    voice, supply = speaker(sight), sight.view["supply"]
    agents = [
        Piece(symbol=f"agent-{each}", label=voice.coloured("agents-listed", n, each), count=n, states=("pile",))
        for each, n in supply["agents"].items()
    ]
    consultants = [
        Piece(symbol=f"consultant-{each}", label=voice.consultant(each), place=f"supply-{each}", count=n)
        for each, n in supply["consultants"].items()
        if n and not sight.view["solo"]
    ]
    return Zone(id="supply", title=word(sight, "supply"), owner="shared", pieces=(*agents, *consultants))


def _objectives(sight: Sight) -> Zone:
    voice, solo = speaker(sight), sight.view["solo"] is not None
    pieces = tuple(Piece(symbol=f"type-{kind}", label=voice.type(kind)) for kind in objectives(sight.view) or ())
    title = word(sight, "objectives" if solo else "own-objectives")
    # Alone against ODS, the objectives of the table are those of its one player.
    return Zone(id="objectives", title=title, owner="shared" if sight.viewer is None else "own", pieces=pieces)


def _hqs(sight: Sight) -> Iterator[Zone]:
    for player in sight.view["players"]:
        seat, mine = player["seat"], player["seat"] == sight.viewer
        title = word(sight, "own-hq") if mine else word(sight, "hq", name=speaker(sight).name(seat))
        pieces = tuple(_lying(sight, seat, player["hq"]))
        yield Zone(id=f"hq-{seat}", title=title, owner="own" if mine else "seat", pieces=pieces, seat=seat)


def _lying(sight: Sight, seat: int, hq: Json) -> Iterator[Piece]:
    voice = speaker(sight)
    for colour in COLOURS:
        symbol = f"card-{colour}"
        for pile, rotated in (("cards", False), ("rotated", True)):
            if n := hq[pile][colour]:
                told, turned = voice.coloured("cards", n, colour), ("rotated", "used") if rotated else ()
                note = word(sight, "used.one" if n == 1 else "used.many") if rotated else ""
                place = hq_place(seat, colour, rotated)
                yield Piece(symbol=symbol, label=told, place=place, count=n, note=note, states=("pile", *turned))
        if n := hq["agents"][colour]:
            told = voice.coloured("agents-listed", n, colour)
            yield Piece(symbol=f"agent-{colour}", label=told, count=n, states=("pile",))


def _hand(sight: Sight) -> Zone | None:
    you = sight.view["you"]
    if you is None or sight.view["solo"]:
        return None
    voice = speaker(sight)
    pieces = tuple(
        Piece(
            symbol=f"card-{each}",
            label=voice.coloured("cards", n, each),
            place=hand_place(each),
            count=n,
            states=("fan",),
        )
        for each in COLOURS
        if (n := you["hand"][each])
    )
    return Zone(id="hand", title=word(sight, "hand"), owner="own", pieces=pieces)


def _consultants(sight: Sight) -> Zone | None:
    if sight.viewer is None or sight.view["solo"]:
        return None
    held = sight.view["players"][sight.viewer]["hq"]["consultants"]
    pieces = tuple(
        Piece(
            symbol=f"consultant-{each}",
            label=speaker(sight).consultant(each),
            place=f"consultant-{each}",
            count=held[each],
            note=word(sight, f"effect.{each}"),
        )
        for each in ALL_CONSULTANTS
        if held.get(each)
    )
    return Zone(id="consultants", title=word(sight, "consultants"), owner="own", pieces=pieces)
