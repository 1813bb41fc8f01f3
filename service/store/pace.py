"""Absences, lapses, timers, outages and orders of games with a clock."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from msgspec.json import encode as to_json
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

# The absences that players have announced. Those of a player neither overlap nor touch.

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
"""Whether the terms of a game `g` allow absences (T-18): those of a game without a clock do."""
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
    """An absence that a player has announced; `revision` counts its changes, the last of which was at `changed_at`."""

    id: UUID
    begins: datetime
    ends: datetime
    created_at: datetime
    revision: int = 0
    changed_at: datetime | None = None

    @property
    def span(self) -> Span:
        """The absence in milliseconds since 1970."""
        return Span(milliseconds(self.begins), milliseconds(self.ends))


def absences_of_player(db: Connection, player: UUID) -> list[AbsenceRow]:
    """Return all absences of a player that are kept, the earliest first."""
    rows: Iterable[Any] = db.execute(_OF_PLAYER, {"player": player})
    return [AbsenceRow(*row) for row in rows]


def absences_of_seats(db: Connection, game: UUID) -> dict[int, list[Span]]:
    """Return the absences of the players of a game by their seats, the earliest first."""
    found: dict[int, list[Span]] = {}
    for row in db.execute(_OF_SEATS, {"game": game}):
        found.setdefault(row.seat, []).append(Span(milliseconds(row.begins), milliseconds(row.ends)))
    return found


def is_away(db: Connection, player: UUID, at: datetime) -> bool:
    """Return whether a player has announced to be away at a moment, whatever the logs of games say (T-22)."""
    return bool(db.execute(_IS_AWAY, {"player": player, "at": at}).scalar_one())


def has_absence_ended(db: Connection, player: UUID, at: datetime) -> bool:
    """Return whether an absence of a player ends at this very moment."""
    return bool(db.execute(_ENDED, {"player": player, "at": at}).scalar_one())


def away_in(db: Connection, game: UUID, at: datetime) -> dict[int, datetime]:
    """Return which seats of a game have players who are away at a moment, and until when."""
    return {row.seat: row.ends.astimezone(UTC) for row in db.execute(_AWAY_IN, {"game": game, "at": at})}


def write_absence(db: Connection, player: UUID, row: AbsenceRow) -> None:
    """Write an absence, or change the one with its id."""
    values = {"id": row.id, "player": player, "begins": row.begins, "ends": row.ends, "now": row.created_at}
    db.execute(_WRITE, values)


def remove_absence(db: Connection, ids: Sequence[UUID]) -> None:
    """Remove absences."""
    if ids:
        db.execute(_REMOVE, {"ids": list(ids)})


def clocked_games(db: Connection, player: UUID) -> list[UUID]:
    """Return the running games of a player whose clocks an absence stops."""
    return list(db.execute(_CLOCKED, {"player": player}).scalars())


# The outbox rows of the kind `lapse`, by a `seat` and its `deadline`: which of them still count.
#
# They are written when a timer fires (timers.py); versions before revision 0053 wrote one for each deadline.
#
# That is known by the game's row, without its log, and only under the game's lock: a row that is taken away must not be
# one that is needed again meanwhile, by an action that is taken back.

MAX_LAPSES: Final = 1000
"""The most rows that are looked at by one statement, and the most games that it locks."""


def _stands(game: str, seat: str, deadline: str) -> str:
    return f"""{game}.status = 'running' and exists (
  select from unnest({game}.awaited, {game}.deadlines) as waiting(seat, deadline)
   where waiting.seat = {seat} and waiting.deadline = to_timestamp({deadline} / 1000.0))"""


_STANDS: Final = text(f"""
select {_stands("game", ":seat", ":deadline")} from game where id = :game for no key update
""")  # noqa: S608 - constants
# Most rows are of waits that were answered in time. Each takes a worker as long as an action, one by one.
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
    """Return whether the row's deadline is still its seat's; the game is locked for the transaction."""
    values = {"game": row.game_id, "seat": row.payload["seat"], "deadline": row.payload["deadline"]}
    return bool(db.execute(_STANDS, values).scalar())


def forget_stale_lapses(db: Connection, limit: int = MAX_LAPSES) -> int:
    """Delete those of the first `limit` rows due that no longer count, and return how many; their games are locked.

    Rows and games that another transaction has locked are left alone.
    """
    return db.execute(_FORGET_VAIN, {"limit": limit}).rowcount


# Timers of games with a clock: outbox rows of the kind `timer`, at which the deadlines of a game are looked at.
#
# An action that moves the deadlines on writes no row as long as the game has a timer that fires no later than the first
# deadline. Where such a timer is known, the action rests on the timer and is tried again if the timer is gone: so
# `game.timer`, the moment at which the timer fires, and its row are changed under the lock of the game's row. A timer
# that fires writes the rows of the kind `lapse` for the deadlines that have passed, and the next timer for those still
# ahead. Each deadline of a running game has its row of the kind `lapse`, or a timer that fires no later.

MAX_TIMERS: Final = 1000
"""The most timers that fire by one statement, and the most games that it locks."""

# Rows and games that another transaction has locked are left alone.
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
# A statement of its own, after the rows are gone: one of them may have the key of the next timer.
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
    """Let the timers that are due now, or will be until a moment, fire as at that moment; return how many there were.

    Those of games that another transaction has locked are left alone.
    """
    games: Sequence[UUID] = db.execute(_TAKE, {"until": until, "limit": limit}).scalars().all()
    if games:
        reset_timers(db, games, until)
    return len(games)


def fire_timer(db: Connection, row: OutboxRow, until: datetime | None = None) -> None:
    """Let the timer of a locked row fire, also before its time; waits until the game can be locked."""
    db.execute(_HOLD, {"game": row.game_id})
    db.execute(FORGET, {"id": row.id})
    reset_timers(db, [row.game_id], until)


def reset_timers(db: Connection, games: Sequence[UUID], until: datetime | None = None) -> None:
    """Have lapses due for the deadlines of locked games that have passed, now or at a moment, and set their timers."""
    db.execute(_SET, {"games": list(games), "until": until})


# When the relay, the outgoing mail and the web servers were not there, by their heartbeats and by what is overdue.
#
# All instants are by the clock of the database, as those of the heartbeats are.

Part = Literal["relay", "mail", "web"]
_SILENT: Final[Mapping[Part, int]] = {"relay": SILENT, "mail": SILENT, "web": IDLE}
"""Seconds after which a part that is not seen is not there.

Without a relay or mails a lapse comes later too, but without a web server no player is heard before it comes.
"""

# When each part was last there, as far as the relay has seen.
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
# that fails by its own fault is tried again sooner. One that has left since shows that mails leave.
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
# In their order, and all at once: the last of them is due now. Those of a game that is locked at this moment come when
# its timer fires, and then find the outage.
_LOOK_AT_LAPSES = text("""
update outbox set not_before = clock_timestamp() - (cast(:until as timestamptz) - due_at)
 where kind = 'lapse' and state = 'pending' and not_before between :began and :until and due_at <= :until
""")
# One statement, since it is asked at each lapse.
_RECENT = text("""
select null as began_at, max(clock_timestamp()) as ended_at from last_seen
 where seen_at < clock_timestamp() - make_interval(secs => case what when 'web' then :idle else :silent end)
having count(*) > 0
union all
select began_at, ended_at from outage where ended_at > :since
""")


@dataclass(frozen=True, slots=True)
class EndedOutage:
    """An outage of a part that is over."""

    what: Part
    began: datetime
    ended: datetime


def note_outages(db: Connection, mails: Sequence[str]) -> list[EndedOutage]:
    """Note which parts are there, write down the outages that have ended since the last look, and return them.

    `mails` are the kinds of outbox rows that are mails. The lapses whose deadlines an outage may have moved are due at
    once. To be called by each relay, again and again, before it hands anything out.
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
    """The outages that are over, and whether one goes on: a part is not there, as far as anybody has ever looked."""

    over: Sequence[Outage]
    goes_on: bool


def recent_outages(db: Connection, since: datetime) -> RecentOutages:
    """Return the outages that have ended after a moment, and whether one goes on now."""
    rows = db.execute(_RECENT, {"silent": SILENT, "idle": IDLE, "since": since}).all()
    ended = [Outage(milliseconds(row.began_at), milliseconds(row.ended_at)) for row in rows if row.began_at is not None]
    return RecentOutages(ended, len(ended) < len(rows))


def _ended(
    known: Mapping[str, datetime], seen: Mapping[Part, datetime | None], web_since: datetime | None
) -> list[EndedOutage]:
    """Return the outages that have ended since the last look; `web_since` is when the oldest web server began."""
    relay, now = known["relay"], seen["relay"]
    found: list[EndedOutage] = []
    for what, at in seen.items():
        before, silent = known.get(what), timedelta(seconds=_SILENT[what])
        if before is None or at is None or now is None or at - before <= silent or now - at > silent:
            continue
        # While no relay looked, nobody knows of the others: that they were not seen is its outage alone. But one that
        # was too short to be an outage hides none of the web servers, which have all begun since.
        looked = now - relay <= silent or relay - before > silent
        anew = what == "web" and now - relay <= timedelta(seconds=SILENT) and web_since and web_since > before
        if what == "relay" or looked or anew:
            found.append(EndedOutage(what, before, now))
    return found


# Orders, moves that players give ahead: they stand beside the log until they are played. And auto-answers.

MAX_ORDERS = 10
"""The most orders of a player in a game."""
Conditions = Sequence[tuple[str, Any]]

_READ = text(
    "select place, action, conditions, named, given_at, dropped from move_order"
    " where game_id = :game and player_id = :player order by place"
)
_CLEAR = text("delete from move_order where game_id = :game and player_id = :player")
_CLEAR_DROPPED = text(
    "delete from move_order where game_id = :game and player_id = :player and dropped is not null"
    " and cast(dropped ->> 'decision' as integer) < :decision"
)
_ADD = text("""
insert into move_order (game_id, player_id, place, action, conditions, named, given_at)
values (:game, :player, :place, cast(:action as json), cast(:conditions as jsonb), :named, :at)
""")
_REMOVE_ORDERS = text("delete from move_order where game_id = :game and player_id = :player and place = :place")
_DROP = text(
    "update move_order set dropped = cast(:why as jsonb)"
    " where game_id = :game and player_id = :player and place = :place"
)
_REBASE = text(
    "update move_order set conditions = cast(:conditions as jsonb)"
    " where game_id = :game and player_id = :player and place = :place"
)
_MARK = text("update game set ordered = cast(:ordered as integer[]) where id = :game")
_AUTO_ANSWERS = text("select auto_answers from seat where game_id = :game and player_id = :player")
_SET_AUTO_ANSWERS = text(
    "update seat set auto_answers = cast(:names as text[]) where game_id = :game and player_id = :player"
)


@dataclass(frozen=True, slots=True)
class Order:
    """A move given ahead: the action as JSON, and what has to stand in the seat's view when it is played.

    `named` tells whether the player has named the conditions; else they follow from what the action rests on.
    `place` is its place in the sequence. `dropped` says why it is not played any more, and at which `decision`.
    """

    place: int
    action: Mapping[str, Any]
    conditions: Conditions
    named: bool
    given_at: datetime
    dropped: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class OrderingPlayer:
    """The player of a game whose orders are meant."""

    game: UUID
    player: UUID

    @property
    def values(self) -> dict[str, Any]:
        """The values by which statements name the player's rows."""
        return {"game": self.game, "player": self.player}


def read_orders(db: Connection, owner: OrderingPlayer) -> list[Order]:
    """Return the orders of a player in their sequence, those that were dropped among them."""
    return [Order(**row._mapping) for row in db.execute(_READ, owner.values)]


def replace_orders(db: Connection, owner: OrderingPlayer, orders: Sequence[Order]) -> None:
    """Keep these orders in the place of all earlier ones."""
    db.execute(_CLEAR, owner.values)
    for each in orders:
        values = {
            "place": each.place,
            "action": to_json(each.action).decode(),
            "conditions": to_json(each.conditions).decode(),
            "named": each.named,
            "at": each.given_at,
        }
        db.execute(_ADD, {**owner.values, **values})


def forget_orders(db: Connection, owner: OrderingPlayer) -> None:
    """Take away all orders and auto-answers of a player who gives a game up."""
    db.execute(_CLEAR, owner.values)
    set_auto_answers(db, owner, ())


def remove_order(db: Connection, owner: OrderingPlayer, place: int) -> None:
    """Take away an order, which is played."""
    db.execute(_REMOVE_ORDERS, {**owner.values, "place": place})


def drop_orders(db: Connection, owner: OrderingPlayer, place: int, why: Mapping[str, Any]) -> None:
    """Note why an order is not played any more."""
    db.execute(_DROP, {**owner.values, "place": place, "why": to_json(why).decode()})


def forget_dropped_orders(db: Connection, owner: OrderingPlayer, decision: int) -> None:
    """Take away the orders that were dropped before a decision."""
    db.execute(_CLEAR_DROPPED, {**owner.values, "decision": decision})


def rebase_orders(db: Connection, owner: OrderingPlayer, place: int, conditions: Conditions) -> None:
    """Keep these conditions of an order in the place of its earlier ones."""
    db.execute(_REBASE, {**owner.values, "place": place, "conditions": to_json(conditions).decode()})


def mark_orders(db: Connection, game: UUID, ordered: Collection[int]) -> None:
    """Note in the game's row, which is locked, which seats have orders or auto-answers."""
    db.execute(_MARK, {"game": game, "ordered": sorted(ordered)})


def auto_answers(db: Connection, owner: OrderingPlayer) -> tuple[str, ...]:
    """Return the names of the auto-answers that the player has chosen."""
    return tuple(db.execute(_AUTO_ANSWERS, owner.values).scalar_one_or_none() or ())


def set_auto_answers(db: Connection, owner: OrderingPlayer, names: Sequence[str]) -> None:
    """Keep these names of auto-answers in the place of earlier ones."""
    db.execute(_SET_AUTO_ANSWERS, {**owner.values, "names": list(names)})
