"""Rows of games with their seats, read by one statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import astuple, replace
from sqlalchemy import Connection

from service.players.levels import Level
from service.rules.pace import Pace
from service.shared.refusal import Refusal
from service.store.engine import all_rows, first_row
from service.store.fast_path import SITTING, VERSIONS

# One JSON text, because the driver and SQLAlchemy are slow for every column.
_AS_JSON = f"""
json_build_object(
  'game', json_build_object(
    'id', g.id, 'ruleset', g.ruleset, 'status', g.status, 'seats', g.seats, 'options', g.options, 'host', g.host,
    'version', g.version, 'head', encode(g.head, 'hex'), 'created_at', g.created_at, 'commitment', g.commitment,
    'watched', g.watched, 'ordered', g.ordered, 'origin', g.origin, 'competition', g.competition_id,
    'deal', g.deal, 'timer', g.timer,
    'last_at', (select e.at from event e where e.game_id = g.id and e.seq = g.version),
    'forked_from', case when g.fork_of is not null then json_build_object('game', g.fork_of, 'seq', g.fork_seq) end,
    'terms', json_build_object('name', g.name, 'access', g.access, 'spectators', g.spectators, 'start', g.start,
                               'on_resignation', g.on_resignation, 'training', g.training,
                               'rated', g.rated, 'pace', g.pace)),
  'seats', (
    select coalesce(json_agg(json_build_object(
             'seat', s.seat, 'player_id', s.player_id, 'name', p.name, 'language', p.language, 'email', p.email,
             'time_zone', p.time_zone, 'unreachable', p.unreachable, 'confirmed', p.email_confirmed,
             'auto_answers', s.auto_answers, 'watching', p.watching, 'channels', p.channels,
             'asked_twice', p.asked_twice, 'bot', p.owner is not null, 'owner', o.name, 'computer', p.computer,
             'versions', {VERSIONS})
             order by s.seat), '[]')
    from {SITTING} where s.game_id = g.id),
  'former', (
    select coalesce(json_agg(json_build_object('seat', f.seat, 'until', f.until_seq) order by f.until_seq), '[]')
    from former_player f where f.game_id = g.id))
"""  # noqa: S608 - constants
OPENED_GAME = f"(select {_AS_JSON} from game g where g.id = %(game)s)"  # noqa: S608 - constants
"""Subquery for an Opened as JSON, in a statement that reads more."""
OPEN_GAME = f"select ({_AS_JSON})::text from game g where g.id = %(game)s"  # noqa: S608 - constants
_OPEN_ALL = f"select ({_AS_JSON})::text from game g where g.id = any(%(games)s)"  # noqa: S608 - constants
LOCK_GAME = f"""
select ({_AS_JSON})::text, g.version is distinct from (select version from game where id = %(game)s)
from game g where g.id = %(game)s for no key update of g
"""  # noqa: S608 - constants
"""Lock a game for the transaction, and return whether its version changed while the statement waited for the lock."""


class UnknownGame(Refusal):
    """There is no game with this id."""

    code = "unknown-game"
    status = 404
    title = "There is no such game"
    remedy = "Take the id from the answer that opened the game, or from the list of your games."

    def __init__(self, game: UUID) -> None:
        super().__init__()
        self.game = game

    def __str__(self) -> str:
        return str(self.game)


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a table, as its host has set them."""

    name: str | None = None
    access: str = "invitation"
    """`public`: anybody may find the game and join; `invitation`: only the seated and the invited know of the game."""
    spectators: bool = True
    """Permission for those without a seat to watch a public game."""
    start: str = "host"
    """`full`: the game starts when the last seat is taken; `host`: the host starts the game."""
    on_resignation: str = "play-on"
    """`play-on`: the others continue without the player who resigns; `end`: the game ends."""
    training: bool = False
    """Permission for players to take hints; everybody at the table knows of it."""
    pace: Pace | None = None
    """Clock of the table; None without a clock."""
    rated: bool = False
    """Rated: the result changes the players' ratings, if it counts (docs/ratings.md)."""


@dataclass(frozen=True, slots=True)
class GameMoment:
    """Moment of a game: after one of its events."""

    game: UUID
    seq: int


# A Struct, as in store/events.py: each action copies one.
class GameRow(Struct, frozen=True, eq=False):
    """Row of a game; `host` is a player's id, `version` the number of its events.

    `watched` if its table has a webhook. `head` is the head of its hash chain, in hex; None before its first event,
    and in a position whose head is not known.
    """

    id: UUID
    ruleset: str
    status: str
    seats: int
    options: Mapping[str, Any]
    host: UUID
    version: int
    created_at: datetime
    commitment: str
    terms: Terms
    watched: bool
    head: str | None = None
    origin: str = "here"
    """`import` if only the record was brought here: nobody sits in the seats."""
    forked_from: GameMoment | None = None
    """Origin of a fork; None for other games."""
    ordered: tuple[int, ...] = ()
    """Seats that have orders or auto-answers, in rising order (store/pace.py)."""
    competition: UUID | None = None
    """Season or tournament of the game (store/competition.py)."""
    deal: date | None = None
    """Day (UTC) of the game's daily deal; None for a game with a seed of its own."""

    timer: datetime | None = None
    """Moment at which the timer fires (store/pace.py); None without a timer."""
    last_at: datetime | None = None
    """Moment of the last event: no later event is before it. None before the first event, or in the archive."""

    def __eq__(self, other: object) -> bool:
        # A position need not have the current values of these four.
        bare = {"head": None, "ordered": (), "timer": None, "last_at": None}
        return isinstance(other, GameRow) and astuple(replace(self, **bare)) == astuple(replace(other, **bare))

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def sealed_up(self, now: datetime) -> bool:
        """Return whether the game's chance is still secret: others may play its deal until the day is over."""
        return self.deal is not None and now < datetime.combine(self.deal + timedelta(days=1), time(), UTC)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Taken seat and its player, by the stored name.

    `versions` changes whenever anything about the player or the player's owner changes.
    `watching`: the player has a webhook of their own; `channels`: the player has channels;
    `unreachable`: mails to the player bounce;
    `confirmed`: a person who reads the mails of the address has said that the address is theirs;
    `asked_twice`: pages ask once more before an action that reveals something hidden;
    `owner` is the name of a bot's owner; `computer` is the level of a computer player, None for anybody else;
    `auto_answers` are the kinds of answers given for the player here.
    """

    seat: int
    player_id: UUID
    name: str
    language: str
    email: str | None
    watching: bool = False
    channels: bool = False
    bot: bool = False
    owner: str | None = None
    time_zone: str = "UTC"
    unreachable: bool = False
    confirmed: bool = False
    asked_twice: bool = True
    auto_answers: tuple[str, ...] = ()
    computer: Level | None = None
    versions: str = field(default="", compare=False)

    @property
    def told(self) -> bool:
        """Return whether the player hears of events at the table, by mail or on a channel."""
        return self.email is not None or self.channels


@dataclass(frozen=True, slots=True)
class HandedOver:
    """Seat that was handed over to another person by the event with the number `until`."""

    seat: int
    until: int


@dataclass(frozen=True, slots=True)
class Opened:
    """Game and its taken seats, read by one statement; `former` are the replaced players."""

    game: GameRow
    seats: tuple[SeatRow, ...]
    former: tuple[HandedOver, ...] = ()


decoded = Decoder(Opened).decode
"""Decode an Opened from the JSON text of OPEN_GAME."""


def read_game_row(db: Connection, game_id: UUID) -> Opened:
    """Return a game; UnknownGame."""
    return decoded(_row(db, OPEN_GAME, game_id)[0])


def read_game_rows(db: Connection, games: Sequence[UUID]) -> list[Opened]:
    """Return the known ones of the games, in any order, by one statement."""
    return [decoded(row[0]) for row in all_rows(db, _OPEN_ALL, {"games": list(games)})]


def lock_game_row(db: Connection, game_id: UUID) -> Opened:
    """Lock a game for the transaction, and return its current row; UnknownGame."""
    row, moved_on = _row(db, LOCK_GAME, game_id)
    opened = decoded(row)
    if moved_on or opened.game.status == "open" or len(opened.seats) < opened.game.seats:
        # After a wait for the lock PostgreSQL rereads the locked row, but not the seats joined to it.
        return read_game_row(db, game_id)
    return opened


def _row(db: Connection, statement: str, game_id: UUID) -> Any:
    found = first_row(db, statement, {"game": game_id})
    if found is None:
        raise UnknownGame(game_id)
    return found
