"""What an action that is given ahead of time rests on: slots, companies and cards, as places of the seat's view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from service.rules.games.new_corp_order import actions as a
from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.infiltrate import check_colours
from service.rules.games.new_corp_order.terms import COLOURS, SLOTS, Colour, Square
from service.rules.kernel import Illegal, Json


def relies_on(view: Json, action: a.Action) -> Sequence[str]:
    """Return the places of the seat's view that the action rests on.

    Raises Illegal for what no decision of this table can ever be answered with.
    """
    found: list[str] = _PLACES[type(action)](view, action)
    return list(dict.fromkeys(found))


def _company(view: Json, square: Square) -> str:
    squares = [each["square"] for each in view["grid"]["companies"]]
    if square not in squares:
        raise Illegal("no-such-company", square=square)
    return f"/grid/companies/{squares.index(square)}"


def _companies(view: Json, *squares: Square) -> list[str]:
    return [_company(view, square) for square in squares]


def _cards(view: Json, seat: int, colour: Colour, rotated: bool = False) -> str:
    if not 0 <= seat < len(view["players"]):
        raise Illegal("no-such-hq", hq=seat)
    return f"/players/{seat}/hq/{'rotated' if rotated else 'cards'}/{colour}"


def _card(view: Json, seat: int, card: a.Card) -> str:
    return _cards(view, seat, card.colour, card.rotated)


def _plot(view: Json, action: a.Plot) -> list[str]:
    if not 1 <= len(action.sources) <= 2:
        raise Illegal("wrong-number-of-cards", "R-12", least=1, most=2)
    # In solo the display is hidden until the conglomerates are chosen.
    slots = [] if view["display"] is None else action.sources
    return [f"/display/{SLOTS.index(source)}" for source in slots if source != "deck"]


def _infiltrate(view: Json, action: a.Infiltrate) -> list[str]:
    if view["solo"] is not None:
        raise Illegal("no-infiltrate-in-solo", "R-51")
    check_colours(action)
    if any(each.cards < 1 for each in action.placements):
        raise Illegal("no-cards-placed", "R-15")
    paying = [*(each.colour for each in action.placements), *([action.joker] if action.joker else [])]
    companies = _companies(view, *(each.company for each in action.placements))
    return [*companies, *(f"/you/hand/{colour}" for colour in paying)]


def _take_over(view: Json, action: a.TakeOver) -> list[str]:
    places = _companies(view, action.source, action.target)
    companies = view["grid"]["companies"]
    if action.target not in neighbours_of(len(companies))[action.source]:
        raise Illegal("not-adjacent", "R-19", source=action.source, target=action.target)
    if action.agents < 1:
        raise Illegal("no-agents-moved", "R-19")
    colour = next(each["colour"] for each in companies if each["square"] == action.source)
    return [*places, _cards(view, view["you"]["seat"], colour)]


def _move_agents(view: Json, action: a.MoveAgents) -> list[str]:
    return _companies(view, *(square for move in action.moves for square in (move.source, move.target)))


def _exchange_cards(view: Json, action: a.ExchangeCards) -> list[str]:
    mine = view["you"]["seat"]
    if action.hq == mine:
        raise Illegal("own-hq", "R-33")
    return [_card(view, mine, action.give), _card(view, action.hq, action.take)]


def _unrotate_cards(view: Json, action: a.UnrotateCards) -> list[str]:
    return [_cards(view, action.hq, colour, rotated=True) for colour in action.colours]


def _play_ods(view: Json, _: a.PlayOds) -> list[str]:
    raise Illegal("other-decision-due", "R-10", due=view["turn"]["phase"])


_PLACES: dict[type[Any], Callable[[Json, Any], list[str]]] = {
    a.Plot: _plot,
    a.Infiltrate: _infiltrate,
    a.TakeOver: _take_over,
    a.Discard: lambda view, action: [f"/you/hand/{colour}" for colour in COLOURS],
    a.MoveAgents: _move_agents,
    a.RotateCards: lambda view, action: [_cards(view, action.hq, action.colour)],
    a.ExchangeCards: _exchange_cards,
    a.UnrotateCards: _unrotate_cards,
    a.RemoveCard: lambda view, action: [_card(view, action.hq, action.card)],
    a.ExchangeAgents: lambda view, action: _companies(view, action.first, action.second),
    a.AddAgents: lambda view, action: _companies(view, action.company),
    a.PlaceCard: lambda view, action: [f"/you/hand/{action.colour}"],
    a.WithdrawAgents: lambda view, action: _companies(view, action.company),
    a.SkipAbility: lambda view, action: [],
    a.ChooseConglomerates: lambda view, action: [],
    a.PlaceAgents: lambda view, action: _companies(view, *action.companies),
    a.PlayOds: _play_ods,
}
