"""What action cards do (B-75): facts, never inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from service.rules.games.bastards_inc.actions import Delegate, Play
from service.rules.games.bastards_inc.terms import ActionCard, Business, Field, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed:
    """A card went from the hand to the discard pile, the Bunker to its owner; what it does follows (B-75).

    The card is a free one if `free`: then the action of the turn is still to come.
    """

    seat: int
    play: Play
    free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersUsed:
    """The Diplomatic Passport was discarded to enter a region (B-35)."""

    seat: int
    card: ActionCard


@dataclass(frozen=True, slots=True, kw_only=True)
class BillionsGained:
    """A seat got Billions from the bank by a card (B-75)."""

    seat: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceGained:
    """A seat got Influence from the bank by a card (B-75)."""

    seat: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BillionsTaken:
    """A seat took Billions from another one by a card (B-75)."""

    seat: int
    victim: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackMoneyTaken:
    """Black money moved from a VP of another seat to one's own beside it (B-75)."""

    seat: int
    vp: int
    victim: Delegate
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChanged:
    """A score of a seat rose or fell for good (B-75)."""

    seat: int
    score: Score
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentSentHome:
    """A VP went to the Lounge by a card of another seat, without its black money (B-13, B-75)."""

    seat: int
    vp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VicePresidentFlown:
    """A VP flew to a field with its luggage (B-75)."""

    seat: int
    vp: int
    field: Field


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessRighted:
    """A turned business is upright again (B-75)."""

    seat: int
    card: Business


@dataclass(frozen=True, slots=True, kw_only=True)
class BunkerTaken:
    """A seat has the Bunker, to the end of the game (B-74)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImmunityTaken:
    """Nobody exposes the seat this round (B-61, B-75)."""

    seat: int


CardEvent = (
    CardPlayed | PapersUsed | BillionsGained | InfluenceGained | BillionsTaken | BlackMoneyTaken | ScoreChanged
    | VicePresidentSentHome | VicePresidentFlown | BusinessRighted | BunkerTaken | ImmunityTaken
)  # fmt: skip

CARD_EVENTS: tuple[type[CardEvent], ...] = get_args(CardEvent)
