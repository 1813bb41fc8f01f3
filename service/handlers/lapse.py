"""Lapses: carry out a passed deadline, or give time for an outage."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from service.handlers import links
from service.handlers.append import moment, record
from service.handlers.orders import to_be_tried
from service.handlers.pace import note_absences, pause_if_agreed
from service.handlers.play import give_up
from service.handlers.transaction import transaction
from service.log.clocks import RESPITE, could_be_owed, seconds_owed
from service.log.recorded import instant, milliseconds
from service.rules.shared_events import TimeGiven, TimeLapsed
from service.shared import metrics
from service.store import mail, outbox
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.outbox import OutboxRow
from service.store.pace import is_lapse_valid, recent_outages

LOOK_AGAIN_AFTER: Final = timedelta(seconds=15)
"""Delay during an outage, and the longest one for a clock that is behind."""
MOVE_AGAIN_AFTER: Final = timedelta(seconds=2)
"""Delay while a mail of the seat's player is unread, or an order is untried."""


def lapse(games: Games, row_id: int) -> None:
    """Carry out an outbox row of kind `lapse`; payload: `seat`, `deadline` (milliseconds).

    Append TimeLapsed (T-10) and its consequences by the table's pace (T-13), if the deadline is still the seat's and
    past by both this process's clock and the database's. Give time for outages first (T-15). Postpone during an outage,
    while a mail received in time is unread (T-12), and while an order due before the deadline is untried (T-30).
    """
    with transaction(games.engine) as db:
        row = outbox.lock(db, row_id)
        after, lapsed = (None, False) if row is None else _carried_out(games, db, row)
    if after is not None:
        games.committed(after)
        games.wake(after)
        if lapsed:
            metrics.count_lapse(_leads_to(after))


def _carried_out(games: Games, db: Connection, row: OutboxRow) -> tuple[Position | None, bool]:
    """Carry out a locked row; return the position after, None if unchanged, and whether time lapsed."""
    if not is_lapse_valid(db, row):
        outbox.forget(db, row.id)
        return None, False
    position = games.lock(db, row.game_id)
    seat, deadline, now = row.payload["seat"], row.payload["deadline"], moment(position)
    told = note_absences(db, position, now)
    if told is not position:
        # An absence had begun that was not in the log (T-22): process the row again.
        outbox.later(db, row.id, timedelta(), 0)
        return told, False
    left = deadline - min(milliseconds(now), milliseconds(row.read_at))
    recent = recent_outages(db, instant(deadline - RESPITE))
    seconds = 0 if position.clocks is None else seconds_owed(position.clocks, seat, recent.over)
    if position.clocks and seconds and not could_be_owed(position.clocks, seat, seconds, milliseconds(now)):
        # Clock far behind: with its time the log would not prove that the time was owed.
        outbox.later(db, row.id, LOOK_AGAIN_AFTER, 0)
        return None, False
    if seconds and not recent.goes_on:
        outbox.forget(db, row.id)
        given = TimeGiven(seat=seat, by=None, seconds=seconds, reason="outage")
        return record(db, position, [given], Cause(seat, "timeout", position.decision))[0], False
    if left > 0:
        _put_off(db, row, deadline, timedelta(milliseconds=left))
    elif recent.goes_on:
        outbox.later(db, row.id, LOOK_AGAIN_AFTER, 0)
    elif _under_way(db, position, seat, deadline):
        outbox.later(db, row.id, MOVE_AGAIN_AFTER, 0)
    else:
        outbox.forget(db, row.id)
        return _lapsed(db, position, seat, deadline, now), True
    return None, False


def _under_way(db: Connection, position: Position, seat: int, deadline: int) -> bool:
    """Return whether a mail or an order that the seat's player sent in time is still unhandled."""
    player = position.seats[seat].player_id
    if mail.has_unhandled_inbound(db, position.game.id, player, instant(deadline)):
        return True
    return seat in position.game.ordered and to_be_tried(db, position, seat)


def _put_off(db: Connection, row: OutboxRow, deadline: int, left: timedelta) -> None:
    """Postpone the row to the deadline by the database's clock, or briefly if only this process's is behind."""
    due = instant(deadline)
    if due > row.read_at:
        outbox.put_off(db, row.id, due)
    else:
        outbox.later(db, row.id, min(left, LOOK_AGAIN_AFTER), 0)


def _lapsed(db: Connection, position: Position, seat: int, deadline: int, now: datetime) -> Position:
    game, decision, leads_to = position.game.id, position.decision, _leads_to(position)
    fact = TimeLapsed(seat=seat, decision=decision, deadline=deadline, ends=leads_to == "end")
    after, _ = record(db, position, [fact], Cause(seat, "timeout", decision))
    if leads_to == "resign":
        after, _ = give_up(db, after, seat, "timeout")
        links.revoke(db, position.seats[seat].player_id, "resigned", now, game)
    # A newly absent seat need not agree to a pause.
    return pause_if_agreed(db, after, seat, "timeout", now)


def _leads_to(position: Position) -> str:
    pace = position.game.terms.pace
    return "stand-in" if pace is None else pace.on_lapse
