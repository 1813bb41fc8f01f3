"""A player takes a hint, which the record of the game counts."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from sqlalchemy import Connection

from service.handlers.append import record
from service.handlers.refusals import HintsNotAllowed, NotYourTurn
from service.handlers.seated import seat_in_play
from service.handlers.transaction import transaction
from service.log.recorded import Door
from service.players.hints import Hint, hints
from service.players.levels import dice_for
from service.rules.shared_events import HintTaken
from service.store import events
from service.store.events import Cause
from service.store.games import Games, Position


class Hinted(NamedTuple):
    """The game after a hint was counted, the seat that took it, and what it says."""

    position: Position
    seat: int
    hints: list[Hint]


def may_take_hints(position: Position) -> bool:
    """Return whether players may take hints: in training games, and where nobody else plays with these cards."""
    game = position.game
    return game.terms.training or (game.seats == 1 and game.deal is None)


def take_hint(games: Games, game: UUID, player: UUID, door: Door) -> Hinted:
    """Count a hint at the decision that the player faces, unless it was counted before, and give it.

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
    """Return whether a seat has taken a hint at the decision that it faces."""
    answered = events.since_decision(db, position.codec, position.game.id, position.decision)
    return any(each.event == HintTaken(seat=seat, decision=position.decision) for each in answered)


def hints_at(position: Position, seat: int) -> list[Hint]:
    """Return the hints for a seat that has to act; the same again for the same decision."""
    dice = dice_for(str(position.game.id), position.decision, seat, "hard")
    return hints(position.ruleset, position.game.seats, position.state, seat, dice)
