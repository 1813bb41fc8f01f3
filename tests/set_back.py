"""A database that is set back, as by a failover to a standby that was behind, or by a restore."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.store.games import Position
from tests.superuser import Tamper

_LOST = """
with facts as (delete from event where game_id = %(game)s and seq > %(version)s),
  answers as (delete from idempotency where game_id = %(game)s and last_seq > %(version)s)
update game set (version, head, awaited, faces, status) =
  (select k.version, k.head, k.awaited, k.faces, k.status from kept k where k.id = game.id) where id = %(game)s
"""
SetBack = Callable[[Position], Callable[[], None]]


@pytest.fixture
def set_back(as_superuser: Tamper) -> SetBack:
    """Keep a game as it is; the function that comes back brings the database to that again."""

    def keep(position: Position) -> Callable[[], None]:
        values = {"game": position.game.id, "version": position.version}
        as_superuser("create temporary table kept as select * from game where id = %(game)s", values)
        return lambda: as_superuser(_LOST, values) and None

    return keep
