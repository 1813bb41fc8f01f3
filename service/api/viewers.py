"""The game of a request, with the seat and the language of the asking player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection

from service.api.auth import player, runtime
from service.handlers.refusals import NotRunning
from service.http.replica_routing import opened
from service.store.games import Position
from service.views.table import spoken


@dataclass(frozen=True, slots=True)
class Look:
    """A game that was opened for the asking player; `seat` is None for a spectator."""

    db: Connection
    position: Position
    seat: int | None

    def language(self, wish: str | None = None) -> str:
        """Return the language wished for, the player's or the game's, whichever the game speaks first."""
        return spoken(self.position, wish, player().language)


@contextmanager
def look(game_id: UUID) -> Iterator[Look]:
    """Open the game for the asking player; UnknownGame also if the player may not see it."""
    with opened(runtime().games, game_id, player().id) as (db, position):
        yield Look(db, position, seat_of(position))


@contextmanager
def look_begun(game_id: UUID) -> Iterator[Look]:
    """Open a game that has begun for the asking player, as `look`; NotRunning if it has not."""
    with look(game_id) as looking:
        if looking.position.state is None:
            raise NotRunning(looking.position.game.status)
        yield looking


def seat_of(position: Position) -> int | None:
    """Return the seat of the asking player, or None."""
    return position.seat_of(player().id)
