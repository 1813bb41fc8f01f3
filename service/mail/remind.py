"""Has players reminded of their deadlines: a row of the outbox for the next reminder of each wait (T-08, T-09).

The row is written when the turn mail of the wait is carried out. When it is due it is looked at anew, since the
deadline may have moved; then it writes the row of the mail, or none, and that of the next reminder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from service.log.clocks import Clocks
from service.log.recorded import milliseconds
from service.mail.reminder_times import SHARES, QuietHours, half_is_left, planned
from service.store import notices, outbox
from service.store.games import Games, Position
from service.store.outbox import Notice, OutboxRow

MOST: Final = len(SHARES)
APART: Final = timedelta(hours=3)
"""The least time between two reminders of one wait."""
STOPPED: Final = timedelta(hours=1)
"""After so long a reminder is looked at again whose seat's time does not run."""

_HAS_CLOCK: Final = text("select pace is not null from game where id = (select game_id from outbox where id = :row)")
_WISH: Final = text("""
select p.time_zone, s.looked, coalesce(w.reminders, :most) as reminders, w.quiet_from, w.quiet_to
  from seat s join player p on p.id = s.player_id left join mail_wishes w on w.player_id = p.id
 where s.game_id = :game and s.seat = :seat
""")
_SENT_AT: Final = text("select cast(payload ->> 'at' as bigint) from outbox where dedupe_key = :key")


@dataclass(frozen=True, slots=True)
class _Wish:
    """How often a player wants to be reminded, not when, and whether the player has looked at the table lately."""

    most: int
    quiet: QuietHours | None
    looked: bool

    def wants(self, number: int) -> bool:
        """Return whether the reminder is wanted: who wants one gets the last."""
        return number > MOST - self.most


def plan(games: Games, row_id: int, now: datetime) -> None:
    """Plan the first reminder that is still ahead of the wait that a turn mail (an outbox row) tells of."""
    with games.engine.begin() as db:
        row = outbox.read(db, row_id) if db.execute(_HAS_CLOCK, {"row": row_id}).scalar() else None
        if row is None:
            return
        position, seat = games.open(db, row.game_id), row.payload["seat"]
        wish = _wish_of(db, row.game_id, seat)
        if wish is not None:
            found = _still_to_come(position, seat, wish, now)
            _post_first(db, row.game_id, (each for each in found if (each.at or 0) > milliseconds(now)))


def remind(games: Games, row_id: int, now: datetime) -> None:
    """Carry out a row that is due (payload `seat`, `asked`, `number`): see to the reminder, and plan the next one.

    A row whose wait is over is taken away; one whose deadline has moved, or whose time does not run, is put off.
    """
    with games.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is not None:
            _carry_out(db, games.open(db, row.game_id), row, now)


def _carry_out(db: Connection, position: Position, row: OutboxRow, now: datetime) -> None:
    seat, number, clocks = row.payload["seat"], row.payload["number"], position.clocks
    wait = None if clocks is None else clocks.waits.get(seat)
    wish = _wish_of(db, row.game_id, seat)
    if clocks is None or wait is None or wait.asked != row.payload["asked"] or wish is None:
        outbox.forget(db, row.id)
        return
    if clocks.stopped(seat):
        outbox.put_off(db, row.id, now + STOPPED)
        return
    at = planned(clocks, seat, number, wish.quiet, now)
    if at is not None and at > now:
        outbox.put_off(db, row.id, at)
        return
    wanted = at is not None and wish.wants(number) and not (wish.looked and half_is_left(clocks, seat, at))
    sends = wanted and _is_apart(db, row, now)
    if sends:
        outbox.post(db, row.game_id, [_reminder(position, clocks, row, now)])
    outbox.finish(db, row.id, "done" if sends else "skipped")
    _post_first(db, row.game_id, _still_to_come(position, seat, wish, now, number))


def _still_to_come(position: Position, seat: int, wish: _Wish, now: datetime, after: int = 0) -> Iterator[Notice]:
    """Yield the notices of the reminders after a number that can still be sent."""
    clocks, game = position.clocks, position.game.id
    if clocks is None or seat not in clocks.waits:
        return
    for number in range(after + 1, MOST + 1):
        at = now + STOPPED if clocks.stopped(seat) else planned(clocks, seat, number, wish.quiet, now)
        if at is not None:
            yield notices.remind(game, seat, clocks.waits[seat].asked, number, milliseconds(at))


def _post_first(db: Connection, game: UUID, found: Iterable[Notice]) -> None:
    """Write the first of the notices that has not been written before."""
    any(outbox.post(db, game, [each]) for each in found)


def _reminder(position: Position, clocks: Clocks, row: OutboxRow, now: datetime) -> Notice:
    seat, deadline = row.payload["seat"], clocks.deadline(row.payload["seat"])
    told = {"decision": position.decision, "deadline": deadline, "at": milliseconds(now)}
    return notices.reminder(row.game_id, seat, row.payload["asked"], row.payload["number"], told)


def _is_apart(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the reminder before this one, if it was sent, was sent long enough ago."""
    seat, asked, number = (row.payload[name] for name in ("seat", "asked", "number"))
    before = notices.reminder(row.game_id, seat, asked, number - 1, {}).dedupe_key
    at: int | None = db.execute(_SENT_AT, {"key": before}).scalar()
    return at is None or milliseconds(now - APART) >= at


def _wish_of(db: Connection, game: UUID, seat: int) -> _Wish | None:
    found: Any = db.execute(_WISH, {"game": game, "seat": seat, "most": MOST}).one_or_none()
    if found is None:
        return None
    quiet = None
    if found.quiet_from is not None:
        quiet = QuietHours(ZoneInfo(found.time_zone), found.quiet_from, found.quiet_to)
    return _Wish(found.reminders, quiet, found.looked)
