"""How events of rounds, decisions, drawing and placing change the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc.companies import NOTHING_DONE, sent_home, updated, with_company
from service.rules.games.bastards_inc.state import Answer, Company, State, VicePresident
from service.rules.games.bastards_inc.terms import LOUNGE, SECRETLY_SET


def _round_begun(state: State, event: e.RoundBegun) -> State:
    companies = tuple(each._replace(immune=False, invitations=0, instructed=()) for each in state.companies)
    return state._replace(
        round=event.round,
        start_player=event.start_player,
        active=event.start_player,
        back=False,
        companies=companies,
        phase="draw",
        asked=frozenset(),
        answers=(),
        act=None,
    )


def _decision_reached(state: State, event: e.DecisionReached) -> State:
    # Who fights is still of interest when the newcomer is asked; it stands in the answers.
    answers = state.answers if event.phase == "push" else ()
    return state._replace(phase=event.phase, decision=state.decision + 1, asked=frozenset(event.seats), answers=answers)


def _turn_began(state: State, event: e.TurnBegan) -> State:
    companies, own = state.companies, state.companies[event.seat]
    if own.instructed or own.gave or own.invited:
        companies = with_company(companies, event.seat, **NOTHING_DONE)
    return state._replace(companies=companies, active=event.seat, back=event.back, act=None)


def _instruction_given(state: State, event: e.InstructionGiven) -> State:
    own = state.companies[event.seat]
    set_now: dict[str, Any] = {event.instruction: event.setting, "instructed": (*own.instructed, event.instruction)}
    if event.instruction in SECRETLY_SET:
        set_now["secrets"] = own.secrets + 1
    return updated(state, event.seat, **set_now)


def _discard_chosen(state: State, event: e.DiscardChosen) -> State:
    return updated(state, event.seat, dropped=(*state.companies[event.seat].dropped, event.card))


def _answered(state: State, seat: int, answer: Answer) -> State:
    return state._replace(asked=state.asked - {seat}, answers=(*state.answers, (seat, answer)))


def _draw_chosen(state: State, event: e.DrawChosen) -> State:
    return _answered(state, event.seat, event.bonus)


def _price_paid(state: State, event: e.PricePaid) -> State:
    company = state.companies[event.seat]
    return updated(
        state,
        event.seat,
        billions=company.billions - event.billions,
        influence=company.influence - event.influence,
    )


def _cards_discarded(state: State, event: e.CardsDiscarded) -> State:
    hand = tuple(card for card in state.companies[event.seat].hand if card not in event.cards)
    companies = with_company(state.companies, event.seat, hand=hand, dropped=())
    return state._replace(companies=companies, discards=(*state.discards, *event.cards))


def _cards_drawn(state: State, event: e.CardsDrawn) -> State:
    hand = tuple(sorted((*state.companies[event.seat].hand, *event.cards)))
    companies = with_company(state.companies, event.seat, hand=hand)
    return state._replace(companies=companies, cards=state.cards[len(event.cards) :])


def _cards_reshuffled(state: State, event: e.CardsReshuffled) -> State:
    return state._replace(cards=event.cards, discards=(), reshuffled=(*state.reshuffled, frozenset(event.cards)))


def _collection_chosen(state: State, event: e.CollectionChosen) -> State:
    return _answered(state, event.seat, event.vps)


def _vice_presidents_collected(state: State, event: e.VicePresidentsCollected) -> State:
    return sent_home(state, ((event.seat, vp) for vp in event.vps))


def _placing_begun(state: State, _: e.PlacingBegun) -> State:
    companies = tuple(
        each._replace(free=tuple(number for number, vp in enumerate(each.vps, 1) if vp.at == LOUNGE))
        for each in state.companies
    )
    return state._replace(companies=companies)


def _no_longer_free(state: State, seat: int, vp: int) -> tuple[Company, ...]:
    free = tuple(each for each in state.companies[seat].free if each != vp)
    return with_company(state.companies, seat, free=free)


def _vice_president_arrived(state: State, event: e.VicePresidentArrived) -> State:
    return state._replace(companies=_no_longer_free(state, event.seat, event.vp), arrival=event)


def _vice_president_rested(state: State, event: e.VicePresidentRested) -> State:
    return state._replace(companies=_no_longer_free(state, event.seat, event.vp))


def _challenge_answered(state: State, event: e.ChallengeAnswered) -> State:
    return _answered(state, event.seat, event.influence)


def _bids_revealed(state: State, event: e.BidsRevealed) -> State:
    total = 0
    for seat, influence in event.bids:
        if influence:
            total += influence
            state = updated(state, seat, influence=state.companies[seat].influence - influence)
    return state._replace(bids=total, answers=event.bids)


def _arrival_forced(state: State, event: e.ArrivalForced) -> State:
    influence = state.companies[event.seat].influence - event.influence
    return _placed(sent_home(updated(state, event.seat, influence=influence), event.home), event)


def _arrival_repelled(state: State, event: e.ArrivalRepelled) -> State:
    return sent_home(state, event.home)._replace(arrival=None, bids=0)


def _placed(state: State, event: e.ArrivalForced | e.VicePresidentPlaced) -> State:
    vps = state.companies[event.seat].vps
    vps = (*vps[: event.vp - 1], VicePresident(event.field), *vps[event.vp :])
    return state._replace(companies=with_company(state.companies, event.seat, vps=vps), arrival=None, bids=0)


def _game_ended(state: State, event: e.GameEnded) -> State:
    return state._replace(phase="over", asked=frozenset(), result=event)


def _unchanged(state: State, _: e.RoundEnded) -> State:
    return state


EVOLVE: Mapping[type[Any], Callable[[Any, Any], State]] = {
    e.RoundBegun: _round_begun,
    e.DecisionReached: _decision_reached,
    e.TurnBegan: _turn_began,
    e.InstructionGiven: _instruction_given,
    e.DiscardChosen: _discard_chosen,
    e.DrawChosen: _draw_chosen,
    e.PricePaid: _price_paid,
    e.CardsDiscarded: _cards_discarded,
    e.CardsDrawn: _cards_drawn,
    e.CardsReshuffled: _cards_reshuffled,
    e.CollectionChosen: _collection_chosen,
    e.VicePresidentsCollected: _vice_presidents_collected,
    e.PlacingBegun: _placing_begun,
    e.VicePresidentArrived: _vice_president_arrived,
    e.VicePresidentRested: _vice_president_rested,
    e.ChallengeAnswered: _challenge_answered,
    e.BidsRevealed: _bids_revealed,
    e.ArrivalForced: _arrival_forced,
    e.ArrivalRepelled: _arrival_repelled,
    e.VicePresidentPlaced: _placed,
    e.RoundEnded: _unchanged,
    e.GameEnded: _game_ended,
}
