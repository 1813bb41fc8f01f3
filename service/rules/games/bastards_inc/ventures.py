"""Joint ventures: invitations, answers to them, and when they lapse (B-54 to B-56)."""

from __future__ import annotations

from typing import Literal

from service.rules.games.bastards_inc.actions import Agree, Decline, Delegate, Invite, Withdraw
from service.rules.games.bastards_inc.business_events import (
    InvitationLapsed,
    VentureAgreed,
    VentureDeclined,
    VentureOffered,
    VentureWithdrawn,
)
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.deals import deal_effort, fits, number_of, partner_at, upright
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA
from service.rules.games.bastards_inc.edition.numbers import MOST_INVITATIONS, SIDE_PAYMENTS
from service.rules.games.bastards_inc.paying import can_pay
from service.rules.games.bastards_inc.state import Invitation, State
from service.rules.games.bastards_inc.terms import Business
from service.rules.games.bastards_inc.waking import wake
from service.rules.kernel import Illegal


def invite(course: Course, seat: int, action: Invite) -> None:
    """Invite the owner of a VP to a joint venture that could be made at once (B-55)."""
    if not may_invite(course.state, seat):
        raise Illegal("no-further-invitation", "B-54")
    _check_card(course.state, seat, action.card)
    _check_partner(course.state, seat, action)
    _check_payments(course.state, seat, action)
    offered = VentureOffered(seat=seat, card=action.card, vp=action.vp, partner=action.partner, pay=action.pay)
    course.record(offered)
    wake(course, action.partner.seat, "invitation")


def withdraw(course: Course, seat: int, _: Withdraw) -> None:
    """Take the open invitation back (B-54)."""
    if course.state.companies[seat].invitation is None:
        raise Illegal("no-invitation", "B-54")
    course.record(VentureWithdrawn(seat=seat))


def agree(course: Course, seat: int, action: Agree) -> None:
    """Agree to an invitation, so that it can be made (B-55)."""
    _check_invited(course.state, seat, action.seat)
    course.record(VentureAgreed(seat=seat, host=action.seat))
    wake(course, action.seat, "answer")


def decline(course: Course, seat: int, action: Decline) -> None:
    """Decline an invitation (B-54)."""
    _check_invited(course.state, seat, action.seat)
    course.record(VentureDeclined(seat=seat, host=action.seat))
    wake(course, action.seat, "answer")


def may_invite(state: State, seat: int) -> bool:
    """Say whether a seat may invite: once per turn, three times a round, one invitation at a time (B-54)."""
    own = state.companies[seat]
    return own.invitation is None and not own.invited and own.invitations < MOST_INVITATIONS


def side_payments(state: State, partner: int) -> tuple[Literal[-2, 0, 2], ...]:
    """Return what may be offered to a partner: to one who is open only that he pays, nothing to one closed (B-55)."""
    venture = state.companies[partner].venture
    if venture == "closed":
        return ()
    offered = [pay for pay in SIDE_PAYMENTS if pay < 0 or venture == "ask"]
    return tuple(pay for pay in offered if pay >= 0 or state.companies[partner].billions >= -pay)


def hosts(state: State, seat: int) -> list[int]:
    """Return the seats whose invitation waits for an answer of this one."""
    return [host for host, own in enumerate(state.companies) if _waits_for(own.invitation, seat)]


def lapse(course: Course) -> None:
    """Take away the invitations that cannot be met any more (B-56)."""
    for seat, own in enumerate(course.state.companies):
        if own.invitation is not None and not _holds(course.state, seat, own.invitation):
            course.record(InvitationLapsed(seat=seat))


def lapse_all(course: Course) -> None:
    """Take away all invitations at the end of the phase (B-56)."""
    for seat, own in enumerate(course.state.companies):
        if own.invitation is not None:
            course.record(InvitationLapsed(seat=seat))


def lapse_with(course: Course, moved: Delegate) -> None:
    """Take away the invitations that name a VP which has moved (B-56)."""
    for seat, own in enumerate(course.state.companies):
        invitation = own.invitation
        if invitation is not None and moved in (Delegate(seat=seat, vp=invitation.vp), invitation.partner):
            course.record(InvitationLapsed(seat=seat))


def _waits_for(invitation: Invitation | None, seat: int) -> bool:
    return invitation is not None and invitation.partner.seat == seat and not invitation.agreed


def _holds(state: State, seat: int, invitation: Invitation) -> bool:
    own, partner = state.companies[seat], invitation.partner
    if invitation.card not in own.hand and not upright(own, invitation.card):
        return False
    theirs = state.companies[partner.seat].vps[partner.vp - 1].at
    return fits(BUSINESS_DATA[invitation.card].slots, own.vps[invitation.vp - 1].at, theirs)


def _check_card(state: State, seat: int, card: Business) -> None:
    own = state.companies[seat]
    if card not in own.hand and not upright(own, card):
        raise Illegal("card-not-in-hand", "B-58", card=card)
    if len(BUSINESS_DATA[card].slots) < 2:
        raise Illegal("no-venture", "B-55", card=card)


def _check_partner(state: State, seat: int, action: Invite) -> None:
    theirs = partner_at(state, seat, action.partner)
    place = state.companies[seat].vps[number_of(state, seat, action.vp) - 1].at
    if not fits(BUSINESS_DATA[action.card].slots, place, theirs):
        raise Illegal("wrong-region", "B-58", card=action.card)
    if state.companies[action.partner.seat].venture == "closed":
        raise Illegal("closed-to-ventures", "B-55", seat=action.partner.seat)


def _check_payments(state: State, seat: int, action: Invite) -> None:
    if action.pay not in side_payments(state, action.partner.seat):
        raise Illegal("no-such-side-payment", "B-55", pay=action.pay)
    price = deal_effort(state.companies[seat], action.card)
    if price is None:
        raise Illegal("score-too-low", "B-10", score=BUSINESS_DATA[action.card].score)
    if not can_pay(state.companies[seat], price, kept=max(0, action.pay)):
        raise Illegal("cannot-pay", "B-57", price=price + max(0, action.pay))


def _check_invited(state: State, seat: int, host: int) -> None:
    if host not in hosts(state, seat):
        raise Illegal("no-invitation", "B-55", seat=host)
