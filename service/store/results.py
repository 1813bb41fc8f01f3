"""Results and ratings, and figures of finished games for profiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    delete,
    insert,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from service.competition.ratings import RatedResult, Rating, RatingChange, Skill, in_points
from service.store.tables import by_blocks, instant, metadata

# Log of results, and the ratings stored next to it.

# Each transaction that writes a result holds this lock, so that numbers rise in the order of commits.
_ALONE: Final = "lock table result in exclusive mode"
_WRITTEN = text("select exists (select from result where game_id = :game)")
_WRITE = text("""
with written as (
  insert into result (game_id, ruleset, seats, ended_at, uncounted) values (:game, :ruleset, :seats, :at, :uncounted)
  returning number
), placed as (
  insert into result_seat (number, seat, player_id, place, doubtful)
  select number, seat - 1, player, place, doubtful
    from written, unnest(cast(:players as uuid[]), cast(:places as int[]), cast(:doubtful as bool[])) with ordinality
         as came(player, place, doubtful, seat)
)
select number from written
""")
_RATINGS = text("""
select player_id, mu, sigma, games, opponents from rating
 where player_id = any(:players) and ruleset = :ruleset and seats = :seats
""")
_KEEP_STEPS = text("""
insert into rating_step (player_id, ruleset, seats, number, before, mu, sigma)
select player, :ruleset, :seats, :number, before, mu, sigma
  from unnest(cast(:players as uuid[]), cast(:before as float8[]), cast(:mu as float8[]), cast(:sigma as float8[]))
       as step(player, before, mu, sigma)
on conflict (player_id, ruleset, seats, number)
  do update set before = excluded.before, mu = excluded.mu, sigma = excluded.sigma
""")
_KEEP_RATINGS = text("""
insert into rating (player_id, ruleset, seats, mu, sigma, games, opponents, listed)
select p.id, :ruleset, :seats, mu, sigma, games, opponents, p.deleted_at is null
  from unnest(cast(:players as uuid[]), cast(:mu as float8[]), cast(:sigma as float8[]), cast(:games as int[]),
              cast(:opponents as int[])) as own(player, mu, sigma, games, opponents)
  join player p on p.id = own.player
on conflict (player_id, ruleset, seats)
  do update set mu = excluded.mu, sigma = excluded.sigma, games = excluded.games, opponents = excluded.opponents
""")
# The part after a plus sign leads to the same mailbox.
_DIGEST: Final = r"address_digest(regexp_replace(p.email, '\+[^@]*@', '@'))"
# First players of the seats: a seat that changed hands has the first of its former players.
_FIRST = text(f"""
select p.id, case when p.email_confirmed and p.deleted_at is null then {_DIGEST} end as address,
       split_part(lower(p.email), '@', 2) as domain
  from (select distinct on (seat) seat, player_id from (
          select seat, player_id, until_seq from former_player where game_id = :game
          union all select seat, player_id, 2147483647 from seat where game_id = :game) sat
         order by seat, until_seq) seats
  join player p on p.id = seats.player_id order by seats.seat
""")  # noqa: S608 - a constant
_SHARED = text("""
select exists (select from token a join token b on a.mark = b.mark and a.player_id < b.player_id
                where a.player_id = any(:players) and b.player_id = any(:players))
""")
_MET = text("""
select coalesce(max(met), 0) from (
  select count(*) as met from result_seat a join result_seat b on b.number = a.number and a.player_id < b.player_id
    join result r on r.number = a.number
   where a.player_id = any(:players) and b.player_id = any(:players) and r.ended_at > :since and r.ended_at <= :at
   group by a.player_id, b.player_id) pairs
""")
_OPPONENTS = text("""
select a.player_id, count(distinct b.player_id) as opponents
  from result_seat a join result_seat b on b.number = a.number and b.player_id <> a.player_id
  join result r on r.number = a.number
 where a.player_id = any(:players) and r.ruleset = :ruleset and r.seats = :seats and b.player_id <> all(:besides)
 group by a.player_id
""")
_GAINED = text("""
select s.player_id, t.before, t.mu from result_seat s join result r on r.number = s.number
  join rating_step t on t.number = s.number and t.player_id = s.player_id
 where s.player_id = any(:players) and s.doubtful and s.number < :number and t.mu > t.before
   and r.ended_at > :since and r.ended_at <= :at order by s.number
""")
_DOUBTED = text("""
select p.id, p.name, count(*) as games, sum(t.mu - t.before) as gained,
       (select count(distinct b.player_id) from result_seat a join result_seat b on b.number = a.number
         where a.player_id = p.id and b.player_id <> p.id) as opponents
  from result_seat s join result r on r.number = s.number join player p on p.id = s.player_id
  join rating_step t on t.number = s.number and t.player_id = s.player_id
 where s.doubtful and t.mu >= t.before and r.ended_at > :since
 group by p.id having count(*) >= :least order by count(*) desc, p.id limit :limit
""")
_COUNTED = text("""
select r.number, r.ruleset, r.seats, r.ended_at, s.players, s.places, s.doubtful from result r cross join lateral (
  select array_agg(player_id order by seat) as players, array_agg(place order by seat) as places,
         array_agg(doubtful order by seat) as doubtful
    from result_seat where number = r.number) s
 where r.uncounted is null order by r.number
""").execution_options(yield_per=1000)
_HOW_MANY = text("select count(*) from result where uncounted is null")
_KEPT_STEPS = text("select number, player_id, before, mu, sigma from rating_step")
_KEPT_RATINGS = text("select player_id, ruleset, seats, mu, sigma, games, opponents from rating")
_DROP_STEP = text("delete from rating_step where number = :number and player_id = :player")
_DROP = text("delete from rating where player_id = :player and ruleset = :ruleset and seats = :seats")


class FirstPlayer(NamedTuple):
    """First player of a seat; `address` is the digest of the confirmed address, None without one.

    `domain` is the domain of the address, in lower case.
    """

    player: UUID
    address: bytes | None
    domain: str | None


class Category(NamedTuple):
    """Category of ratings: the ruleset and the number of players."""

    ruleset: str
    seats: int


class RatedGame(NamedTuple):
    """Finished rated game: the reason for not counting, or its players and their places."""

    game: UUID
    category: Category
    at: datetime
    uncounted: str | None
    players: tuple[UUID, ...] = ()
    places: tuple[int, ...] = ()
    doubtful: tuple[bool, ...] = ()


class Doubted(NamedTuple):
    """Player with doubtful results without a loss: their number, the points gained by them, and all opponents."""

    player: UUID
    name: str
    games: int
    points: int
    opponents: int


def write_alone(db: Connection) -> None:
    """Lock results and ratings against other writers for the transaction."""
    db.exec_driver_sql(_ALONE)


def is_written(db: Connection, game: UUID) -> bool:
    """Return whether the log of results has the game."""
    return bool(db.execute(_WRITTEN, {"game": game}).scalar_one())


def write(db: Connection, ended: RatedGame) -> int:
    """Write a result and return its number."""
    values = {
        **ended._asdict(),
        **ended.category._asdict(),
        "players": list(ended.players),
        "places": list(ended.places),
        "doubtful": list(ended.doubtful or [False] * len(ended.places)),
    }
    number: int = db.execute(_WRITE, values).scalar_one()
    return number


def first_players(db: Connection, game: UUID) -> list[FirstPlayer]:
    """Return the first players of a game's seats, in the order of the seats."""
    return [FirstPlayer._make(row) for row in db.execute(_FIRST, {"game": game})]


def share_browser(db: Connection, players: Sequence[UUID]) -> bool:
    """Return whether two of the players are known to have signed in with the same browser."""
    return bool(db.execute(_SHARED, {"players": list(players)}).scalar_one())


def met(db: Connection, players: Sequence[UUID], at: datetime, within: timedelta) -> int:
    """Return the most results that count in which two of the players have met, within a time up to a moment."""
    values = {"players": list(players), "at": at, "since": at - within}
    return int(db.execute(_MET, values).scalar_one())


def ratings(db: Connection, category: Category, players: Sequence[UUID]) -> dict[UUID, Rating]:
    """Return the ratings of the players who have one."""
    rows = db.execute(_RATINGS, {**category._asdict(), "players": list(players)})
    return {row.player_id: _rating(row) for row in rows}


def opponents(
    db: Connection, category: Category, players: Sequence[UUID], besides: Sequence[UUID] = ()
) -> dict[UUID, int]:
    """Return the number of different opponents of the players in results that count, some left out."""
    rows = db.execute(_OPPONENTS, {**category._asdict(), "players": list(players), "besides": list(besides)})
    return {row.player_id: row.opponents for row in rows}


def gained(db: Connection, result: RatedResult, within: timedelta) -> dict[UUID, float]:
    """Return the gains of a result's players by earlier doubtful results, within a time up to its end.

    Units of the mean, added up in the order of the results, so that a rebuild gives the same, bit for bit.
    """
    values = {"players": list(result.players), "number": result.number, "at": result.at, "since": result.at - within}
    found = dict[UUID, float]()
    for row in db.execute(_GAINED, values):
        found[row.player_id] = found.get(row.player_id, 0.0) + (row.mu - row.before)
    return found


def doubted(db: Connection, since: datetime, least: int, limit: int) -> list[Doubted]:
    """Return the players with at least so many doubtful results since a moment that they did not lose."""
    rows = db.execute(_DOUBTED, {"since": since, "least": least, "limit": limit})
    return [Doubted(row.id, row.name, row.games, round(in_points(row.gained)), row.opponents) for row in rows]


def keep(db: Connection, result: RatedResult, steps: Sequence[RatingChange]) -> None:
    """Store the rating changes of a result, and the new ratings."""
    keep_steps(db, result, steps)
    keep_ratings(db, Category(result.ruleset, result.seats), {step.player: step.after for step in steps})


def keep_steps(db: Connection, result: RatedResult, steps: Sequence[RatingChange]) -> None:
    """Upsert the rating changes of a result."""
    values = {
        "players": [each.player for each in steps],
        "before": [each.before.mu for each in steps],
        "mu": [each.after.skill.mu for each in steps],
        "sigma": [each.after.skill.sigma for each in steps],
    }
    db.execute(_KEEP_STEPS, {"ruleset": result.ruleset, "seats": result.seats, "number": result.number, **values})


def keep_ratings(db: Connection, category: Category, ratings: Mapping[UUID, Rating]) -> None:
    """Upsert ratings."""
    values = {
        "players": list(ratings),
        "mu": [each.skill.mu for each in ratings.values()],
        "sigma": [each.skill.sigma for each in ratings.values()],
        "games": [each.games for each in ratings.values()],
        "opponents": [each.opponents for each in ratings.values()],
    }
    db.execute(_KEEP_RATINGS, {**category._asdict(), **values})


def count(db: Connection) -> int:
    """Return the number of results that count."""
    return int(db.execute(_HOW_MANY).scalar_one())


def counted(db: Connection) -> Iterator[RatedResult]:
    """Yield the results that count, in the order of writing."""
    for row in db.execute(_COUNTED):
        category, came = (row.ruleset, row.seats), (tuple(row.players), tuple(row.places), tuple(row.doubtful))
        yield RatedResult(row.number, *category, row.ended_at, *came)


def kept_steps(db: Connection) -> dict[tuple[int, UUID], tuple[float, Skill]]:
    """Return the stored steps, by result and player: the mean before, and the skill after."""
    rows = db.execute(_KEPT_STEPS)
    return {(row.number, row.player_id): (row.before, Skill(row.mu, row.sigma)) for row in rows}


def kept_ratings(db: Connection) -> dict[tuple[Category, UUID], Rating]:
    return {(Category(row.ruleset, row.seats), row.player_id): _rating(row) for row in db.execute(_KEPT_RATINGS)}


def drop_step(db: Connection, number: int, player: UUID) -> None:
    """Delete a step that does not follow from the log of results."""
    db.execute(_DROP_STEP, {"number": number, "player": player})


def drop_rating(db: Connection, category: Category, player: UUID) -> None:
    """Delete a rating that does not follow from the log of results."""
    db.execute(_DROP, {**category._asdict(), "player": player})


def _rating(row: Any) -> Rating:
    return Rating(Skill(row.mu, row.sigma), row.games, row.opponents)


# Figures of finished games for the profiles of their players, computed from the logs.

played_game = Table(
    "played_game",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    # People who sat in the game at its end.
    Column("people", Integer, nullable=False),
    instant("began_at"),
    instant("ended_at"),
    # Null where the game has no place for the player: the seat was handed over, or nobody counted.
    Column("place", Integer),
    Column("won", Boolean, nullable=False),
    # The player has left the seat to another person.
    Column("left", Boolean, nullable=False),
    Column("points", Integer),
    Column("moves", Integer, nullable=False),
    # Deadlines given to the player, and the number that passed.
    Column("asked", Integer, nullable=False),
    Column("lapsed", Integer, nullable=False),
    # Seconds from the question to each answer.
    Column("waits", ARRAY(Integer), nullable=False),
    # Scores of all by seat, an automaton's last; null where nobody counted.
    Column("scores", ARRAY(Integer)),
    # The player's points by the symbol of their source; null in rows of an older version.
    Column("sources", JSONB),
    PrimaryKeyConstraint("game_id", "player_id"),
    Index("played_game_player", "player_id", "ended_at", "game_id"),
    by_blocks("played_game_ended", "ended_at"),
)

_SAT = text("""
select seat, player_id, null as until, p.deleted_at is not null as gone from seat join player p on p.id = player_id
 where game_id = :game and p.computer is null
union all select seat, player_id, until_seq, p.deleted_at is not null
  from former_player join player p on p.id = player_id where game_id = :game
""")
_FINISHED = text("select id from game where status = 'finished' and origin = 'here' and deal is null order by id")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """Figures of a finished game for one of its players; the fields are the columns of the table."""

    game_id: UUID
    player_id: UUID
    ruleset: str
    seats: int
    people: int
    began_at: datetime
    ended_at: datetime
    place: int | None
    won: bool
    left: bool
    points: int | None
    moves: int
    asked: int
    lapsed: int
    waits: list[int]
    scores: list[int] | None
    sources: dict[str, int] | None


@dataclass(frozen=True, slots=True)
class Sat:
    """Person who sat in a seat; `until` is the number of the event that handed it over, None at the end.

    Nothing is stored for a person whose account is `gone`, but their part of the game does not go to the next player.
    """

    seat: int
    player: UUID
    until: int | None
    gone: bool


def sat_in(db: Connection, game: UUID) -> list[Sat]:
    """Return the people who have sat in a game."""
    return [Sat(row.seat, row.player_id, row.until, row.gone) for row in db.execute(_SAT, {"game": game})]


def keep_played(db: Connection, game: UUID, rows: Sequence[PlayedGame]) -> None:
    """Replace the figures of a game for its players."""
    db.execute(delete(played_game).where(played_game.c.game_id == game))
    if rows:
        db.execute(insert(played_game), [asdict(row) for row in rows])


def kept_played(db: Connection, game: UUID) -> dict[UUID, PlayedGame]:
    """Return the stored figures of a game, by player."""
    rows = db.execute(select(played_game).where(played_game.c.game_id == game))
    return {row.player_id: PlayedGame(**row._mapping) for row in rows}  # public, in spite of its name


def finished_games(db: Connection) -> list[UUID]:
    """Return the ids of all games finished here, except tries of daily deals (D-12)."""
    return list(db.execute(_FINISHED).scalars())


_OTHERS = text("""
select exists (select from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.ruleset = :ruleset and g.id <> :game)
""")


def is_first_game(db: Connection, player: UUID, ruleset: str, game: UUID) -> bool:
    """Return whether the player has no seat in another game of the ruleset, in any state."""
    return not db.execute(_OTHERS, {"player": player, "ruleset": ruleset, "game": game}).scalar_one()
