"""Moves through every door; resignations; hints."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.handlers import links
from service.handlers.append import Played, SealedChance, record
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.pace import is_absent, pause_if_agreed, return_from_absence
from service.handlers.refusals import (
    AlreadyResigned,
    HintsNotAllowed,
    KeyReused,
    NotRunning,
    NotSeated,
    NotYourTurn,
    StaleDecision,
    TimeHasLapsed,
    Unavailable,
)
from service.handlers.seated import seat_in_play
from service.handlers.transaction import statements, transaction
from service.log.clocks import SERVICE_DOORS
from service.log.codec import action_json
from service.log.recorded import Door, Recorded
from service.players.hints import Hint, hints
from service.players.levels import dice_for
from service.players.player import substitute_action
from service.rules.shared_events import HintTaken, SeatResigned, TimeLapsed
from service.shared import clock
from service.shared.refusal import Refusal
from service.store import events, idempotency, notices, orders, outbox
from service.store.events import Cause, StaleVersion
from service.store.fast_path import Precondition
from service.store.games import Games, Position
from service.store.idempotency import IdempotencyKey, IdempotentRequest
from service.store.orders import OrderingPlayer
from service.store.outbox import Notice

__all__ = ["IdempotencyKey", "Move", "answered", "check", "play", "play_automaton", "play_remembered"]

# Moves.

# Each failed try means that another move was accepted. No table has so many in a row.
_TRIES = 20

_PLAYERS_DOORS = frozenset({"api", "web", "link", "reply"})
"""Doors that a player uses in person, at that moment."""


# A Struct, as in store/events.py.
class Move(msgspec.Struct, frozen=True):
    """An action of a seat in answer to a numbered decision.

    `precondition` names cached data behind the move; the append checks them. `player` is the acting person: the seat
    may have changed hands meanwhile. None where the service acts.
    """

    game: UUID
    seat: int
    decision: int
    action: Any
    door: Door
    precondition: Precondition | None = None
    player: UUID | None = None


def play(games: Games, move: Move, key: IdempotencyKey | None = None, seen: Position | None = None) -> Played:
    """Play a move. Under a key that was answered before, return the earlier answer and change nothing.

    `seen` is the position that the caller has just read; it saves a read. Any move, accepted or not, ends the seat's
    absence. Only accepted moves use up a key.
    Raises UnknownGame, NotSeated, NotRunning, StaleDecision, TimeHasLapsed (a StaleDecision), NotYourTurn, KeyReused,
    kernel.Illegal: nothing else has happened. Raises Unavailable: the outcome is unknown.
    """
    request = None if key is None else IdempotentRequest(key, _digest(move))
    for _ in range(_TRIES):
        with suppress(StaleVersion):
            return _play_once(games, move, request, seen)
        seen = None
    raise Unavailable


def play_remembered(games: Games, move: Move, position: Position, key: IdempotencyKey | None) -> Played:
    """Play a move on a position that may be stale, by a single statement.

    Raises as `play`. Also raises StaleVersion (the game has moved on, or the precondition fails) and KeyReused (the key
    was answered before). Nothing has happened then, and the refusal may be stale too.
    """
    return _play_once(games, move, None if key is None else IdempotentRequest(key, _digest(move)), position)


def play_automaton(games: Games, game: UUID, seat: int | None = None) -> bool:
    """Play the automaton's move if one is due, and settle its notice; return whether it moved.

    With `seat`, play the stand-in's move for that seat.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        owed = _owed(position, seat)
        if owed is None:
            return False
        move, notice = owed
        if seat is None:
            outbox.finish_key(db, notice.dedupe_key)
        else:
            # An answer may have several steps: the append asks for the next one under the same key.
            outbox.forget_key(db, notice.dedupe_key)
        after, _ = carry_out(db, position, move, None)
    games.committed(after)
    games.wake(after)
    return True


def _owed(position: Position, seat: int | None) -> tuple[Move, Notice] | None:
    if position.game.status != "running":
        return None
    ruleset, state, game = position.ruleset, position.state, position.game.id
    decision = position.decision
    if seat is None:
        made = ruleset.automaton(state)
        return made and (Move(game, made[0], decision, made[1], "worker"), notices.automaton(game, decision))
    if seat not in position.stood_in & position.to_act - position.folded.computers.keys():
        return None
    lapsed = position.clocks is not None and seat in position.clocks.lapsed
    action = substitute_action(ruleset, position.game.seats, str(game), decision, state, seat)
    return Move(game, seat, decision, action, "timeout" if lapsed else "worker"), notices.stand_in(game, decision, seat)


def _play_once(games: Games, move: Move, request: IdempotentRequest | None, seen: Position | None) -> Played:
    """Play a move once; raise StaleVersion, with nothing written, if the game moves on meanwhile.

    No lock is held between read and write. The append is the only commit: a single statement that writes all, or
    nothing if the game has left the version read.
    """
    try:
        with statements(games.engine) as db:
            position = seen or games.open(db, move.game)
            # Reveal nothing under a precondition before the append has checked it.
            earlier = answered(games, db, position, request) if request and not move.precondition else None
            if earlier is not None:
                return earlier
            if move.door in _PLAYERS_DOORS and is_absent(position, move.seat):
                return_from_absence(games, move.game, move.seat, move.player, move.door)
                raise StaleVersion(move.game, position.version)
            check(db, position, move)
            after, recorded = carry_out(db, position, move, request)
    except IntegrityError as error:
        if request is None:
            raise
        # The same key at this game would have moved the game on. So the key was used at another game.
        raise KeyReused from error
    games.committed(after)
    games.wake(after)
    return Played(after, recorded)


def check(db: Connection, position: Position, move: Move) -> None:
    """Refuse a seat that may not act, whatever the action.

    NotSeated, NotRunning, StaleDecision, TimeHasLapsed (a StaleDecision), NotYourTurn.
    """
    status = position.game.status
    if not 0 <= move.seat < position.game.seats:
        raise NotSeated
    if move.player is not None and position.seat_of(move.player) != move.seat:
        raise NotSeated
    if status not in ("running", "finished"):
        raise NotRunning(status)
    if move.decision != position.decision:
        since = events.since_decision(db, position.codec, move.game, move.decision)
        raise _time_lapsed(position, move, since) or StaleDecision(position, since)
    if move.seat not in position.awaited:
        raise _refused(db, position, move)


def _refused(db: Connection, position: Position, move: Move) -> Refusal:
    """Return the refusal for a seat that is not awaited at the current decision."""
    if position.game.status == "finished":
        return NotRunning("finished")
    lapsed = None
    if position.clocks is not None:
        since = events.since_decision(db, position.codec, move.game, move.decision)
        lapsed = _time_lapsed(position, move, since)
    return lapsed or NotYourTurn(position)


def _time_lapsed(position: Position, move: Move, since: list[Recorded]) -> TimeHasLapsed | None:
    """Return the refusal of a move after the seat's time lapsed at its decision, None without a lapse."""
    ours = [each for each in since if (each.seat, each.decision) == (move.seat, move.decision)]
    if not any(isinstance(each.event, TimeLapsed) for each in ours):
        return None
    instead = [each for each in ours if each.action is not None and each.door in SERVICE_DOORS]
    return TimeHasLapsed(position, since, instead[-1] if instead else None)


def carry_out(
    db: Connection, position: Position, move: Move, request: IdempotentRequest | None = None
) -> tuple[Position, list[Recorded]]:
    """Append the events of a checked move; returns and raises as `record`, and kernel.Illegal."""
    happened = position.ruleset.decide(position.state, move.seat, move.action, SealedChance(db, position))
    cause = Cause(move.seat, move.door, move.decision, action_json(move.action), move.precondition)
    return record(db, position, happened, cause, request)


def answered(games: Games, db: Connection, position: Position, request: IdempotentRequest) -> Played | None:
    """Return the earlier answer to a repeated request; KeyReused if the key belongs to another request."""
    kept = idempotency.find(db, request.key)
    if kept is None:
        return None
    if kept.request_hash != request.hash:
        raise KeyReused
    then = games.at_version(db, position, kept.last_seq)
    told = events.read(db, then.codec, then.game.id, kept.first_seq - 1, kept.last_seq)
    return Played(then, told, again=True)


def _digest(move: Move) -> bytes:
    asked = [str(move.game), move.seat, move.decision, action_json(move.action)]
    return sha256(msgspec.json.encode(asked, order="deterministic")).digest()


# Resignations.


def resign(
    games: Games, game: UUID, player: UUID, door: Door, now: datetime, receipt: Receipt[Played] | None = None
) -> Played:
    """Resign; UnknownGame, NotSeated, NotRunning, AlreadyResigned; under a key Repeated.

    The game ends if its terms say so, or if at most one player is left. Otherwise the workers play the seat.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        if seat in position.resigned:
            raise AlreadyResigned
        after, recorded = give_up(db, position, seat, door)
        links.revoke(db, player, "resigned", now, game)
        played = Played(after, recorded)
        keep(db, receipt, played)
    games.committed(after)
    games.wake(after)
    return played


def give_up(db: Connection, position: Position, seat: int, door: Door) -> tuple[Position, list[Recorded]]:
    """Resign a seat of a locked, running game within a transaction; returns as `record`.

    The game is paused if only this player had not agreed to a proposed pause.
    """
    orders.forget_orders(db, OrderingPlayer(position.game.id, position.seats[seat].player_id))
    happened = [SeatResigned(seat=seat, ends=_ends(position))]
    after, recorded = record(db, position, happened, Cause(seat, door, position.decision))
    return pause_if_agreed(db, after, seat, door, clock.now()), recorded


def _ends(position: Position) -> bool:
    left = position.game.seats - len(position.resigned) - 1
    return position.game.terms.on_resignation == "end" or left <= 1


# Hints, which the record of the game counts.


class Hinted(NamedTuple):
    """Result of a hint: the game after the count, the seat, the hints."""

    position: Position
    seat: int
    hints: list[Hint]


def may_take_hints(position: Position) -> bool:
    """Return whether hints are allowed: in training games, and alone with cards that nobody else plays."""
    game = position.game
    return game.terms.training or (game.seats == 1 and game.deal is None)


def take_hint(games: Games, game: UUID, player: UUID, door: Door) -> Hinted:
    """Return the hints at the player's decision, and count the first request for them.

    Raises UnknownGame, NotSeated, NotRunning, HintsNotAllowed, NotYourTurn.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        if not may_take_hints(position):
            raise HintsNotAllowed
        if seat not in position.awaited:
            raise NotYourTurn(position)
        after = position
        if not was_taken(db, position, seat):
            fact = HintTaken(seat=seat, decision=position.decision)
            after, _ = record(db, position, [fact], Cause(seat, door, position.decision))
    if after is not position:
        games.committed(after)
        games.wake(after)
    return Hinted(after, seat, hints_at(after, seat))


def was_taken(db: Connection, position: Position, seat: int) -> bool:
    """Return whether the seat has taken a hint at its current decision."""
    answered = events.since_decision(db, position.codec, position.game.id, position.decision)
    return any(each.event == HintTaken(seat=seat, decision=position.decision) for each in answered)


def hints_at(position: Position, seat: int) -> list[Hint]:
    """Return the hints for an awaited seat; deterministic for each decision."""
    dice = dice_for(str(position.game.id), position.decision, seat, "hard")
    return hints(position.ruleset, position.game.seats, position.state, seat, dice)
