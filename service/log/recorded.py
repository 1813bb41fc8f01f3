"""Recorded event of the log, and the actions of a log that were not taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from msgspec import Struct

from service.rules.shared_events import ActionTakenBack, SeatResigned, SharedEvent

Door = Literal["api", "web", "link", "reply", "timeout", "worker", "order"]
DOORS: Final[tuple[Door, ...]] = get_args(Door)
"""Channels through which facts enter a log; their names are stored for ever."""


class Recorded(Struct, frozen=True):
    """Event with its cause; the action as sent is stored with the first event that it caused.

    `seat` is None for the events of the setup. Event and action hold hidden information.
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
    """Return the moment, in UTC, of milliseconds since 1970."""
    return datetime.fromtimestamp(milliseconds_since_1970 / 1000, UTC)


Deed = list[Recorded]
"""Consecutive events of one action, of the setup, or of a resignation."""


def standing(log: Sequence[Recorded]) -> list[Deed]:
    """Return the deeds that were not taken back, in order, from a log that begins with the first event."""
    deeds: list[Deed] = []
    for each in log:
        if isinstance(each.event, ActionTakenBack):
            while deeds[-1][0].seq >= each.event.first:
                deeds.pop()
        elif isinstance(each.event, SeatResigned):
            deeds.append([each])
        elif isinstance(each.event, SharedEvent):
            continue
        elif deeds and each.action is None and deeds[-1][-1].at == each.at:
            deeds[-1].append(each)
        else:
            deeds.append([each])
    return deeds
