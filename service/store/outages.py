"""When the relay, the outgoing mail and the web servers were not there, by their heartbeats and by what is overdue.

All instants are by the clock of the database, as those of the heartbeats are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import BigInteger, CheckConstraint, Column, Connection, Identity, Index, Table, Text, text

from service.log.clocks import Outage
from service.log.recorded import milliseconds
from service.store import timers
from service.store.heartbeats import IDLE, SILENT
from service.store.tables import instant, metadata

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
class Ended:
    """An outage of a part that is over."""

    what: Part
    began: datetime
    ended: datetime


def look(db: Connection, mails: Sequence[str]) -> list[Ended]:
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
        timers.fire_due(db, until, limit=None)
        db.execute(_LOOK_AT_LAPSES, {"began": each.began, "until": until})
    return ended


@dataclass(frozen=True, slots=True)
class Recent:
    """The outages that are over, and whether one goes on: a part is not there, as far as anybody has ever looked."""

    over: Sequence[Outage]
    goes_on: bool


def recent(db: Connection, since: datetime) -> Recent:
    """Return the outages that have ended after a moment, and whether one goes on now."""
    rows = db.execute(_RECENT, {"silent": SILENT, "idle": IDLE, "since": since}).all()
    ended = [Outage(milliseconds(row.began_at), milliseconds(row.ended_at)) for row in rows if row.began_at is not None]
    return Recent(ended, len(ended) < len(rows))


def _ended(
    known: Mapping[str, datetime], seen: Mapping[Part, datetime | None], web_since: datetime | None
) -> list[Ended]:
    """Return the outages that have ended since the last look; `web_since` is when the oldest web server began."""
    relay, now = known["relay"], seen["relay"]
    found: list[Ended] = []
    for what, at in seen.items():
        before, silent = known.get(what), timedelta(seconds=_SILENT[what])
        if before is None or at is None or now is None or at - before <= silent or now - at > silent:
            continue
        # While no relay looked, nobody knows of the others: that they were not seen is its outage alone. But one that
        # was too short to be an outage hides none of the web servers, which have all begun since.
        looked = now - relay <= silent or relay - before > silent
        anew = what == "web" and now - relay <= timedelta(seconds=SILENT) and web_since and web_since > before
        if what == "relay" or looked or anew:
            found.append(Ended(what, before, now))
    return found
