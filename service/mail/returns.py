"""The turn mails of a player who is back from an absence: one for each game, the most urgent first (T-19)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from service.handlers.mail_wishes import look_again
from service.log.recorded import milliseconds
from service.mail.preferences import next_at, quiet_until
from service.store import notices, outbox
from service.store.pace import ABSENCES_COUNT

APART: Final = timedelta(seconds=1)
"""The time between two of the mails, which keeps them in order."""
_READER = text("""
select p.time_zone, w.digest, w.quiet_from, w.quiet_to from player p left join mail_wishes w on w.player_id = p.id
 where p.id = :player and p.email is not null
""")
_AWAITED = text(f"""
select g.id as game, s.seat, g.faces as decision from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'running' and s.seat = any(g.awaited) and {ABSENCES_COUNT}
 order by g.deadlines[array_position(g.awaited, s.seat)] nulls last, g.since, g.id
""")  # noqa: S608 - a constant
_HELD = text("""
update outbox set not_before = :at, due_at = :at, attempts = 0
 where game_id = :game and kind = 'turn-mail' and state = 'pending'
   and cast(payload ->> 'seat' as integer) = :seat and cast(payload ->> 'decision' as integer) = :decision
returning id
""")
_DIGESTS = text("""
delete from outbox where id in (
  select id from outbox where kind = 'digest' and state = 'pending' and payload ->> 'player' = :player for update)
returning id
""")


def send_held(db: Connection, player: UUID, back: datetime, now: datetime) -> None:
    """Have the mails that waited for a player's return leave, and one mail for each game that waits for the player.

    `back` is the end of the absence. In quiet hours the mails leave at the end of these, and for players with a digest
    in the next one.
    """
    reader = db.execute(_READER, {"player": player}).one_or_none()
    if reader is None:
        return
    look_again(db, player)
    zone = ZoneInfo(reader.time_zone)
    first = now if reader.quiet_from is None else quiet_until(now, zone, reader.quiet_from, reader.quiet_to)
    _in_order(db, db.execute(_AWAITED, {"player": player}).all(), back, first)
    if reader.digest is not None and db.execute(_DIGESTS, {"player": str(player)}).all():
        # A digest that waited for the day of the return as it was announced.
        at = next_at(now, zone, reader.digest)
        outbox.add_at(db, notices.digest(player, at.astimezone(zone).date()), at)


def _in_order(db: Connection, awaited: Sequence[Any], back: datetime, first: datetime) -> None:
    for place, each in enumerate(awaited):
        at = first + place * APART
        values = {"game": each.game, "seat": each.seat, "decision": each.decision, "at": at}
        if db.execute(_HELD, values).first() is None:
            why = f"back-{milliseconds(back)}"
            again = notices.turn_mail_again(each.game, each.decision, each.seat, why, at=milliseconds(at))
            outbox.post(db, each.game, [again])
