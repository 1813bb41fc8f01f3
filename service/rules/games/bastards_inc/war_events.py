"""What happens in the phases event and war (B-40 to B-47): facts, never inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, get_args

from service.rules.games.bastards_inc.terms import EventCard, Region, Row, Score, Vp


class Boom(NamedTuple):
    """Sales in the region bring so many Billions more while the event is in force."""

    region: Region
    billions: int


class Threshold(NamedTuple):
    """The value of the region for this score is so much higher while the event is in force."""

    region: Region
    score: Score
    higher: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsReshuffled:
    """The revealed events, with the one in force, were shuffled anew; the order is secret for everybody (B-40)."""

    events: tuple[EventCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRevealed:
    """The top event is in force until the next one; its lasting effects, the others follow as events (B-40)."""

    event: EventCard
    famine: bool = False
    disaster: bool = False
    amnesty: bool = False
    booms: tuple[Boom, ...] = ()
    thresholds: tuple[Threshold, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyTaxed:
    """A seat with most Billions lost some to the bank (B-41)."""

    seat: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsidyPaid:
    """A seat got Billions from the bank by the event (B-41)."""

    seat: int
    billions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardGiven:
    """A seat with the highest score got Influence by the event (B-41)."""

    seat: int
    influence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WarBrokeOut:
    """The region is at war (B-41, B-75)."""

    region: Region


@dataclass(frozen=True, slots=True, kw_only=True)
class WarEnded:
    """The region is at peace (B-41, B-44, B-46, B-75)."""

    region: Region


@dataclass(frozen=True, slots=True, kw_only=True)
class StuffChanged:
    """A region has so much more Stuff now, or less: what has really changed, never 0 (B-41, B-43, B-75)."""

    region: Region
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WarsOrdered:
    """The start player has named the order of the wars, or there was but one (B-42)."""

    seat: int
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WarFought:
    """A war was fought: the die, its sum with the Stuff, the row of the war table, who was flown out (B-43, B-46)."""

    region: Region
    die: int
    total: int
    row: Row
    home: tuple[Vp, ...] = ()


WarEvent = (
    EventRevealed | EventsReshuffled | MoneyTaxed | SubsidyPaid | AwardGiven
    | WarBrokeOut | WarEnded | StuffChanged | WarsOrdered | WarFought
)  # fmt: skip

WAR_EVENTS: tuple[type[WarEvent], ...] = get_args(WarEvent)
