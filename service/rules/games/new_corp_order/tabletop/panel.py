"""Panels: points, shares of each conglomerate, consultants; and the grid at a glance."""

from __future__ import annotations

from collections.abc import Iterator

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.tabletop.looks import CLASS
from service.rules.games.new_corp_order.tabletop.words import CONGLOMERATES, counted, speaker, word
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, Colour
from service.rules.kernel import Json
from service.rules.shapes import Chip, Emblem, Glimpse, Panel

MOST = 6
"""The most chips, and the most small symbols, on a panel."""


def panel(sight: Sight, seat: int) -> Panel:
    """Return what a seat has; in games of two and more the objectives of others are secret until the game is over."""
    view, player = sight.view, sight.view["players"][seat]
    told = sight.standings["seats"][seat]
    return Panel(
        points=told["total"],
        secret=view["solo"] is None and told["objectives"]["types"] is None,
        line=_line(sight, seat, player),
        chips=tuple(chip for each in COLOURS if (chip := _chip(sight, player["hq"], each)) is not None),
        emblems=tuple(_emblems(sight, player))[:MOST],
    )


def _emblems(sight: Sight, player: Json) -> Iterator[Emblem]:
    """Yield the objectives of a seat when the game is over, and its consultants; in solo the board shows them."""
    if sight.view["solo"] is not None:
        return
    voice, held = speaker(sight), player["hq"]["consultants"]
    if sight.view["result"] is not None:
        yield from (Emblem(f"type-{each}", voice.type(each)) for each in player["objectives"])
    for each in ALL_CONSULTANTS:
        yield from [Emblem(f"consultant-{each}", voice.consultant(each))] * held.get(each, 0)


def _line(sight: Sight, seat: int, player: Json) -> str:
    solo = sight.view["solo"]
    if solo is None and sight.view["result"] is not None:
        return word(sight, "held-objectives", types=", ".join(map(speaker(sight).type, player["objectives"])))
    if solo is None:
        return speaker(sight).number("cards", player["hand"])
    return " · ".join(CONGLOMERATES[each] for each in solo["colours"][seat]) if solo["colours"] else ""


def _chip(sight: Sight, hq: Json, colour: Colour) -> Chip | None:
    able, rotated, agents = (hq[pile][colour] for pile in ("cards", "rotated", "agents"))
    shares = able + rotated + 2 * agents
    if not shares:
        return None
    voice = speaker(sight)
    fields = {"cards": voice.number("cards", able + rotated), "agents": voice.number("agents", agents), "able": able}
    title = counted(sight, "shares", shares, name=CONGLOMERATES[colour], **fields)
    return Chip(CLASS[colour], f"sign-{colour}", shares, able, title)


def glimpse(sight: Sight) -> Glimpse:
    """Return the colour of each company, row by row."""
    return Glimpse(len(COLUMNS), tuple(CLASS[each["colour"]] for each in sight.view["grid"]["companies"]))
