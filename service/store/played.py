"""What each finished game counts for the players who sat in it: worked out from its log, kept for their profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
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

from service.store.tables import by_blocks, instant, metadata

played_game = Table(
    "played_game",
    metadata,
    Column("game_id", ForeignKey("game.id"), nullable=False),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    # How many people sat in it at its end.
    Column("people", Integer, nullable=False),
    instant("began_at"),
    instant("ended_at"),
    # Null where the game has no place for the player: the seat was handed over, or nobody counted.
    Column("place", Integer),
    Column("won", Boolean, nullable=False),
    # Whether the player has left the seat to another person.
    Column("left", Boolean, nullable=False),
    Column("points", Integer),
    Column("moves", Integer, nullable=False),
    # Deadlines that the player was given, and how many of them passed.
    Column("asked", Integer, nullable=False),
    Column("lapsed", Integer, nullable=False),
    # Seconds from being asked to each answer.
    Column("waits", ARRAY(Integer), nullable=False),
    # The scores of all by seat, an automaton's last; null where nobody counted.
    Column("scores", ARRAY(Integer)),
    # The player's points by the symbol of what they are made of; null of a game that was kept by an older version.
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
    """What a finished game counts for one of its players; the fields are the columns of the table."""

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
    """A person who sat in a seat; `until` is the number of the event that handed it over, None at the end.

    Of one whose account is `gone` nothing is kept, but what came before the player after them is not that player's.
    """

    seat: int
    player: UUID
    until: int | None
    gone: bool


def sat_in(db: Connection, game: UUID) -> list[Sat]:
    """Return the people who have sat in a game."""
    return [Sat(row.seat, row.player_id, row.until, row.gone) for row in db.execute(_SAT, {"game": game})]


def keep(db: Connection, game: UUID, rows: Sequence[PlayedGame]) -> None:
    """Keep what a game counts for its players, in place of what was kept before."""
    db.execute(delete(played_game).where(played_game.c.game_id == game))
    if rows:
        db.execute(insert(played_game), [asdict(row) for row in rows])


def kept(db: Connection, game: UUID) -> dict[UUID, PlayedGame]:
    """Return what is kept of a game, by player."""
    rows = db.execute(select(played_game).where(played_game.c.game_id == game))
    return {row.player_id: PlayedGame(**row._mapping) for row in rows}  # public, in spite of its name


def finished(db: Connection) -> list[UUID]:
    """Return the ids of all games that were played here to their end, but for tries of a day's deal (D-12)."""
    return list(db.execute(_FINISHED).scalars())


_OTHERS = text("""
select exists (select from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.ruleset = :ruleset and g.id <> :game)
""")


def is_first(db: Connection, player: UUID, ruleset: str, game: UUID) -> bool:
    """Return whether the player sits in no other game of the ruleset, and in none that is over."""
    return not db.execute(_OTHERS, {"player": player, "ruleset": ruleset, "game": game}).scalar_one()
