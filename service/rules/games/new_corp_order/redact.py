"""Redact events for a viewer: every class has an entry, and a field that is not listed stays hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.new_corp_order import events as e
from service.rules.games.new_corp_order.actions import Card
from service.rules.kernel import GameStarted, Json

PUBLIC: Mapping[type[Any], tuple[str, ...]] = {
    # The nonces are shown with the seed, when the game is over.
    GameStarted: ("ruleset", "revision", "seats", "options", "commitment"),
    e.CompaniesLaid: ("grid", "boxed"),
    e.AgentsScattered: ("colours",),
    e.ConsultantsDealt: ("consultants",),
    e.ConglomeratesChosen: ("player", "ods"),
    e.TurnBegan: ("seat",),
    e.DecisionReached: ("seat", "decision"),
    e.TurnPassed: ("seat",),
    e.DisplayRefilled: ("cards",),
    e.EndTriggered: ("seat",),
    e.ConsultantUsed: ("seat", "consultant"),
    e.ConsultantTaken: ("seat", "consultant"),
    e.CardsPlaced: ("seat", "colour", "cards"),
    e.AgentsPlaced: ("seat", "company", "colour", "agents"),
    e.CardsRotated: ("hq", "colour", "cards"),
    e.CardsUnrotated: ("hq", "colours"),
    e.AgentsMoved: ("source", "target", "colour", "agents"),
    e.TakeoverFailed: ("seat", "source", "target", "colour", "agents"),
    e.CompanyTakenOver: ("seat", "source", "target", "colour", "agents", "defender", "defenders"),
    e.AbilityLapsed: ("seat", "company"),
    e.AbilitySkipped: ("seat", "company"),
    e.CardsExchanged: ("seat", "gave", "hq", "took"),
    e.CardRemoved: ("hq", "card"),
    e.AgentsExchanged: ("first", "second"),
    e.MarkerMoved: ("column",),
    e.PriorityFollowed: ("priority",),
    e.CardSwept: ("slot", "card"),
    e.TableFlipped: (),
    e.GameEnded: ("scores", "winners"),
    e.DefenderHired: ("seat", "colour"),
    e.AgentsWithdrawn: ("company", "colour", "agents"),
}
"""The fields that everybody may see."""


def redact(event: e.Event | GameStarted, viewer: int | None) -> Json:
    """Return the fields of the event that the viewer may see, ready for JSON; what is hidden is null or a number."""
    partly = PARTLY.get(type(event))
    if partly is not None:
        return partly(event, viewer)
    return {name: _json(getattr(event, name)) for name in PUBLIC[type(event)]}


def _objectives_dealt(event: e.ObjectivesDealt, viewer: int | None) -> Json:
    return {"objectives": _own(event.objectives, viewer), "returned": _own(event.returned, viewer)}


def _objectives_laid_out(_: e.ObjectivesLaidOut, __: int | None) -> Json:
    return {"objectives": None}


def _cards_dealt(event: e.CardsDealt, viewer: int | None) -> Json:
    hands = [
        {"count": len(hand), "cards": list(hand) if seat == viewer else None} for seat, hand in enumerate(event.hands)
    ]
    # Only solo deals no hands, and there the display is hidden until the conglomerates are chosen.
    display = list(event.display) if event.hands else None
    return {"hands": hands, "display": display, "deck": len(event.deck), "boxed": event.boxed}


def _card_taken(event: e.CardTaken, viewer: int | None) -> Json:
    hidden = event.source == "deck" and event.to == "hand" and event.seat != viewer
    return {"seat": event.seat, "source": event.source, "card": None if hidden else event.card, "to": event.to}


def _cards_of_a_hand(event: e.CardsDrawn | e.CardsDiscarded, viewer: int | None) -> Json:
    cards = list(event.cards) if event.seat == viewer else None
    return {"seat": event.seat, "count": len(event.cards), "cards": cards}


PARTLY: Mapping[type[Any], Callable[[Any, int | None], Json]] = {
    e.ObjectivesDealt: _objectives_dealt,
    e.ObjectivesLaidOut: _objectives_laid_out,
    e.CardsDealt: _cards_dealt,
    e.CardTaken: _card_taken,
    e.CardsDrawn: _cards_of_a_hand,
    e.CardsDiscarded: _cards_of_a_hand,
}
"""The events that have a secret, and what is left of them for a viewer."""


def _own(by_seat: tuple[tuple[str, ...], ...], viewer: int | None) -> list[list[str] | None]:
    return [list(items) if seat == viewer else None for seat, items in enumerate(by_seat)]


def _json(value: Any) -> Any:
    if isinstance(value, (int, str)):
        return value
    if isinstance(value, Card):
        return {"colour": value.colour, "rotated": value.rotated}
    if isinstance(value, tuple):
        return [_json(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value
