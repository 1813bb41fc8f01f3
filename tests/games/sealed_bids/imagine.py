"""The games that a viewer cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from service.rules.kernel import Seat
from service.rules.permutations import sample_permutations

from .meta import CARDS
from .state import State


def imagine(state: State, viewer: Seat | None) -> list[State]:
    """Return games in which the cards that the viewer does not see lie elsewhere; in every other one all hold."""
    seen = {bid.card for award in state.awarded for bid in award.bids}
    if viewer is not None:
        seen |= {*state.hands[viewer], state.sealed.get(viewer)}
    orders = sample_permutations([card for card in range(1, CARDS + 1) if card not in seen])
    return [_dealt(state, viewer, iter(order), bids=bool(number % 2)) for number, order in enumerate(orders)]


def _dealt(state: State, viewer: Seat | None, unseen: Iterator[int], bids: bool) -> State:
    hands, sealed = list(state.hands), dict(state.sealed)
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            cards = sorted(islice(unseen, len(hand) + (sealed.get(seat) is not None)))
            if seat in sealed:
                sealed[seat] = cards.pop() if bids and cards else None
            hands[seat] = tuple(cards)
    return replace(state, hands=tuple(hands), sealed=sealed)
