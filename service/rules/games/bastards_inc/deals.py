"""Businesses: what they need, who takes part, what they bring (B-55, B-57, B-58)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from service.rules.games.bastards_inc.actions import Deal, Delegate
from service.rules.games.bastards_inc.business_events import ActAnnounced, BusinessTurned, DealMade
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA
from service.rules.games.bastards_inc.edition.numbers import MOST_BUSINESSES
from service.rules.games.bastards_inc.journalism import goes_ahead
from service.rules.games.bastards_inc.paying import can_pay, effort, pay
from service.rules.games.bastards_inc.state import Company, Invitation, State
from service.rules.games.bastards_inc.terms import Business, Location, Region
from service.rules.games.bastards_inc.waking import wake
from service.rules.kernel import Illegal

Slots = Sequence[Sequence[Region]]


def deal(course: Course, seat: int, action: Deal) -> None:
    """Announce a business: the effort is paid and the card lies turned; then it is made, if nobody stops it (B-58)."""
    own = course.state.companies[seat]
    action = _in_order_of_slots(course.state, seat, action)
    price = _checked(course.state, seat, action)
    pay(course, seat, price, kept=max(0, action.pay))
    from_hand = action.card in own.hand
    course.record(BusinessTurned(seat=seat, card=action.card, from_hand=from_hand, replaced=action.replaces))
    if goes_ahead(course, ActAnnounced(seat=seat, deal=action), BUSINESS_DATA[action.card].illegal):
        make(course, seat, action)


def make(course: Course, seat: int, action: Deal) -> None:
    """Put the income on every VP that takes part; the side payment changes hands (B-57, B-58)."""
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


def upright(own: Company, card: Business) -> bool:
    """Say whether a business lies upright in the portfolio."""
    return any(folder.card == card and not folder.turned for folder in own.portfolio)


def is_full(own: Company) -> bool:
    """Say whether a further business has to replace one of the portfolio (B-58)."""
    return len(own.portfolio) >= MOST_BUSINESSES


def fits(slots: Slots, first: Location, second: Location) -> bool:
    """Say whether two VPs, in either order, stand in regions of the two slots of a business (B-55)."""
    return (first in slots[0] and second in slots[1]) or (second in slots[0] and first in slots[1])


def deal_effort(own: Company, card: Business) -> int | None:
    """Return the effort for the score that a business needs, None if too much is missing (B-58)."""
    data = BUSINESS_DATA[card]
    return effort(getattr(own.scores, data.score), data.least)


def consents(state: State, seat: int, action: Deal) -> bool:
    """Say whether the partner has agreed to this venture, or is open to all without a side payment (B-55)."""
    partner, invitation = action.partner, state.companies[seat].invitation
    if partner is None or (action.pay == 0 and state.companies[partner.seat].venture == "open"):
        return True
    return invitation == Invitation(action.card, action.vps[0], partner, action.pay, agreed=True)


def _in_order_of_slots(state: State, seat: int, action: Deal) -> Deal:
    """Return the business with its VPs in the order of the slots if they fit that way (since revision 2)."""
    slots, vps = BUSINESS_DATA[action.card].slots, action.vps
    if state.revision < 2 or len(vps) != 2 or len(slots) != 2:
        return action
    first, second = (state.companies[seat].vps[number_of(state, seat, vp) - 1].at for vp in vps)
    if first in slots[1] and second in slots[0] and not (first in slots[0] and second in slots[1]):
        return replace(action, vps=vps[::-1])
    return action


def _checked(state: State, seat: int, action: Deal) -> int:
    """Return the effort of a business that may be made; raises Illegal."""
    own = state.companies[seat]
    _check_card(own, action)
    _check_vps(state, seat, action)
    if not consents(state, seat, action):
        raise Illegal("no-consent", "B-55", card=action.card)
    price = deal_effort(own, action.card)
    if price is None:
        raise Illegal("score-too-low", "B-10", score=BUSINESS_DATA[action.card].score)
    if not can_pay(own, price, kept=max(0, action.pay)):
        raise Illegal("cannot-pay", "B-57", price=price + max(0, action.pay))
    if action.partner is not None and state.companies[action.partner.seat].billions < -action.pay:
        raise Illegal("partner-cannot-pay", "B-57", price=-action.pay)
    return price


def _check_card(own: Company, action: Deal) -> None:
    held = action.card in own.hand
    if not held and not any(folder.card == action.card for folder in own.portfolio):
        raise Illegal("card-not-in-hand", "B-58", card=action.card)
    if not held and not upright(own, action.card):
        raise Illegal("business-turned", "B-58", card=action.card)
    if (held and is_full(own)) != (action.replaces is not None):
        code = "nothing-to-replace" if action.replaces else "portfolio-full"
        raise Illegal(code, "B-58", card=action.card)
    if action.replaces is not None and not any(folder.card == action.replaces for folder in own.portfolio):
        raise Illegal("card-not-in-hand", "B-58", card=action.replaces)


def _check_vps(state: State, seat: int, action: Deal) -> None:
    slots, vps = BUSINESS_DATA[action.card].slots, state.companies[seat].vps
    if len(action.vps) + (action.partner is not None) != len(slots) or not action.vps:
        raise Illegal("wrong-number-of-vps", "B-58", card=action.card, vps=len(slots))
    places = [vps[number_of(state, seat, vp) - 1].at for vp in action.vps]
    if action.partner is not None:
        if not fits(slots, places[0], partner_at(state, seat, action.partner)):
            raise Illegal("wrong-region", "B-58", card=action.card)
    elif action.pay:
        raise Illegal("no-partner", "B-57", card=action.card)
    elif any(place not in slot for place, slot in zip(places, slots, strict=True)):
        raise Illegal("wrong-region", "B-58", card=action.card)


def number_of(state: State, seat: int, vp: int) -> int:
    """Return the number of a VP that a seat has; raises Illegal."""
    if not 1 <= vp <= len(state.companies[seat].vps):
        raise Illegal("no-such-vp", seat=seat, vp=vp)
    return vp


def partner_at(state: State, seat: int, partner: Delegate) -> Location:
    """Return where the VP of another seat is; raises Illegal."""
    if not 0 <= partner.seat < len(state.companies) or partner.seat == seat:
        raise Illegal("no-such-seat", seat=partner.seat)
    return state.companies[partner.seat].vps[number_of(state, partner.seat, partner.vp) - 1].at
