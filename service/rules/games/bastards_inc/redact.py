"""Redact events for a viewer: a field that is not listed stays hidden (B-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc.view import as_json
from service.rules.kernel import GameStarted, Json

PUBLIC: Mapping[type[Any], tuple[str, ...]] = {
    # The nonces are shown with the seed, when the game is over.
    GameStarted: ("ruleset", "revision", "seats", "options", "commitment"),
    e.PlansDealt: ("companies", "vps", "rounds", "target"),
    e.StuffLaid: ("stuff",),
    e.RoundBegun: ("round", "start_player"),
    e.DecisionReached: ("phase", "seats"),
    e.TurnBegan: ("seat", "back"),
    e.PricePaid: ("seat", "billions", "influence"),
    e.CardsDiscarded: ("seat", "cards"),
    e.VicePresidentsCollected: ("seat", "vps"),
    e.PlacingBegun: (),
    e.VicePresidentArrived: ("seat", "vp", "field", "by"),
    e.VicePresidentRested: ("seat", "vp"),
    e.BidsRevealed: ("bids",),
    e.ArrivalForced: ("seat", "vp", "field", "influence", "home"),
    e.ArrivalRepelled: ("seat", "vp", "field", "home", "asked"),
    e.VicePresidentPlaced: ("seat", "vp", "field"),
    e.RoundEnded: ("round", "worths"),
    e.GameEnded: ("reason", "winners", "worths"),
    e.EventRevealed: ("event", "famine", "disaster", "amnesty", "booms", "thresholds"),
    e.MoneyTaxed: ("seat", "billions"),
    e.SubsidyPaid: ("seat", "billions"),
    e.AwardGiven: ("seat", "influence"),
    e.WarBrokeOut: ("region",),
    e.WarEnded: ("region",),
    e.StuffChanged: ("region", "change"),
    e.WarsOrdered: ("seat", "regions"),
    e.WarFought: ("region", "die", "total", "row", "home"),
    e.BusinessBegun: (),
    e.FeePaid: ("seat", "influence"),
    e.TurnPassed: ("seat", "asked", "done"),
    e.SeatWoken: ("seat", "cause"),
    e.BusinessTurned: ("seat", "card", "from_hand", "replaced"),
    e.ActAnnounced: ("seat", "sell", "deal", "play"),
    e.ActExposed: ("seat", "journalist", "vp", "influence", "home"),
    e.DealMade: ("seat", "card", "vps", "income", "partner", "pay"),
    e.MoneyLaundered: ("seat", "vp", "billions", "stays"),
    e.StuffSold: ("seat", "vp", "region", "billions"),
    e.CampaignRun: ("seat", "vp", "square", "influence"),
    e.VicePresidentHired: ("seat", "vp"),
    e.PrizeBought: ("seat", "influence", "former"),
    e.PrizeReturned: ("seat",),
    e.MoneyGiven: ("seat", "to", "billions"),
    e.VentureOffered: ("seat", "card", "vp", "partner", "pay"),
    e.VentureAgreed: ("seat", "host"),
    e.VentureDeclined: ("seat", "host"),
    e.VentureWithdrawn: ("seat",),
    e.InvitationLapsed: ("seat",),
    e.CardPlayed: ("seat", "play", "free"),
    e.PapersUsed: ("seat", "card"),
    e.BillionsGained: ("seat", "billions"),
    e.InfluenceGained: ("seat", "influence"),
    e.BillionsTaken: ("seat", "victim", "billions"),
    e.BlackMoneyTaken: ("seat", "vp", "victim", "billions"),
    e.ScoreChanged: ("seat", "score", "change"),
    e.VicePresidentSentHome: ("seat", "vp"),
    e.VicePresidentFlown: ("seat", "vp", "field"),
    e.BusinessRighted: ("seat", "card"),
    e.BunkerTaken: ("seat",),
    e.ImmunityTaken: ("seat",),
}
"""The fields that everybody may see."""


def redact(event: e.Event | GameStarted, viewer: int | None) -> Json:
    """Return the fields of the event that the viewer may see, ready for JSON; what is hidden is null or a number."""
    partly = PARTLY.get(type(event))
    if partly is not None:
        return partly(event, viewer)
    # Most fields are numbers and names already.
    seen = {name: getattr(event, name) for name in PUBLIC[type(event)]}
    return {name: value if type(value) in {int, str} else as_json(value) for name, value in seen.items()}


def _piles_shuffled(event: e.PilesShuffled, _: int | None) -> Json:
    return {"cards": len(event.cards), "events": len(event.events)}


def _cards_reshuffled(event: e.CardsReshuffled, _: int | None) -> Json:
    return {"cards": len(event.cards)}


def _events_reshuffled(event: e.EventsReshuffled, _: int | None) -> Json:
    return {"events": len(event.events)}


def _cards_drawn(event: e.CardsDrawn, viewer: int | None) -> Json:
    cards = list(event.cards) if event.seat == viewer else None
    return {"seat": event.seat, "count": len(event.cards), "cards": cards}


def _instruction_given(event: e.InstructionGiven, viewer: int | None) -> Json:
    if event.seat == viewer or event.instruction == "venture":
        return {"seat": event.seat, "instruction": event.instruction, "setting": event.setting}
    return {"seat": event.seat, "instruction": None, "setting": None}


def _discard_chosen(event: e.DiscardChosen, viewer: int | None) -> Json:
    # Others may not even know that the seat has chosen one.
    return {"seat": event.seat, "card": event.card} if event.seat == viewer else {"seat": None, "card": None}


def _answered(field: str) -> Callable[[Any, int | None], Json]:
    """An answer that nobody else sees before all have answered."""
    return lambda event, viewer: {
        "seat": event.seat,
        field: as_json(getattr(event, field)) if event.seat == viewer else None,
    }


def _challenge_answered(event: e.ChallengeAnswered, viewer: int | None) -> Json:
    own = event.seat == viewer
    fights = event.influence is not None
    return {"seat": event.seat, "fights": fights if own else None, "influence": event.influence if own else None}


PARTLY: Mapping[type[Any], Callable[[Any, int | None], Json]] = {
    e.PilesShuffled: _piles_shuffled,
    e.CardsReshuffled: _cards_reshuffled,
    e.EventsReshuffled: _events_reshuffled,
    e.CardsDrawn: _cards_drawn,
    e.InstructionGiven: _instruction_given,
    e.DiscardChosen: _discard_chosen,
    e.DrawChosen: _answered("bonus"),
    e.CollectionChosen: _answered("vps"),
    e.ChallengeAnswered: _challenge_answered,
    e.ExposureAnswered: _answered("expose"),
}
"""The events that have a secret, and what is left of them for a viewer."""
