"""Every legal action of the business phase (B-14, B-51 to B-60), and of journalists (B-61)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from service.rules.games.bastards_inc.actions import (
    Action,
    Agree,
    BuyPrize,
    Campaign,
    Decline,
    Done,
    Expose,
    Hire,
    KeepSilent,
    Launder,
    Pass,
    Sell,
    Withdraw,
)
from service.rules.games.bastards_inc.companies import NOTHING_DONE, updated
from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA
from service.rules.games.bastards_inc.edition.numbers import MOST_STUFF, MOST_VPS, PRIZE_PRICE, VP_PRICE
from service.rules.games.bastards_inc.gifts import legal_gifts
from service.rules.games.bastards_inc.instructing import legal_instructions
from service.rules.games.bastards_inc.legal_cards import plays, unlike_vps
from service.rules.games.bastards_inc.legal_deals import legal_deals, legal_invitations
from service.rules.games.bastards_inc.paying import can_pay
from service.rules.games.bastards_inc.sales import selling_effort
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS, SQUARES, ActionCard, Region
from service.rules.games.bastards_inc.values import laundering_effort, may_leave, stuff_of
from service.rules.games.bastards_inc.ventures import hosts

_ACTION_CARDS: Final[Mapping[str, ActionCard]] = {card: card for card in CARD_DATA}
_REGIONS: Final[Mapping[str, Region]] = {region: region for region in REGIONS}


def legal_business(state: State, seat: int) -> Sequence[Action]:
    """Return the legal actions of a seat in its turn of the business phase."""
    return [
        *_worth_a_turn(state, seat),
        *((Withdraw(),) if state.companies[seat].invitation is not None else ()),
        *legal_gifts(state, seat),
        *legal_instructions(state, seat),
        Pass(),
        Done(),
    ]


def legal_expose(_state: State, _seat: int) -> Sequence[Action]:
    """Return both answers of a journalist (B-61)."""
    return [Expose(), KeepSilent()]


def has_a_reason(state: State, seat: int) -> bool:
    """Say whether a seat has an action, or an invitation to answer or to post: without one it passes unasked (B-52).

    Since revision 2 it is asked for what it could do in its new turn: an invitation of its last one is no obstacle.
    """
    begun = state if state.revision < 2 else _with_new_turn(state, seat)
    return next(_worth_a_turn(begun, seat), None) is not None


def ahead(state: State, seat: int) -> Sequence[Action]:
    """Return what a seat could do if its turn in the business phase began now."""
    if state.phase == "over":
        return []
    return legal_business(_with_new_turn(state, seat)._replace(phase="business", active=seat), seat)


def _with_new_turn(state: State, seat: int) -> State:
    """Return the state as if the seat had done nothing yet of what it may do once per turn (B-16, B-54)."""
    return updated(state, seat, **NOTHING_DONE)


def _worth_a_turn(state: State, seat: int) -> Iterator[Action]:
    yield from legal_deals(state, seat)
    yield from _moves_of_vps(state, seat)
    yield from _purchases(state, seat)
    for card in state.companies[seat].hand:
        action_card = _ACTION_CARDS.get(card)
        if action_card is not None:
            yield from plays(state, seat, action_card, unlike_vps)
    for host in hosts(state, seat):
        yield Agree(seat=host)
        yield Decline(seat=host)
    yield from legal_invitations(state, seat)


def _moves_of_vps(state: State, seat: int) -> Iterator[Launder | Sell | Campaign]:
    """Return what sends a VP to the Lounge (B-48, B-59, B-60)."""
    own = state.companies[seat]
    for number in unlike_vps(own):
        vp = own.vps[number - 1]
        region = _REGIONS.get(vp.at)
        if vp.at in SQUARES:
            yield Campaign(vp=number)
        elif region is not None and may_leave(state, seat, region):
            if vp.black and _payable(state, seat, laundering_effort(state, seat, region)):
                yield Launder(vp=number)
            if stuff_of(state, region) < MOST_STUFF and _payable(state, seat, selling_effort(state, seat, region)):
                yield Sell(vp=number)


def _purchases(state: State, seat: int) -> Iterator[Hire | BuyPrize]:
    own = state.companies[seat]
    if len(own.vps) < MOST_VPS and can_pay(own, VP_PRICE):
        yield Hire()
    if own.influence >= PRIZE_PRICE and state.laureate != seat:
        yield BuyPrize()


def _payable(state: State, seat: int, price: int | None) -> bool:
    return price is not None and can_pay(state.companies[seat], price)
