"""The keys of the games' hash chains, remembered by each process, so that an action need not read the seed."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Connection

from service.log.chain import chain_key
from service.shared.lru import LRU
from service.store.engine import all_rows

_SEED = "select seed from seed where game_id = %(game)s"


class ChainKeys:
    """The key of each game lately touched, the least recently used forgotten first; safe between threads."""

    def __init__(self, capacity: int = 4096) -> None:
        self._keys: LRU[int, bytes] = LRU(capacity)

    def of(self, db: Connection, game: UUID) -> bytes:
        """Return the game's key, which is read with the first action that this process takes part in."""
        key = self._keys.get(game.int)
        if key is None:
            ((seed,),) = all_rows(db, _SEED, {"game": game})
            key = chain_key(bytes(seed), str(game))
            self._keys.put(game.int, key)
        return key
