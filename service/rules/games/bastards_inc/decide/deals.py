"""Businesses and joint ventures: conditions, invitations, what they bring (B-54 to B-58)."""

from __future__ import annotations

from dataclasses import replace

from service.rules.games.bastards_inc.actions import Agree, Deal, Decline, Delegate, Invite, Withdraw
from service.rules.games.bastards_inc.costs import can_pay
from service.rules.games.bastards_inc.decide.course import Course, pay, wake
from service.rules.games.bastards_inc.decide.journalism import goes_ahead
from service.rules.games.bastards_inc.edition import (
    BUSINESS_DATA,
)
from service.rules.games.bastards_inc.events import (
    ActAnnounced,
    BusinessTurned,
    DealMade,
    InvitationLapsed,
    VentureAgreed,
    VentureDeclined,
    VentureOffered,
    VentureWithdrawn,
)
from service.rules.games.bastards_inc.legal import deal_effort, fits, hosts, is_full, may_invite, side_payments, upright
from service.rules.games.bastards_inc.state import Invitation, State
from service.rules.games.bastards_inc.terms import Location
from service.rules.kernel import Illegal


def deal(course: Course, seat: int, action: Deal) -> None:
    """Announce a business: pay the effort, turn the card, and make it unless a journalist may expose it (B-58)."""
    own = course.state.companies[seat]
    action = _in_order_of_slots(course.state, seat, action)
    price = _checked(course.state, seat, action)
    pay(course, seat, price, kept=max(0, action.pay))
    from_hand = action.card in own.hand
    course.record(BusinessTurned(seat=seat, card=action.card, from_hand=from_hand, replaced=action.replaces))
    if goes_ahead(course, ActAnnounced(seat=seat, deal=action), BUSINESS_DATA[action.card].illegal):
        make(course, seat, action)


def make(course: Course, seat: int, action: Deal) -> None:
    """Put the income on every VP of the business; the side payment changes hands (B-57, B-58)."""
    made = DealMade(
        seat=seat,
        card=action.card,
        vps=action.vps,
        income=BUSINESS_DATA[action.card].income,
        partner=action.partner,
        pay=action.pay,
    )
    course.record(made)
    if action.partner is not None:
        wake(course, action.partner.seat, "venture")


def consents(state: State, seat: int, action: Deal) -> bool:
    """Say whether the partner has agreed to this venture, or is open to all without side payment (B-55)."""
    partner, invitation = action.partner, state.companies[seat].invitation
    if partner is None or (action.pay == 0 and state.companies[partner.seat].venture == "open"):
        return True
    return invitation == Invitation(action.card, action.vps[0], partner, action.pay, agreed=True)


def _in_order_of_slots(state: State, seat: int, action: Deal) -> Deal:
    """Return the business with its VPs in the order of the slots, where they fit that way (since revision 2)."""
    slots, vps = BUSINESS_DATA[action.card].slots, action.vps
    if state.revision < 2 or len(vps) != 2 or len(slots) != 2:
        return action
    first, second = (state.companies[seat].vps[number_of(state, seat, vp) - 1].at for vp in vps)
    if first in slots[1] and second in slots[0] and not (first in slots[0] and second in slots[1]):
        return replace(action, vps=vps[::-1])
    return action


def _checked(state: State, seat: int, action: Deal) -> int:
    """Return the effort of a business, or raise Illegal."""
    own, data = state.companies[seat], BUSINESS_DATA[action.card]
    portfolio = [folder.card for folder in own.portfolio]

    # The card is in the hand, or upright in the portfolio; a full portfolio names the card that leaves (B-58).
    held = action.card in own.hand
    if not held and action.card not in portfolio:
        raise Illegal("card-not-in-hand", "B-58", card=action.card)
    if not held and not upright(own, action.card):
        raise Illegal("business-turned", "B-58", card=action.card)
    if (held and is_full(own)) != (action.replaces is not None):
        code = "nothing-to-replace" if action.replaces else "portfolio-full"
        raise Illegal(code, "B-58", card=action.card)
    if action.replaces is not None and action.replaces not in portfolio:
        raise Illegal("card-not-in-hand", "B-58", card=action.replaces)

    # The VPs stand in the regions of the slots: own VPs in their order, a partner's VP in either (B-55, B-58).
    if len(action.vps) + (action.partner is not None) != len(data.slots) or not action.vps:
        raise Illegal("wrong-number-of-vps", "B-58", card=action.card, vps=len(data.slots))
    places = [own.vps[number_of(state, seat, vp) - 1].at for vp in action.vps]
    if action.partner is not None:
        if not fits(data.slots, places[0], partner_at(state, seat, action.partner)):
            raise Illegal("wrong-region", "B-58", card=action.card)
    elif action.pay:
        raise Illegal("no-partner", "B-57", card=action.card)
    elif any(place not in slot for place, slot in zip(places, data.slots, strict=True)):
        raise Illegal("wrong-region", "B-58", card=action.card)
    if not consents(state, seat, action):
        raise Illegal("no-consent", "B-55", card=action.card)

    # Effort and side payment can be paid (B-10, B-57).
    price = deal_effort(own, action.card)
    if price is None:
        raise Illegal("score-too-low", "B-10", score=data.score)
    if not can_pay(own, price, kept=max(0, action.pay)):
        raise Illegal("cannot-pay", "B-57", price=price + max(0, action.pay))
    if action.partner is not None and state.companies[action.partner.seat].billions < -action.pay:
        raise Illegal("partner-cannot-pay", "B-57", price=-action.pay)
    return price


def number_of(state: State, seat: int, vp: int) -> int:
    """Return the number of a VP that the seat has; raise Illegal otherwise."""
    if not 1 <= vp <= len(state.companies[seat].vps):
        raise Illegal("no-such-vp", seat=seat, vp=vp)
    return vp


def partner_at(state: State, seat: int, partner: Delegate) -> Location:
    """Return the place of another seat's VP; raise Illegal if there is none."""
    if not 0 <= partner.seat < len(state.companies) or partner.seat == seat:
        raise Illegal("no-such-seat", seat=partner.seat)
    return state.companies[partner.seat].vps[number_of(state, partner.seat, partner.vp) - 1].at


# Invitations to joint ventures: made, answered, lapsed (B-54 to B-56).


def invite(course: Course, seat: int, action: Invite) -> None:
    """Invite the owner of a VP to a joint venture that could be made at once (B-55)."""
    state, own, data = course.state, course.state.companies[seat], BUSINESS_DATA[action.card]
    if not may_invite(state, seat):
        raise Illegal("no-further-invitation", "B-54")

    # The card is a business for two, in the hand or upright.
    if action.card not in own.hand and not upright(own, action.card):
        raise Illegal("card-not-in-hand", "B-58", card=action.card)
    if len(data.slots) < 2:
        raise Illegal("no-venture", "B-55", card=action.card)

    # Both VPs stand in its regions, and the partner is not closed to ventures.
    theirs = partner_at(state, seat, action.partner)
    if not fits(data.slots, own.vps[number_of(state, seat, action.vp) - 1].at, theirs):
        raise Illegal("wrong-region", "B-58", card=action.card)
    if state.companies[action.partner.seat].venture == "closed":
        raise Illegal("closed-to-ventures", "B-55", seat=action.partner.seat)

    # Effort and side payment can be paid.
    if action.pay not in side_payments(state, action.partner.seat):
        raise Illegal("no-such-side-payment", "B-55", pay=action.pay)
    price = deal_effort(own, action.card)
    if price is None:
        raise Illegal("score-too-low", "B-10", score=data.score)
    if not can_pay(own, price, kept=max(0, action.pay)):
        raise Illegal("cannot-pay", "B-57", price=price + max(0, action.pay))

    course.record(VentureOffered(seat=seat, card=action.card, vp=action.vp, partner=action.partner, pay=action.pay))
    wake(course, action.partner.seat, "invitation")


def withdraw(course: Course, seat: int, _: Withdraw) -> None:
    if course.state.companies[seat].invitation is None:
        raise Illegal("no-invitation", "B-54")
    course.record(VentureWithdrawn(seat=seat))


def agree(course: Course, seat: int, action: Agree) -> None:
    _check_invited(course.state, seat, action.seat)
    course.record(VentureAgreed(seat=seat, host=action.seat))
    wake(course, action.seat, "answer")


def decline(course: Course, seat: int, action: Decline) -> None:
    _check_invited(course.state, seat, action.seat)
    course.record(VentureDeclined(seat=seat, host=action.seat))
    wake(course, action.seat, "answer")


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
    """Take away the invitations that name a moved VP (B-56)."""
    for seat, own in enumerate(course.state.companies):
        invitation = own.invitation
        if invitation is not None and moved in (Delegate(seat=seat, vp=invitation.vp), invitation.partner):
            course.record(InvitationLapsed(seat=seat))


def _holds(state: State, seat: int, invitation: Invitation) -> bool:
    own, partner = state.companies[seat], invitation.partner
    if invitation.card not in own.hand and not upright(own, invitation.card):
        return False
    theirs = state.companies[partner.seat].vps[partner.vp - 1].at
    return fits(BUSINESS_DATA[invitation.card].slots, own.vps[invitation.vp - 1].at, theirs)


def _check_invited(state: State, seat: int, host: int) -> None:
    if host not in hosts(state, seat):
        raise Illegal("no-invitation", "B-55", seat=host)
