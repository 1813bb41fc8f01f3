"""Infiltrate as rows of parts: all placements of one colour, and those with a consultant beside the one picked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import cast

from service.rules.games.new_corp_order.actions import Infiltrate, Placement
from service.rules.games.new_corp_order.events import CardsPlaced, ConsultantTaken, ConsultantUsed, Event
from service.rules.games.new_corp_order.legal import companies_of, held_for, with_take
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop.worth import Worth
from service.rules.games.new_corp_order.terms import COLOURS, Colour
from service.rules.shapes import Picks
from service.rules.tabletop.facets import Row, written

ORDER = ("colour", "company", "cards", "use", "joker", "colour2", "company2", "cards2", "take")
_FIRST = ORDER[:3]


def infiltrate_rows(state: State, picks: Picks) -> list[Row]:
    """Return the Infiltrates that the picks leave in reach; the one preferred places a single card.

    With the Corporate Lawyer there are thousands, so the second colour is only put beside the first one picked.
    """
    worth = Worth(state)

    @cache
    def gained(cards: tuple[tuple[Colour, int], ...], use: str | None, take: str | None) -> int:
        return worth.gain(_happening(state, cards, use, take))

    def row(action: Infiltrate, first: Placement) -> Row:
        placed = tuple((each.colour, each.cards) for each in action.placements)
        joker = ((action.joker, 1),) if action.joker else ()
        points = gained((*placed, *joker), action.use, action.take)
        return Row(action, _parts(action, first), "good", points, _worth(state, action, points))

    plain = list(_plain(state))
    rows = [row(action, first) for first in plain for action in with_take(state, (first,), None, None)]
    wanted = {part: picks[part] for part in _FIRST if part in picks}
    begun = [each for each in rows if all(written(each.parts[part]) == value for part, value in wanted.items())]
    if "colour" not in picks or not begun:
        return rows
    best = max(begun, key=lambda each: each.worth).action.placements[0]
    return rows + [row(action, best) for action in _with_consultant(state, best)]


def infiltrate_parts(action: Infiltrate) -> dict[str, object]:
    """Return the parts of an Infiltrate, the first placement first."""
    return _parts(action, action.placements[0])


def _parts(action: Infiltrate, first: Placement) -> dict[str, object]:
    parts: dict[str, object] = {"colour": first.colour, "company": first.company, "cards": first.cards}
    parts |= {"use": action.use, "joker": action.joker, "take": action.take}
    others = [each for each in action.placements if each != first]
    for each in others:
        parts |= {"colour2": each.colour, "company2": each.company, "cards2": each.cards}
    return parts


def _worth(state: State, action: Infiltrate, points: int) -> tuple[object, ...]:
    number = sum(each.cards for each in action.placements)
    types = state.objectives[state.active]
    scored = sum(state.companies[each.company].type in types for each in action.placements)
    weak = -sum(state.companies[each.company].agents for each in action.placements)
    return (action.use is None, -number, points, action.take is not None, scored, weak)


def _plain(state: State) -> Iterator[Placement]:
    for colour in COLOURS:
        for cards in range(1, min(state.hands[state.active][colour], state.supply[colour]) + 1):
            yield from (Placement(colour=colour, cards=cards, company=each) for each in companies_of(state, colour))


def _with_consultant(state: State, first: Placement) -> Iterator[Infiltrate]:
    """Return what can be done with a consultant beside the first placement."""
    held, hand = held_for(state, Infiltrate), state.hands[state.active]
    if "media-advisor" in held and first.cards < state.supply[first.colour]:
        for joker in COLOURS:
            if joker != first.colour and hand[joker]:
                yield from with_take(state, (first,), "media-advisor", joker)
    if "spin-doctor" in held and first.cards < state.supply[first.colour]:
        yield from with_take(state, (first,), "spin-doctor", None)
    if "corporate-lawyer" in held:
        for other in _plain(state):
            if other.colour != first.colour:
                pair = sorted((first, other), key=lambda each: COLOURS.index(each.colour))
                yield from with_take(state, cast("tuple[Placement, ...]", tuple(pair)), "corporate-lawyer", None)


def _happening(state: State, cards: tuple[tuple[Colour, int], ...], use: str | None, take: str | None) -> list[Event]:
    """The events of an Infiltrate that points depend on."""
    seat = state.active
    events: list[Event] = [CardsPlaced(seat=seat, colour=colour, cards=n) for colour, n in cards]
    if use is not None:
        events.append(ConsultantUsed(seat=seat, consultant=use))  # type: ignore[arg-type] # of an action
    if take is not None:
        events.append(ConsultantTaken(seat=seat, consultant=take))  # type: ignore[arg-type] # of an action
    return events
