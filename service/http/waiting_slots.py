"""Slots for requests that wait for events: each keeps a thread of the server busy, so their number is limited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Literal
from uuid import UUID

from flask import current_app

from service.settings import WEB_THREADS
from service.shared import metrics
from service.shared.refusal import TooManyWaiting

WAITING_SLOTS = "waiting-slots"
"""The key of the app's extensions for its WaitingSlots."""
WAITING_SHARE = 4
"""A quarter of the threads of a web process may wait for events."""
MAX_STREAMS = 3
"""The most open streams of an account in each web process; each takes a thread."""
MAX_STREAMS_PER_NETWORK = 15
"""The most streams that all accounts at one network address may have open, in each web process."""
MAX_WAITS = 20
"""The most requests of an account that may wait for events, in each web process."""


Whose = Literal["own", "network"]
"""Whose slots are all taken: those of an account, or those of a network address."""


class Full(TooManyWaiting):
    """No slot is free; `whose` is None if all slots of the process are taken."""

    retry_after = 15

    def __init__(self, whose: Whose | None) -> None:
        super().__init__(whose)
        self.whose = whose


class WaitingSlots:
    """Counts the requests that wait for events."""

    def __init__(self, places: int = WEB_THREADS // WAITING_SHARE) -> None:
        self._free = places
        self._taken: Counter[tuple[str, UUID | str]] = Counter()
        self._lock = Lock()

    def stream(self, account: UUID, network: str) -> Callable[[], None]:
        """Take a slot for a stream of the account, from the network; return the function that frees it. Raises Full."""
        return self._enter({"own": (account, MAX_STREAMS), "network": (network, MAX_STREAMS_PER_NETWORK)}, "stream")

    def wait(self, account: UUID) -> Callable[[], None]:
        """Take a slot for a waiting request of the account; return the function that frees it. Raises Full."""
        return self._enter({"own": (account, MAX_WAITS)}, "wait")

    def _enter(
        self, most: Mapping[Whose, tuple[UUID | str, int]], kind: Literal["stream", "wait"]
    ) -> Callable[[], None]:
        places = [(kind, subject) for subject, _ in most.values()]
        with self._lock:
            for whose, (subject, limit) in most.items():
                if self._taken[kind, subject] >= limit:
                    raise Full(whose)
            if not self._free:
                raise Full(None)
            self._free -= 1
            self._taken.update(places)
        metrics.count_waiting(kind, 1)
        left = Lock()

        def leave() -> None:
            # A response may be closed more than once.
            if left.acquire(blocking=False):
                with self._lock:
                    self._free += 1
                    self._taken.subtract(places)
                    self._taken += Counter()
                metrics.count_waiting(kind, -1)

        return leave


def waiting_slots() -> WaitingSlots:
    """Return the waiting slots of the app."""
    found: WaitingSlots = current_app.extensions[WAITING_SLOTS]
    return found
