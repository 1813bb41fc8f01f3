"""Limits, prices and lengths."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Length(NamedTuple):
    """How long a game is: rounds, the worth that ends it after a round, and VPs of each player at the start (B-80)."""

    rounds: int
    target: int
    vps: int


NORMAL = Length(rounds=7, target=130, vps=2)
SHORT = Length(rounds=4, target=95, vps=3)

MOST_SCORE = 6
MOST_STUFF = 6
MOST_VPS = 4
MOST_BUSINESSES = 3
"""In a portfolio."""
MOST_WARS = 3
MOST_INVITATIONS = 3
"""Of a player in a round."""

EFFORT = (0, 2, 5, 9)
"""Billions for 0, 1, 2 and 3 missing points (B-10)."""
GIFTS: tuple[Literal[1, 2, 5, 10], ...] = (1, 2, 5, 10)
SIDE_PAYMENTS: tuple[Literal[-2, 0, 2], ...] = (-2, 0, 2)

VP_PRICE = 12
PRIZE_PRICE = 10
PRIZE_FEE = 2
PRIZE_WORTH = 12
INFLUENCE_WORTH = 3

CAMPAIGN = 1
PITY_CAMPAIGN = 2
SCOOP = 2

SEAT_COMPENSATION = (0, 0, 0, 0, 0, 0)
"""Billions more at the start by place, the start player's first (B-02)."""
