"""What a seat may do about a lot."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid:
    """Put a card of the hand on the table, face down."""

    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Let the lot go and keep the cards."""


Action = Bid | Hold
