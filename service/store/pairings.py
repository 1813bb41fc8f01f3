"""Pairings: the players of each game of a competition, and what it has brought to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, insert, text

from service.leagues.table import GameResult
from service.store.tables import pairing as table

_COLUMNS = 'id, competition_id as competition, round, number, group_number as "group", players, game_id as game, points'
_READ = text(f"select {_COLUMNS} from pairing where id = :id")  # noqa: S608 - a constant
_OF_GAME = text(f"select {_COLUMNS} from pairing where game_id = :game")  # noqa: S608 - a constant
_MADE = text("update pairing set game_id = :game where id = :id")
_COUNTED = text("update pairing set points = :points where id = :id")
_OPEN = text("select exists (select from pairing where competition_id = :competition and points is null)")
_RESULTS = "select players, points from pairing where competition_id = :competition and points is not null"
_ALL_RESULTS = text(f"{_RESULTS} order by round, number")
_GROUP_RESULTS = text(f"{_RESULTS} and group_number = :group order by round")
_NOT_TOLD = text("""
select g.id from pairing p join game g on g.id = p.game_id where p.points is null and g.status = 'finished'
""")
_LAST_GAMES = text("""
select distinct on (player.id) player.id as player, p.game_id as game
  from pairing p cross join lateral unnest(p.players) as player (id)
 where p.competition_id = :competition and p.game_id is not null order by player.id, p.round desc
""")


@dataclass(frozen=True, slots=True)
class Pairing:
    """The players of a game, in the order of their seats; `points` is None until the game is over."""

    id: UUID
    competition: UUID
    round: int
    number: int
    group: int | None
    players: Sequence[UUID]
    game: UUID | None = None
    points: Sequence[int] | None = None


def add(db: Connection, new: Sequence[Pairing]) -> None:
    """Write the pairings of a round."""
    rows = [
        {
            "id": each.id,
            "competition_id": each.competition,
            "round": each.round,
            "number": each.number,
            "group_number": each.group,
            "players": list(each.players),
            "points": None if each.points is None else list(each.points),
        }
        for each in new
    ]
    if rows:
        db.execute(insert(table), rows)


def read(db: Connection, pairing: UUID) -> Pairing:
    """Return a pairing that there is."""
    row: Any = db.execute(_READ, {"id": pairing}).one()
    return Pairing(*row)


def of_game(db: Connection, game: UUID) -> Pairing:
    """Return the pairing of a game of a competition."""
    row: Any = db.execute(_OF_GAME, {"game": game}).one()
    return Pairing(*row)


def made(db: Connection, pairing: UUID, game: UUID) -> None:
    """Note the game of a pairing."""
    db.execute(_MADE, {"id": pairing, "game": game})


def counted(db: Connection, pairing: UUID, points: Sequence[int]) -> None:
    """Note what the game of a pairing has brought."""
    db.execute(_COUNTED, {"id": pairing, "points": list(points)})


def any_open(db: Connection, competition: UUID) -> bool:
    """Return whether a game of the competition is still to be made, or to end."""
    return bool(db.execute(_OPEN, {"competition": competition}).scalar_one())


def results(db: Connection, competition: UUID, group: int | None = None) -> list[GameResult[UUID]]:
    """Return the results so far, of one group or of all, in the order of the rounds."""
    found = _ALL_RESULTS if group is None else _GROUP_RESULTS
    rows = db.execute(found, {"competition": competition, "group": group})
    return [GameResult(tuple(row.players), tuple(row.points)) for row in rows]


def not_counted(db: Connection) -> list[UUID]:
    """Return the games that are over and do not count yet: soon they do, or nobody has been told that they should."""
    return list(db.execute(_NOT_TOLD).scalars())


def last_games(db: Connection, competition: UUID) -> list[Any]:
    """Return rows of `player` and `game`: the last game that was made for each player of a competition."""
    return list(db.execute(_LAST_GAMES, {"competition": competition}))
