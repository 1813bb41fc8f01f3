"""A player gives a waiting seat its free time once more (T-16). Nobody can take time away, the host neither."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from sqlalchemy import Connection

from service.handlers.append import record
from service.handlers.play import Played
from service.handlers.refusals import TimeNotGiven
from service.handlers.seated import seat_in_play
from service.handlers.transaction import transaction
from service.log.recorded import Door
from service.rules.shared_events import TimeGiven
from service.store import events
from service.store.events import Cause
from service.store.games import Games, Position


def give_time(games: Games, game: UUID, player: UUID, seat: int, door: Door) -> Played:
    """Give a seat that waits its free time once more; once for each giver and wait.

    Raises UnknownGame, NotSeated, NotRunning, TimeNotGiven.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        giver = seat_in_play(db, position, player)
        fact = _given(db, position, giver, seat)
        after, recorded = record(db, position, [fact], Cause(seat, door, position.decision))
    games.committed(after)
    games.wake(after)
    return Played(after, recorded)


def can_be_given(db: Connection, position: Position, giver: int) -> list[int]:
    """Return the seats to which the player of a seat can give time now."""
    waits = () if position.clocks is None else sorted(position.clocks.waits)
    return [seat for seat in waits if _may_be_given(db, position, giver, seat)]


def _may_be_given(db: Connection, position: Position, giver: int, seat: int) -> bool:
    try:
        _given(db, position, giver, seat)
    except TimeNotGiven:
        return False
    return True


def _given(db: Connection, position: Position, giver: int, seat: int) -> TimeGiven:
    """Return the fact that gives the time; TimeNotGiven."""
    clocks = position.clocks
    if giver in position.unattended:
        raise TimeNotGiven("unattended")
    if seat == giver:
        raise TimeNotGiven("own-seat")
    if clocks is None or clocks.deadline(seat) is None:
        raise TimeNotGiven("not-waiting")
    if not clocks.pace.free:
        raise TimeNotGiven("no-free-time")
    if any(each.by == giver for each in _in_this_wait(db, position, seat, clocks.waits[seat].given)):
        raise TimeNotGiven("given-before")
    return TimeGiven(seat=seat, by=giver, seconds=clocks.pace.free, reason="player")


def _in_this_wait(db: Connection, position: Position, seat: int, given: int) -> Iterator[TimeGiven]:
    """Yield what has been given to a seat in the wait that goes on, the newest first: `given` milliseconds in all."""
    if not given:
        return
    for each in reversed(events.read(db, position.codec, position.game.id, 0, position.version)):
        if isinstance(each.event, TimeGiven) and each.event.seat == seat:
            yield each.event
            given -= each.event.seconds * 1000
            if given <= 0:
                return
