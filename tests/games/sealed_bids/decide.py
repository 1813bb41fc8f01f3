"""The rules: what each action causes, and which actions are legal."""

from __future__ import annotations

from service.rules.kernel import Dice, Illegal, Json, Seat
from service.rules.outcome import Outcome

from .actions import Action, Bid, Hold
from .events import BidSealed, Event, HandDealt, LotAwarded, Sealed
from .meta import CARDS, HAND
from .state import State


def start(seats: int, options: Json, chance: Dice) -> list[Event]:
    """Deal the hands."""
    deck = chance.shuffle("deck", range(1, CARDS + 1))
    return [HandDealt(seat=seat, cards=tuple(sorted(deck[HAND * seat : HAND * (seat + 1)]))) for seat in range(seats)]


def decide(state: State, seat: Seat, action: Action, chance: Dice) -> list[Event]:
    """Seal the seat's bid; the last seat's bid opens them all."""
    if seat not in to_act(state):
        raise Illegal("already-sealed")
    card = action.card if isinstance(action, Bid) else None
    if card is not None and card not in state.hands[seat]:
        raise Illegal("not-in-hand", card=card)
    sealed = BidSealed(seat=seat, card=card)
    if to_act(state) != {seat}:
        return [sealed]
    bids = {**state.sealed, seat: card}
    return [sealed, _award(state, tuple(Sealed(*bid) for bid in sorted(bids.items())), chance)]


def _award(state: State, bids: tuple[Sealed, ...], chance: Dice) -> LotAwarded:
    dice = chance.roll(f"lot {state.lot}", 6, 2 if state.options["double"] else 1)
    seats = {bid.card: bid.seat for bid in bids if bid.card is not None}
    return LotAwarded(lot=state.lot, bids=bids, dice=dice, seat=seats[max(seats)] if seats else None)


def to_act(state: State) -> frozenset[Seat]:
    """Return the seats that have sealed nothing yet for the current lot."""
    return frozenset() if state.over else frozenset(range(len(state.hands))) - state.sealed.keys()


def legal(state: State, seat: Seat) -> list[Action]:
    """Return a bid for each card, and holding."""
    return [*(Bid(card=card) for card in state.hands[seat]), Hold()] if seat in to_act(state) else []


def outcome(state: State) -> Outcome | None:
    """Return the seats with the most points, once all lots are gone."""
    if not state.over:
        return None
    winners = [seat for seat, points in enumerate(state.points) if points == max(state.points)]
    return {"winners": winners, "scores": list(state.points)}
