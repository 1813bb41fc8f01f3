"""Moves given ahead: what each rests on, and the answers that a player can leave to the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.new_corp_order.actions import (
    Action,
    AddAgents,
    Card,
    ChooseConglomerates,
    Discard,
    ExchangeAgents,
    ExchangeCards,
    Infiltrate,
    MoveAgents,
    PlaceAgents,
    PlaceCard,
    PlayOds,
    Plot,
    RemoveCard,
    RotateCards,
    SkipAbility,
    TakeOver,
    UnrotateCards,
    WithdrawAgents,
)
from service.rules.games.new_corp_order.decide.turns import check_colours
from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.terms import COLOURS, SLOTS, Colour, Square
from service.rules.kernel import AutoAnswer, Illegal, Json
from service.rules.typography import typeset


def relies_on(view: Json, action: Action) -> Sequence[str]:
    """Return the places of the seat's view that the action rests on.

    Raises Illegal for what no decision of this table can ever be answered with.
    """
    found: list[str] = _PLACES[type(action)](view, action)
    return list(dict.fromkeys(found))


def _company_place(view: Json, square: Square) -> str:
    squares = [each["square"] for each in view["grid"]["companies"]]
    if square not in squares:
        raise Illegal("no-such-company", square=square)
    return f"/grid/companies/{squares.index(square)}"


def _company_places(view: Json, *squares: Square) -> list[str]:
    return [_company_place(view, square) for square in squares]


def _cards_place(view: Json, seat: int, colour: Colour, rotated: bool = False) -> str:
    if not 0 <= seat < len(view["players"]):
        raise Illegal("no-such-hq", hq=seat)
    return f"/players/{seat}/hq/{'rotated' if rotated else 'cards'}/{colour}"


def _card_place(view: Json, seat: int, card: Card) -> str:
    return _cards_place(view, seat, card.colour, card.rotated)


def _plot(view: Json, action: Plot) -> list[str]:
    if not 1 <= len(action.sources) <= 2:
        raise Illegal("wrong-number-of-cards", "R-12", least=1, most=2)
    # In solo the display is hidden until the conglomerates are chosen.
    slots = [] if view["display"] is None else action.sources
    return [f"/display/{SLOTS.index(source)}" for source in slots if source != "deck"]


def _infiltrate(view: Json, action: Infiltrate) -> list[str]:
    if view["solo"] is not None:
        raise Illegal("no-infiltrate-in-solo", "R-51")
    check_colours(action)
    if any(each.cards < 1 for each in action.placements):
        raise Illegal("no-cards-placed", "R-15")
    paying = [*(each.colour for each in action.placements), *([action.joker] if action.joker else [])]
    companies = _company_places(view, *(each.company for each in action.placements))
    return [*companies, *(f"/you/hand/{colour}" for colour in paying)]


def _take_over(view: Json, action: TakeOver) -> list[str]:
    places = _company_places(view, action.source, action.target)
    companies = view["grid"]["companies"]
    if action.target not in neighbours_of(len(companies))[action.source]:
        raise Illegal("not-adjacent", "R-19", source=action.source, target=action.target)
    if action.agents < 1:
        raise Illegal("no-agents-moved", "R-19")
    colour = next(each["colour"] for each in companies if each["square"] == action.source)
    return [*places, _cards_place(view, view["you"]["seat"], colour)]


def _move_agents(view: Json, action: MoveAgents) -> list[str]:
    return _company_places(view, *(square for move in action.moves for square in (move.source, move.target)))


def _exchange_cards(view: Json, action: ExchangeCards) -> list[str]:
    mine = view["you"]["seat"]
    if action.hq == mine:
        raise Illegal("own-hq", "R-33")
    return [_card_place(view, mine, action.give), _card_place(view, action.hq, action.take)]


def _unrotate_cards(view: Json, action: UnrotateCards) -> list[str]:
    return [_cards_place(view, action.hq, colour, rotated=True) for colour in action.colours]


def _play_ods(view: Json, _: PlayOds) -> list[str]:
    raise Illegal("other-decision-due", "R-10", due=view["turn"]["phase"])


_PLACES: dict[type[Any], Callable[[Json, Any], list[str]]] = {
    Plot: _plot,
    Infiltrate: _infiltrate,
    TakeOver: _take_over,
    Discard: lambda view, action: [f"/you/hand/{colour}" for colour in COLOURS],
    MoveAgents: _move_agents,
    RotateCards: lambda view, action: [_cards_place(view, action.hq, action.colour)],
    ExchangeCards: _exchange_cards,
    UnrotateCards: _unrotate_cards,
    RemoveCard: lambda view, action: [_card_place(view, action.hq, action.card)],
    ExchangeAgents: lambda view, action: _company_places(view, action.first, action.second),
    AddAgents: lambda view, action: _company_places(view, action.company),
    PlaceCard: lambda view, action: [f"/you/hand/{action.colour}"],
    WithdrawAgents: lambda view, action: _company_places(view, action.company),
    SkipAbility: lambda view, action: [],
    ChooseConglomerates: lambda view, action: [],
    PlaceAgents: lambda view, action: _company_places(view, *action.companies),
    PlayOds: _play_ods,
}


# Answers for a whole game: skip every ability, discard the commonest colour.


def skip_ability(_: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the skip, where an ability is offered."""
    return next((each for each in legal if isinstance(each, SkipAbility)), None)


def discard_commonest(view: Mapping[str, Any], legal: Sequence[Action]) -> Action | None:
    """Return the discard of the cards above the limit (R-14), each of the colour of which most are held then."""
    discards = [each for each in legal if isinstance(each, Discard)]
    if not discards:
        return None
    left = dict(view["you"]["hand"])
    chosen: list[Colour] = []
    for _ in discards[0].cards:
        # Among equal numbers the rulebook's order of colours decides.
        colour = max(COLOURS, key=lambda each: left[each])
        left[colour] -= 1
        chosen.append(colour)
    return Discard(cards=tuple(sorted(chosen, key=COLOURS.index)))


AUTO_ANSWERS = (
    AutoAnswer(
        name="skip-ability",
        describe={
            "en": "Never use the ability of a company that was taken over",
            "de": "Die Fähigkeit einer übernommenen Firma nie nutzen",
            "fr": typeset("Ne jamais utiliser la capacité d'une Compagnie prise"),
        },
        answer=skip_ability,
    ),
    AutoAnswer(
        name="discard-commonest",
        describe={
            "en": "Discard cards of the colour held most",
            "de": "Karten der Farbe abwerfen, von der am meisten auf der Hand sind",
            "fr": typeset("Défausser les cartes de la couleur la plus nombreuse en main"),
        },
        answer=discard_commonest,
    ),
)
