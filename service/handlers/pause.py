"""Pauses: players propose one and agree to it, and then nobody's time runs (T-21)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from sqlalchemy import Connection

from service.handlers.append import record
from service.handlers.gate import PAUSE_PROPOSAL, grow, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import AlreadyResigned, BadPause, CannotPause, NoPause
from service.handlers.seated import seat_in_play
from service.handlers.transaction import transaction
from service.log.agreement import pause_proposal, players_there
from service.log.clocks import LONGEST_PAUSE, Clocks
from service.log.recorded import Door, milliseconds
from service.rules.shared_events import GamePaused, GameResumed, PauseAgreed, PauseProposed, PauseWithdrawn
from service.shared import clock
from service.store import notices, outbox
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.quotas import UNCOUNTED, Budget, MailsSpent

SHORTEST: Final = 60_000
LONGEST: Final = LONGEST_PAUSE * 1000
"""The fewest and the most milliseconds of a pause."""


def propose(
    games: Games,
    game: UUID,
    player: UUID,
    until: datetime,
    door: Door,
    now: datetime,
    receipt: Receipt[Position] | None = None,
    budget: Budget = UNCOUNTED,
) -> Position:
    """Propose a pause, in place of any other proposal; the game is paused at once if nobody else has to agree.

    Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, CannotPause, BadPause; under a key Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        seat, clocks = _there(db, position, player)
        if clocks.paused is not None:
            raise CannotPause("paused")
        if not SHORTEST <= _instant(until) - _instant(now) <= LONGEST:
            raise BadPause
        grow(db, PAUSE_PROPOSAL, position, player, now)
        proposed = PauseProposed(seat=seat, until=_instant(until))
        after, _ = record(db, position, [proposed], Cause(seat, door, position.decision))
        paused = pause_if_agreed(db, after, seat, door, now)
        if paused is after:
            _tell_of_proposal(db, after, proposed, player, budget, now)
        keep(db, receipt, paused)
    games.committed(paused)
    games.wake(paused)
    return paused


def agree(games: Games, game: UUID, player: UUID, until: datetime, door: Door, now: datetime) -> Position:
    """Agree to the pause that is proposed until a moment; with the last consent the game is paused.

    Agreeing again changes nothing. Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, CannotPause, NoPause.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat, clocks = _there(db, position, player)
        proposed, after = pause_proposal(clocks, milliseconds(now)), position
        if proposed is None or proposed.until != _instant(until):
            raise NoPause("not-proposed")
        if seat not in proposed.agreed:
            after, _ = record(db, position, [PauseAgreed(seat=seat)], Cause(seat, door, position.decision))
        after = pause_if_agreed(db, after, seat, door, now)
    games.committed(after)
    games.wake(after)
    return after


def stop(games: Games, game: UUID, player: UUID, door: Door, now: datetime) -> Position:
    """End the pause of the game, as each of its players may, or withdraw the player's own proposal of a pause.

    Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, CannotPause, NoPause.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat, clocks = _playing(db, position, player)
        proposed, cause = pause_proposal(clocks, milliseconds(now)), Cause(seat, door, position.decision)
        if clocks.paused is not None:
            after, _ = record(db, position, [GameResumed(seat=seat)], cause)
            _tell(db, after, players_there(after.folded) - {seat}, "ended", milliseconds(now))
        elif proposed is not None and proposed.seat == seat:
            after, _ = record(db, position, [PauseWithdrawn(seat=seat)], cause)
        else:
            raise NoPause("not-paused")
    games.committed(after)
    games.wake(after)
    return after


def end_pause(games: Games, game: UUID, until: int, now: datetime) -> bool:
    """End the pause of the game until this instant, if it is paused so and the instant has come; settle its notice.

    Return whether the notice is settled: False while the instant has not come by this process's clock.
    """
    if milliseconds(now) < until:
        return False
    with transaction(games.engine) as db:
        position = after = games.lock(db, game)
        paused = None if position.clocks is None else position.clocks.paused
        outbox.finish_key(db, notices.pause_end(game, until).dedupe_key)
        if position.game.status == "running" and paused is not None and paused.until == until:
            cause = Cause(paused.seat, "worker", position.decision)
            after, _ = record(db, position, [GameResumed(seat=paused.seat)], cause)
            _tell(db, after, players_there(after.folded), "ended", until)
    if after is not position:
        games.committed(after)
        games.wake(after)
    return True


def pause_if_agreed(db: Connection, position: Position, seat: int, door: str, now: datetime) -> Position:
    """Pause a locked game if nobody is left who has to agree to the proposed pause; return the game as it is then.

    To be called, in the same transaction, after each event by which somebody agrees or need no longer agree; `seat` is
    that of the event, and `door` the one that it came through.
    """
    clocks = position.clocks
    proposed = None if clocks is None else pause_proposal(clocks, milliseconds(now))
    if proposed is None or position.game.status != "running" or not players_there(position.folded) <= proposed.agreed:
        return position
    paused = GamePaused(seat=proposed.seat, until=proposed.until)
    after, _ = record(db, position, [paused], Cause(proposed.seat, door, position.decision))
    outbox.post(db, after.game.id, [notices.pause_end(after.game.id, proposed.until)])
    _tell(db, after, players_there(after.folded) - {seat}, "begun", proposed.until)
    return after


def _instant(moment: datetime) -> int:
    return milliseconds(clock.to_the_millisecond(moment))


def _playing(db: Connection, position: Position, player: UUID) -> tuple[int, Clocks]:
    seat = seat_in_play(db, position, player)
    if position.clocks is None:
        raise CannotPause("no-clock")
    if seat in position.resigned:
        raise AlreadyResigned
    return seat, position.clocks


def _there(db: Connection, position: Position, player: UUID) -> tuple[int, Clocks]:
    seat, clocks = _playing(db, position, player)
    if seat in clocks.absent:
        raise CannotPause("absent")
    return seat, clocks


def _tell_of_proposal(
    db: Connection, position: Position, proposed: PauseProposed, player: UUID, budget: Budget, now: datetime
) -> None:
    for seat in players_there(position.folded) - {proposed.seat}:
        # Where the day's mails are used up the page of the table tells of it all the same.
        with suppress(MailsSpent), db.begin_nested():
            if _tell(db, position, [seat], "proposed", proposed.until):
                reach(db, budget, PAUSE_PROPOSAL, player, [position.seats[seat].player_id], now)


def _tell(
    db: Connection,
    position: Position,
    seats: Iterable[int],
    what: Literal["proposed", "begun", "ended"],
    until: int,
) -> int:
    game, written_to = position.game.id, [seat for seat in sorted(seats) if position.seats[seat].email]
    return outbox.post(db, game, [notices.pause_mail(game, seat, what, until, position.version) for seat in written_to])
