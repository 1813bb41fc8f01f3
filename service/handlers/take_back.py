"""Taking an action back, for one that was played by mistake, or by a program that follows the links of mails."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from service.handlers import links
from service.handlers.append import recorded, write
from service.handlers.play import Door, Played, answered
from service.handlers.refusals import CannotBeTakenBack, KeyReused, NothingToTakeBack, NotRunning, TooLateToTakeBack
from service.handlers.transaction import transaction
from service.log.clocked import fold_clocked
from service.log.folding import Folded, fold_log
from service.log.recorded import Recorded
from service.log.standing import Deed, standing
from service.rules.foresight import afterwards
from service.rules.kernel import Illegal
from service.rules.shared_events import ActionTakenBack
from service.store import events, notices, outbox
from service.store.events import Cause
from service.store.games import Games
from service.store.idempotency import IdempotencyKey, IdempotentRequest
from service.store.position import Position

_OWED = text("""
select exists (select from outbox where state = 'pending' and kind = 'turn-mail' and game_id = :game
                and cast(payload ->> 'decision' as integer) = :decision and cast(payload ->> 'seat' as integer) = :seat)
""")
REFUSALS = (NothingToTakeBack, TooLateToTakeBack, CannotBeTakenBack, NotRunning)


@dataclass(frozen=True, slots=True)
class Wish:
    """The request to take back the action with which a seat answered a decision, and the door that it came through."""

    game: UUID
    seat: int
    decision: int
    door: Door


@dataclass(frozen=True, slots=True)
class Undoing:
    """An action that can be taken back: the log, its events there, and what the log adds up to before them."""

    log: list[Recorded]
    deed: Deed
    before: Folded


def take_back(games: Games, wish: Wish, window: timedelta, now: datetime, key: IdempotencyKey | None = None) -> Played:
    """Put the game back to where it was before the seat's action; the log keeps both. `window` is the time for it.

    The seat's links no longer play, and a mail brings it a new one. Raises UnknownGame, NotRunning, NothingToTakeBack,
    TooLateToTakeBack, CannotBeTakenBack, KeyReused: then nothing has happened.
    """
    request = None if key is None else IdempotentRequest(key, _digest(wish))
    try:
        with transaction(games.engine) as db:
            position = games.lock(db, wish.game)
            earlier = None if request is None else answered(games, db, position, request)
            if earlier is not None:
                return earlier
            undoing = undoable(db, position, wish, window, now)
            after, recorded = _undo(db, position, wish, undoing, request)
            links.revoke(db, position.seats[wish.seat].player_id, "taken-back", now, wish.game)
    except IntegrityError as error:
        # A key that was used on another game in the meantime.
        raise KeyReused from error
    games.committed(after)
    games.wake(after)
    return Played(after, recorded)


def undoable(db: Connection, position: Position, wish: Wish, window: timedelta, now: datetime) -> Undoing:
    """Return the action if it can be taken back, and change nothing; raises what `take_back` raises."""
    return _judged(position, events.read(db, position.codec, wish.game, 0, position.version), wish, window, now)


def last_undoable(db: Connection, position: Position, seat: int, window: timedelta, now: datetime) -> Recorded | None:
    """Return the first event of the last action of the game if it is the seat's and can be taken back, else None."""
    log = events.read(db, position.codec, position.game.id, 0, position.version)
    first = standing(log)[-1][0]
    if first.seat != seat or first.decision is None:
        return None
    try:
        _judged(position, log, Wish(position.game.id, seat, first.decision, "web"), window, now)
    except REFUSALS:
        return None
    return first


def _judged(position: Position, log: list[Recorded], wish: Wish, window: timedelta, now: datetime) -> Undoing:
    if position.game.status != "running":
        raise NotRunning(position.game.status)
    deeds = standing(log)
    deed = next((each for each in reversed(deeds) if _is_meant(each, wish)), None)
    if deed is None or wish.seat in position.resigned:
        raise NothingToTakeBack
    if deed is not deeds[-1]:
        raise TooLateToTakeBack("acted")
    if now - deed[0].at > window:
        raise TooLateToTakeBack("time")
    before = fold_log(position.ruleset, (each.event for each in log[: deed[0].seq - 1]))
    if _reveals(position, before, deed):
        raise CannotBeTakenBack
    return Undoing(log, deed, before)


def _is_meant(deed: Deed, wish: Wish) -> bool:
    first = deed[0]
    ours = (first.seat, first.decision) == (wish.seat, wish.decision)
    return ours and first.action is not None and first.door not in ("timeout", "worker")


def _reveals(position: Position, before: Folded, deed: Deed) -> bool:
    sent: dict[str, Any] = dict(deed[0].action or {})
    try:
        action = msgspec.convert(sent, position.ruleset.action_types[sent.pop("type")])
        return afterwards(position.ruleset, before.state, position.game.seats, deed[0].seat or 0, action) is None
    except (KeyError, msgspec.ValidationError, Illegal):
        # The log keeps actions as they were sent, and the rules may have changed since.
        return True


def _undo(
    db: Connection, position: Position, wish: Wish, undoing: Undoing, request: IdempotentRequest | None
) -> tuple[Position, list[Recorded]]:
    deed = undoing.deed
    event = ActionTakenBack(seat=wish.seat, first=deed[0].seq, last=deed[-1].seq)
    cause = Cause(wish.seat, wish.door, position.decision)
    made = recorded(position, [event], cause)
    after = write(db, position, fold_clocked(position.ruleset, [*undoing.log, *made]), made, cause, request)
    if after.decision == position.decision and position.seats[wish.seat].email:
        _ask_again(db, after, wish.seat)
    return after, made


def _ask_again(db: Connection, position: Position, seat: int) -> None:
    """Have the seat written to, and it alone, since others still face the decision; a mail not sent yet will do."""
    game, decision = position.game.id, position.decision
    if not db.execute(_OWED, {"game": game, "decision": decision, "seat": seat}).scalar_one():
        outbox.post(db, game, [notices.turn_mail_again(game, decision, seat, str(position.version))])


def _digest(wish: Wish) -> bytes:
    asked = ["take-back", str(wish.game), wish.seat, wish.decision]
    return sha256(msgspec.json.encode(asked)).digest()
