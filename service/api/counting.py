"""Counts requests for all web processes together in Redis, or for each by itself while there is none."""

from __future__ import annotations

from collections.abc import Callable

from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage

from service.fuse import PATIENCE, Fuse
from service.runtime import connect_redis


class Counters:
    """Counters by name, each of which is forgotten some time after it was begun; never fails."""

    def __init__(self, redis_url: str | None) -> None:
        self._memory = MemoryStorage()
        self._redis = None if redis_url is None else _redis(redis_url)
        self._fuse = Fuse()

    def add(self, name: str, seconds: int) -> int:
        """Count one more and return how many there are; a counter begun by this is kept for the seconds."""
        return self._ask(lambda storage: storage.incr(name, seconds))

    def look(self, name: str) -> int:
        """Return how many there are."""
        return self._ask(lambda storage: storage.get(name))

    def _ask(self, question: Callable[[Storage], int]) -> int:
        if self._redis is not None and self._fuse.intact:
            try:
                return question(self._redis)
            except StorageError:
                self._fuse.blow()
        return question(self._memory)


def _redis(redis_url: str) -> RedisStorage:
    pool = connect_redis(redis_url, PATIENCE).connection_pool
    return RedisStorage(redis_url, connection_pool=pool, key_prefix="boardroom:limits", wrap_exceptions=True)
