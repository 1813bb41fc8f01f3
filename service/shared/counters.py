"""Counters in Redis, shared by all processes; without Redis each process counts on alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from threading import Lock
from time import monotonic
from typing import Final

from limits.errors import StorageError
from limits.storage import RedisStorage

from service.shared.circuit_breaker import OPTIONAL_TIMEOUT_S, CircuitBreaker
from service.shared.lru import LRU
from service.shared.redis_client import connect_redis

RECENT_S: Final = 15.0
"""Maximum staleness of `recall` in seconds."""
SURE_TIMEOUT_S: Final = 0.2
"""Timeout in seconds for rare requests whose limit matters more than their latency."""
_MAX_KNOWN: Final = 20_000


@dataclass(slots=True)
class _Known:
    """Local state of a counter: its count `seen` last, `at` a moment (monotonic clock).

    Redis has not been told of `owed` counts. Valid `until` a moment, which the first local count sets.
    """

    until: float
    begun: bool = False
    seen: int = 0
    at: float = -inf
    owed: int = 0


class Counters:
    """Counters by name, each of which expires some time after its start; never fails, safe between threads.

    Without Redis each process counts on from the last count it has seen, and reports to Redis after recovery. Counts
    that Redis loses do not lower what a process has seen. A name holds its window (such as the number of the minute):
    processes start to count at different moments, so their counters expire at different moments. Each process keeps the
    last 20,000 names used.
    """

    def __init__(self, redis_url: str | None, patience: float = OPTIONAL_TIMEOUT_S) -> None:
        self._redis = None if redis_url is None else _redis(redis_url, patience)
        self._breaker = CircuitBreaker()
        self._known: LRU[str, _Known] = LRU(_MAX_KNOWN)
        self._lock = Lock()

    def add(self, name: str, seconds: int) -> int:
        """Add one and return the count; a counter that starts now is kept for `seconds`."""
        with self._lock:
            known = self._of(name)
            if not known.begun:
                known.begun, known.until = True, monotonic() + seconds
            before, untold, known.owed = known.seen, known.owed + 1, 0
        told = self._ask(lambda redis: redis.incr(name, seconds, untold))
        with self._lock:
            if told is None:
                # If Redis was only too slow, it has counted this request, which is then counted twice.
                known.owed += untold
                count = known.seen + 1
            else:
                count = max(told, before + 1)
            _note(known, count)
            return count

    def look(self, name: str) -> int:
        """Return the count."""
        with self._lock:
            known = self._of(name)
            owed = known.owed
        told = self._ask(lambda redis: redis.get(name))
        with self._lock:
            _note(known, 0 if told is None else told + owed)
            return known.seen

    def recall(self, name: str) -> int:
        """Return the count, stale by at most `RECENT_S` if this process has read it before."""
        with self._lock:
            known = self._of(name)
            if monotonic() < known.at + RECENT_S:
                return known.seen
        return self.look(name)

    def _of(self, name: str) -> _Known:
        known, now = self._known.get(name), monotonic()
        if known is None or known.until <= now:
            known = _Known(until=now + RECENT_S)
            self._known.put(name, known)
        return known

    def _ask(self, question: Callable[[RedisStorage], int]) -> int | None:
        if self._redis is not None and self._breaker.closed:
            try:
                return question(self._redis)
            except StorageError:
                self._breaker.trip()
        return None


def _note(known: _Known, count: int) -> None:
    # The later of two threads may have been answered first.
    known.seen, known.at = max(known.seen, count), monotonic()


def _redis(redis_url: str, patience: float) -> RedisStorage:
    pool = connect_redis(redis_url, patience).connection_pool
    return RedisStorage(redis_url, connection_pool=pool, key_prefix="boardroom:limits", wrap_exceptions=True)
