"""Choose replica or primary for a read: the games of others may come from the replica.

A player reads their own writes: games that they sit in, are invited to or host are read from the primary. So is any
game with a newer version at the primary. A failing replica costs a single attempt in some seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import structlog
from flask import request
from sqlalchemy import Connection, Engine

from service.handlers.refusals import Unavailable
from service.handlers.transaction import statements, transaction
from service.store.game_row import UnknownGame, read_game_row
from service.store.games import Games, Position, require_known
from service.store.replica import Replica, end_for_spectator, is_near, written
from service.views.games import GameFilter, games_known, public_games

_SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
log = structlog.get_logger()
Opened = tuple[Connection, Position]
Entry = Callable[[Engine], AbstractContextManager[Connection]]


@contextmanager
def opened(games: Games, game_id: UUID, viewer: UUID, entry: Entry = transaction) -> Iterator[Opened]:
    """Open a game for a viewer who may see it, with the connection to read it by; UnknownGame, Unavailable.

    `entry` opens a connection to the primary. Writing requests always use the primary.
    """
    with ExitStack() as held:
        found = _opened_at_replica(held, games, game_id, viewer) if request.method in _SAFE_METHODS else None
        if found is None:
            db = held.enter_context(entry(games.engine))
            found = db, games.open(db, game_id)
            require_known(*found, viewer)
        yield found


def games_listed(games: Games, player: UUID, wanted: GameFilter, limit: int, now: datetime) -> list[Any]:
    """Return the rows of `games_known`; the public rows come from an up-to-date replica if there is one."""
    with statements(games.engine) as db:
        return games_known(db, player, wanted, limit, now, _public_at_replica(db, games, player, wanted, limit, now))


def _opened_at_replica(held: ExitStack, games: Games, game_id: UUID, viewer: UUID) -> Opened | None:
    replica = games.replica
    if replica is None or not replica.breaker.closed:
        return None
    with statements(games.engine) as db:
        end = end_for_spectator(db, game_id, viewer)
    if end is None:
        return None
    try:
        with ExitStack() as reading:
            db = reading.enter_context(statements(replica.engine))
            there = read_game_row(db, game_id)
            if (there.game.version, there.game.head) != end:
                return None
            found = db, games.open(db, game_id, there)
            require_known(*found, viewer)
            replica.breaker.reset()
            held.push(reading.pop_all())
            return found
    except UnknownGame:
        # The replica lags and lacks the game.
        return None
    except Unavailable:
        _leave_alone(replica)
        return None


def _public_at_replica(
    primary: Connection, games: Games, player: UUID, wanted: GameFilter, limit: int, now: datetime
) -> list[Any] | None:
    replica = games.replica
    if replica is None or not replica.breaker.closed:
        return None
    position = written(primary)
    try:
        with statements(replica.engine) as db:
            found = public_games(db, player, wanted, limit, now) if is_near(db, position) else None
    except Unavailable:
        _leave_alone(replica)
        return None
    replica.breaker.reset()
    return found


def _leave_alone(replica: Replica) -> None:
    seconds = replica.breaker.trip()
    log.warning("the replica does not answer, and the primary does its work", seconds=round(seconds, 1))
