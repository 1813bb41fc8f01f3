"""The state of a game, and how each event changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from service.rules.kernel import GameStarted

from .events import BidSealed, Event, HandDealt, LotAwarded
from .meta import LOTS


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Hands and points by seat; the number of the current lot, from 1; what the seats have sealed for it."""

    options: Mapping[str, Any]
    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    lot: int = 1
    sealed: Mapping[int, int | None] = field(default_factory=dict)
    awarded: tuple[LotAwarded, ...] = ()

    @property
    def over(self) -> bool:
        """Whether all lots are gone."""
        return self.lot > LOTS


def evolve(state: State | None, event: Event | GameStarted) -> State:
    """Return the state after the event."""
    if isinstance(event, GameStarted):
        return State(options=event.options, hands=((),) * event.seats, points=(0,) * event.seats)
    assert state is not None
    if isinstance(event, HandDealt):
        return replace(state, hands=_put(state.hands, event.seat, event.cards))
    if isinstance(event, BidSealed):
        hand = tuple(card for card in state.hands[event.seat] if card != event.card)
        sealed = {**state.sealed, event.seat: event.card}
        return replace(state, hands=_put(state.hands, event.seat, hand), sealed=sealed)
    points = state.points
    if event.seat is not None:
        points = _put(points, event.seat, points[event.seat] + sum(event.dice))
    return replace(state, lot=state.lot + 1, sealed={}, points=points, awarded=(*state.awarded, event))


def _put(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])
