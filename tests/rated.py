"""Rated games, played to their end, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from uuid import UUID, uuid4

from sqlalchemy import text

from service.competition.ratings import Rating
from service.handlers import lobby, play
from service.handlers.lobby import Plan
from service.rules.pace import usual_pace
from service.runtime import Runtime
from service.shared import clock
from service.store import results
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.results import Category
from tests.builders import act, now_at
from tests.people import Person, register
from workers.jobs import carry_out

RULESET = "new-corp-order"
TERMS = Terms(access="public", start="full", pace=usual_pace(2), rated=True)
TO_THE_END = 10_000
"""A turn that no game comes to."""

_DUE = text("select id from outbox where game_id = :game and kind = 'result' and state = 'pending'")
_REASON = text("select uncounted from result where game_id = :game")


def people(games: Games, number: int) -> list[Person]:
    """Register people whose addresses nobody else has."""
    return [register(games, name, f"{uuid4().hex}@example.org", "en") for name in ("Alice", "Bob", "Carol")[:number]]


def begun(games: Games, seated: Sequence[Person], terms: Terms = TERMS, ruleset: str = RULESET) -> Position:
    """Return a rated game at its first decision."""
    game = lobby.create(games, seated[0].id, Plan(ruleset, len(seated), terms=terms), clock.now()).game.id
    for person in seated[1:]:
        lobby.join(games, game, person.id, clock.now())
    return now_at(games, game)


def at_turn(games: Games, position: Position, turn: int) -> Position:
    """Play at random until a turn of the game, or to its end."""
    chance = Random(turn)
    while position.awaited and position.ruleset.turn(position.state) < turn:
        seat = min(position.awaited)
        position = act(games, position, seat, chance.choice(position.ruleset.legal(position.state, seat))).position
    return position


def given_up(games: Games, position: Position, by: Person) -> Position:
    """Let a player resign."""
    play.resign(games, position.game.id, by.id, "api", clock.now())
    return now_at(games, position.game.id)


def won_by_resignation(games: Games, winner: Person, loser: Person, turn: int = 5) -> UUID:
    """Let two play until a turn, in which one of them resigns; return the game."""
    return given_up(games, at_turn(games, begun(games, [winner, loser]), turn), loser).game.id


def rated(runtime: Runtime, game: UUID) -> str | None:
    """Let the result of a game that is over be written; return why it does not count, None if it does."""
    with runtime.engine.connect() as db:
        rows = list(db.execute(_DUE, {"game": game}).scalars())
    for row in rows:
        carry_out(runtime, row)
    with runtime.engine.connect() as db:
        reason: str | None = db.execute(_REASON, {"game": game}).scalar_one()
    return reason


def rating_of(games: Games, person: Person, category: Category = Category(RULESET, 2)) -> Rating | None:
    """Return the rating that is kept of a person."""
    with games.engine.connect() as db:
        return results.ratings(db, category, [person.id]).get(person.id)
