"""Deletion of rows that are kept for a time only."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Engine, text

from service.store import people
from service.store.lobby import READY_LAPSE
from service.store.mail import CONSENT_ASKED_AGAIN_AFTER, SUPPRESSION_OF_PLAYER
from service.store.people import HANDLE_HELD

KEYS = timedelta(hours=24)
"""Time for which a repeated request under a key gets the first answer."""
EFFECTS = timedelta(days=7)
"""Time for which a finished effect can be looked up."""
DELIVERIES = timedelta(days=30)
"""Time for which a webhook's owner can look up deliveries, and have them sent again."""
TICKETS = timedelta(0)
BROWSERS = timedelta(days=1)
"""Time for which a browser's expired session is still known."""
LINKS = timedelta(days=90)
"""Time for which an expired link says why it no longer plays; then it looks like one never issued."""
INBOUND = timedelta(days=14)
"""Time for which a received mail is kept, in case its sender asks about it."""
TROUBLE = timedelta(days=180)
"""Time for which a bouncing address gets no mail; then it gets another chance."""
ORDERS = timedelta(days=7)
"""Minimum age of orders that are deleted once the game has ended."""
HEARTBEATS = timedelta(days=7)
"""Time for which a dead process is known."""
BUDGETS = timedelta(days=1)
"""Time for which mails caused on a day are counted after it."""
CHALLENGES = timedelta(days=30)
"""Time for which an expired challenge can be looked up."""
ABSENCES = timedelta(days=396)
"""Time for which past absences are kept: a month longer than the twelve months that are counted."""

# Locked rows are left for the next time, and no transaction waits for more than a batch.
_KEYS = text("""
delete from idempotency where ctid = any(array(
  select ctid from idempotency where created_at < :before limit :limit for update skip locked))
""")
# Dead rows stay, for the operator to look at.
_EFFECTS = text("""
delete from outbox where id = any(array(
  select o.id from outbox o where o.state in ('done', 'skipped') and o.done_at < :before
     and not exists (select from webhook_delivery d where d.outbox_id = o.id)
   order by o.done_at limit :limit for update of o skip locked))
""")
# The delivery is deleted with its row. A delivery to be sent again stays until that is done.
_DELIVERIES = text("""
delete from outbox where id = any(array(
  select o.id from webhook_delivery d join outbox o on o.id = d.outbox_id
   where d.created_at < :before and o.state <> 'pending'
   order by d.id limit :limit for update of o skip locked))
""")
# The message is deleted with its row.
_MESSAGES = text("""
delete from outbox where id = any(array(
  select o.id from channel_message m join outbox o on o.id = m.outbox_id
   where m.created_at < :before and o.state <> 'pending'
   order by m.id limit :limit for update of o skip locked))
""")
_TICKETS = text("""
delete from stream_ticket where hash = any(array(
  select hash from stream_ticket where expires_at < :before limit :limit for update skip locked))
""")
# A session that has signed out stays until it would have expired.
_BROWSERS = text("""
delete from token where hash = any(array(
  select hash from token where browser and expires_at < :before limit :limit for update skip locked))
""")
_LINKS = text("""
delete from action_link where hash = any(array(
  select hash from action_link where expires_at < :before limit :limit for update skip locked))
""")
_INBOUND = text("""
delete from inbound_mail where id = any(array(
  select id from inbound_mail where received_at < :before order by id limit :limit for update skip locked))
""")
_TROUBLE = text(f"""
with gone as (
  delete from mail_trouble where address_hash = any(array(
    select address_hash from mail_trouble where noted_at < :before limit :limit for update skip locked))
  returning address_hash
), reachable as (
  update player set unreachable = false where unreachable and {SUPPRESSION_OF_PLAYER} in (select address_hash from gone)
)
select from gone
""")  # noqa: S608 - constants
# The last heartbeat of each name stays, to show since when there is none.
_HEARTBEATS = text("""
delete from heartbeat where process = any(array(
  select h.process from heartbeat h where h.beat_at < :before
     and exists (select from heartbeat later where later.part = h.part and later.beat_at > h.beat_at)
   limit :limit for update skip locked))
""")
_REQUESTS = text("""
delete from mail_request where address_hash = any(array(
  select address_hash from mail_request where asked_at < :before limit :limit for update skip locked))
""")
_ORDERS = text("""
delete from move_order where ctid = any(array(
  select o.ctid from move_order o join game g on g.id = o.game_id
   where o.given_at < :before and g.status in ('finished', 'cancelled') limit :limit for update of o skip locked))
""")
_BUDGETS = text("""
delete from mail_budget where ctid = any(array(
  select ctid from mail_budget where day < cast(:before as date) limit :limit for update skip locked))
""")
_ABSENCES = text("""
delete from absence where id = any(array(
  select id from absence where ends < :before limit :limit for update skip locked))
""")
_CHALLENGES = text("""
delete from challenge where id = any(array(
  select id from challenge where expires_at < :before limit :limit for update skip locked))
""")
_FRIENDS = text("""
delete from friendship where id = any(array(
  select id from friendship where state in ('declined', 'withdrawn', 'ended') and answered_at < :before
   limit :limit for update skip locked))
""")
_READY = text("""
delete from ready_bot where player_id = any(array(
  select player_id from ready_bot where seen_at < :before limit :limit for update skip locked))
""")
_ACCOUNT_TICKETS = text("""
delete from account_ticket where hash = any(array(
  select hash from account_ticket where expires_at < :before limit :limit for update skip locked))
""")
_REFRESH = text("""
delete from app_refresh where hash = any(array(
  select hash from app_refresh where expires_at < :before order by expires_at limit :limit for update skip locked))
""")
# Tokens issued for a code are deleted with it.
_CODES = text("""
delete from app_code where id = any(array(
  select id from app_code where expires_at < :before order by expires_at limit :limit for update skip locked))
""")
_HANDLES = text("""
delete from former_handle where id = any(array(
  select id from former_handle where released_at < :before order by released_at limit :limit for update skip locked))
""")
_KEPT = (
    (_HEARTBEATS, HEARTBEATS),
    (_KEYS, KEYS),
    (_EFFECTS, EFFECTS),
    (_DELIVERIES, DELIVERIES),
    (_MESSAGES, EFFECTS),
    (_TICKETS, TICKETS),
    (_ACCOUNT_TICKETS, TICKETS),
    (_CHALLENGES, CHALLENGES),
    (_FRIENDS, people.REQUEST_AGAIN_AFTER),
    (_READY, READY_LAPSE),
    (_BROWSERS, BROWSERS),
    (_LINKS, LINKS),
    (_TROUBLE, TROUBLE),
    (_INBOUND, INBOUND),
    (_ORDERS, ORDERS),
    (_REQUESTS, CONSENT_ASKED_AGAIN_AFTER),
    (_BUDGETS, BUDGETS),
    (_ABSENCES, ABSENCES),
    (_REFRESH, TICKETS),
    (_CODES, TICKETS),
    (_HANDLES, HANDLE_HELD),
)


def prune(engine: Engine, now: datetime, batch: int = 1000) -> bool:
    """Delete a batch of each kind, in separate transactions; return whether there may be more."""
    full = False
    for statement, kept in _KEPT:
        with engine.begin() as db:
            gone = db.execute(statement, {"before": now - kept, "limit": batch}).rowcount
        full = full or gone == batch
    return full
