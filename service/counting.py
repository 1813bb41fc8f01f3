"""Counts for all processes together in Redis, or for each by itself while there is none."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage

from service.fuse import PATIENCE, Fuse
from service.redis_client import connect_redis

RECENT = 15.0
"""Seconds for which a count is good enough to be told."""
_MOST_SEEN = 10_000


class Counters:
    """Counters by name, each of which is forgotten some time after it was begun; never fails."""

    def __init__(self, redis_url: str | None) -> None:
        self._memory = MemoryStorage()
        self._redis = None if redis_url is None else _redis(redis_url)
        self._fuse = Fuse()
        self._seen: dict[str, tuple[int, float]] = {}

    def add(self, name: str, seconds: int) -> int:
        """Count one more and return how many there are; a counter begun by this is kept for the seconds."""
        return self._ask(name, lambda storage: storage.incr(name, seconds))

    def look(self, name: str) -> int:
        """Return how many there are."""
        return self._ask(name, lambda storage: storage.get(name))

    def recall(self, name: str) -> int:
        """Return how many there are, or were a moment ago if this process has asked then."""
        count, at = self._seen.get(name, (0, 0.0))
        return count if monotonic() < at + RECENT else self.look(name)

    def _ask(self, name: str, question: Callable[[Storage], int]) -> int:
        count = self._count(question)
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[name] = count, monotonic()
        return count

    def _count(self, question: Callable[[Storage], int]) -> int:
        if self._redis is not None and self._fuse.intact:
            try:
                return question(self._redis)
            except StorageError:
                self._fuse.blow()
        return question(self._memory)


def _redis(redis_url: str) -> RedisStorage:
    pool = connect_redis(redis_url, PATIENCE).connection_pool
    return RedisStorage(redis_url, connection_pool=pool, key_prefix="boardroom:limits", wrap_exceptions=True)
