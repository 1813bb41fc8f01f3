"""Leagues, their seasons, tournaments, and the pairings of their games."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, insert, text, update

from service.competition.leagues import GameResult
from service.rules.pace import Pace
from service.store import tables

# Leagues, with the terms of their seasons.

LEAGUE_FORM: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""Form of a slug."""
LEAGUE_COLUMNS: Final = (
    "l.id, l.slug, l.title, l.ruleset, l.options, l.pace, l.rounds, l.entry_days, l.created_at, l.closed_at"
)
_BY_SLUG = text(f"select {LEAGUE_COLUMNS} from league l where l.slug = :slug")  # noqa: S608 - a constant
_READ = text(f"select {LEAGUE_COLUMNS} from league l where l.id = :id")  # noqa: S608 - a constant
_LOCK = text(f"select {LEAGUE_COLUMNS} from league l where l.id = :id for no key update")  # noqa: S608 - a constant
_CLOSE = text("update league set closed_at = :now where id = :id and closed_at is null")


@dataclass(frozen=True, slots=True)
class League:
    """League; `slug` ends its address; `rounds` and `entry_days` are those of each season."""

    id: UUID
    slug: str
    title: str
    ruleset: str
    options: Mapping[str, Any]
    pace: Pace
    rounds: int
    entry_days: int
    created_at: datetime
    closed_at: datetime | None = None


def add_league(db: Connection, new: League) -> None:
    """Insert a league; IntegrityError if its slug is taken."""
    values = {name: getattr(new, name) for name in League.__slots__}
    db.execute(insert(tables.league).values(**values | {"options": dict(new.options), "pace": asdict(new.pace)}))


def league_by_slug(db: Connection, slug: str) -> League | None:
    """Return the league with a slug; None if unknown."""
    if not LEAGUE_FORM.fullmatch(slug):
        return None
    return _league_or_none(db.execute(_BY_SLUG, {"slug": slug}).one_or_none())


def read_league(db: Connection, league: UUID) -> League:
    return league_of_row(db.execute(_READ, {"id": league}).one())


def lock_league(db: Connection, league: UUID) -> League:
    """Lock a league row, so that nobody else closes the league or opens a season."""
    return league_of_row(db.execute(_LOCK, {"id": league}).one())


def close_league(db: Connection, league: UUID, now: datetime) -> bool:
    """Close a league; False if it is closed already."""
    return db.execute(_CLOSE, {"id": league, "now": now}).rowcount > 0


def league_of_row(row: Any) -> League:
    """Return the league of a row that begins with LEAGUE_COLUMNS."""
    values = dict(zip(League.__slots__, row, strict=False))
    return League(**values | {"pace": Pace(**values["pace"])})


def _league_or_none(row: Any) -> League | None:
    return None if row is None else league_of_row(row)


# Competitions (seasons and tournaments) and their entrants.

System = Literal["groups", "round-robin", "swiss"]
CompetitionState = Literal["entry", "running", "over", "cancelled"]

LAST: Final = 2**31 - 1
"""Highest number of a season."""
COMPETITION_COLUMNS: Final = """
c.id, c.league_id as league, c.number, c.host, c.title, c.public, c.ruleset, c.seats, c.options, c.pace, c.system,
c.rounds, c.by_itself, c.state, c.round, c.entry_until, c.created_at, c.started_at, c.over_at
"""
_READ_COMPETITIONS = f"select {COMPETITION_COLUMNS} from competition c where c.id = :id"  # noqa: S608 - a constant
_SEASON = f"select {COMPETITION_COLUMNS} from competition c where c.league_id = :league"  # noqa: S608 - a constant
_LATEST = text(f"{_SEASON} order by c.number desc limit 1")
_NUMBERED = text(f"{_SEASON} and c.number = :number")
_HOSTED = text("select count(*) from competition where host = :host and state in ('entry', 'running')")
_ENTER = text("""
insert into entrant (competition_id, player_id, state, entered_at) values (:competition, :player, 'entered', :now)
on conflict (competition_id, player_id) do update set state = 'entered', entered_at = excluded.entered_at
  where entrant.state = 'invited'
""")
_INVITE = text("""
insert into entrant (competition_id, player_id, state, entered_at) values (:competition, :player, 'invited', :now)
on conflict (competition_id, player_id) do nothing
""")
_STATE = text("select state from entrant where competition_id = :competition and player_id = :player")
_COUNT = text("select count(*) from entrant where competition_id = :competition")
_LEAVE = text("delete from entrant where competition_id = :competition and player_id = :player")
_WITHDRAW = text(
    "update entrant set state = 'withdrawn'"
    " where competition_id = :competition and player_id = :player and state = 'entered'"
)
_ENTERED = text("""
select e.player_id from entrant e join player p on p.id = e.player_id
 where e.competition_id = :competition and e.state = 'entered' and p.deleted_at is null and p.blocked is null
 order by e.rank nulls last, e.entered_at, e.player_id
""")
_PLACE = text(
    "update entrant set rank = :rank, tier = :tier, group_number = :group, place = :rank"
    " where competition_id = :competition and player_id = :player"
)
_LEAVE_OUT = text(
    "update entrant set state = 'left-out' where competition_id = :competition and state = 'entered' and rank is null"
)
_RANKED = "select player_id, tier, group_number from entrant where competition_id = :competition and rank is not null"
_ALL_RANKED, _GROUP_RANKED = (
    text(f"{_RANKED} order by rank"),
    text(f"{_RANKED} and group_number = :group order by rank"),
)
_SCORE = text(
    "update entrant set place = :place, points = :points, wins = :wins"
    " where competition_id = :competition and player_id = :player"
)
_MOVE = text(
    "update entrant set ladder = :ladder, moves = :moves where competition_id = :competition and player_id = :player"
)
_LADDER = text("""
select e.player_id from entrant e join competition c on c.id = e.competition_id
 where c.league_id = :league and c.number = :number and e.ladder is not null order by e.ladder
""")

WITHOUT_HOST: Final = (
    text("update competition set state = 'cancelled', over_at = :now where host = :player and state = 'entry'"),
    text("update competition set by_itself = true where host = :player and state = 'running'"),
    # The next round may be waiting for the host alone.
    text("""
insert into outbox (dedupe_key, kind, payload)
select 'next-round:' || id || ':' || round + 1, 'next-round', jsonb_build_object('competition', id, 'round', round + 1)
  from competition where host = :player and state = 'running' on conflict (dedupe_key) do nothing
"""),
)
"""Statements for the tournaments of a host who is gone or is blocked by operators (L-28)."""
FORGET: Final = (
    # Wait for a competition that begins at this moment; the statements that follow see it begun.
    text("""
select from competition where state = 'entry' and id in (select competition_id from entrant where player_id = :player)
 order by id for no key update
"""),
    text(
        "delete from entrant using competition c where c.id = entrant.competition_id and entrant.player_id = :player"
        " and (entrant.state = 'invited' or c.state in ('entry', 'cancelled'))"
    ),
    text(
        "update entrant set state = 'withdrawn' from competition c where c.id = entrant.competition_id"
        " and entrant.player_id = :player and entrant.state = 'entered' and c.state = 'running'"
    ),
    *WITHOUT_HOST,
)
"""Statements for the competitions of a player who closes the account (L-12, L-22, L-28)."""


@dataclass(frozen=True, slots=True)
class Competition:
    """Season, with a `league` and a `number`, or tournament, with a `host`.

    `seats` are the most at a table; `round` is the last that has begun. Entry is open until `entry_until`, for a
    tournament until its host begins. `rounds` is None if it follows from the number of entrants.
    """

    id: UUID
    league: UUID | None
    number: int | None
    host: UUID | None
    title: str
    public: bool
    ruleset: str
    seats: int
    options: Mapping[str, Any]
    pace: Pace
    system: System
    rounds: int | None
    by_itself: bool
    state: CompetitionState
    round: int
    entry_until: datetime | None
    created_at: datetime
    started_at: datetime | None = None
    over_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """Place of an entrant at the start: `rank` among all, and in a season the tier and the group; all from 1."""

    player: UUID
    rank: int
    tier: int | None = None
    group: int | None = None


def add_competition(db: Connection, new: Competition) -> None:
    values = {name: getattr(new, name) for name in Competition.__slots__ if name != "league"}
    values |= {"options": dict(new.options), "pace": asdict(new.pace), "league_id": new.league}
    db.execute(insert(tables.competition).values(**values))


def read_competition(db: Connection, competition: UUID) -> Competition | None:
    """Return a competition; None if unknown."""
    return _competition_or_none(db.execute(text(_READ_COMPETITIONS), {"id": competition}).one_or_none())


def lock_competition(db: Connection, competition: UUID) -> Competition | None:
    """Lock a competition row; None if unknown."""
    return _competition_or_none(
        db.execute(text(f"{_READ_COMPETITIONS} for no key update"), {"id": competition}).one_or_none()
    )


def read_season(db: Connection, league: UUID, number: int | None = None) -> Competition | None:
    """Return a season of a league, by default the newest; None if unknown."""
    if number is not None and number > LAST:
        return None
    found = db.execute(_LATEST if number is None else _NUMBERED, {"league": league, "number": number})
    return _competition_or_none(found.one_or_none())


def change_competition(db: Connection, found: Competition, **values: Any) -> Competition:
    """Update a locked competition, and return it with the new values."""
    db.execute(update(tables.competition).where(tables.competition.c.id == found.id).values(**values))
    return replace(found, **values)


def count_hosted(db: Connection, host: UUID) -> int:
    """Return the number of a host's tournaments that are not over."""
    return int(db.execute(_HOSTED, {"host": host}).scalar_one())


def enter_competition(db: Connection, competition: UUID, player: UUID, now: datetime) -> None:
    """Enter a player; idempotent."""
    db.execute(_ENTER, {"competition": competition, "player": player, "now": now})


def invite_to_competition(db: Connection, competition: UUID, player: UUID, now: datetime) -> bool:
    """Invite a player to see and enter a competition; False if the player is invited or entered already."""
    return db.execute(_INVITE, {"competition": competition, "player": player, "now": now}).rowcount == 1


def entry_state(db: Connection, competition: UUID, player: UUID) -> str | None:
    """Return the state of a player in a competition; None if neither invited nor entered."""
    found: str | None = db.execute(_STATE, {"competition": competition, "player": player}).scalar()
    return found


def entrants(db: Connection, competition: UUID) -> int:
    """Return the number of players entered in or invited to a competition."""
    return int(db.execute(_COUNT, {"competition": competition}).scalar_one())


def leave_competition(db: Connection, competition: UUID, player: UUID) -> None:
    """Remove a player from a competition that has not begun; idempotent."""
    db.execute(_LEAVE, {"competition": competition, "player": player})


def withdraw_from_competition(db: Connection, competition: UUID, player: UUID) -> None:
    """Withdraw a player from the later rounds; idempotent."""
    db.execute(_WITHDRAW, {"competition": competition, "player": player})


def playing(db: Connection, competition: UUID) -> list[UUID]:
    """Return the players of the next round, by rank at the start, before the start by entry."""
    return list(db.execute(_ENTERED, {"competition": competition}).scalars())


def place(db: Connection, competition: UUID, placed: Sequence[Placed]) -> None:
    """Write the places at the start; entrants without a place are left out."""
    rows = [
        {"competition": competition, "player": each.player, "rank": each.rank, "tier": each.tier, "group": each.group}
        for each in placed
    ]
    db.execute(_PLACE, rows)
    db.execute(_LEAVE_OUT, {"competition": competition})


def ranked(db: Connection, competition: UUID, group: int | None = None) -> list[Any]:
    """Return rows of ranked entrants, of all groups or one: `player_id`, `tier`, `group_number`, by rank."""
    ranked = _ALL_RANKED if group is None else _GROUP_RANKED
    return list(db.execute(ranked, {"competition": competition, "group": group}))


def score(db: Connection, competition: UUID, lines: Iterable[tuple[UUID, int, int, int]]) -> None:
    """Write the lines of a table: player, place from 1, points, and games won."""
    rows = [
        {"competition": competition, "player": player, "place": at, "points": points, "wins": wins}
        for player, at, points, wins in lines
    ]
    if rows:
        db.execute(_SCORE, rows)


def move(
    db: Connection, competition: UUID, ladder: Sequence[UUID], up: Collection[UUID], down: Collection[UUID]
) -> None:
    """Write the ladder after a season, with promotions and relegations."""
    rows = [
        {"competition": competition, "player": player, "ladder": at, "moves": (player in up) - (player in down)}
        for at, player in enumerate(ladder, 1)
    ]
    if rows:
        db.execute(_MOVE, rows)


def ladder(db: Connection, league: UUID, number: int) -> list[UUID]:
    """Return the ladder after a season of a league."""
    return list(db.execute(_LADDER, {"league": league, "number": number}).scalars())


def competition_of_row(row: Any) -> Competition:
    """Return the competition of a row that begins with COMPETITION_COLUMNS."""
    values = dict(zip(Competition.__slots__, row, strict=False))
    return Competition(**values | {"pace": Pace(**values["pace"])})


def _competition_or_none(row: Any) -> Competition | None:
    return None if row is None else competition_of_row(row)


# Pairings: the players of each game of a competition, and their points.

_COLUMNS = 'id, competition_id as competition, round, number, group_number as "group", players, game_id as game, points'
_READ_PAIRINGS = text(f"select {_COLUMNS} from pairing where id = :id")  # noqa: S608 - a constant
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
    """Players of a game, in the order of their seats; `points` is None until the game is over."""

    id: UUID
    competition: UUID
    round: int
    number: int
    group: int | None
    players: Sequence[UUID]
    game: UUID | None = None
    points: Sequence[int] | None = None


def add_pairing(db: Connection, new: Sequence[Pairing]) -> None:
    """Insert the pairings of a round."""
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
        db.execute(insert(tables.pairing), rows)


def read_pairings(db: Connection, pairing: UUID) -> Pairing:
    row: Any = db.execute(_READ_PAIRINGS, {"id": pairing}).one()
    return Pairing(*row)


def pairing_of_game(db: Connection, game: UUID) -> Pairing:
    """Return the pairing of a game of a competition."""
    row: Any = db.execute(_OF_GAME, {"game": game}).one()
    return Pairing(*row)


def note_pairing_game(db: Connection, pairing: UUID, game: UUID) -> None:
    db.execute(_MADE, {"id": pairing, "game": game})


def note_pairing_points(db: Connection, pairing: UUID, points: Sequence[int]) -> None:
    """Store the points of a pairing's players."""
    db.execute(_COUNTED, {"id": pairing, "points": list(points)})


def has_open_pairings(db: Connection, competition: UUID) -> bool:
    """Return whether a game of the competition is still to be made, or to end."""
    return bool(db.execute(_OPEN, {"competition": competition}).scalar_one())


def pairing_results(db: Connection, competition: UUID, group: int | None = None) -> list[GameResult[UUID]]:
    """Return the results so far, of one group or of all, in the order of the rounds."""
    found = _ALL_RESULTS if group is None else _GROUP_RESULTS
    rows = db.execute(found, {"competition": competition, "group": group})
    return [GameResult(tuple(row.players), tuple(row.points)) for row in rows]


def uncounted_pairings(db: Connection) -> list[UUID]:
    """Return the finished games without points: their effect is under way, or was never enqueued."""
    return list(db.execute(_NOT_TOLD).scalars())


def last_games(db: Connection, competition: UUID) -> list[Any]:
    """Return rows of `player` and `game`: the last game made for each player of a competition."""
    return list(db.execute(_LAST_GAMES, {"competition": competition}))
