"""Computer players among the players: a row by level and number, which all tables share, and nobody signs in to."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from sqlalchemy import Connection, text

from service.players.levels import Level
from service.texts.names import DEFAULT_LANGUAGE, stored_computer_name

_SPACE: Final = UUID("6f8c2b52-5d0e-4f0c-9a55-0b8f6c1f2a77")
_PUT = text("""
insert into player (id, name, language, computer, created_at) values (:id, :name, :language, :level, :now)
on conflict (id) do nothing
""")
_SAT = text("""
select player_id from seat where game_id = :game union select player_id from former_player where game_id = :game
""")


def who_sat(db: Connection, game: UUID) -> Collection[UUID]:
    """Return the players who sit or have sat in a game."""
    return db.execute(_SAT, {"game": game}).scalars().all()


def take(db: Connection, level: Level, seated: Collection[UUID], now: datetime) -> UUID:
    """Return the first computer player of a level who is none of the `seated`, made at first use."""
    number = next(each for each in range(1, len(seated) + 2) if _id(level, each) not in seated)
    name = stored_computer_name(level, number)
    player = _id(level, number)
    db.execute(_PUT, {"id": player, "name": name, "language": DEFAULT_LANGUAGE, "level": level, "now": now})
    return player


def _id(level: Level, number: int) -> UUID:
    return uuid5(_SPACE, f"{level} {number}")
