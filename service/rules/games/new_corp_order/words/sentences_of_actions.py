"""Sentences that ask for an action, addressed to the seat that may choose it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.rules.games.new_corp_order import actions as a
from service.rules.games.new_corp_order.consultants import agents_of, rotated_by
from service.rules.games.new_corp_order.words.voice import Voice, fill


def tell_action(voice: Voice, action: a.Action) -> str:
    """Return the sentence that asks for the action."""
    return _TELL[type(action)](voice, action)


def _say(voice: Voice, key: str, **fields: Any) -> str:
    return fill(voice.language.actions[key], fields)


def _using(voice: Voice, action: a.Infiltrate | a.TakeOver) -> str:
    return "" if action.use is None else voice.phrase("using", consultant=voice.consultant(action.use))


def _plot(voice: Voice, action: a.Plot) -> str:
    taken = [
        voice.phrase("take-deck") if source == "deck" else voice.phrase("take-slot", slot=source)
        for source in action.sources
    ]
    return _say(voice, "plot", cards=voice.phrase("then").join(taken))


def _infiltrate(voice: Voice, action: a.Infiltrate) -> str:
    placements = [_placement(voice, placement, action) for placement in action.placements]
    fields = {"using": _using(voice, action), "placements": voice.phrase("then").join(placements)}
    if action.take is None:
        return _say(voice, "infiltrate", **fields)
    return _say(voice, "infiltrate.take", **fields, consultant=voice.consultant(action.take))


def _placement(voice: Voice, placement: a.Placement, action: a.Infiltrate) -> str:
    colour, joker = placement.colour, action.joker
    fields = {
        "cards": voice.coloured("cards", placement.cards, colour),
        "agents": voice.coloured("agents", agents_of(placement, action), colour),
        "company": placement.company,
    }
    if joker is None:
        return _say(voice, "placement", **fields)
    return _say(voice, "placement.joker", **fields, joker=voice.coloured("cards", 1, joker))


def _take_over(voice: Voice, action: a.TakeOver) -> str:
    return _say(
        voice,
        "take-over",
        using=_using(voice, action),
        cards=voice.number("cards", rotated_by(action)),
        agents=voice.number("agents", action.agents),
        source=action.source,
        target=action.target,
    )


def _move_agents(voice: Voice, action: a.MoveAgents) -> str:
    moves = [_say(voice, "move", source=move.source, target=move.target) for move in action.moves]
    return _say(voice, "move-agents", moves=voice.phrase("then").join(moves))


def _rotate_cards(voice: Voice, action: a.RotateCards) -> str:
    cards = voice.coloured("cards", action.cards, action.colour)
    return _say(voice, "rotate-cards", cards=cards, in_hq=voice.person("in-hq", action.hq))


def _exchange_cards(voice: Voice, action: a.ExchangeCards) -> str:
    gave = voice.card(action.give.colour, action.give.rotated)
    took = voice.card(action.take.colour, action.take.rotated)
    return _say(voice, "exchange-cards", gave=gave, took=took, from_hq=voice.person("from-hq", action.hq))


def _unrotate_cards(voice: Voice, action: a.UnrotateCards) -> str:
    return _say(voice, "unrotate-cards", cards=voice.cards(action.colours), in_hq=voice.person("in-hq", action.hq))


def _remove_card(voice: Voice, action: a.RemoveCard) -> str:
    card = voice.card(action.card.colour, action.card.rotated)
    return _say(voice, "remove-card", card=card, from_hq=voice.person("from-hq", action.hq))


def _with_agents(key: str) -> Callable[[Voice, Any], str]:
    return lambda voice, act: _say(voice, key, agents=voice.number("agents", act.agents), company=act.company)


_TELL: dict[type[Any], Callable[[Voice, Any], str]] = {
    a.Plot: _plot,
    a.Infiltrate: _infiltrate,
    a.TakeOver: _take_over,
    a.Discard: lambda voice, action: _say(voice, "discard", cards=voice.cards(action.cards)),
    a.MoveAgents: _move_agents,
    a.RotateCards: _rotate_cards,
    a.ExchangeCards: _exchange_cards,
    a.UnrotateCards: _unrotate_cards,
    a.RemoveCard: _remove_card,
    a.ExchangeAgents: lambda voice, act: _say(voice, "exchange-agents", first=act.first, second=act.second),
    a.AddAgents: _with_agents("add-agents"),
    a.PlaceCard: lambda voice, act: _say(voice, "place-card", card=voice.card(act.colour)),
    a.WithdrawAgents: _with_agents("withdraw-agents"),
    a.SkipAbility: lambda voice, _: _say(voice, "skip-ability"),
    a.ChooseConglomerates: lambda voice, act: _say(voice, "choose-conglomerates", colours=voice.pair(act.colours)),
    a.PlaceAgents: lambda voice, act: _say(voice, "place-agents", companies=voice.all_of(act.companies)),
    a.PlayOds: lambda voice, _: _say(voice, "play-ods"),
}
