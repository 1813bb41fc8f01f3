"""How action cards change the table (B-35, B-74, B-75)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import card_events as e
from service.rules.games.bastards_inc.companies import RESTING, company, updated, vice_president, with_vp
from service.rules.games.bastards_inc.state import Folder, State
from service.rules.games.bastards_inc.terms import Card


def _card_played(state: State, event: e.CardPlayed) -> State:
    played = _discarded(state, event.seat, event.play.card)
    return played if event.free else played._replace(passes=0)


def _papers_used(state: State, event: e.PapersUsed) -> State:
    return _discarded(state, event.seat, event.card)


def _discarded(state: State, seat: int, card: Card) -> State:
    hand = tuple(each for each in company(state, seat).hand if each != card)
    return updated(state, seat, hand=hand)._replace(discards=(*state.discards, card))


def _billions_gained(state: State, event: e.BillionsGained) -> State:
    return updated(state, event.seat, billions=company(state, event.seat).billions + event.billions)


def _influence_gained(state: State, event: e.InfluenceGained) -> State:
    return updated(state, event.seat, influence=company(state, event.seat).influence + event.influence)


def _billions_taken(state: State, event: e.BillionsTaken) -> State:
    robbed = updated(state, event.victim, billions=company(state, event.victim).billions - event.billions)
    return updated(robbed, event.seat, billions=company(robbed, event.seat).billions + event.billions)


def _black_money_taken(state: State, event: e.BlackMoneyTaken) -> State:
    theirs = vice_president(state, event.victim.seat, event.victim.vp)
    left = theirs._replace(black=theirs.black - event.billions)
    robbed = with_vp(state, event.victim.seat, event.victim.vp, left)
    own = vice_president(robbed, event.seat, event.vp)
    return with_vp(robbed, event.seat, event.vp, own._replace(black=own.black + event.billions))


def _score_changed(state: State, event: e.ScoreChanged) -> State:
    scores = company(state, event.seat).scores
    changed = scores._replace(**{event.score: getattr(scores, event.score) + event.change})
    return updated(state, event.seat, scores=changed)


def _vice_president_sent_home(state: State, event: e.VicePresidentSentHome) -> State:
    return with_vp(state, event.seat, event.vp, RESTING)


def _vice_president_flown(state: State, event: e.VicePresidentFlown) -> State:
    vp = vice_president(state, event.seat, event.vp)
    return with_vp(state, event.seat, event.vp, vp._replace(at=event.field))


def _business_righted(state: State, event: e.BusinessRighted) -> State:
    folders = company(state, event.seat).portfolio
    righted = tuple(Folder(each.card, turned=each.turned and each.card != event.card) for each in folders)
    return updated(state, event.seat, portfolio=righted)


def _bunker_taken(state: State, event: e.BunkerTaken) -> State:
    # The card that was played last is the Bunker's own: it stays with its owner (B-74).
    return state._replace(bunker=event.seat, discards=state.discards[:-1])


def _immunity_taken(state: State, event: e.ImmunityTaken) -> State:
    return updated(state, event.seat, immune=True)


EVOLVE: Mapping[type[Any], Callable[[Any, Any], State]] = {
    e.CardPlayed: _card_played,
    e.PapersUsed: _papers_used,
    e.BillionsGained: _billions_gained,
    e.InfluenceGained: _influence_gained,
    e.BillionsTaken: _billions_taken,
    e.BlackMoneyTaken: _black_money_taken,
    e.ScoreChanged: _score_changed,
    e.VicePresidentSentHome: _vice_president_sent_home,
    e.VicePresidentFlown: _vice_president_flown,
    e.BusinessRighted: _business_righted,
    e.BunkerTaken: _bunker_taken,
    e.ImmunityTaken: _immunity_taken,
}
