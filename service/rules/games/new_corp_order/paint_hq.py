"""The HQs as a picture: cards, rotated cards, agents and consultants of each player, and in the end their points."""

from __future__ import annotations

from service.rules.games.new_corp_order.paint_look import look
from service.rules.games.new_corp_order.paint_pieces import agent, card_gap, consultant_named, pile
from service.rules.games.new_corp_order.paint_table import objectives_row
from service.rules.games.new_corp_order.state_of_play import label, named
from service.rules.games.new_corp_order.terms import COLOURS, CONSULTANTS, Colour
from service.rules.games.new_corp_order.words.voice import Voice, fill
from service.rules.kernel import Json
from service.rules.svg import BOLD, Look, Part, Svg, element, flowing, group, line_of, moved, place

WIDTH = 315.0
GAP = 10.0
PAD = 10.0
COLUMN = 75.0
TITLE, PILES = 32.0, 74.0


def hqs(voice: Voice, view: Json) -> Part:
    """Return all HQs, two beside each other."""
    players = view["players"]
    drawn, y = [], 0.0
    for start in range(0, len(players), 2):
        row = [(player, _inside(voice, view, player)) for player in players[start : start + 2]]
        height = max(inside.height for _, inside in row) + PAD
        for column, (player, inside) in enumerate(row):
            hq = place(
                f"@{player['seat']}", named(voice, player["seat"]), _panel(view, player["seat"], height), inside.svg
            )
            drawn.append(moved(column * (WIDTH + GAP), y, hq))
        y += height + GAP
    return Part(group(drawn), y - GAP)


def _panel(view: Json, seat: int, height: float) -> Svg:
    result, due = view["result"], _due(view, seat)
    ahead = due or (result is not None and seat in result["winners"])
    line: Look = {"stroke_width": 3, **look("panel", "marked")} if ahead else look("panel", "line")
    return element("rect", width=WIDTH, height=height, rx=8, **line)


def _due(view: Json, seat: int) -> bool:
    return view["result"] is None and view["turn"]["seat"] == seat


def _inside(voice: Voice, view: Json, player: Json) -> Part:
    hq = player["hq"]
    piles = (moved(PAD + number * COLUMN, TITLE + 10, _pile(colour, hq)) for number, colour in enumerate(COLOURS))
    drawn = [*_title(voice, view, player["seat"], player["hand"]), *piles]
    height = TITLE + 10 + PILES
    for items in (_consultants(voice, view, hq), _objectives(voice, view, player)):
        flow = flowing(items, WIDTH - 2 * PAD, 24, 8)
        drawn.append(moved(PAD, height, flow.svg))
        height += flow.height
    return Part(group(drawn), height)


def _title(voice: Voice, view: Json, seat: int, hand: int) -> list[Svg]:
    due = [element("path", d="M10 11L21 17.5L10 24Z", **look("mark"))] if _due(view, seat) else []
    x = 27 if due else PAD
    aside = _aside(voice, view, seat, hand)
    end: Look = {"text_anchor": "end", **(look("faint") if view["result"] is None else BOLD | look("ink"))}
    return [
        *due,
        line_of(f"@{seat} {named(voice, seat)}", x, 23, size=16, width=WIDTH - x - 128, looks=BOLD | look("ink")),
        line_of(aside, WIDTH - PAD, 23, size=14, width=115, looks=end),
    ]


def _aside(voice: Voice, view: Json, seat: int, hand: int) -> str:
    if view["result"] is not None:
        return voice.number("points", view["result"]["scores"][seat])
    if view["solo"] is None:
        return fill(label(voice, "in-hand"), {"cards": voice.number("cards", hand)})
    colours = view["solo"]["colours"]
    return fill(label(voice, "plays"), {"colours": voice.pair(colours[seat])}) if colours else ""


def _pile(colour: Colour, hq: Json) -> Svg:
    cards, rotated, agents = (hq[kind][colour] for kind in ("cards", "rotated", "agents"))
    drawn = [pile(colour, cards, rotated=False) if cards else card_gap(25, 34)]
    if rotated:
        drawn.append(moved(32, 9, pile(colour, rotated, rotated=True)))
    if agents:
        drawn.append(agent(colour, 11, 50, 9))
        drawn.append(line_of(str(agents), 26, 56, size=16, looks=BOLD | look("ink")))
    return group(drawn)


def _consultants(voice: Voice, view: Json, hq: Json) -> list[tuple[Svg, float]]:
    held = [] if view["solo"] else [each for each in CONSULTANTS if hq["consultants"][each]]
    return [consultant_named(each, voice.consultant(each), hq["consultants"][each], WIDTH - 2 * PAD) for each in held]


def _objectives(voice: Voice, view: Json, player: Json) -> list[tuple[Svg, float]]:
    known = player["objectives"]
    return [] if view["solo"] or known is None or player["seat"] == voice.viewer else objectives_row(voice, known)
