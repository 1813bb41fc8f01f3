"""A player asks the others for consent to take an action back that cannot be taken back alone (T-35)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection

from service.handlers.gate import TAKE_BACK_REQUEST, grow, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.play import Played
from service.handlers.refusals import (
    AlreadyResigned,
    NothingToTakeBack,
    NotRunning,
    TakeBackNotOffered,
    TakeBackOver,
    TooLateToTakeBack,
)
from service.handlers.seated import seat_in_play
from service.handlers.take_back import Undoing, rewound, undo
from service.handlers.transaction import transaction
from service.log.agreement import last_own_action, player_lost, players_there
from service.log.recorded import Door, Recorded
from service.store import events, notices, outbox, play
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.play import TakeBackRequest
from service.store.quotas import UNCOUNTED, Budget, MailsSpent

REFUSALS = (NothingToTakeBack, TakeBackNotOffered, TooLateToTakeBack, NotRunning)


@dataclass(frozen=True, slots=True)
class RequestInGame:
    """A request, and the game in which it stands."""

    position: Position
    request: TakeBackRequest


def ask(
    games: Games,
    game: UUID,
    player: UUID,
    decision: int,
    door: Door,
    now: datetime,
    receipt: Receipt[RequestInGame] | None = None,
    budget: Budget = UNCOUNTED,
) -> RequestInGame:
    """Ask the others to have the player's last action taken back, which answered the decision; they are told by mail.

    A request that stands already is returned as it is. Raises UnknownGame, NotSeated, NotRunning, NothingToTakeBack,
    TakeBackNotOffered, TooLateToTakeBack; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        undoing = askable(position, events.read(db, position.codec, game, 0, position.version), seat)
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


def agree(games: Games, game: UUID, player: UUID, first: int, door: Door, now: datetime) -> Played:
    """Agree to the request for the action that begins with event `first`; with the last consent it is taken back.

    Agreeing again changes nothing. Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, TakeBackOver,
    TooLateToTakeBack.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        asked = _standing(db, position, first, now)
        if seat in position.resigned:
            raise AlreadyResigned
        agreed = asked.agreed | ({seat} - {asked.seat})
        played = Played(position, [])
        if others(position, asked.seat) <= agreed:
            played = _carry_out(db, position, asked, sorted(agreed), door, now)
        elif agreed != asked.agreed:
            play.agree_to_take_back(db, game, seat)
    games.committed(played.position)
    games.wake(played.position)
    return played


def decline(games: Games, game: UUID, player: UUID, first: int, now: datetime) -> None:
    """Decline the request for the action that begins with event `first`, or withdraw one's own; raises as `agree`."""
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        _standing(db, position, first, now)
        if seat in position.resigned:
            raise AlreadyResigned
        play.remove_take_back_request(db, game)
    games.wake(position)


def others(position: Position, seat: int) -> frozenset[int]:
    """Return the seats whose players have to agree when a seat asks."""
    return players_there(position.folded) - {seat}


def askable(position: Position, log: Sequence[Recorded], seat: int) -> Undoing:
    """Return the seat's last action, and all that was done since, if the others can be asked to have it taken back.

    Raises NotRunning, TakeBackNotOffered, NothingToTakeBack, TooLateToTakeBack; whether a deadline has passed since it
    was made is left to `rewound`.
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
    if not others(position, seat):
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
    undoing = askable(position, log, asked.seat)
    after, recorded = undo(db, position, undoing, Cause(asked.seat, door, position.decision), now, agreed=agreed)
    play.remove_take_back_request(db, position.game.id)
    return Played(after, recorded)


def _tell(
    db: Connection, position: Position, asked: TakeBackRequest, player: UUID, budget: Budget, now: datetime
) -> None:
    game = position.game.id
    for seat in sorted(others(position, asked.seat)):
        if position.seats[seat].email:
            # Where the day's mails are used up the page of the table tells of it all the same.
            with suppress(MailsSpent), db.begin_nested():
                if outbox.post(db, game, [notices.take_back_mail(game, seat, asked.first, asked.version)]):
                    reach(db, budget, TAKE_BACK_REQUEST, player, [position.seats[seat].player_id], now)
