"""What a viewer may see of an event: every class has an entry, and a field that is not listed stays hidden (B-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import business_events as b
from service.rules.games.bastards_inc import card_events as c
from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc import setup_events as s
from service.rules.games.bastards_inc import war_events as w
from service.rules.games.bastards_inc.as_json import as_json
from service.rules.kernel import GameStarted, Json

PUBLIC: Mapping[type[Any], tuple[str, ...]] = {
    # The nonces are shown with the seed, when the game is over.
    GameStarted: ("ruleset", "revision", "seats", "options", "commitment"),
    s.PlansDealt: ("companies", "vps", "rounds", "target"),
    s.StuffLaid: ("stuff",),
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
    w.EventRevealed: ("event", "famine", "disaster", "amnesty", "booms", "thresholds"),
    w.MoneyTaxed: ("seat", "billions"),
    w.SubsidyPaid: ("seat", "billions"),
    w.AwardGiven: ("seat", "influence"),
    w.WarBrokeOut: ("region",),
    w.WarEnded: ("region",),
    w.StuffChanged: ("region", "change"),
    w.WarsOrdered: ("seat", "regions"),
    w.WarFought: ("region", "die", "total", "row", "home"),
    b.BusinessBegun: (),
    b.FeePaid: ("seat", "influence"),
    b.TurnPassed: ("seat", "asked", "done"),
    b.SeatWoken: ("seat", "cause"),
    b.BusinessTurned: ("seat", "card", "from_hand", "replaced"),
    b.ActAnnounced: ("seat", "sell", "deal", "play"),
    b.ActExposed: ("seat", "journalist", "vp", "influence", "home"),
    b.DealMade: ("seat", "card", "vps", "income", "partner", "pay"),
    b.MoneyLaundered: ("seat", "vp", "billions", "stays"),
    b.StuffSold: ("seat", "vp", "region", "billions"),
    b.CampaignRun: ("seat", "vp", "square", "influence"),
    b.VicePresidentHired: ("seat", "vp"),
    b.PrizeBought: ("seat", "influence", "former"),
    b.PrizeReturned: ("seat",),
    b.MoneyGiven: ("seat", "to", "billions"),
    b.VentureOffered: ("seat", "card", "vp", "partner", "pay"),
    b.VentureAgreed: ("seat", "host"),
    b.VentureDeclined: ("seat", "host"),
    b.VentureWithdrawn: ("seat",),
    b.InvitationLapsed: ("seat",),
    c.CardPlayed: ("seat", "play", "free"),
    c.PapersUsed: ("seat", "card"),
    c.BillionsGained: ("seat", "billions"),
    c.InfluenceGained: ("seat", "influence"),
    c.BillionsTaken: ("seat", "victim", "billions"),
    c.BlackMoneyTaken: ("seat", "vp", "victim", "billions"),
    c.ScoreChanged: ("seat", "score", "change"),
    c.VicePresidentSentHome: ("seat", "vp"),
    c.VicePresidentFlown: ("seat", "vp", "field"),
    c.BusinessRighted: ("seat", "card"),
    c.BunkerTaken: ("seat",),
    c.ImmunityTaken: ("seat",),
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


def _piles_shuffled(event: s.PilesShuffled, _: int | None) -> Json:
    return {"cards": len(event.cards), "events": len(event.events)}


def _cards_reshuffled(event: e.CardsReshuffled, _: int | None) -> Json:
    return {"cards": len(event.cards)}


def _events_reshuffled(event: w.EventsReshuffled, _: int | None) -> Json:
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
    s.PilesShuffled: _piles_shuffled,
    e.CardsReshuffled: _cards_reshuffled,
    w.EventsReshuffled: _events_reshuffled,
    e.CardsDrawn: _cards_drawn,
    e.InstructionGiven: _instruction_given,
    e.DiscardChosen: _discard_chosen,
    e.DrawChosen: _answered("bonus"),
    e.CollectionChosen: _answered("vps"),
    e.ChallengeAnswered: _challenge_answered,
    b.ExposureAnswered: _answered("expose"),
}
"""The events that have a secret, and what is left of them for a viewer."""
