"""The positions of the games that this process has lately touched."""

from __future__ import annotations

from uuid import UUID

from service.shared.lru import LRU
from service.store.position import Position


class StateCache:
    """The newest committed position seen of each game, the least recently used forgotten first; safe between threads.

    Positions are immutable, so they are handed out as they are. Only committed ones may be put in. What the log adds up
    to at a version stays so for ever; whatever else is in the game's row or about its people may have changed since.
    """

    def __init__(self, capacity: int = 1024) -> None:
        # A UUID is compared at many times the cost of its number.
        self._positions: LRU[int, Position] = LRU(capacity)

    def get(self, game: UUID) -> Position | None:
        """Return the position, or None."""
        return self._positions.get(game.int)

    def put(self, position: Position) -> None:
        """Keep the position, unless one of a newer version is already there."""
        game = position.game.id.int
        known = self._positions.get(game)
        # Should a newer one come in between, the older one only has its game read on from there once more.
        if known is None or known.version <= position.version:
            self._positions.put(game, position)

    def forget(self, game: UUID) -> None:
        """Drop what is known of the game."""
        self._positions.forget(game.int)
