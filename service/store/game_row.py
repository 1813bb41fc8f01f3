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

# One JSON text, because the driver and SQLAlchemy take their time over every column.
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
"""The Opened of a game as JSON, for a statement that reads it along with something else."""
OPEN_GAME = f"select ({_AS_JSON})::text from game g where g.id = %(game)s"  # noqa: S608 - constants
"""Reads a game."""
_OPEN_ALL = f"select ({_AS_JSON})::text from game g where g.id = any(%(games)s)"  # noqa: S608 - constants
LOCK_GAME = f"""
select ({_AS_JSON})::text, g.version is distinct from (select version from game where id = %(game)s)
from game g where g.id = %(game)s for no key update of g
"""  # noqa: S608 - constants
"""Also locks it for the transaction, and says whether the game has moved on while the statement waited for that."""


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
    """How a table is run, as its host wishes it."""

    name: str | None = None
    access: str = "invitation"
    """`public`: anybody may find it and join; `invitation`: nobody knows of it but the seated and the invited."""
    spectators: bool = True
    """Whether those who have no seat may look on at a public game."""
    start: str = "host"
    """`full`: the game starts by itself with the last seat taken; `host`: the host starts it."""
    on_resignation: str = "play-on"
    """`play-on`: the others play on without the player who resigns; `end`: the game ends."""
    training: bool = False
    """Whether the players may take hints, which all at the table know."""
    pace: Pace | None = None
    """The clock of the table; None for none."""
    rated: bool = False
    """Whether the result changes the ratings of the players, if it counts (docs/ratings.md)."""


@dataclass(frozen=True, slots=True)
class GameMoment:
    """A moment of a game: that after one of its events."""

    game: UUID
    seq: int


# A Struct, as in store/events.py: each action makes one out of another.
class GameRow(Struct, frozen=True, eq=False):
    """A game as the lobby knows it; `host` is a player's id, `version` the number of its events.

    `watched` if its table has a webhook. `head` is that of its hash chain, in hex; None before its first event,
    and in a position that was not read as it is here.
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
    """`import` if only its record was brought here: then nobody sits in its seats."""
    forked_from: GameMoment | None = None
    """Where it goes on from, if it does from another game."""
    ordered: tuple[int, ...] = ()
    """The seats that have orders or auto-answers, in rising order (orders.py)."""
    competition: UUID | None = None
    """The season or the tournament that it is played for (competitions.py)."""
    deal: date | None = None
    """The day (UTC) of the deal that the game is one of; None of a game with chance of its own."""

    timer: datetime | None = None
    """When its timer fires (timers.py); None without one."""
    last_at: datetime | None = None
    """The moment of its last event, before which no further one may be; None before the first, or in the archive."""

    def __eq__(self, other: object) -> bool:
        # A position need not know these four as they are now.
        bare = {"head": None, "ordered": (), "timer": None, "last_at": None}
        return isinstance(other, GameRow) and astuple(replace(self, **bare)) == astuple(replace(other, **bare))

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def sealed_up(self, now: datetime) -> bool:
        """Return whether its chance is still that of others who have not played yet: the day of its deal runs."""
        return self.deal is not None and now < datetime.combine(self.deal + timedelta(days=1), time(), UTC)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A taken seat and the player in it, by the name that is stored.

    `versions` changes whenever anything does about the player or their owner.
    `watching` if a webhook of the player's own wants to be told, `channels` if there are channels;
    `unreachable` if mails to the player come back;
    `confirmed` if a person who reads the mails of the player's address has said that it is theirs;
    `asked_twice` if pages ask once more before an action that shows something hidden;
    `owner` is the name of a bot's owner; `computer` is the level of a computer player, None of anybody else;
    `auto_answers` are the kinds of answers that are given for the player here.
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
        """Whether the player is told what happens at the table, by mail or on a channel."""
        return self.email is not None or self.channels


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A seat that was handed over to another person by the event with the number `until`."""

    seat: int
    until: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A game and its taken seats, as one statement has read them; `former` are the players who were replaced."""

    game: GameRow
    seats: tuple[SeatRow, ...]
    former: tuple[HandedOver, ...] = ()


decoded = Decoder(Opened).decode
"""Returns the Opened that is in a JSON text, as OPEN has it."""


def read_game_row(db: Connection, game_id: UUID) -> Opened:
    """Return a game; UnknownGame."""
    return decoded(_row(db, OPEN_GAME, game_id)[0])


def read_game_rows(db: Connection, games: Sequence[UUID]) -> list[Opened]:
    """Return those of the games that there are, in any order, by one statement."""
    return [decoded(row[0]) for row in all_rows(db, _OPEN_ALL, {"games": list(games)})]


def lock_game_row(db: Connection, game_id: UUID) -> Opened:
    """Lock a game for the transaction, and return it as it is; UnknownGame."""
    row, moved_on = _row(db, LOCK_GAME, game_id)
    opened = decoded(row)
    if moved_on or opened.game.status == "open" or len(opened.seats) < opened.game.seats:
        # After waiting for the lock PostgreSQL looks again at the locked row, but not at the seats beside it.
        return read_game_row(db, game_id)
    return opened


def _row(db: Connection, statement: str, game_id: UUID) -> Any:
    found = first_row(db, statement, {"game": game_id})
    if found is None:
        raise UnknownGame(game_id)
    return found
