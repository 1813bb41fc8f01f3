"""How the events of the business phase change the table (B-50 to B-73)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.rules.games.bastards_inc import business_events as e
from service.rules.games.bastards_inc.companies import RESTING, company, updated, with_company, with_vp
from service.rules.games.bastards_inc.state import Company, Folder, Invitation, State, VicePresident
from service.rules.games.bastards_inc.terms import REGIONS

Vps = tuple[VicePresident, ...]
NOBODY: Final[frozenset[int]] = frozenset()


def _business_begun(state: State, _: e.BusinessBegun) -> State:
    companies = tuple(
        each._replace(
            portfolio=_upright(each.portfolio),
            invitation=None,
            invitations=0,
            done=False,
        )
        for each in state.companies
    )
    return state._replace(companies=companies, passes=0, act=None)


def _upright(folders: tuple[Folder, ...]) -> tuple[Folder, ...]:
    if not any(folder.turned for folder in folders):
        return folders
    return tuple(Folder(folder.card, turned=False) for folder in folders)


def _fee_paid(state: State, event: e.FeePaid) -> State:
    return updated(state, event.seat, influence=company(state, event.seat).influence + event.influence)


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
    influence = company(state, event.journalist).influence + event.influence
    exposed = updated(with_vp(state, event.journalist, event.vp, RESTING), event.journalist, influence=influence)
    if event.home is not None:
        exposed = with_vp(exposed, event.seat, event.home, RESTING)
    return exposed._replace(act=None, passes=0)


def _deal_made(state: State, event: e.DealMade) -> State:
    own = company(state, event.seat)
    vps = own.vps
    for number in event.vps:
        vps = _earned(vps, number, event.income)
    more = _without_venture(own, event)
    companies = with_company(state.companies, event.seat, vps=vps, billions=own.billions - event.pay, **more)
    if event.partner is not None:
        partner = companies[event.partner.seat]
        vps = _earned(partner.vps, event.partner.vp, event.income)
        companies = with_company(companies, event.partner.seat, vps=vps, billions=partner.billions + event.pay)
    return state._replace(companies=companies, act=None, passes=0)


def _without_venture(own: Company, event: e.DealMade) -> dict[str, Any]:
    """Return the invitation as taken away if this venture is the one that it was about."""
    invitation = own.invitation
    if invitation is None or (invitation.card, invitation.partner) != (event.card, event.partner):
        return {}
    return {"invitation": None}


def _earned(vps: Vps, number: int, billions: int) -> Vps:
    vp = vps[number - 1]
    return _changed(vps, number, vp._replace(black=vp.black + billions))


def _changed(vps: Vps, number: int, vp: VicePresident) -> Vps:
    return (*vps[: number - 1], vp, *vps[number:])


def _money_laundered(state: State, event: e.MoneyLaundered) -> State:
    own = company(state, event.seat)
    after = own.vps[event.vp - 1]._replace(black=0) if event.stays else RESTING
    vps, billions = _changed(own.vps, event.vp, after), own.billions + event.billions
    companies = with_company(state.companies, event.seat, vps=vps, billions=billions)
    return state._replace(companies=companies, passes=0)


def _stuff_sold(state: State, event: e.StuffSold) -> State:
    own = company(state, event.seat)
    vps, billions = _changed(own.vps, event.vp, RESTING), own.billions + event.billions
    companies = with_company(state.companies, event.seat, vps=vps, billions=billions)
    index, stuff = REGIONS.index(event.region), state.stuff
    more = (*stuff[:index], stuff[index] + 1, *stuff[index + 1 :])
    return state._replace(companies=companies, stuff=more, act=None, passes=0)


def _campaign_run(state: State, event: e.CampaignRun) -> State:
    own = company(state, event.seat)
    vps, influence = _changed(own.vps, event.vp, RESTING), own.influence + event.influence
    companies = with_company(state.companies, event.seat, vps=vps, influence=influence)
    return state._replace(companies=companies, passes=0)


def _vice_president_hired(state: State, event: e.VicePresidentHired) -> State:
    return updated(state, event.seat, vps=(*company(state, event.seat).vps, RESTING))._replace(passes=0)


def _prize_bought(state: State, event: e.PrizeBought) -> State:
    paid = updated(state, event.seat, influence=company(state, event.seat).influence - event.influence)
    return paid._replace(laureate=event.seat, passes=0)


def _prize_returned(state: State, _: e.PrizeReturned) -> State:
    return state._replace(laureate=None)


def _money_given(state: State, event: e.MoneyGiven) -> State:
    gave = updated(state, event.seat, billions=company(state, event.seat).billions - event.billions, gave=True)
    return updated(gave, event.to, billions=company(gave, event.to).billions + event.billions)


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


EVOLVE: Mapping[type[Any], Callable[[Any, Any], State]] = {
    e.BusinessBegun: _business_begun,
    e.FeePaid: _fee_paid,
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
}
