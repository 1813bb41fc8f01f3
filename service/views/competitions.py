"""The tables and the games of competitions, as everybody who may know of these sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.texts.names import display_name

View = dict[str, Any]

_HANDLE: Final = "case when p.visibility = 'public' and p.blocked is null then p.handle end as handle"
_LINES = f"""
select e.player_id, e.state, e.tier, e.group_number, e.place, e.points, e.wins, e.moves, p.name, {_HANDLE}
  from entrant e join player p on p.id = e.player_id
 where e.competition_id = :competition and e.state <> 'invited'
"""  # noqa: S608 - a constant
_ALL_LINES = text(f"{_LINES} order by e.place, e.entered_at, e.player_id")
_GROUP_LINES = text(f"{_LINES} and e.group_number = any(:groups) order by e.group_number, e.place")
_GROUPS = text("""
select distinct group_number from entrant
 where competition_id = :competition and group_number > :after order by group_number limit :limit
""")
_GAMES = "select round, group_number, players, game_id, points from pairing where competition_id = :competition"
_ALL_GAMES = text(f"{_GAMES} order by round, number")
_GROUP_GAMES = text(f"{_GAMES} and group_number = any(:groups) order by group_number, round")
_OF_PLAYER = text(
    "select group_number from entrant where competition_id = :competition and player_id = :player"
    " and group_number is not null"
)
_MOVES: Final = {1: "up", 0: "stays", -1: "down"}


def groups_after(db: Connection, competition: UUID, after: int, limit: int) -> list[int]:
    """Return the numbers of the groups of a season that come after a number, at most `limit`."""
    values = {"competition": competition, "after": after, "limit": limit}
    return list(db.execute(_GROUPS, values).scalars())


def group_of(db: Connection, competition: UUID, player: UUID) -> int | None:
    """Return the number of a player's group in a season; None for a player who is in none."""
    found: int | None = db.execute(_OF_PLAYER, {"competition": competition, "player": player}).scalar()
    return found


def groups(db: Connection, competition: UUID, numbers: Sequence[int], language: str) -> list[View]:
    """Return groups of a season: `tier`, `group`, `table` and `games` of each."""
    tables, games = lines(db, competition, numbers), _games(db, competition, numbers)
    return [
        {
            "tier": next(line.tier for line in tables if line.group_number == number),
            "group": number,
            "table": [shown_line(line, language) for line in tables if line.group_number == number],
            "games": _shown_games(tables, (game for game in games if game.group_number == number), language),
        }
        for number in numbers
    ]


def tournament_table(db: Connection, competition: UUID, language: str) -> View:
    """Return the `table` and the `games` of a tournament."""
    tables = lines(db, competition)
    return {
        "table": [shown_line(line, language) for line in tables],
        "games": _shown_games(tables, _games(db, competition), language),
    }


def lines(db: Connection, competition: UUID, numbers: Sequence[int] | None = None) -> list[Any]:
    """Return rows of the entrants of a competition, or of some of its groups, as they stand in the table."""
    values = {"competition": competition, "groups": list(numbers or ())}
    return list(db.execute(_ALL_LINES if numbers is None else _GROUP_LINES, values))


def shown_line(line: Any, language: str) -> View:
    """Return a line of a table as JSON types, for readers of the language."""
    return {
        "place": line.place,
        "name": display_name(line.name, language),
        "handle": line.handle,
        "points": line.points,
        "wins": line.wins,
        "moves": None if line.moves is None else _MOVES[line.moves],
        "state": line.state,
    }


def _games(db: Connection, competition: UUID, numbers: Sequence[int] | None = None) -> list[Any]:
    values = {"competition": competition, "groups": list(numbers or ())}
    return list(db.execute(_ALL_GAMES if numbers is None else _GROUP_GAMES, values))


def _shown_games(tables: Iterable[Any], games: Iterable[Any], language: str) -> list[View]:
    known: Mapping[UUID, Any] = {line.player_id: line for line in tables}
    return [
        {
            "round": game.round,
            "game": game.game_id and str(game.game_id),
            "players": [
                {
                    "name": display_name(known[player].name, language),
                    "handle": known[player].handle,
                    "points": None if game.points is None else game.points[seat],
                }
                for seat, player in enumerate(game.players)
            ],
        }
        for game in games
    ]
