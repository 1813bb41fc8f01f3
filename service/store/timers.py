"""Timers of games with a clock: outbox rows of the kind `timer`, at which the deadlines of a game are looked at.

An action that moves the deadlines on writes no row as long as the game has a timer that fires no later than the first
of them. Where that is known, the action rests on the timer and is tried again if it is gone: so `game.timer`, which is
when the game's timer fires, and its row are changed under the lock of the game's row. A timer that fires writes the
rows of the kind `lapse` for the deadlines that have passed, and the next timer for those still ahead. Each deadline of
a running game has its row of the kind `lapse`, or a timer that fires no later.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.outbox import FORGET, OutboxRow

AT_ONCE: Final = 1000
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


def fire_due(db: Connection, until: datetime | None = None, limit: int | None = AT_ONCE) -> int:
    """Let the timers that are due now, or will be until a moment, fire as at that moment; return how many there were.

    Those of games that another transaction has locked are left alone.
    """
    games: Sequence[UUID] = db.execute(_TAKE, {"until": until, "limit": limit}).scalars().all()
    if games:
        set_anew(db, games, until)
    return len(games)


def fire(db: Connection, row: OutboxRow, until: datetime | None = None) -> None:
    """Let the timer of a locked row fire, also before its time; waits until the game can be locked."""
    db.execute(_HOLD, {"game": row.game_id})
    db.execute(FORGET, {"id": row.id})
    set_anew(db, [row.game_id], until)


def set_anew(db: Connection, games: Sequence[UUID], until: datetime | None = None) -> None:
    """Have lapses due for the deadlines of locked games that have passed, now or at a moment, and set their timers."""
    db.execute(_SET, {"games": list(games), "until": until})
