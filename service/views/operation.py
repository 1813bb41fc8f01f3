"""Operators' views: search, acts, gauges, and connections of the database."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from service.settings import MIN_POOL_SIZE, Settings
from service.shared.addresses import canonical
from service.store import mail, operation
from service.store.connections import Pooler
from service.store.games import Position
from service.store.operation import OperatorEvent, acts_concerning, acts_on
from service.texts.catalog import say

# Search for players and games: pending effects and reasons, without hidden cards or secrets.

MOST: Final = 20
"""Limit of players found by a search."""
ROWS: Final = 100
"""Limit of listed outbox rows."""
Row = RowMapping

_PLAYER = "select id, name, email, language, created_at, deleted_at, owner, email_confirmed, email_verified, blocked"
_BY_ID = text(f"{_PLAYER} from player where id = :id")
_BY_WORDS = text(f"""
{_PLAYER} from player where deleted_at is null and (lower(email) = lower(:words) or lower(name) = lower(:words))
 order by created_at desc limit :most
""")
_NAMED = text("""
select id, name, email, email_verified, created_at, blocked, owner,
       exists (select from operator where player_id = player.id) as operator,
       (select count(*) from player bot where bot.owner = player.id and bot.deleted_at is null) as bots,
       (select count(*) from seat s join game g on g.id = s.game_id
         where s.player_id = player.id and g.status in ('open', 'running')) as playing,
       (select count(*) from seat s join game g on g.id = s.game_id
         where s.player_id = player.id and g.status = 'finished') as finished
  from player
 where deleted_at is null and computer is null and (id = :id or (lower(email) = lower(:address) and email_verified))
""")
_GAME = text("""
select id, ruleset, name, status, access, created_at, version, host, faces, since, pace is not null as timed, origin
  from game where id = :id
""")
_GAMES_BY_NAME = text("select id from game where lower(name) = lower(:words) order by created_at desc limit :most")
_SITS = """
select g.id as game, g.status, s.seat, p.id as player, p.name, g.host = p.id as host,
       s.seat = any(g.awaited) as awaited, g.since,
       g.deadlines[array_position(g.awaited, s.seat)] as deadline, p.blocked is not null as blocked,
       p.unreachable
  from seat s join game g on g.id = s.game_id join player p on p.id = s.player_id
"""
_SEATS_OF_GAME = text(f"{_SITS} where g.id = :id order by s.seat")
_SEATS_OF_PLAYER = text(f"{_SITS} where p.id = :id and g.status in ('open', 'running') order by g.id desc")
# Payload and key of a row are not shown: they may contain links and addresses.
_EFFECT = """
select o.id, o.kind, o.state, o.attempts, o.game_id as game, o.added_at, o.due_at, o.not_before, o.last_error,
       o.state = 'pending' and o.due_at < clock_timestamp() - interval '10 minutes' as late
  from outbox o
"""
_TROUBLED = text(f"""
{_EFFECT} where o.state = 'dead' or (o.state = 'pending' and o.due_at < clock_timestamp() - interval '10 minutes')
 order by o.due_at, o.id limit :most
""")
_OF_GAME = text(f"{_EFFECT} where o.game_id = :id and o.state in ('pending', 'dead') order by o.id limit :most")
_OF_PLAYER = text(f"""
{_EFFECT} where o.state in ('pending', 'dead') and (o.payload ->> 'player' = cast(:id as text)
   or exists (select from seat s where s.player_id = :id and s.game_id = o.game_id
                 and cast(s.seat as text) = o.payload ->> 'seat')) order by o.id limit :most
""")


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """An account: its row, its seats in open and running games, its pending effects, and operators' acts on it.

    `mails` are the reasons why it gets no mails, as words.
    """

    account: Row
    seats: Sequence[Row]
    effects: Sequence[Row]
    mails: Sequence[str]
    acts: Sequence[OperatorEvent]


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game: its row, its seats with decisions and deadlines, its pending effects, and operators' acts on it."""

    game: Row
    seats: Sequence[Row]
    effects: Sequence[Row]
    acts: Sequence[OperatorEvent]


def find_players(db: Connection, words: str) -> list[FoundPlayer]:
    """Return the accounts with an id, an address, or a name, newest first."""
    player = _as_id(words)
    statement, values = (_BY_ID, {"id": player}) if player else (_BY_WORDS, {"words": words, "most": MOST})
    return [_player(db, row) for row in db.execute(statement, values).mappings().all()]


def named_account(db: Connection, words: str) -> Row | None:
    """Return the account with an id or a verified address, else None: a player could choose anything else.

    The row has what an operator checks before an act: name, address, age (`created_at`), games and bots.
    """
    return db.execute(_NAMED, {"id": _as_id(words), "address": canonical(words.strip())}).mappings().one_or_none()


def find_games(db: Connection, words: str) -> list[FoundGame]:
    """Return the game with an id, or those of a name, newest first."""
    game = _as_id(words)
    ids = [game] if game else db.execute(_GAMES_BY_NAME, {"words": words, "most": MOST}).scalars().all()
    rows = [db.execute(_GAME, {"id": each}).mappings().one_or_none() for each in ids]
    return [_game(db, row) for row in rows if row is not None]


def troubled_effects(db: Connection, most: int = ROWS) -> Sequence[Row]:
    """Return the outbox rows that are dead or more than ten minutes late, longest overdue first."""
    return db.execute(_TROUBLED, {"most": most}).mappings().all()


def _player(db: Connection, row: Row) -> FoundPlayer:
    who = {"id": row["id"]}
    effects = db.execute(_OF_PLAYER, {**who, "most": ROWS}).mappings().all()
    seats = db.execute(_SEATS_OF_PLAYER, who).mappings().all()
    return FoundPlayer(row, seats, effects, _troubles(db, row), acts_concerning(db, row["id"]))


def _game(db: Connection, row: Row) -> FoundGame:
    which = {"id": row["id"]}
    effects = db.execute(_OF_GAME, {**which, "most": ROWS}).mappings().all()
    return FoundGame(row, db.execute(_SEATS_OF_GAME, which).mappings().all(), effects, acts_on(db, "game", row["id"]))


def _troubles(db: Connection, row: Row) -> list[str]:
    address: str | None = row["email"]
    if address is None:
        return ["no-address"]
    suppressed = mail.find_suppression(db, address)
    stopped = {
        "account-blocked": row["blocked"] is not None,
        "address-blocked": operation.address_block_reason(db, address) is not None,
        "unconfirmed": not row["email_confirmed"],
        "refused": mail.are_mails_refused(db, address),
    }
    found = [why for why, holds in stopped.items() if holds]
    return found if suppressed is None else [*found, f"{suppressed.cause} {suppressed.status}".strip()]


def _as_id(words: str) -> UUID | None:
    try:
        return UUID(words)
    except ValueError:
        return None


# Gauges: outbox by kind and state, audits, database server.

OVERDUE = 600
"""Seconds after which an effect counts as late, for operators."""

RECENT = 3600
"""Seconds for which settled effects are counted; counting all would slow down with every mail."""

# Each part has its own index. PostgreSQL uses no index with clock_timestamp(), which is volatile.
_COUNTS = text(f"""
select kind, case when due_at > clock_timestamp() then 'waiting' else 'due' end as stands, count(*) as number,
       extract(epoch from clock_timestamp() - min(due_at)) as overdue
  from outbox where state = 'pending' group by 1, 2
union all
select kind, 'failed', count(*), 0 from outbox where state = 'dead' group by 1
union all
select kind, case when state = 'done' then 'done' when last_error is null then 'gone-by' else 'suppressed' end,
       count(*), 0
  from outbox where state in ('done', 'skipped') and done_at > now() - interval '{RECENT} s' group by 1, 2
order by 1, 2
""")  # noqa: S608 - a constant
# After the pruning of all arrived canaries, the age of the oldest remaining row counts.
_CANARY = text("""
select extract(epoch from clock_timestamp() - coalesce(max(done_at) filter (where state = 'done'), min(added_at)))
  from outbox where kind = 'canary'
""")
# A dead row without an error means an altered game; with an error, a check that failed repeatedly.
_AUDITED = text("""
select (select count(distinct game_id) from outbox where kind = 'audit' and state = 'done') as held,
       (select count(distinct game_id) from outbox where kind = 'audit' and state = 'skipped') as unchained,
       count(distinct game_id) filter (where last_error is null) as altered,
       count(distinct game_id) filter (where last_error is not null) as unchecked
  from outbox where state = 'dead' and kind in ('audit', 'seal')
""")
_LAST_NIGHT = text("""
select coalesce(extract(epoch from max(done_at)), 0) from outbox night
 where kind = 'night' and state in ('done', 'dead') and payload ->> 'day' not in (
   select split_part(dedupe_key, ':', 2) from outbox where kind = 'audit' and state = 'pending')
""")

_SIZE = text("select pg_database_size(current_database())")
# A standby that has replayed everything has no lag. Without pg_monitor's rights all columns but the rows are null.
_STANDBYS = text("""
select application_name as name, extract(epoch from coalesce(replay_lag, '0')) as seconds,
       pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as bytes
  from pg_stat_replication
""")


@dataclass(frozen=True, slots=True)
class Gauges:
    """Counts by (kind, state): due, waiting, done, failed, gone-by, suppressed; and the seconds overdue by kind.

    Done and skipped rows are counted for RECENT seconds, failed ones until an operator removes them. `canary` is the
    age in seconds of the last test mail to the operator that the mail server has accepted, None if none was ever due.
    """

    counts: Mapping[tuple[str, str], int]
    overdue: Mapping[str, float]
    canary: float | None

    def late(self, kinds: Collection[str] | None = None) -> Mapping[str, float]:
        """Return the seconds overdue of the kinds (None: all) that are more than OVERDUE seconds overdue."""
        wanted = self.overdue if kinds is None else kinds
        return {kind: seconds for kind, seconds in self.overdue.items() if kind in wanted and seconds > OVERDUE}


def gauges(db: Connection) -> Gauges:
    """Return the current gauges of the outbox."""
    rows = db.execute(_COUNTS).all()
    counts = {(row.kind, row.stands): row.number for row in rows}
    overdue = {row.kind: 0.0 for row in rows} | {row.kind: float(row.overdue) for row in rows if row.stands == "due"}
    canary = db.execute(_CANARY).scalar()
    return Gauges(counts, overdue, None if canary is None else float(canary))


@dataclass(frozen=True, slots=True)
class Audits:
    """Numbers of games by audit result: held, unchained, altered, unchecked; and the last complete night.

    `night` is the time, in seconds since 1970, of the last nightly audit with all games checked; 0 for never. Held and
    unchained games are counted for a week, altered ones until an operator removes the row.
    """

    games: Mapping[str, int]
    night: float


def audits(db: Connection) -> Audits:
    """Return the results of the audits, including the audit before each seal."""
    return Audits(db.execute(_AUDITED).one()._asdict(), float(db.execute(_LAST_NIGHT).scalar_one()))


@dataclass(frozen=True, slots=True)
class DatabaseGauges:
    """Size of the database in bytes, number of standbys, and each standby's lag in seconds and bytes."""

    size: int
    standbys: int
    seconds: Mapping[str, float]
    bytes: Mapping[str, float]


def server_gauges(db: Connection) -> DatabaseGauges:
    """Return the gauges of the database server; no lag if the role may not read it."""
    rows = db.execute(_STANDBYS).all()
    told = [row for row in rows if row.bytes is not None]
    seconds, lag = ({row.name: float(getattr(row, unit)) for row in told} for unit in ("seconds", "bytes"))
    return DatabaseGauges(db.execute(_SIZE).scalar_one(), len(rows), seconds, lag)


# Database connections of all processes, against the server's limit. A pooler's limit is its own setting, which no
# statement shows.

QUEUES: Final = ("moves", "replies", "mails", "computers")
"""Queues of the workers, each with its own process."""
_ALLOWED = text("""
select least(
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0),
  (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
  (select nullif(datconnlimit, -1) from pg_database where datname = current_database()))
""")
_HEARD = text("""
select coalesce(array_agg(distinct pid) filter (where host = :host), '{}') as here,
       count(distinct (host, pid)) filter (where host <> :host) as elsewhere
  from heartbeat where beat_at > clock_timestamp() - interval '1 s' * patience
""")


@dataclass(frozen=True, slots=True)
class Demand:
    """Database connections that processes may open, each up to `pool`, and the server's limit `allowed`.

    `allowed` is None behind a pooler.
    """

    processes: int
    pool: int
    allowed: int | None

    @property
    def connections(self) -> int:
        """Maximum of connections of all processes together."""
        return self.processes * self.pool

    @property
    def fits(self) -> bool:
        """True if the server allows them."""
        return self.allowed is None or self.connections <= self.allowed

    def __str__(self) -> str:
        counted = f"{self.processes} processes x POOL_SIZE {self.pool} = {self.connections} database connections"
        if self.allowed is None:
            return f"{counted} to the pooler, whose max_client_conn has to be as many"
        return f"{counted}, and the server allows {self.allowed}"

    @property
    def todo(self) -> str:
        """Advice as a sentence."""
        most = (self.allowed or 0) // self.processes
        smaller = f"Set POOL_SIZE to at most {most}, start" if most >= MIN_POOL_SIZE else "Start"
        return f"{smaller} fewer processes (WEB_PROCESSES), or raise max_connections of PostgreSQL."


def running_connections(db: Connection, settings: Settings) -> Demand:
    """Return the demand of all processes with a current heartbeat, on all machines."""
    here, elsewhere = _heard(db)
    return Demand(here + elsewhere, settings.pool_size, _allowed(db, settings))


def planned_connections(db: Connection, settings: Settings, processes: int | None = None) -> Demand:
    """Return the demand of this many processes on this machine (None: one of each part).

    Processes on other machines count if their heartbeat is current.
    """
    here, elsewhere = _heard(db)
    planned = _of_each_part(settings) if processes is None else processes
    return Demand(max(planned, here) + elsewhere, settings.pool_size, _allowed(db, settings))


def _heard(db: Connection) -> tuple[int, int]:
    """Return the number of processes here, and on other machines.

    A killed process's heartbeat stays current for up to some minutes; on this machine its pid shows that it is gone.
    """
    row = db.execute(_HEARD, {"host": socket.gethostname()}).one()
    return sum(map(_lives, row.here)), int(row.elsewhere)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _of_each_part(settings: Settings) -> int:
    """Return the number of processes: web, relay, courier, inbox, and one per queue."""
    return (
        settings.web_processes + 2 + (settings.inbound_listen is not None) + (len(QUEUES) if settings.redis_url else 0)
    )


def _allowed(db: Connection, settings: Settings) -> int | None:
    return int(db.execute(_ALLOWED).scalar_one()) if settings.pooler is Pooler.NONE else None


# Operators' acts, for those concerned: time, act and reason, but not the operator.

View = dict[str, Any]

_OF_TABLE: Final = frozenset({"handed-over"})
"""Acts on a game that its table shows."""


def acts_of_account(db: Connection, player: UUID, language: str) -> list[View]:
    """Return the acts on a player's account and address, oldest first: `at`, `act`, `reason`, `text`."""
    return [_shown(each, say(language, f"act-{each.act}")) for each in acts_concerning(db, player)]


def acts_at_table(db: Connection, position: Position, language: str) -> list[View]:
    """Return the acts on a game that its table shows, as `acts_of_account`."""
    names = {str(seat.player_id): name for seat, name in _named(position, language)}
    return [
        _shown(each, say(language, "act-handed-over", name=names.get(each.details["after"], "?")))
        for each in acts_on(db, "game", position.game.id)
        if each.act in _OF_TABLE
    ]


def _named(position: Position, language: str) -> Sequence[tuple[Any, str]]:
    return list(zip(position.seats, position.names_in(language), strict=False))


def _shown(event: OperatorEvent, text: str) -> View:
    return {"at": event.at.isoformat(), "act": event.act, "reason": event.reason, "text": text}
