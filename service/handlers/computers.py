"""Computer players: seat, dismiss, substitute, play."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection

from service.handlers.append import record
from service.handlers.gate import SITTING_DOWN, grow
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.lobby import kick_player, lock_as_host, notify, seat_computer
from service.handlers.play import Move, carry_out
from service.handlers.refusals import NoSuchLevel, NotOpen, Unavailable
from service.handlers.substitutes import Substitute, require_inviter, require_unattended, take_over
from service.handlers.transaction import statements, transaction
from service.players.levels import CUT, Level, levels_for
from service.players.player import choice, computer_seated
from service.rules.shared_events import BudgetCut, ComputerSeated
from service.store import notices, outbox, play
from service.store.events import Cause, StaleVersion
from service.store.games import Games, Position, require_known

_TRIES = 20
MANY: Final = 20
"""Number of due computer moves from which the search budget is cut."""


def fill(games: Games, game: UUID, host: UUID, level: Level, now: datetime, receipt: Receipt[int] | None = None) -> int:
    """Seat a computer player in the lowest free seat of the host's open game, and return the seat.

    UnknownGame, NotHost, NotOpen, NoSuchLevel; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = lock_as_host(db, games, game, host)
        grow(db, SITTING_DOWN, position, host, now)
        position, seat = seat_computer(db, games, position, level, now)
        keep(db, receipt, seat)
    notify(games, position)
    return seat


def dismiss(games: Games, game: UUID, host: UUID, seat: int) -> None:
    """Remove a computer player from the host's open game. UnknownGame, NotHost, NotOpen."""
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, host)
        if not any(each.seat == seat and each.computer for each in position.seats):
            raise NotOpen("empty")
    kick_player(games, game, seat, host)


def substitute_computer(
    games: Games,
    game: UUID,
    player: UUID,
    seat: int,
    level: Level,
    now: datetime,
    receipt: Receipt[Position] | None = None,
) -> Position:
    """Substitute a computer player for a player who has resigned or is absent.

    Allowed to those who may invite substitutes. UnknownGame, NotFound, NotRunning, SeatAttended, NotHost, NoSuchLevel;
    under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        require_known(db, position, player)
        require_inviter(position, player)
        require_unattended(position, seat)
        levels = levels_for(position.ruleset, position.game.seats)
        if level not in levels:
            raise NoSuchLevel(levels)
        newcomer = play.take_computer(db, level, play.players_ever_seated(db, game), now)
        after = take_over(db, games, position, Substitute(newcomer, seat, "worker"), now)
        after, _ = record(db, after, [computer_seated(seat, level)], Cause(seat, "worker", after.decision))
        keep(db, receipt, after)
    notify(games, after)
    return after


def play_computer(games: Games, game: UUID, seat: int, row_id: int) -> bool:
    """Play the due move of a computer player, and settle its row; return False if no move is due.

    The move is chosen without a lock. If the game moves on meanwhile, the move is chosen anew.
    """
    for _ in range(_TRIES):
        with statements(games.engine) as db:
            position = games.open(db, game)
            computer = position.folded.computers.get(seat)
            if computer is None or seat not in position.to_act:
                return False
            tables = _tables(db, position, computer)
        ruleset, seats, decision = position.ruleset, position.game.seats, position.decision
        action = choice(ruleset, seats, str(game), decision, position.state, computer, tables)
        with suppress(StaleVersion):
            _play(games, position, Move(game, seat, decision, action, "worker"), row_id, tables)
            return True
    raise Unavailable


def _tables(db: Connection, position: Position, computer: ComputerSeated) -> int | None:
    """Return the cut budget of a choice (noted before, or for many due moves), None for the full one."""
    noted = position.folded.tables(computer.seat, position.decision)
    cut = next((tables for level, tables in CUT.items() if level == computer.level), None)
    if noted is not None or cut is None:
        return noted
    return cut if outbox.waiting(db, "computer", MANY) == MANY else None


def _play(games: Games, position: Position, move: Move, row_id: int, tables: int | None) -> None:
    """Play a move on the position of its choice, unless another process settles the row; StaleVersion.

    A cut budget is logged before the move: nobody could recompute the choice otherwise.
    """
    with transaction(games.engine) as db:
        if outbox.lock(db, row_id) is None:
            return
        outbox.finish(db, row_id, "done")
        if tables is not None and tables != position.folded.tables(move.seat, move.decision):
            cut = BudgetCut(seat=move.seat, decision=move.decision, tables=tables)
            position, _ = record(db, position, [cut], Cause(move.seat, move.door, move.decision))
            # The move due at this version is the move played below.
            outbox.forget_key(db, notices.computer(move.game, move.seat, position.version).dedupe_key)
        after, _ = carry_out(db, position, move)
    games.committed(after)
    games.wake(after)
