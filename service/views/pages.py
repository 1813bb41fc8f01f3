"""Pages of lists, newest item first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

Place = tuple[datetime, UUID]
"""Place of an item in a list: its time and its id."""
TOP: Final[Place] = (datetime.max.replace(tzinfo=UTC), UUID(int=2**128 - 1))
"""Place before the newest item."""


@dataclass(frozen=True, slots=True)
class PageWanted:
    """A page of a list, newest first: at most `limit` items, after a place."""

    limit: int
    after: Place = TOP
