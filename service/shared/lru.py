"""In-memory cache that evicts the least recently used entry when full."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


class LRU(Generic[Key, Thing]):
    """LRU cache; safe between threads."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._things: OrderedDict[Key, Thing] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Thing | None:
        """Return the entry of the key, None if there is none."""
        with self._lock:
            found = self._things.get(key)
            if found is not None:
                self._things.move_to_end(key)
            return found

    def put(self, key: Key, thing: Thing) -> None:
        """Store an entry under the key; replaces the entry before."""
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            if len(self._things) > self._capacity:
                self._things.popitem(last=False)

    def forget(self, key: Key) -> None:
        with self._lock:
            self._things.pop(key, None)
