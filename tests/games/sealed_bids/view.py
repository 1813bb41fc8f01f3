"""What a viewer may see."""

from __future__ import annotations

from typing import Any

from service.rules.kernel import Seat

from .events import BidSealed, Event, HandDealt, LotAwarded
from .state import State


def view(state: State, viewer: Seat | None) -> dict[str, Any]:
    """Return the table; a seat also sees its own hand and its own sealed bid."""
    return {
        "lot": state.lot,
        "sealed": sorted(state.sealed),
        "points": list(state.points),
        "cards": [len(hand) + (state.sealed.get(seat) is not None) for seat, hand in enumerate(state.hands)],
        "awarded": [_award(award) for award in state.awarded],
        "hand": None if viewer is None else list(state.hands[viewer]),
        "bid": None if viewer is None else state.sealed.get(viewer),
    }


def redact(event: Event, viewer: Seat | None) -> dict[str, Any]:
    """Return the event without the cards of others."""
    if isinstance(event, HandDealt):
        return {"seat": event.seat, "cards": list(event.cards) if viewer == event.seat else len(event.cards)}
    if isinstance(event, BidSealed):
        return {"seat": event.seat, **({"card": event.card} if viewer == event.seat else {})}
    return _award(event)


def standings(state: State, viewer: Seat | None) -> dict[str, Any]:
    """Return the points, and the lots that they come from."""
    lots = [
        [{"lot": award.lot, "points": sum(award.dice)} for award in state.awarded if award.seat == seat]
        for seat in range(len(state.points))
    ]
    return {"scores": list(state.points), "lots": lots}


def _award(award: LotAwarded) -> dict[str, Any]:
    bids = [{"seat": bid.seat, "card": bid.card} for bid in award.bids]
    return {"lot": award.lot, "bids": bids, "dice": list(award.dice), "seat": award.seat}
