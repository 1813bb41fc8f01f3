"""Every business and joint venture that a seat may make or invite to (B-14, B-55, B-58)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from service.rules.games.bastards_inc.actions import Deal, Delegate, Invite
from service.rules.games.bastards_inc.deals import Slots, deal_effort, fits, is_full, upright
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA
from service.rules.games.bastards_inc.legal_cards import unlike_vps
from service.rules.games.bastards_inc.paying import can_pay
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import LOUNGE, Business
from service.rules.games.bastards_inc.ventures import may_invite, side_payments

Pair = tuple[int, Delegate]
_BUSINESSES: Final[Mapping[str, Business]] = {card: card for card in BUSINESS_DATA}


def legal_deals(state: State, seat: int) -> Iterator[Deal]:
    """Return every business that the seat may make now."""
    own = state.companies[seat]
    for card, price in _usable(state, seat):
        replacing: tuple[Business | None, ...] = (None,)
        if card in own.hand and is_full(own):
            replacing = tuple(folder.card for folder in own.portfolio)
        for deal in _deals_with(state, seat, card, price):
            for replaces in replacing:
                yield Deal(card=card, vps=deal.vps, partner=deal.partner, pay=deal.pay, replaces=replaces)


def legal_invitations(state: State, seat: int) -> Iterator[Invite]:
    """Return every invitation that the seat may make now, with every side payment that can be met (B-55)."""
    own = state.companies[seat]
    if not may_invite(state, seat):
        return
    for card, price in _usable(state, seat):
        for vp, partner in _pairs(state, seat, BUSINESS_DATA[card].slots):
            for pay in side_payments(state, partner.seat):
                if can_pay(own, price, kept=max(0, pay)):
                    yield Invite(card=card, vp=vp, partner=partner, pay=pay)


def _usable(state: State, seat: int) -> Iterator[tuple[Business, int]]:
    """Return the businesses in the hand, and upright ones, with the effort of those that can be paid."""
    own = state.companies[seat]
    for held in (*own.hand, *(folder.card for folder in own.portfolio)):
        card = _BUSINESSES.get(held)
        if card is not None and (card in own.hand or upright(own, card)):
            price = deal_effort(own, card)
            if price is not None and can_pay(own, price):
                yield card, price


def _deals_with(state: State, seat: int, card: Business, price: int) -> Iterator[Deal]:
    """Return the ways to make a business, whatever it replaces."""
    own, slots = state.companies[seat], BUSINESS_DATA[card].slots
    numbers = [number for number in unlike_vps(own) if own.vps[number - 1].at != LOUNGE]
    by_slot = ([number for number in numbers if own.vps[number - 1].at in slot] for slot in slots)
    yield from (Deal(card=card, vps=vps) for vps in product(*by_slot))
    open_pairs = {pair: None for pair in _pairs(state, seat, slots) if state.companies[pair[1].seat].venture == "open"}
    yield from (Deal(card=card, vps=(vp,), partner=partner) for vp, partner in open_pairs)
    invitation = own.invitation
    if invitation is None or not invitation.agreed or invitation.card != card:
        return
    vp, partner, pay = invitation.vp, invitation.partner, invitation.pay
    payable = can_pay(own, price, kept=max(0, pay)) and state.companies[partner.seat].billions >= -pay
    if payable and not (pay == 0 and (vp, partner) in open_pairs):
        yield Deal(card=card, vps=(vp,), partner=partner, pay=pay)


def _pairs(state: State, seat: int, slots: Slots) -> Iterator[Pair]:
    """Return the pairs of an own VP and one of another seat that stand where a business for two needs them."""
    if len(slots) < 2:
        return
    own = state.companies[seat]
    for number in unlike_vps(own):
        place = own.vps[number - 1].at
        if place not in slots[0] and place not in slots[1]:
            continue
        for seat_of, other in enumerate(state.companies):
            for theirs in unlike_vps(other) if seat_of != seat else ():
                if fits(slots, place, other.vps[theirs - 1].at):
                    yield number, Delegate(seat=seat_of, vp=theirs)
