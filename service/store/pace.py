"""Absences, lapses, timers and outages of games with a clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    Table,
    Text,
    Uuid,
    text,
)

from service.log.absences import Span
from service.log.clocks import Outage
from service.log.recorded import milliseconds
from service.store.heartbeats import IDLE, SILENT
from service.store.outbox import FORGET, OutboxRow
from service.store.tables import instant, metadata

# Absences (T-18, T-22). Those of one player neither overlap nor touch.

absence = Table(
    "absence",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player_id", ForeignKey("player.id"), nullable=False),
    instant("begins"),
    instant("ends"),
    instant("created_at"),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("changed_at", DateTime(timezone=True)),
    CheckConstraint("begins < ends", name="ends"),
    Index("absence_player", "player_id", "ends"),
    Index("absence_ends", "ends"),
)

ABSENCES_COUNT = "coalesce(cast(g.pace ->> 'away' as boolean), true)"
"""Condition that the terms of a game `g` allow absences (T-18); true for a game without a clock."""
_OF_PLAYER = text("""
select id, begins, ends, created_at, revision, changed_at from absence where player_id = :player order by begins
""")
_OF_SEATS = text("""
select s.seat, a.begins, a.ends from seat s join absence a on a.player_id = s.player_id
 where s.game_id = :game order by s.seat, a.begins
""")
_IS_AWAY = text("select exists (select from absence where player_id = :player and begins <= :at and ends > :at)")
_ENDED = text("select exists (select from absence where player_id = :player and ends = :at)")
_AWAY_IN = text("""
select s.seat, a.ends from seat s join absence a on a.player_id = s.player_id and a.begins <= :at and a.ends > :at
 where s.game_id = :game order by s.seat
""")
_WRITE = text("""
insert into absence (id, player_id, begins, ends, created_at) values (:id, :player, :begins, :ends, :now)
on conflict (id) do update set begins = excluded.begins, ends = excluded.ends, revision = absence.revision + 1,
                               changed_at = clock_timestamp()
""")
_REMOVE = text("delete from absence where id = any(:ids)")
_CLOCKED = text(f"""
select g.id from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'running' and g.pace is not null and {ABSENCES_COUNT} order by g.id
""")  # noqa: S608 - a constant


@dataclass(frozen=True, slots=True)
class AbsenceRow:
    """Announced absence; `revision` counts its changes, the last at `changed_at`."""

    id: UUID
    begins: datetime
    ends: datetime
    created_at: datetime
    revision: int = 0
    changed_at: datetime | None = None

    @property
    def span(self) -> Span:
        """Absence in milliseconds since 1970."""
        return Span(milliseconds(self.begins), milliseconds(self.ends))


def absences_of_player(db: Connection, player: UUID) -> list[AbsenceRow]:
    """Return all stored absences of a player, the earliest first."""
    rows: Iterable[Any] = db.execute(_OF_PLAYER, {"player": player})
    return [AbsenceRow(*row) for row in rows]


def absences_of_seats(db: Connection, game: UUID) -> dict[int, list[Span]]:
    """Return the absences of a game's players by seat, the earliest first."""
    found: dict[int, list[Span]] = {}
    for row in db.execute(_OF_SEATS, {"game": game}):
        found.setdefault(row.seat, []).append(Span(milliseconds(row.begins), milliseconds(row.ends)))
    return found


def is_away(db: Connection, player: UUID, at: datetime) -> bool:
    """Return whether a player has announced an absence at a moment, whatever the logs of games say (T-22)."""
    return bool(db.execute(_IS_AWAY, {"player": player, "at": at}).scalar_one())


def has_absence_ended(db: Connection, player: UUID, at: datetime) -> bool:
    """Return whether an absence of a player ends at exactly this moment."""
    return bool(db.execute(_ENDED, {"player": player, "at": at}).scalar_one())


def away_in(db: Connection, game: UUID, at: datetime) -> dict[int, datetime]:
    """Return the seats of a game whose players are away at a moment, with the end of each absence."""
    return {row.seat: row.ends.astimezone(UTC) for row in db.execute(_AWAY_IN, {"game": game, "at": at})}


def write_absence(db: Connection, player: UUID, row: AbsenceRow) -> None:
    """Insert an absence, or update the one with its id."""
    values = {"id": row.id, "player": player, "begins": row.begins, "ends": row.ends, "now": row.created_at}
    db.execute(_WRITE, values)


def remove_absence(db: Connection, ids: Sequence[UUID]) -> None:
    if ids:
        db.execute(_REMOVE, {"ids": list(ids)})


def clocked_games(db: Connection, player: UUID) -> list[UUID]:
    """Return the running games of a player whose clocks an absence stops."""
    return list(db.execute(_CLOCKED, {"player": player}).scalars())


# Lapses: outbox rows of the kind `lapse`, by `seat` and `deadline`, and which of them still count.
#
# A timer that fires writes them; versions before revision 0053 wrote one for each deadline.
#
# The game's row tells whether a lapse counts, without the log, and only under the game's lock: a deleted row must not
# be needed again meanwhile, by an action that is taken back.

MAX_LAPSES: Final = 1000
"""Limit of rows and of locked games of one statement."""


def _stands(game: str, seat: str, deadline: str) -> str:
    return f"""{game}.status = 'running' and exists (
  select from unnest({game}.awaited, {game}.deadlines) as waiting(seat, deadline)
   where waiting.seat = {seat} and waiting.deadline = to_timestamp({deadline} / 1000.0))"""


_STANDS: Final = text(f"""
select {_stands("game", ":seat", ":deadline")} from game where id = :game for no key update
""")  # noqa: S608 - constants
# Most rows are of waits that were answered in time. One by one, each would take a worker as long as an action.
_FORGET_VAIN: Final = text(f"""
with due as materialized (
  select id, game_id, payload from outbox
   where state = 'pending' and kind = 'lapse' and not_before <= now()
   order by not_before, id limit :limit for update skip locked
), game as materialized (
  select * from game where id in (select game_id from due) for no key update skip locked
)
delete from outbox using due join game on game.id = due.game_id
 where outbox.id = due.id
   and not ({_stands("game", "cast(due.payload ->> 'seat' as int)", "cast(due.payload ->> 'deadline' as bigint)")})
""")  # noqa: S608 - constants


def is_lapse_valid(db: Connection, row: OutboxRow) -> bool:
    """Return whether the row's deadline is still its seat's; lock the game for the transaction."""
    values = {"game": row.game_id, "seat": row.payload["seat"], "deadline": row.payload["deadline"]}
    return bool(db.execute(_STANDS, values).scalar())


def forget_stale_lapses(db: Connection, limit: int = MAX_LAPSES) -> int:
    """Delete the stale ones of the first `limit` due rows, lock their games, and return the number deleted.

    Skip rows and games that another transaction has locked.
    """
    return db.execute(_FORGET_VAIN, {"limit": limit}).rowcount


# Timers of games with a clock: outbox rows of the kind `timer`, which check the deadlines of a game.
#
# An action that moves deadlines writes no row while the game has a timer that fires no later than the first deadline.
# An action that relies on such a timer is retried if the timer is gone. So `game.timer`, the moment at which the timer
# fires, and its row change under the lock of the game's row. A timer that fires writes rows of the kind `lapse` for the
# deadlines that have passed, and the next timer for those still ahead. Each deadline of a running game has a row of the
# kind `lapse`, or a timer that fires no later.

MAX_TIMERS: Final = 1000
"""Limit of timers and of locked games of one statement."""

# Skip rows and games that another transaction has locked.
_TAKE: Final = text("""
with due as materialized (
  select id, game_id from outbox
   where state = 'pending' and kind = 'timer' and not_before <= coalesce(:until, now())
   order by not_before, id limit :limit for update skip locked
), held as materialized (
  select id from game where id in (select game_id from due) for no key update skip locked
)
delete from outbox using due join held on held.id = due.game_id where outbox.id = due.id returning due.game_id
""")
_HOLD: Final = text("select id from game where id = :game for no key update")
# A separate statement, after the rows are deleted: one of them may have the key of the next timer.
_SET: Final = text("""
with now as materialized (
  select coalesce(:until, now()) as until
), waiting as materialized (
  select game.id, waits.seat, waits.deadline, (extract(epoch from waits.deadline) * 1000)::bigint as ms
    from game, unnest(game.awaited, game.deadlines) as waits(seat, deadline)
   where game.id = any(:games) and game.status = 'running' and waits.deadline is not null
), ahead as (
  select id, min(deadline) as deadline, min(ms) as ms from waiting, now where deadline > until group by id
), noted as (
  update game set timer = (select deadline from ahead where ahead.id = game.id) where id = any(:games)
)
insert into outbox (dedupe_key, kind, game_id, payload, not_before, due_at)
select 'lapse:' || id || ':' || seat || ':' || ms, 'lapse', id, jsonb_build_object('seat', seat, 'deadline', ms),
       deadline, deadline from waiting, now where deadline <= until
union all
select 'timer:' || id || ':' || ms, 'timer', id, '{}', deadline, deadline from ahead
on conflict (dedupe_key) do nothing
""")


def fire_due_timers(db: Connection, until: datetime | None = None, limit: int | None = MAX_TIMERS) -> int:
    """Fire the timers due by `until` (default now) as at that moment, and return their number.

    Skip timers of games that another transaction has locked.
    """
    games: Sequence[UUID] = db.execute(_TAKE, {"until": until, "limit": limit}).scalars().all()
    if games:
        reset_timers(db, games, until)
    return len(games)


def fire_timer(db: Connection, row: OutboxRow, until: datetime | None = None) -> None:
    """Fire the timer of a locked row, also before its time; wait for the lock of the game."""
    db.execute(_HOLD, {"game": row.game_id})
    db.execute(FORGET, {"id": row.id})
    reset_timers(db, [row.game_id], until)


def reset_timers(db: Connection, games: Sequence[UUID], until: datetime | None = None) -> None:
    """Write lapses for the deadlines of locked games passed by `until` (default now), and set the next timers."""
    db.execute(_SET, {"games": list(games), "until": until})


# Outages of the relay, the outgoing mail and the web servers, by heartbeats and overdue rows.
#
# All moments are by the database's clock, as those of the heartbeats are.

Part = Literal["relay", "mail", "web"]
_SILENT: Final[Mapping[Part, int]] = {"relay": SILENT, "mail": SILENT, "web": IDLE}
"""Seconds without a sign of life after which a part is down.

Without a relay or mails a lapse comes later too; without a web server no player can act before the lapse.
"""

# The last sign of life of each part seen by the relay.
last_seen = Table("last_seen", metadata, Column("what", Text, primary_key=True), instant("seen_at"))

outage = Table(
    "outage",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("what", Text, nullable=False),
    instant("began_at"),
    instant("ended_at"),
    CheckConstraint("began_at < ended_at", name="order"),
    Index("outage_ended", "ended_at"),
)

_BEGIN = text("insert into last_seen (what, seen_at) values ('relay', clock_timestamp()) on conflict do nothing")
# Relays look one after the other. The lock comes before the clock is read.
_KNOWN = text("select what, seen_at from last_seen order by what for update")
# A mail that has been due for so long, and was tried at most once, waits for a worker or for the mail server: a mail
# that fails by its own fault is retried sooner. A mail sent since shows that mails leave.
_SEEN = text("""
with now as materialized (select clock_timestamp() as now), late as (
  select min(due_at) as due_at from outbox, now
   where state = 'pending' and kind = any(:mails) and attempts <= 1 and due_at < now - make_interval(secs => :silent)
), left_since as (
  select max(done_at) as done_at from outbox, late
   where late.due_at is not null and state = 'done' and kind = any(:mails) and done_at > late.due_at
), web as (
  select max(beat_at) as beat_at, min(started_at) filter (where beat_at > now - make_interval(secs => :idle)) as since
    from heartbeat, now where part = 'web' or starts_with(part, 'web-')
)
select now.now as relay, web.beat_at as web, web.since as web_since,
       case when late.due_at is null or left_since.done_at > now - make_interval(secs => :silent) then now
            else coalesce(left_since.done_at, late.due_at) end as mail
  from now, late, left_since, web
""")
_SAW = text("""
insert into last_seen (what, seen_at) values (:what, :at) on conflict (what) do update set seen_at = excluded.seen_at
""")
_NOTE = text("insert into outage (what, began_at, ended_at) values (:what, :began, :ended)")
# Make the lapses due in their order, all at once: the last is due now. Lapses of a game that is locked now come when
# its timer fires, and then find the outage.
_LOOK_AT_LAPSES = text("""
update outbox set not_before = clock_timestamp() - (cast(:until as timestamptz) - due_at)
 where kind = 'lapse' and state = 'pending' and not_before between :began and :until and due_at <= :until
""")
# One statement, since each lapse runs it.
_RECENT = text("""
select null as began_at, max(clock_timestamp()) as ended_at from last_seen
 where seen_at < clock_timestamp() - make_interval(secs => case what when 'web' then :idle else :silent end)
having count(*) > 0
union all
select began_at, ended_at from outage where ended_at > :since
""")


@dataclass(frozen=True, slots=True)
class EndedOutage:
    """Outage of a part that is over."""

    what: Part
    began: datetime
    ended: datetime


def note_outages(db: Connection, mails: Sequence[str]) -> list[EndedOutage]:
    """Note which parts are up; write and return the outages that have ended since the last look.

    `mails` are the kinds of outbox rows that are mails. Lapses whose deadlines an outage may have moved become due at
    once. Each relay calls this repeatedly, before it hands anything out.
    """
    db.execute(_BEGIN)
    known = {row.what: row.seen_at for row in db.execute(_KNOWN)}
    row = db.execute(_SEEN, {"mails": list(mails), "silent": SILENT, "idle": IDLE}).one()
    seen: dict[Part, datetime | None] = {"relay": row.relay, "mail": row.mail, "web": row.web}
    ended = _ended(known, seen, row.web_since)
    for what, at in seen.items():
        if at is not None:
            db.execute(_SAW, {"what": what, "at": at})
    for each in ended:
        db.execute(_NOTE, {"what": each.what, "began": each.began, "ended": each.ended})
        span = Outage(milliseconds(each.began), milliseconds(each.ended))
        until = each.ended + timedelta(milliseconds=span.respite)
        fire_due_timers(db, until, limit=None)
        db.execute(_LOOK_AT_LAPSES, {"began": each.began, "until": until})
    return ended


@dataclass(frozen=True, slots=True)
class RecentOutages:
    """Ended outages; `goes_on` if a part is down according to the last look of any relay."""

    over: Sequence[Outage]
    goes_on: bool


def recent_outages(db: Connection, since: datetime) -> RecentOutages:
    """Return the outages that ended after a moment, and whether an outage goes on now."""
    rows = db.execute(_RECENT, {"silent": SILENT, "idle": IDLE, "since": since}).all()
    ended = [Outage(milliseconds(row.began_at), milliseconds(row.ended_at)) for row in rows if row.began_at is not None]
    return RecentOutages(ended, len(ended) < len(rows))


def _ended(
    known: Mapping[str, datetime], seen: Mapping[Part, datetime | None], web_since: datetime | None
) -> list[EndedOutage]:
    """Return the outages ended since the last look; `web_since` is the start of the oldest live web server."""
    relay, now = known["relay"], seen["relay"]
    found: list[EndedOutage] = []
    for what, at in seen.items():
        before, silent = known.get(what), timedelta(seconds=_SILENT[what])
        if before is None or at is None or now is None or at - before <= silent or now - at > silent:
            continue
        # While no relay looked, nothing is known of the other parts: their silence is the relay's outage alone. A gap
        # too short for an outage of the relay hides no outage of the web servers if all of them have started since.
        looked = now - relay <= silent or relay - before > silent
        anew = what == "web" and now - relay <= timedelta(seconds=SILENT) and web_since and web_since > before
        if what == "relay" or looked or anew:
            found.append(EndedOutage(what, before, now))
    return found
