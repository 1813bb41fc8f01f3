"""Take-backs: alone, or with the consent of the others (T-35)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from service.handlers import links
from service.handlers.append import Played, recorded, write
from service.handlers.gate import TAKE_BACK_REQUEST, UNDO, grow, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.play import answered
from service.handlers.refusals import (
    AlreadyResigned,
    CannotBeTakenBack,
    KeyReused,
    NothingToTakeBack,
    NotRunning,
    OneTry,
    TakeBackNotOffered,
    TakeBackOver,
    TooLateToTakeBack,
)
from service.handlers.seated import seat_in_play
from service.handlers.transaction import transaction
from service.log.agreement import last_own_action, player_lost, players_there
from service.log.folding import Folded, fold_clocked, fold_log
from service.log.recorded import Deed, Door, Recorded, milliseconds, standing
from service.rules.kernel import Illegal
from service.rules.lookahead import afterwards
from service.rules.shared_events import ActionTakenBack
from service.store import events, notices, outbox, play
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.idempotency import IdempotencyKey, IdempotentRequest
from service.store.play import TakeBackRequest
from service.store.quotas import UNCOUNTED, Budget, MailsSpent

# Take-backs of an action played by mistake, or by a program that follows mailed links.

_OWED = text("""
select exists (select from outbox where state = 'pending' and kind = 'turn-mail' and game_id = :game
                and cast(payload ->> 'decision' as integer) = :decision and cast(payload ->> 'seat' as integer) = :seat)
""")
_WENT_OUT = text("select exists (select from outbox where dedupe_key = :key and state = 'done')")
REFUSALS = (NothingToTakeBack, TooLateToTakeBack, CannotBeTakenBack, NotRunning, OneTry)


@dataclass(frozen=True, slots=True)
class Wish:
    """A request to take back a seat's action at a decision, and its door."""

    game: UUID
    seat: int
    decision: int
    door: Door


@dataclass(frozen=True, slots=True)
class Undoing:
    """Actions to take back together: the log, and its actions from the first, `deed`, to the end."""

    log: Sequence[Recorded]
    deeds: Sequence[Deed]

    @property
    def deed(self) -> Deed:
        """The action to take back, which the others follow from."""
        return self.deeds[0]


def take_back(games: Games, wish: Wish, window: timedelta, now: datetime, key: IdempotencyKey | None = None) -> Played:
    """Undo the seat's action within `window` of it; the log keeps action and take-back.

    The seat's links are revoked, and a mail brings a new one. Raises UnknownGame, NotRunning, NothingToTakeBack,
    TooLateToTakeBack, CannotBeTakenBack, OneTry, KeyReused: nothing has happened then.
    """
    request = None if key is None else IdempotentRequest(key, _digest(wish))
    try:
        with transaction(games.engine) as db:
            position = games.lock(db, wish.game)
            earlier = None if request is None else answered(games, db, position, request)
            if earlier is not None:
                return earlier
            undoing = undoable(db, position, wish, window, now)
            grow(db, UNDO, position, position.seats[wish.seat].player_id, now)
            after, recorded = undo(db, position, undoing, Cause(wish.seat, wish.door, position.decision), now, request)
    except IntegrityError as error:
        # A concurrent request has used the key for another game.
        raise KeyReused from error
    games.committed(after)
    games.wake(after)
    return Played(after, recorded)


def undoable(db: Connection, position: Position, wish: Wish, window: timedelta, now: datetime) -> Undoing:
    """Return the action if it can be taken back; raises as `take_back`. Read-only."""
    return _judged(position, events.read(db, position.codec, wish.game, 0, position.version), wish, window, now)


def last_undoable(db: Connection, position: Position, seat: int, window: timedelta, now: datetime) -> Recorded | None:
    """Return the first event of the game's last action if it is the seat's and can be taken back, else None."""
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
    if position.game.deal is not None:
        raise OneTry("take-back")
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
    undoing = Undoing(log, [deed])
    if position.clocks is not None:
        rewound(position, undoing, Cause(wish.seat, wish.door, position.decision))
    return undoing


def rewound(position: Position, undoing: Undoing, cause: Cause, agreed: Sequence[int] = ()) -> tuple[Recorded, Folded]:
    """Return the take-back event as of now, and the log folded with it.

    Waits go on as if the actions had not been made (T-06): TooLateToTakeBack if a deadline has passed.
    """
    deeds = undoing.deeds
    event = ActionTakenBack(
        seat=deeds[0][0].seat or 0, first=deeds[0][0].seq, last=deeds[-1][-1].seq, agreed=tuple(agreed)
    )
    (fact,) = recorded(position, [event], cause)
    folded = fold_clocked(position.ruleset, [*undoing.log, fact])
    clocks = folded.clocks
    deadlines = () if clocks is None else map(clocks.deadline, clocks.waits)
    if any(deadline is not None and deadline <= milliseconds(fact.at) for deadline in deadlines):
        raise TooLateToTakeBack("deadline")
    return fact, folded


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
        # The log keeps actions as sent, and the rules may have changed since.
        return True


def undo(
    db: Connection,
    position: Position,
    undoing: Undoing,
    cause: Cause,
    now: datetime,
    request: IdempotentRequest | None = None,
    agreed: Sequence[int] = (),
) -> tuple[Position, list[Recorded]]:
    """Undo actions in a locked game, and enqueue mails to the seats that have to act again; returns as `record`.

    The links of the actions' players are revoked. Raises as `rewound`.
    """
    fact, folded = rewound(position, undoing, cause, agreed)
    seats = {deed[0].seat for deed in undoing.deeds if deed[0].seat is not None}
    if position.ruleset.decision(folded.state) + folded.passed == position.decision:
        # The service's own answers to the decision are due again.
        owed = [notices.stand_in(position.game.id, position.decision, seat).dedupe_key for seat in sorted(seats)]
        outbox.forget_done(db, [*owed, notices.automaton(position.game.id, position.decision).dedupe_key])
    after = write(db, position, folded, [fact], cause, request)
    for seat in sorted(seats & {row.seat for row in position.seats}):
        links.revoke(db, position.seats[seat].player_id, "taken-back", now, position.game.id)
        if after.decision == position.decision and seat in after.awaited and position.seats[seat].told:
            ask_again(db, after, seat)
    for seat in sorted(position.awaited - after.awaited):
        _withdraw(db, position, seat, undoing.deed[0].seat or 0)
    return after, [fact]


def _withdraw(db: Connection, position: Position, seat: int, by: int) -> None:
    """Enqueue a mail that withdraws the decision, if a turn mail was sent for it."""
    game, decision = position.game.id, position.decision
    if db.execute(_WENT_OUT, {"key": notices.turn_mail(game, decision, seat).dedupe_key}).scalar_one():
        outbox.post(db, game, [notices.turn_withdrawn(game, decision, seat, by)])


def ask_again(db: Connection, position: Position, seat: int) -> None:
    """Enqueue another turn mail for this seat only, unless one is pending."""
    game, decision = position.game.id, position.decision
    if not db.execute(_OWED, {"game": game, "decision": decision, "seat": seat}).scalar_one():
        outbox.post(db, game, [notices.turn_mail_again(game, decision, seat, str(position.version))])


def _digest(wish: Wish) -> bytes:
    asked = ["take-back", str(wish.game), wish.seat, wish.decision]
    return sha256(msgspec.json.encode(asked)).digest()


# Requests for the others' consent to a take-back that is not allowed alone (T-35).

REQUEST_REFUSALS = (NothingToTakeBack, TakeBackNotOffered, TooLateToTakeBack, NotRunning)


@dataclass(frozen=True, slots=True)
class RequestInGame:
    """A request, and its game."""

    position: Position
    request: TakeBackRequest


def ask_to_take_back(
    games: Games,
    game: UUID,
    player: UUID,
    decision: int,
    door: Door,
    now: datetime,
    receipt: Receipt[RequestInGame] | None = None,
    budget: Budget = UNCOUNTED,
) -> RequestInGame:
    """Request the others' consent to undo the player's last action, and enqueue mails to them; idempotent.

    Raises UnknownGame, NotSeated, NotRunning, NothingToTakeBack, TakeBackNotOffered, TooLateToTakeBack; under a key
    also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        undoing = can_ask_to_take_back(position, events.read(db, position.codec, game, 0, position.version), seat)
        if undoing.deed[0].decision != decision:
            raise NothingToTakeBack
        rewound(position, undoing, Cause(seat, door, position.decision))
        standing = play.standing_take_back_request(db, position, now)
        if standing is not None and standing.seat != seat:
            raise TakeBackNotOffered("asked")
        asked = standing or TakeBackRequest(seat, undoing.deed[0].seq, position.version, now)
        if standing is None:
            grow(db, TAKE_BACK_REQUEST, position, player, now)
            play.put_take_back_request(db, game, asked)
            _tell(db, position, asked, player, budget, now)
        done = RequestInGame(position, asked)
        keep(db, receipt, done)
    games.wake(position)
    return done


def agree_to_take_back(games: Games, game: UUID, player: UUID, first: int, door: Door, now: datetime) -> Played:
    """Agree to the request for the action that begins with event `first`; the last consent undoes it. Idempotent.

    Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, TakeBackOver, TooLateToTakeBack.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        asked = _standing(db, position, first, now)
        if seat in position.resigned:
            raise AlreadyResigned
        agreed = asked.agreed | ({seat} - {asked.seat})
        played = Played(position, [])
        if asked_players(position, asked.seat) <= agreed:
            played = _carry_out(db, position, asked, sorted(agreed), door, now)
        elif agreed != asked.agreed:
            play.agree_to_take_back(db, game, seat)
    games.committed(played.position)
    games.wake(played.position)
    return played


def decline_take_back(games: Games, game: UUID, player: UUID, first: int, now: datetime) -> None:
    """Decline or withdraw the request for the action that begins with event `first`; raises as `agree_to_take_back`."""
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        _standing(db, position, first, now)
        if seat in position.resigned:
            raise AlreadyResigned
        play.remove_take_back_request(db, game)
    games.wake(position)


def asked_players(position: Position, seat: int) -> frozenset[int]:
    """Return the seats whose consent the seat's request needs."""
    return players_there(position.folded) - {seat}


def can_ask_to_take_back(position: Position, log: Sequence[Recorded], seat: int) -> Undoing:
    """Return the seat's last action and all after it, if consent to a take-back can be requested.

    Raises NotRunning, TakeBackNotOffered, NothingToTakeBack, TooLateToTakeBack. Deadlines are checked by `rewound`.
    """
    if position.game.status != "running":
        raise NotRunning(position.game.status)
    if position.clocks is None:
        raise TakeBackNotOffered("no-clock")
    if not position.clocks.pace.take_back:
        raise TakeBackNotOffered("switched-off")
    deeds = last_own_action(log, seat)
    if not deeds or seat in position.resigned:
        raise NothingToTakeBack
    if player_lost(log[deeds[0][0].seq :]):
        raise TooLateToTakeBack("player-lost")
    if not asked_players(position, seat):
        raise TakeBackNotOffered("nobody")
    return Undoing(log, deeds)


def _standing(db: Connection, position: Position, first: int, now: datetime) -> TakeBackRequest:
    asked = play.standing_take_back_request(db, position, now)
    if asked is None or asked.first != first:
        raise TakeBackOver
    return asked


def _carry_out(
    db: Connection, position: Position, asked: TakeBackRequest, agreed: Sequence[int], door: Door, now: datetime
) -> Played:
    log = events.read(db, position.codec, position.game.id, 0, position.version)
    undoing = can_ask_to_take_back(position, log, asked.seat)
    after, recorded = undo(db, position, undoing, Cause(asked.seat, door, position.decision), now, agreed=agreed)
    play.remove_take_back_request(db, position.game.id)
    return Played(after, recorded)


def _tell(
    db: Connection, position: Position, asked: TakeBackRequest, player: UUID, budget: Budget, now: datetime
) -> None:
    game = position.game.id
    for seat in sorted(asked_players(position, asked.seat)):
        if position.seats[seat].email:
            # Over the day's mail quota no mail is sent; the page of the table shows the request all the same.
            with suppress(MailsSpent), db.begin_nested():
                if outbox.post(db, game, [notices.take_back_mail(game, seat, asked.first, asked.version)]):
                    reach(db, budget, TAKE_BACK_REQUEST, player, [position.seats[seat].player_id], now)
