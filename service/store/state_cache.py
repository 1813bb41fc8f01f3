"""The positions of the games that this process has lately touched."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from service.store.games import Position


class StateCache:
    """The newest committed position seen of each game, the least recently used forgotten first; safe between threads.

    Positions are immutable, so they are handed out as they are. Only committed ones may be put in. What the log adds up
    to at a version stays so for ever; whatever else is in the game's row or about its people may have changed since.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self._capacity = capacity
        self._positions: OrderedDict[int, Position] = OrderedDict()
        self._lock = Lock()

    def get(self, game: UUID) -> Position | None:
        """Return the position, or None."""
        with self._lock:
            # A UUID is compared at many times the cost of its number.
            found = self._positions.get(game.int)
            if found is not None:
                self._positions.move_to_end(game.int)
            return found

    def put(self, position: Position) -> None:
        """Keep the position, unless one of a newer version is already there."""
        game = position.game.id.int
        with self._lock:
            known = self._positions.get(game)
            if known is None or known.version <= position.version:
                self._positions[game] = position
            self._positions.move_to_end(game)
            if len(self._positions) > self._capacity:
                self._positions.popitem(last=False)

    def forget(self, game: UUID) -> None:
        """Drop what is known of the game."""
        with self._lock:
            self._positions.pop(game.int, None)
