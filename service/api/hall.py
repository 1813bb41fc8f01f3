"""Where requests wait for news: each keeps a thread of the server busy, so there are only so many places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock
from uuid import UUID

from flask import current_app

from service.settings import PLACES

HALL = "hall"
"""Where the app keeps its Hall."""
STREAMS = 3
"""The most streams that an account may have open, in each web process: what they take up is its threads."""
WAITS = 20
"""The most requests of an account that may wait for events, in each web process."""


class Full(Exception):
    """There is no place left, for this account (`own`) or for anybody."""

    def __init__(self, own: bool) -> None:
        super().__init__()
        self.own = own


class Hall:
    """Counts who waits."""

    def __init__(self, places: int = PLACES) -> None:
        self._free = places
        self._taken: Counter[tuple[str, UUID]] = Counter()
        self._lock = Lock()

    def enter(self, kind: str, account: UUID, most: int) -> Callable[[], None]:
        """Take a place, one of at most so many of the kind for an account; return what gives it back. Raises Full."""
        place = kind, account
        with self._lock:
            if self._taken[place] >= most:
                raise Full(own=True)
            if not self._free:
                raise Full(own=False)
            self._free -= 1
            self._taken[place] += 1
        left = Lock()

        def leave() -> None:
            # A response may be closed more than once.
            if left.acquire(blocking=False):
                with self._lock:
                    self._free += 1
                    self._taken[place] -= 1
                    self._taken += Counter()

        return leave


def hall() -> Hall:
    """Return the hall of the app."""
    found: Hall = current_app.extensions[HALL]
    return found
