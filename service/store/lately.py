"""What a process remembers of the games that it has lately touched."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar
from uuid import UUID

Thing = TypeVar("Thing")


class Lately(Generic[Thing]):
    """One thing for each game, the least recently used forgotten first; safe between threads."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._things: OrderedDict[int, Thing] = OrderedDict()
        self._lock = Lock()

    def get(self, game: UUID) -> Thing | None:
        """Return what is remembered of the game, None if nothing is."""
        with self._lock:
            # A UUID is compared at many times the cost of its number.
            found = self._things.get(game.int)
            if found is not None:
                self._things.move_to_end(game.int)
            return found

    def put(self, game: UUID, thing: Thing) -> None:
        """Remember something of the game in the place of what was remembered before."""
        with self._lock:
            self._things[game.int] = thing
            self._things.move_to_end(game.int)
            if len(self._things) > self._capacity:
                self._things.popitem(last=False)
