"""What happens in the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Sealed(NamedTuple):
    """A seat's bid for a lot; no card if it holds."""

    seat: int
    card: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDealt:
    """A seat got its cards (secret but for the seat)."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BidSealed:
    """A seat has decided on the lot; on what is secret until all have."""

    seat: int
    card: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LotAwarded:
    """All bids are open; the highest card gets what the dice show, nobody does if nobody bid."""

    lot: int
    bids: tuple[Sealed, ...]
    dice: tuple[int, ...]
    seat: int | None


Event = HandDealt | BidSealed | LotAwarded
