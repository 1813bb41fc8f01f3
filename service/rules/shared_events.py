"""The events that can happen in every game. They are in its log, but no ruleset ever gets to see one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class GameForked:
    """The game begins with events 1 to `seq` of a finished game, where the chain of that one has the `head`."""

    game: str
    seq: int
    head: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResigned:
    """A player has given the game up; `ends` tells whether the game ends with it."""

    seat: int
    ends: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SomethingSaid:
    """A player has said something to the table; the words themselves are not in the log."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTakenBack:
    """A player has taken an action back: its events, numbers `first` to `last` of the log, no longer count."""

    seat: int
    first: int
    last: int


SHARED_EVENTS: tuple[type[Any], ...] = (SeatResigned, SomethingSaid, ActionTakenBack, GameForked)
"""The classes of these events; their stored names are their class names in kebab case, as with all events."""
