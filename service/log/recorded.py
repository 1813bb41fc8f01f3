"""An event as the log holds it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from msgspec import Struct

Door = Literal["api", "web", "link", "reply", "timeout", "worker", "order"]
DOORS: Final[tuple[Door, ...]] = get_args(Door)
"""The channels through which anything comes into a log; their names are stored for ever."""


class Recorded(Struct, frozen=True):
    """An event and its cause; the action as it was sent stands at the first event that it caused.

    `seat` is None for the events that set the game up. Event and action hold hidden information.
    """

    seq: int
    event: Any
    seat: int | None
    door: str
    decision: int
    action: Mapping[str, Any] | None
    at: datetime
    name: str


def milliseconds(at: datetime) -> int:
    """Return a moment in milliseconds since 1970."""
    return round(at.timestamp() * 1000)


def instant(milliseconds_since_1970: int) -> datetime:
    """Return the moment, in UTC, that an event or a record has in milliseconds since 1970."""
    return datetime.fromtimestamp(milliseconds_since_1970 / 1000, UTC)
