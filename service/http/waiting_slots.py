"""Slots for requests that wait for events: each occupies a thread of the server, so their number is limited."""

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
"""Key of the app's extensions for its WaitingSlots."""
WAITING_SHARE = 4
"""Divisor: a quarter of the threads of a web process may wait for events."""
MAX_STREAMS = 3
"""Maximum open streams of an account in each web process; each takes a thread."""
MAX_STREAMS_PER_NETWORK = 15
"""Maximum open streams of all accounts at a network address, in each web process."""
MAX_WAITS = 20
"""Maximum waiting requests of an account, in each web process."""


Whose = Literal["own", "network"]
"""Owner of the slots that are used up: the account, or the network address."""


class Full(TooManyWaiting):
    """Refusal for want of a free slot; `whose` is None if all slots of the process are taken."""

    retry_after = 15

    def __init__(self, whose: Whose | None) -> None:
        super().__init__(whose)
        self.whose = whose


class WaitingSlots:
    """Counter of requests that wait for events."""

    def __init__(self, places: int = WEB_THREADS // WAITING_SHARE) -> None:
        self._free = places
        self._taken: Counter[tuple[str, UUID | str]] = Counter()
        self._lock = Lock()

    def stream(self, account: UUID, network: str) -> Callable[[], None]:
        """Take a slot for a stream of the account, from the network; return the function that frees the slot. Raises
        Full."""
        return self._enter({"own": (account, MAX_STREAMS), "network": (network, MAX_STREAMS_PER_NETWORK)}, "stream")

    def wait(self, account: UUID) -> Callable[[], None]:
        """Take a slot for a waiting request of the account; return the function that frees the slot. Raises Full."""
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
    found: WaitingSlots = current_app.extensions[WAITING_SLOTS]
    return found
