"""Leagues, seasons and tournaments with their tables and games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.store import competition
from service.store.competition import Competition, League
from service.texts.names import display_name
from service.views.pace import shown_pace
from service.views.pages import PageWanted

# Tables and games of competitions.

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
    """Return at most `limit` group numbers of a season after a number."""
    values = {"competition": competition, "after": after, "limit": limit}
    return list(db.execute(_GROUPS, values).scalars())


def group_of(db: Connection, competition: UUID, player: UUID) -> int | None:
    """Return the number of a player's group in a season, None without one."""
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
    """Return rows of a competition's entrants, or of some of its groups, in the order of the table."""
    values = {"competition": competition, "groups": list(numbers or ())}
    return list(db.execute(_ALL_LINES if numbers is None else _GROUP_LINES, values))


def shown_line(line: Any, language: str) -> View:
    """Return a line of a table as JSON types, in the language."""
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


# Leagues, seasons, tournaments.

_NEWEST: Final = f"""
  left join lateral (select {competition.COMPETITION_COLUMNS} from competition c where c.league_id = l.id
                      order by c.number desc limit 1) newest on true
"""  # noqa: S608 - a constant
_LEAGUES = text(f"""
select {competition.LEAGUE_COLUMNS}, newest.*,
       (select e.state from entrant e where e.competition_id = newest.id and e.player_id = :player) as mine
  from league l {_NEWEST}
 where (l.created_at, l.id) < (:moment, :place) order by l.created_at desc, l.id desc limit :limit
""")  # noqa: S608 - constants
_SEASONS = text(f"""
select {competition.COMPETITION_COLUMNS} from competition c
 where c.league_id = :league and c.number < :before order by c.number desc limit :limit
""")  # noqa: S608 - constants
_SEEN: Final = f"""
select {competition.COMPETITION_COLUMNS}, h.name as host_name,
       case when h.visibility = 'public' and h.blocked is null then h.handle end as host_handle,
       (select e.state from entrant e where e.competition_id = c.id and e.player_id = :player) as mine,
       (select count(*) from entrant e where e.competition_id = c.id and e.state <> 'invited') as entrants
  from competition c join player h on h.id = c.host
"""  # noqa: S608 - constants
_ONE = text(f"{_SEEN} where c.id = :id")
_KEYSET: Final = "and (c.created_at, c.id) < (:moment, :place) order by c.created_at desc, c.id desc limit :limit"
_PUBLIC = text(f"{_SEEN} where c.league_id is null and c.public {_KEYSET}")
_MINE = text(f"""
{_SEEN} where c.id in (select id from competition where host = :player
                       union all select competition_id from entrant where player_id = :player)
   and c.league_id is null {_KEYSET}
""")  # noqa: S608 - constants
_OF_PLAYER_LEAGUES = text("""
select l.slug, c.number, case when l.id is null then c.id end as tournament, c.title,
       coalesce(c.host = :player, false) as hosts, e.state, e.entered_at, e.place, e.points
  from (select id from competition where host = :player
        union select competition_id from entrant where player_id = :player) mine
  join competition c on c.id = mine.id left join league l on l.id = c.league_id
  left join entrant e on e.competition_id = c.id and e.player_id = :player
 order by c.created_at, c.id
""")


@dataclass(frozen=True, slots=True)
class ListedLeague:
    """A league, its newest season, and the state of the viewer's entry, None without one."""

    league: League
    season: Competition
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class SeenTournament:
    """A tournament, its host, the state of the viewer's entry (`mine`), and the number of entrants."""

    tournament: Competition
    host: str
    host_handle: str | None
    mine: str | None
    entrants: int


def leagues_listed(db: Connection, player: UUID, wanted: PageWanted) -> list[ListedLeague]:
    """Return leagues with the player's entries, newest first."""
    values = {"player": player, "limit": wanted.limit, "moment": wanted.after[0], "place": wanted.after[1]}
    size = len(League.__slots__)
    return [
        ListedLeague(competition.league_of_row(row), competition.competition_of_row(row[size:]), row.mine)
        for row in db.execute(_LEAGUES, values)
    ]


def seasons_before(db: Connection, league: UUID, number: int, limit: int) -> list[Competition]:
    """Return seasons of a league with lower numbers, newest first."""
    rows = db.execute(_SEASONS, {"league": league, "before": number, "limit": limit})
    return [competition.competition_of_row(row) for row in rows]


def tournaments_listed(db: Connection, player: UUID, wanted: PageWanted, mine: bool) -> list[SeenTournament]:
    """Return public tournaments, or those that the player hosts, has entered or is invited to; newest first."""
    values = {"player": player, "limit": wanted.limit, "moment": wanted.after[0], "place": wanted.after[1]}
    return [_seen(row) for row in db.execute(_MINE if mine else _PUBLIC, values)]


def tournament(db: Connection, found: UUID, player: UUID) -> SeenTournament:
    """Return an existing tournament."""
    return _seen(db.execute(_ONE, {"id": found, "player": player}).one())


def competitions_of(db: Connection, player: UUID) -> list[View]:
    """Return the seasons and tournaments that a player hosts, has entered or is invited to, as JSON types."""
    return [
        {
            "league": row.slug,
            "number": row.number,
            "tournament": row.tournament and str(row.tournament),
            "title": row.title,
            "hosts": row.hosts,
            "entry": row.state,
            "entered_at": _at(row.entered_at),
            "place": row.place,
            "points": row.points,
        }
        for row in db.execute(_OF_PLAYER_LEAGUES, {"player": player})
    ]


def shown_league(found: ListedLeague, language: str) -> View:
    """Return a league as JSON types, in the language."""
    league = found.league
    return {
        "name": league.slug,
        "title": league.title,
        "ruleset": league.ruleset,
        "options": league.options,
        "pace": shown_pace(league.pace, language),
        "rounds": league.rounds,
        "entry_days": league.entry_days,
        "opened_at": league.created_at.isoformat(),
        "closed_at": _at(league.closed_at),
        "season": shown_season(found.season) | {"entry": found.entry},
    }


def shown_season(found: Competition) -> View:
    return {
        "number": found.number,
        "state": found.state,
        "round": found.round,
        "rounds": found.rounds,
        "entry_until": _at(found.entry_until),
        "started_at": _at(found.started_at),
        "over_at": _at(found.over_at),
    }


def shown_tournament(seen: SeenTournament, language: str) -> View:
    """Return a tournament as JSON types, in the language."""
    found = seen.tournament
    return {
        "id": str(found.id),
        "title": found.title,
        "host": {"name": display_name(seen.host, language), "handle": seen.host_handle},
        "ruleset": found.ruleset,
        "seats": found.seats,
        "options": found.options,
        "pace": shown_pace(found.pace, language),
        "system": found.system,
        "access": "public" if found.public else "invitation",
        "next_round": "by-itself" if found.by_itself else "host",
        "state": found.state,
        "round": found.round,
        "rounds": found.rounds,
        "entrants": seen.entrants,
        "entry": seen.mine,
        "created_at": found.created_at.isoformat(),
        "started_at": _at(found.started_at),
        "over_at": _at(found.over_at),
    }


def _seen(row: Any) -> SeenTournament:
    return SeenTournament(competition.competition_of_row(row), row.host_name, row.host_handle, row.mine, row.entrants)


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
