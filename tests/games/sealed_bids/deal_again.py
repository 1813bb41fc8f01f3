"""Deals the cards that one viewer has not seen once more, and seals the bids of the others anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from service.rules.kernel import Dice, Seat

from .meta import CARDS
from .state import State


def deal_again(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Return a game alike in all that the viewer may know; whoever has sealed may have sealed any card, or none."""
    hands, sealed = list(state.hands), dict(state.sealed)
    seen = {bid.card for award in state.awarded for bid in award.bids}
    if viewer is not None:
        seen |= {*state.hands[viewer], state.sealed.get(viewer)}
    unseen = iter(dice.shuffle("cards dealt again", [card for card in range(1, CARDS + 1) if card not in seen]))
    for seat in range(len(hands)):
        if seat != viewer:
            cards = sorted(islice(unseen, len(hands[seat]) + (sealed.get(seat) is not None)))
            if seat in sealed:
                drawn = dice.roll(f"bid sealed again {seat}", len(cards) + 1)[0]
                sealed[seat] = cards.pop(drawn - 1) if drawn <= len(cards) else None
            hands[seat] = tuple(cards)
    return replace(state, hands=tuple(hands), sealed=sealed)
