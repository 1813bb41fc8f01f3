"""Append of events and their outbox rows, in one statement."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import randint
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection

from service.audit.log import next_head
from service.log.clocks import Clocks
from service.log.codec import encode, stored_name
from service.log.folding import Folded, after_append, fold_log, players_to_act
from service.log.recorded import Recorded, instant, milliseconds
from service.record.record import RecordStep
from service.rules.chance import Chance, derive_deal_key, derive_key
from service.rules.kernel import GameStarted
from service.rules.shared_events import PaceSet
from service.shared import clock
from service.store import events, notices
from service.store.events import Cause, Entry
from service.store.game_row import GameRow
from service.store.games import Position
from service.store.idempotency import IdempotentRequest
from service.store.outbox import Notice

ORDER_DELAY = (5, 60)
"""Range in seconds of an order's random delay (T-32)."""
BEFORE_DEADLINE = 5
"""Seconds before the seat's deadline by which an order is tried."""
_SEED = """
select seed, (select array_agg(nonce order by seat) from seat where game_id = %(game)s) as nonces
from seed where game_id = %(game)s
"""


@dataclass(frozen=True, slots=True)
class Played:
    """The position after a move, and the move's events; `again` for a repeated answer."""

    position: Position
    events: list[Recorded]
    again: bool = field(default=False, compare=False)


class SealedChance:
    """Chance of a game. Reads the seed only when a ruleset asks for chance; few actions do."""

    def __init__(self, db: Connection, position: Position) -> None:
        self._db = db
        self._game, self._deal = position.game.id, position.game.deal
        self._opened: Chance | None = None

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        return self._chance().shuffle(label, items)

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` numbers from 1 to `sides`."""
        return self._chance().roll(label, sides, count)

    def _chance(self) -> Chance:
        if self._opened is None:
            row = self._db.exec_driver_sql(_SEED, {"game": self._game}).one()
            own = derive_key(row.seed, str(self._game), row.nonces)
            deal = self._deal
            self._opened = Chance(own if deal is None else derive_deal_key(row.seed, deal.isoformat()))
        return self._opened


def record(
    db: Connection,
    position: Position,
    happened: Sequence[Any],
    cause: Cause,
    request: IdempotentRequest | None = None,
    at: datetime | None = None,
) -> tuple[Position, list[Recorded]]:
    """Append events to a game; return the position after them, and the events as logged.

    Their time is now, or `at` (a whole millisecond), but never before the last event's. Both results are secret before
    COMMIT. StaleVersion if the game has left this position, ClockOff if this process's clock is not the database's.
    """
    made = recorded(position, happened, cause, at)
    folded = fold_log(position.ruleset, happened, position.folded)
    if folded.clocks is not None or isinstance(happened[-1], PaceSet):
        to_act = players_to_act(position.ruleset, position.game.seats, folded)
        clocks = after_append(folded.clocks, made, to_act)
        folded = folded if clocks is folded.clocks else replace(folded, clocks=clocks)
    return write(db, position, folded, made, cause, request), made


def recorded(position: Position, happened: Sequence[Any], cause: Cause, at: datetime | None = None) -> list[Recorded]:
    """Return the events as the log will hold them if they are appended now, or at `at`."""
    at, first = moment(position, at), position.version + 1
    seat, door, decision, action = cause.seat, cause.door, cause.decision, cause.action
    return [
        Recorded(seq, event, seat, door, decision, action if seq == first else None, at, stored_name(type(event)))
        for seq, event in enumerate(happened, first)
    ]


def moment(position: Position, at: datetime | None = None) -> datetime:
    """Return the time of an append: now or `at`, but never before the last event."""
    at, last = at or clock.to_the_millisecond(clock.now()), position.game.last_at
    return at if last is None or last <= at else last


def write(
    db: Connection,
    position: Position,
    folded: Folded,
    made: Sequence[Recorded],
    cause: Cause,
    request: IdempotentRequest | None = None,
) -> Position:
    """Append events that are folded already, and return the position after them; raises as `record`."""
    happened, at = [each.event for each in made], made[0].at
    started = happened[0] if isinstance(happened[0], GameStarted) else None
    head = next_head(db, position, _step(position, happened, cause, at), started)
    after = position.at(position.version + len(happened), folded, head, at)
    decision, clocks = after.decision, folded.clocks
    # A clock knows the awaited seats: the waiting ones.
    awaited = sorted(after.awaited if clocks is None else clocks.waits)
    due = _notices(position, after, None if cause.action is None else cause.seat, awaited, decision)
    due += _of_lapse(position, after, cause)
    deadlines = _deadlines(position.clocks, clocks, awaited)
    timed, timer = _timer(position.game, at, deadlines)
    due += timer
    entry = Entry(
        game=after.game.id,
        version=position.version,
        events=[encode(event) for event in happened],
        cause=cause,
        at=at,
        head=head,
        status=after.game.status,
        notices=due,
        request=request,
        awaited=awaited,
        deadlines=deadlines,
        timed=timed,
        faces=decision,
        ordered=position.game.ordered,
        known=position.head,
    )
    found = events.append(db, entry)
    return after if found is None else dataclasses.replace(after, game=replace(after.game, timer=found))


def _step(position: Position, happened: Sequence[Any], cause: Cause, at: datetime) -> RecordStep:
    return RecordStep(
        seq=position.version + 1,
        at=at,
        seat=cause.seat,
        door=cause.door,
        decision=cause.decision,
        action=cause.action,
        events=[(stored_name(type(event)), event) for event in happened],
    )


def _notices(
    before: Position, after: Position, actor: int | None, awaited: Sequence[int], decision: int
) -> list[Notice]:
    ruleset, state, game, resigned = after.ruleset, after.state, after.game.id, after.resigned
    readers = [seat.seat for seat in after.seats if seat.told and seat.seat not in resigned]
    due: list[Notice] = []
    if before.state is None or before.decision != decision:
        # The actor needs no mail at once: the answer to the move shows what follows.
        tried = _with_orders(before, after, awaited)
        due += [notices.order(game, decision, seat, delay(after, seat), seat == actor) for seat in tried]
        asked = [seat for seat in readers if seat in awaited and seat not in tried]
        due += [notices.turn_mail(game, decision, seat, seat == actor) for seat in asked]
        due += [notices.started(game, seat) for seat in readers if before.state is None and seat not in awaited]
    elif actor is not None and actor in awaited:
        due += _of_rest(before, after, actor, decision)
    if after.watched:
        due.append(notices.webhooks(game, after.version, _public(before, after)))
    if after.game.status == "finished":
        due += [notices.result(game)] if after.game.terms.rated else []
        due += [notices.counted(game)] if after.game.competition is not None else []
        due += [notices.played(game) if after.game.deal is None else notices.deal_result(game, after.version)]
        return [*due, notices.seal(game), *(notices.game_over(game, seat) for seat in readers)]
    if ruleset.automaton(state) is not None:
        due.append(notices.automaton(game, decision))
    computers = after.folded.computers.keys()
    due += [notices.stand_in(game, decision, seat) for seat in after.stood_in & after.to_act - computers]
    due += [notices.computer(game, seat, after.version) for seat in after.to_act & computers]
    return due if after.clocks is None else [*due, *_of_deadlines(before.clocks, after, after.clocks)]


def _of_rest(before: Position, after: Position, seat: int, decision: int) -> Iterator[Notice]:
    """Yield the notice for the next step of a simultaneous answer, which the others cannot see."""
    game, reader = after.game.id, after.seats[seat]
    if _with_orders(before, after, [seat]):
        yield notices.order(game, decision, seat, delay(after, seat), goes_on=True, again=str(after.version))
    elif reader.told and seat not in after.resigned:
        yield notices.still_asked(game, decision, seat, after.version)


def _deadlines(before: Clocks | None, after: Clocks | None, awaited: Sequence[int]) -> Sequence[datetime | None] | None:
    """Return the deadlines of the awaited seats, None if unchanged."""
    if after is None:
        return ()
    if after is before:
        return None
    return [None if at is None else instant(at) for at in map(after.deadline, awaited)]


def _timer(game: GameRow, at: datetime, deadlines: Sequence[datetime | None] | None) -> tuple[bool, Sequence[Notice]]:
    """Return whether a timer is set between this append and its first deadline; if not, a notice that sets one."""
    first = min(filter(None, deadlines), default=None) if deadlines else None
    if first is None:
        return False, ()
    if game.timer is not None and at <= game.timer <= first:
        return True, ()
    return False, [notices.timer(game.id, milliseconds(first))]


def _of_deadlines(before: Clocks | None, after: Position, clocks: Clocks) -> Iterator[Notice]:
    """Yield a notice for every new deadline that a webhook may have to announce."""
    for seat in clocks.waits if clocks is not before else ():
        if not (after.game.watched or after.seats[seat].watching):
            continue
        deadline, half = clocks.deadline(seat), clocks.half_left(seat)
        if deadline is not None and half is not None and (before is None or before.deadline(seat) != deadline):
            yield notices.deadline_near(after.game.id, seat, deadline, half)


def delay(position: Position, seat: int) -> int:
    """Return the delay of an order in seconds: random, so that others cannot tell orders from moves (T-32).

    The order is played before the seat's deadline in any case.
    """
    drawn = 0 if position.game.seats == 1 else randint(*ORDER_DELAY)  # noqa: S311 # no secret depends on it
    deadline = None if position.clocks is None else position.clocks.deadline(seat)
    if deadline is None:
        return drawn
    left = deadline / 1000 - clock.now().timestamp() - BEFORE_DEADLINE
    return max(0, min(drawn, int(left)))


def _with_orders(before: Position, after: Position, awaited: Sequence[int]) -> Sequence[int]:
    """Return the awaited seats whose orders are tried before a turn mail.

    No order is tried after a take-back: its player has to choose anew.
    """
    if not after.game.ordered or after.folded.passed > before.folded.passed:
        return ()
    return [seat for seat in after.game.ordered if seat in awaited]


def _of_lapse(before: Position, after: Position, cause: Cause) -> Iterator[Notice]:
    """Yield a notice to the player of a lapsed seat after the stand-in's last move of that wait."""
    seat = cause.seat
    if cause.door != "timeout" or seat is None or before.clocks is None or after.clocks is None:
        return
    is_last = seat in before.clocks.lapsed and seat not in after.clocks.lapsed
    if is_last and after.seats[seat].told:
        yield notices.lapsed(after.game.id, seat, after.version)


def _public(before: Position, after: Position) -> dict[str, Any]:
    """Return the public part of a step: seats to act, deadlines, and whether a new decision is asked."""
    started = before.state is None
    return {
        "decision": after.decision,
        "to_act": sorted(after.to_act - after.stood_in),
        "deadlines": [] if after.clocks is None else after.clocks.deadlines(),
        "lapsed": _lapsed(before.clocks, after.clocks),
        "asked": started or before.decision != after.decision,
        "started": started,
        "outcome": after.outcome,
    }


def _lapsed(before: Clocks | None, after: Clocks | None) -> int | None:
    """Return the seat whose time lapsed in this step, None without a lapse."""
    if before is None or after is None:
        return None
    return next((seat for seat, lapses in enumerate(after.lapses) if lapses > before.lapses[seat]), None)
