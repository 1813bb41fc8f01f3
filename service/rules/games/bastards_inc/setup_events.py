"""What happens before the first round (B-01 to B-04), and how numbers of a seat are written in events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from service.rules.games.bastards_inc.terms import Card, EventCard, Plan, Scores


class Dealt(NamedTuple):
    """What a seat begins with."""

    plan: Plan
    scores: Scores
    billions: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlansDealt:
    """Every seat got a business plan, in seat order, and so many VPs in the Lounge; the host's length is fixed (B-02).

    `rounds` and `target` are the length of the game: so many rounds, or a worth that ends it (B-80).
    """

    companies: tuple[Dealt, ...]
    vps: int
    rounds: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StuffLaid:
    """The regions got their Stuff, in the order of the board (B-04)."""

    stuff: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PilesShuffled:
    """Both piles are in a random order, the top card first; secret for everybody (B-03)."""

    cards: tuple[Card, ...]
    events: tuple[EventCard, ...]
