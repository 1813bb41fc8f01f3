"""The HQs as a picture: cards, rotated cards, agents and consultants of each player, and in the end their points."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.new_corp_order.paint_look import LEGIBLE, look
from service.rules.games.new_corp_order.paint_pieces import CRISP, END, agent, consultant_named, hand_of, pile
from service.rules.games.new_corp_order.paint_table import objective_named
from service.rules.games.new_corp_order.state_of_play import LONGEST_NAME, label, named
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, Colour
from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.kernel import Json
from service.rules.lettering import width_of
from service.rules.svg import BOLD, Look, PicturePart, Svg, element, flowing, group, line_of, moved, place, stacked

WIDTH = 287.0
GAP = 10.0
PAD = 10.0
COLUMN = 66.0
TITLE = 46.0
NAME_SIZE = 15.0
"""A name is shortened before it gets smaller than this."""
SHORTEST_NAME = 4
CARDS, PILES = 46.0, 76.0
"""How far cards reach, and cards with agents below them."""


def hqs(voice: Voice, view: Json) -> PicturePart:
    """Return all HQs, two beside each other."""
    players = view["players"]
    return stacked((_row(voice, view, players[start : start + 2]) for start in range(0, len(players), 2)), GAP)


def _row(voice: Voice, view: Json, players: Sequence[Json]) -> PicturePart:
    piles = PILES if any(sum(player["hq"]["agents"].values()) for player in players) else CARDS
    inside = [_inside(voice, view, player, piles) for player in players]
    height = max(part.height for part in inside) + PAD
    drawn = []
    for column, (player, part) in enumerate(zip(players, inside, strict=True)):
        title = named(voice, player["seat"])
        hq = place(f"@{player['seat']}", title, _panel(view, player["seat"], height), part.svg)
        drawn.append(moved(column * (WIDTH + GAP), 0, hq))
    return PicturePart(group(drawn), height)


def _panel(view: Json, seat: int, height: float) -> Svg:
    result = view["result"]
    ahead = _due(view, seat) or (result is not None and seat in result["winners"])
    line: Look = {"stroke_width": 3, **look("panel", "marked")} if ahead else look("panel", "line")
    return element("rect", width=WIDTH, height=height, **CRISP, **line)


def _due(view: Json, seat: int) -> bool:
    return view["result"] is None and view["turn"]["seat"] == seat


def _inside(voice: Voice, view: Json, player: Json, piles: float) -> PicturePart:
    hq = player["hq"]
    lying = (moved(PAD + number * COLUMN, TITLE, _piles(colour, hq)) for number, colour in enumerate(COLOURS))
    drawn = [*_title(voice, view, player["seat"], player["hand"]), *lying]
    height = TITLE + piles
    for items in (_consultants(voice, view, hq), _objectives(voice, view, player)):
        flow = flowing(items, WIDTH - 2 * PAD, 28, 12)
        drawn.append(moved(PAD, height, flow.svg))
        height += flow.height
    return PicturePart(group(drawn), height)


def _title(voice: Voice, view: Json, seat: int, hand: int) -> list[Svg]:
    due = [element("path", d="M10 11L21 17.5L10 24Z", **look("mark"))] if _due(view, seat) else []
    x = 27 if due else PAD
    aside, wide = _aside(voice, view, seat, hand)
    room = WIDTH - PAD - x - wide - 8
    names = (f"@{seat} {named(voice, seat, longest)}" for longest in range(LONGEST_NAME, SHORTEST_NAME, -1))
    name = next(
        (each for each in names if width_of(each, NAME_SIZE) <= room), f"@{seat} {named(voice, seat, SHORTEST_NAME)}"
    )
    looks = BOLD | look("ink") if width_of(name, LEGIBLE, bold=True) <= room else look("ink")
    return [*due, line_of(name, x, 23, size=LEGIBLE, width=room, looks=looks), moved(WIDTH - PAD - wide, 0, aside)]


def _aside(voice: Voice, view: Json, seat: int, hand: int) -> tuple[Svg, float]:
    """What stands at the right of a title, and how wide it is: points, the colours played, or the cards in the hand."""
    if view["result"] is not None:
        points = fill(label(voice, "short-points"), {"points": view["result"]["scores"][seat]})
        wide = width_of(points, LEGIBLE, bold=True)
        return line_of(points, wide, 23, size=LEGIBLE, looks=BOLD | END | look("ink")), wide
    if view["solo"] is None:
        return moved(0, 6, hand_of(hand)), 42
    colours = (view["solo"]["colours"] or ((), ()))[seat]
    return group(agent(colour, 10 + 26 * number, 17.5, 9) for number, colour in enumerate(colours)), 46


def _piles(colour: Colour, hq: Json) -> Svg:
    cards, rotated, agents = (hq[kind][colour] for kind in ("cards", "rotated", "agents"))
    drawn = [pile(colour, cards, rotated=False)] if cards else []
    if rotated:
        drawn.append(moved(31, 11, pile(colour, rotated, rotated=True)))
    if agents:
        drawn.append(agent(colour, 12, 52, 9))
        drawn.append(line_of(str(agents), 28, 58, size=LEGIBLE, looks=BOLD | look("ink")))
    return group(drawn)


def _consultants(voice: Voice, view: Json, hq: Json) -> list[tuple[Svg, float]]:
    held = [] if view["solo"] else [each for each in ALL_CONSULTANTS if hq["consultants"].get(each)]
    return [consultant_named(each, voice.consultant(each), hq["consultants"][each], WIDTH - 2 * PAD) for each in held]


def _objectives(voice: Voice, view: Json, player: Json) -> list[tuple[Svg, float]]:
    known = player["objectives"]
    hidden = view["solo"] or known is None or player["seat"] == voice.viewer
    return [] if hidden else [objective_named(voice, kind) for kind in known]
