"""What actions cause, and which are legal."""

from __future__ import annotations

from typing import Any

from service.rules.kernel import Dice, Illegal, Json, Seat
from tests.games.sealed_bids.actions import Action, Bid, Hold
from tests.games.sealed_bids.events import BidSealed, Event, HandDealt, LotAwarded, Sealed
from tests.games.sealed_bids.meta import CARDS, HAND
from tests.games.sealed_bids.state import State


def start(seats: int, options: Json, chance: Dice) -> list[Event]:
    """Deal the hands."""
    deck = chance.shuffle("deck", range(1, CARDS + 1))
    return [HandDealt(seat=seat, cards=tuple(sorted(deck[HAND * seat : HAND * (seat + 1)]))) for seat in range(seats)]


def decide(state: State, seat: Seat, action: Action, chance: Dice) -> list[Event]:
    """Seal the seat's bid; the last one opens them all."""
    if seat not in to_act(state):
        raise Illegal("already-sealed")
    if isinstance(action, Bid) and action.card not in state.hands[seat]:
        raise Illegal("not-in-hand", card=action.card)
    card = action.card if isinstance(action, Bid) else None
    sealed = BidSealed(seat=seat, card=card)
    if len(to_act(state)) > 1:
        return [sealed]
    bids = tuple(Sealed(*bid) for bid in sorted({**state.sealed, seat: card}.items()))
    dice = chance.roll(f"lot {state.lot}", 6, 2 if state.options["double"] else 1)
    winner = max((bid for bid in bids if bid.card is not None), key=lambda bid: bid.card or 0, default=None)
    return [sealed, LotAwarded(lot=state.lot, bids=bids, dice=dice, seat=winner and winner.seat)]


def to_act(state: State) -> frozenset[Seat]:
    """Return everybody who has not sealed a bid for the current lot."""
    return frozenset() if state.over else frozenset(range(len(state.hands))) - state.sealed.keys()


def legal(state: State, seat: Seat) -> list[Action]:
    """Return a bid for each card, and holding."""
    return [*(Bid(card=card) for card in state.hands[seat]), Hold()] if seat in to_act(state) else []


def outcome(state: State) -> dict[str, Any] | None:
    """Return the seats with the most points, once all lots are gone."""
    if not state.over:
        return None
    best = max(state.points)
    winners = [seat for seat, points in enumerate(state.points) if points == best]
    return {"winners": winners, "scores": list(state.points)}
