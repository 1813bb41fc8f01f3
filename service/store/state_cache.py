"""The folded states of the games that this process has lately touched."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from service.store.folding import NOTHING, Folded


class StateCache:
    """The newest committed state seen of each game, the least recently used forgotten first; safe between threads.

    States are immutable, so they are handed out as they are. Only committed states may be put in.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self._capacity = capacity
        self._states: OrderedDict[int, tuple[int, Folded]] = OrderedDict()
        self._lock = Lock()

    def get(self, game: UUID) -> tuple[int, Folded]:
        """Return the version and the fold, or (0, NOTHING)."""
        with self._lock:
            # A UUID is compared at many times the cost of its number.
            found = self._states.get(game.int)
            if found is None:
                return 0, NOTHING
            self._states.move_to_end(game.int)
            return found

    def put(self, game: UUID, version: int, folded: Folded) -> None:
        """Keep the fold, unless a newer one is already there."""
        with self._lock:
            known = self._states.get(game.int)
            if known is None or known[0] < version:
                self._states[game.int] = (version, folded)
            self._states.move_to_end(game.int)
            if len(self._states) > self._capacity:
                self._states.popitem(last=False)

    def forget(self, game: UUID) -> None:
        """Drop what is known of the game."""
        with self._lock:
            self._states.pop(game.int, None)
