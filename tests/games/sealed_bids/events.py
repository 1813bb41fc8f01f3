"""What happens in the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Sealed(NamedTuple):
    """What a seat has sealed for a lot: a card, or None if it holds."""

    seat: int
    card: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDealt:
    """A seat got its cards; only the seat may know which."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BidSealed:
    """A seat has decided about the lot; what it has decided is secret until all seats have."""

    seat: int
    card: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LotAwarded:
    """All bids are open: `seat` bid the highest card and gets what the dice show; None if nobody has bid."""

    lot: int
    bids: tuple[Sealed, ...]
    dice: tuple[int, ...]
    seat: int | None


Event = HandDealt | BidSealed | LotAwarded
