"""Fold events into the state: no event is refused, and the rules are never asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc.events import Event
from service.rules.games.bastards_inc.state import (
    IN_LOUNGE,
    NEW_TURN,
    Answer,
    Company,
    Folder,
    Invitation,
    State,
    VicePresident,
    company,
    sent_home,
    updated,
    vice_president,
    with_company,
    with_money,
    with_vp,
)
from service.rules.games.bastards_inc.terms import LOUNGE, REGIONS, SECRETLY_SET, Card
from service.rules.kernel import GameStarted


def _game_started(_: None, event: GameStarted) -> State:
    return State(revision=event.revision, companies=(), rounds=0, target=0)


def _plans_dealt(state: State, event: e.PlansDealt) -> State:
    companies = tuple(
        Company(
            plan=dealt.plan,
            scores=dealt.scores,
            billions=dealt.billions,
            influence=dealt.influence,
            vps=(IN_LOUNGE,) * event.vps,
        )
        for dealt in event.companies
    )
    return state._replace(companies=companies, rounds=event.rounds, target=event.target)


def _stuff_laid(state: State, event: e.StuffLaid) -> State:
    return state._replace(stuff=event.stuff)


def _piles_shuffled(state: State, event: e.PilesShuffled) -> State:
    return state._replace(cards=event.cards, events=event.events)


# Rounds, decisions, drawing, placing.


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
        companies = with_company(companies, event.seat, **NEW_TURN)
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
    return with_money(state, event.seat, billions=-event.billions, influence=-event.influence)


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
            state = with_money(state, seat, influence=-influence)
    return state._replace(bids=total, answers=event.bids)


def _arrival_forced(state: State, event: e.ArrivalForced) -> State:
    paid = with_money(state, event.seat, influence=-event.influence)
    return _placed(sent_home(paid, event.home), event)


def _arrival_repelled(state: State, event: e.ArrivalRepelled) -> State:
    return sent_home(state, event.home)._replace(arrival=None, bids=0)


def _placed(state: State, event: e.ArrivalForced | e.VicePresidentPlaced) -> State:
    vps = state.companies[event.seat].vps
    vps = (*vps[: event.vp - 1], VicePresident(event.field), *vps[event.vp :])
    return state._replace(companies=with_company(state.companies, event.seat, vps=vps), arrival=None, bids=0)


def _game_ended(state: State, event: e.GameEnded) -> State:
    return state._replace(phase="over", asked=frozenset(), result=event)


def _unchanged(state: State, _: e.RoundEnded | e.WarsOrdered) -> State:
    return state


# The event of the round, and wars.


def _event_revealed(state: State, event: e.EventRevealed) -> State:
    return state._replace(
        events=state.events[1:],
        revealed=(*state.revealed, event.event),
        in_force=event,
        active=state.start_player,
        back=False,
    )


def _events_reshuffled(state: State, event: e.EventsReshuffled) -> State:
    return state._replace(events=event.events, revealed=(), events_shuffled=state.events_shuffled + 1)


def _money_taxed(state: State, event: e.MoneyTaxed) -> State:
    return with_money(state, event.seat, billions=-event.billions)


def _billions_gained(state: State, event: e.SubsidyPaid | e.BillionsGained) -> State:
    return with_money(state, event.seat, billions=event.billions)


def _influence_gained(state: State, event: e.AwardGiven | e.FeePaid | e.InfluenceGained) -> State:
    return with_money(state, event.seat, influence=event.influence)


def _war_broke_out(state: State, event: e.WarBrokeOut) -> State:
    return state._replace(wars=(*state.wars, event.region))


def _war_ended(state: State, event: e.WarEnded) -> State:
    return state._replace(wars=tuple(region for region in state.wars if region != event.region))


def _stuff_changed(state: State, event: e.StuffChanged) -> State:
    index = REGIONS.index(event.region)
    stuff = state.stuff
    return state._replace(stuff=(*stuff[:index], stuff[index] + event.change, *stuff[index + 1 :]))


def _war_fought(state: State, event: e.WarFought) -> State:
    return sent_home(state, event.home)


# The business phase (B-50 to B-73).

Vps = tuple[VicePresident, ...]
NOBODY: Final[frozenset[int]] = frozenset()


def _business_begun(state: State, _: e.BusinessBegun) -> State:
    companies = []
    for own in state.companies:
        upright = tuple(Folder(folder.card, turned=False) for folder in own.portfolio)
        companies.append(own._replace(portfolio=upright, invitation=None, invitations=0, done=False))
    return state._replace(companies=tuple(companies), passes=0, act=None)


def _turn_passed(state: State, event: e.TurnPassed) -> State:
    companies = state.companies
    if event.asked and event.done != companies[event.seat].done:
        companies = with_company(companies, event.seat, done=event.done)
    passes = state.passes + 1
    return state._replace(companies=companies, active=event.seat, passes=passes, asked=NOBODY, act=None)


def _seat_woken(state: State, event: e.SeatWoken) -> State:
    return updated(state, event.seat, done=False)


def _business_turned(state: State, event: e.BusinessTurned) -> State:
    own = company(state, event.seat)
    turned = Folder(event.card, turned=True)
    leaving = event.replaced or (None if event.from_hand else event.card)
    folders = tuple(turned if folder.card == leaving else folder for folder in own.portfolio)
    hand = own.hand
    if event.from_hand:
        hand = tuple(card for card in hand if card != event.card)
    if leaving is None:
        folders = (*folders, turned)
    discards = state.discards if event.replaced is None else (*state.discards, event.replaced)
    return updated(state, event.seat, hand=hand, portfolio=folders)._replace(discards=discards, passes=0)


def _act_announced(state: State, event: e.ActAnnounced) -> State:
    return state._replace(act=event, passes=0)


def _exposure_answered(state: State, event: e.ExposureAnswered) -> State:
    return state._replace(asked=state.asked - {event.seat}, answers=(*state.answers, (event.seat, event.expose)))


def _act_exposed(state: State, event: e.ActExposed) -> State:
    exposed = with_vp(state, event.journalist, event.vp, IN_LOUNGE)
    exposed = with_money(exposed, event.journalist, influence=event.influence)
    if event.home is not None:
        exposed = with_vp(exposed, event.seat, event.home, IN_LOUNGE)
    return exposed._replace(act=None, passes=0)


def _deal_made(state: State, event: e.DealMade) -> State:
    own = company(state, event.seat)
    vps = own.vps
    for number in event.vps:
        vps = _with_black_money(vps, number, event.income)
    # The invitation to this very venture has been met.
    invitation = own.invitation
    if invitation is not None and (invitation.card, invitation.partner) == (event.card, event.partner):
        invitation = None
    billions = own.billions - event.pay
    companies = with_company(state.companies, event.seat, vps=vps, billions=billions, invitation=invitation)
    if event.partner is not None:
        partner = companies[event.partner.seat]
        vps = _with_black_money(partner.vps, event.partner.vp, event.income)
        companies = with_company(companies, event.partner.seat, vps=vps, billions=partner.billions + event.pay)
    return state._replace(companies=companies, act=None, passes=0)


def _with_black_money(vps: Vps, number: int, billions: int) -> Vps:
    vp = vps[number - 1]
    return _changed(vps, number, vp._replace(black=vp.black + billions))


def _changed(vps: Vps, number: int, vp: VicePresident) -> Vps:
    return (*vps[: number - 1], vp, *vps[number:])


def _money_laundered(state: State, event: e.MoneyLaundered) -> State:
    own = company(state, event.seat)
    after = own.vps[event.vp - 1]._replace(black=0) if event.stays else IN_LOUNGE
    vps, billions = _changed(own.vps, event.vp, after), own.billions + event.billions
    companies = with_company(state.companies, event.seat, vps=vps, billions=billions)
    return state._replace(companies=companies, passes=0)


def _stuff_sold(state: State, event: e.StuffSold) -> State:
    own = company(state, event.seat)
    vps, billions = _changed(own.vps, event.vp, IN_LOUNGE), own.billions + event.billions
    companies = with_company(state.companies, event.seat, vps=vps, billions=billions)
    index, stuff = REGIONS.index(event.region), state.stuff
    more = (*stuff[:index], stuff[index] + 1, *stuff[index + 1 :])
    return state._replace(companies=companies, stuff=more, act=None, passes=0)


def _campaign_run(state: State, event: e.CampaignRun) -> State:
    own = company(state, event.seat)
    vps, influence = _changed(own.vps, event.vp, IN_LOUNGE), own.influence + event.influence
    companies = with_company(state.companies, event.seat, vps=vps, influence=influence)
    return state._replace(companies=companies, passes=0)


def _vice_president_hired(state: State, event: e.VicePresidentHired) -> State:
    return updated(state, event.seat, vps=(*company(state, event.seat).vps, IN_LOUNGE))._replace(passes=0)


def _prize_bought(state: State, event: e.PrizeBought) -> State:
    paid = with_money(state, event.seat, influence=-event.influence)
    return paid._replace(laureate=event.seat, passes=0)


def _prize_returned(state: State, _: e.PrizeReturned) -> State:
    return state._replace(laureate=None)


def _money_given(state: State, event: e.MoneyGiven) -> State:
    gave = updated(with_money(state, event.seat, billions=-event.billions), event.seat, gave=True)
    return with_money(gave, event.to, billions=event.billions)


def _venture_offered(state: State, event: e.VentureOffered) -> State:
    invitation = Invitation(event.card, event.vp, event.partner, event.pay)
    made = company(state, event.seat).invitations + 1
    return updated(state, event.seat, invitation=invitation, invitations=made, invited=True)


def _venture_agreed(state: State, event: e.VentureAgreed) -> State:
    invitation = company(state, event.host).invitation
    agreed = None if invitation is None else invitation._replace(agreed=True)
    return updated(state, event.host, invitation=agreed)._replace(passes=0)


def _venture_declined(state: State, event: e.VentureDeclined) -> State:
    return updated(state, event.host, invitation=None)


def _invitation_gone(state: State, event: e.VentureWithdrawn | e.InvitationLapsed) -> State:
    return updated(state, event.seat, invitation=None)


# Action cards (B-35, B-74, B-75).


def _card_played(state: State, event: e.CardPlayed) -> State:
    played = _discarded(state, event.seat, event.play.card)
    return played if event.free else played._replace(passes=0)


def _papers_used(state: State, event: e.PapersUsed) -> State:
    return _discarded(state, event.seat, event.card)


def _discarded(state: State, seat: int, card: Card) -> State:
    hand = tuple(each for each in company(state, seat).hand if each != card)
    return updated(state, seat, hand=hand)._replace(discards=(*state.discards, card))


def _billions_taken(state: State, event: e.BillionsTaken) -> State:
    robbed = with_money(state, event.victim, billions=-event.billions)
    return with_money(robbed, event.seat, billions=event.billions)


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
    return with_vp(state, event.seat, event.vp, IN_LOUNGE)


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


_EVOLVE: Mapping[type[Any], Callable[[Any, Any], State]] = {
    GameStarted: _game_started,
    e.PlansDealt: _plans_dealt,
    e.StuffLaid: _stuff_laid,
    e.PilesShuffled: _piles_shuffled,
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
    e.EventRevealed: _event_revealed,
    e.EventsReshuffled: _events_reshuffled,
    e.MoneyTaxed: _money_taxed,
    e.SubsidyPaid: _billions_gained,
    e.AwardGiven: _influence_gained,
    e.WarBrokeOut: _war_broke_out,
    e.WarEnded: _war_ended,
    e.StuffChanged: _stuff_changed,
    e.WarsOrdered: _unchanged,
    e.WarFought: _war_fought,
    e.BusinessBegun: _business_begun,
    e.FeePaid: _influence_gained,
    e.TurnPassed: _turn_passed,
    e.SeatWoken: _seat_woken,
    e.BusinessTurned: _business_turned,
    e.ActAnnounced: _act_announced,
    e.ExposureAnswered: _exposure_answered,
    e.ActExposed: _act_exposed,
    e.DealMade: _deal_made,
    e.MoneyLaundered: _money_laundered,
    e.StuffSold: _stuff_sold,
    e.CampaignRun: _campaign_run,
    e.VicePresidentHired: _vice_president_hired,
    e.PrizeBought: _prize_bought,
    e.PrizeReturned: _prize_returned,
    e.MoneyGiven: _money_given,
    e.VentureOffered: _venture_offered,
    e.VentureAgreed: _venture_agreed,
    e.VentureDeclined: _venture_declined,
    e.VentureWithdrawn: _invitation_gone,
    e.InvitationLapsed: _invitation_gone,
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


def evolve(state: State | None, event: Event | GameStarted) -> State:
    """Return the state after the event; GameStarted begins from nothing."""
    return _EVOLVE[type(event)](state, event)
