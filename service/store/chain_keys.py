"""The keys of the games' hash chains, remembered by each process, so that an action need not read the seed."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from sqlalchemy import Connection

from service.store.chain import chain_key

_SEED = "select seed from seed where game_id = %s"


class ChainKeys:
    """The key of each game lately touched, the least recently used forgotten first; safe between threads."""

    def __init__(self, capacity: int = 4096) -> None:
        self._capacity = capacity
        self._keys: OrderedDict[UUID, bytes] = OrderedDict()
        self._lock = Lock()

    def of(self, db: Connection, game: UUID) -> bytes:
        """Return the game's key, which is read with the first action that this process takes part in."""
        with self._lock:
            key = self._keys.get(game)
            if key is not None:
                self._keys.move_to_end(game)
                return key
        seed: bytes = db.exec_driver_sql(_SEED, (game,)).scalar_one()
        key = chain_key(bytes(seed), str(game))
        with self._lock:
            self._keys[game] = key
            if len(self._keys) > self._capacity:
                self._keys.popitem(last=False)
        return key
