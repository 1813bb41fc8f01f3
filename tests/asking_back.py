"""Requests to take an action back as the tests make them, and what becomes of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from service.handlers import take_back as requests
from service.handlers.append import Played, record
from service.rules.shared_events import TimeLapsed
from service.shared import clock
from service.store import play
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.play import TakeBackRequest
from tests.builders import act, now_at
from tests.consenting import (
    HOUR,
    after,
    moment,
    player,
)
from tests.games.sealed_bids.actions import Bid

ALICE, BOB, CAROL = 0, 1, 2
TEN_MINUTES = timedelta(minutes=10)


def asked(games: Games, position: Position, seat: int = ALICE, decision: int = 1, **more: Any) -> TakeBackRequest:
    """Return the request of a seat to take back its answer to a decision."""
    return requests.ask_to_take_back(
        games, position.game.id, player(position, seat), decision, "api", clock.now(), **more
    ).request


def agreed(games: Games, position: Position, request: TakeBackRequest, *seats: int) -> Played:
    """Return the game after these seats have agreed to the request."""
    for seat in seats:
        told = requests.agree_to_take_back(
            games, position.game.id, player(position, seat), request.first, "web", clock.now()
        )
    return told


def standing(games: Games, position: Position) -> TakeBackRequest | None:
    """Return the request that stands now."""
    with games.engine.connect() as db:
        return play.standing_take_back_request(db, games.open(db, position.game.id), clock.now())


def bids(games: Games, position: Position, *seats: int) -> Position:
    """Return the game after each of these seats has bid its first card."""
    for seat in seats:
        position = act(games, position, seat, Bid(card=position.state.hands[seat][0])).position
    return position


def fresh(games: Games, position: Position) -> Position:
    """Return the game as a process reads it that remembers nothing."""
    return now_at(Games(games.engine, games.rulesets), position.game.id)


def deadlines(position: Position) -> dict[int, int | None]:
    """Return the deadlines of the seats that have to act, by seat."""
    assert position.clocks is not None
    return {seat: position.clocks.deadline(seat) for seat in sorted(position.awaited)}


def lapsed(games: Games, position: Position, seat: int) -> Position:
    """The game after the time of the seat has lapsed."""
    deadline = deadlines(position)[seat]
    assert deadline is not None
    with after(moment(deadline) - clock.now() + HOUR), games.engine.begin() as db:
        locked = games.lock(db, position.game.id)
        fact = TimeLapsed(seat=seat, decision=locked.decision, deadline=deadline, ends=False)
        later, _ = record(db, locked, [fact], Cause(seat, "timeout", locked.decision))
    games.committed(later)
    return later
