"""The abilities of companies as rows of parts; cards in an HQ are picked as piles (`1-red`, `0-blue-rotated`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.new_corp_order import actions as a
from service.rules.games.new_corp_order.abilities import options
from service.rules.games.new_corp_order.events import CardRemoved, CardsExchanged, CardsPlaced
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop.turn_rows import FIRST, SECOND, in_any_order
from service.rules.games.new_corp_order.tabletop.worth import Worth
from service.rules.shapes import Picks
from service.rules.tabletop.facets import Row


def ability_rows(state: State, picks: Picks) -> list[Row]:
    """Return the uses of the ability of the company just taken over."""
    worth = Worth(state)
    return [row for action in options(state) for row in _ROWS[type(action)](worth, action, picks)]


def pile(hq: int, colour: str, rotated: bool = False) -> str:
    """Return the name by which cards of a colour in an HQ are picked."""
    return f"{hq}-{colour}{'-rotated' if rotated else ''}"


def _exchange_agents(worth: Worth, action: a.ExchangeAgents, _: Picks) -> list[Row]:
    points = worth.swapped(action.first, action.second)
    more = {"prospect": "good", "gain": points, "worth": (points,)}
    return in_any_order(action, (action.first, action.second), (FIRST, SECOND), **more)


def _move_agents(_: Worth, action: a.MoveAgents, picks: Picks) -> list[Row]:
    """A second move is only put beside a first one that is picked: there are hundreds of pairs."""
    if len(action.moves) == 1:
        move = action.moves[0]
        return [Row(action, {"source": move.source, "target": move.target}, "good", 0, (1,))]
    one, other = action.moves
    if "source" not in picks or "target" not in picks:
        return []
    targets = {(one.target, other.target), (other.target, one.target)}
    return [
        Row(action, {"source": first, "target": end, "source2": second, "target2": ends}, "good", 0, (0,))
        for first, second in sorted({(one.source, other.source), (other.source, one.source)})
        for end, ends in sorted(targets)
        if first == picks["source"] and end == picks["target"]
    ]


def _rotate_cards(worth: Worth, action: a.RotateCards, _: Picks) -> list[Row]:
    preferred = (action.hq != worth.seat, action.cards)
    return [Row(action, {"pile": pile(action.hq, action.colour), "cards": action.cards}, "good", 0, preferred)]


def _unrotate_cards(worth: Worth, action: a.UnrotateCards, _: Picks) -> list[Row]:
    piles = [pile(action.hq, colour, True) for colour in action.colours]
    preferred = (action.hq == worth.seat, len(piles) if action.hq == worth.seat else -len(piles))
    return in_any_order(action, piles, (FIRST, SECOND), prospect="good", gain=0, worth=preferred)


def _exchange_cards(worth: Worth, action: a.ExchangeCards, _: Picks) -> list[Row]:
    seat = worth.seat
    points = worth.gain([CardsExchanged(seat=seat, gave=action.give, hq=action.hq, took=action.take)])
    give = pile(seat, action.give.colour, action.give.rotated)
    take = pile(action.hq, action.take.colour, action.take.rotated)
    return [Row(action, {"give": give, "take": take}, "good", points, (points,))]


def _remove_card(worth: Worth, action: a.RemoveCard, _: Picks) -> list[Row]:
    points = worth.gain([CardRemoved(hq=action.hq, card=action.card)])
    name = pile(action.hq, action.card.colour, action.card.rotated)
    return [Row(action, {"pile": name}, "good", points, (points,))]


def _add_agents(worth: Worth, action: a.AddAgents, _: Picks) -> list[Row]:
    preferred = (worth.brings(action.company), action.agents)
    return [Row(action, {"company": action.company, "agents": action.agents}, "good", 0, preferred)]


def _withdraw_agents(worth: Worth, action: a.WithdrawAgents, _: Picks) -> list[Row]:
    preferred = (-worth.brings(action.company), action.agents)
    return [Row(action, {"company": action.company, "agents": action.agents}, "good", 0, preferred)]


def _place_card(worth: Worth, action: a.PlaceCard, _: Picks) -> list[Row]:
    points = worth.gain([CardsPlaced(seat=worth.seat, colour=action.colour, cards=1)])
    return [Row(action, {"colour": action.colour}, "good", points, (points,))]


_ROWS: Mapping[type[Any], Callable[[Worth, Any, Picks], list[Row]]] = {
    a.ExchangeAgents: _exchange_agents,
    a.MoveAgents: _move_agents,
    a.RotateCards: _rotate_cards,
    a.UnrotateCards: _unrotate_cards,
    a.ExchangeCards: _exchange_cards,
    a.RemoveCard: _remove_card,
    a.AddAgents: _add_agents,
    a.PlaceCard: _place_card,
    a.WithdrawAgents: _withdraw_agents,
}
