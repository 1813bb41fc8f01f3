"""Tables with computer players, and their moves, which the tests do not wait for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from uuid import UUID

from sqlalchemy import text

from service.handlers import lobby
from service.handlers.computers import play_computer
from service.handlers.lobby import Plan
from service.players.levels import Level
from service.rules.pace import Pace
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import act, now_at
from tests.people import Person

_SKIP = text("update outbox set state = 'skipped' where id = :row and state = 'pending'")
_ROWS = text("""
select id, cast(payload ->> 'seat' as integer) as seat from outbox
where game_id = :game and kind = 'computer' and state = 'pending' order by id
""")


def against(
    games: Games, ruleset: str, host: Person, levels: Sequence[Level], seats: int = 0, pace: Pace | None = None
) -> Position:
    """Return a game of a person with computer players, which has begun unless seats are left free."""
    plan = Plan(ruleset, seats or len(levels) + 1, {}, Terms(pace=pace), computers=levels)
    return lobby.create(games, host.id, plan, clock.now())


def owed(games: Games, game: UUID) -> list[tuple[int, int]]:
    """Return the rows of moves that computer players owe, each with its seat."""
    with games.engine.connect() as db:
        return [(row.id, row.seat) for row in db.execute(_ROWS, {"game": game})]


def let_computers_play(games: Games, game: UUID) -> Position:
    """Let them play until none of them has to act."""
    while rows := owed(games, game):
        for row, seat in rows:
            play_computer(games, game, seat, row)
            with games.engine.begin() as db:
                db.execute(_SKIP, {"row": row})
    return now_at(games, game)


def played_out(games: Games, position: Position, random: Random, person: int = 0) -> Position:
    """Play a game to its end: a person at random, the others by their levels."""
    while position.game.status == "running":
        position = let_computers_play(games, position.game.id)
        if person in position.awaited:
            action = random.choice(position.ruleset.legal(position.state, person))
            position = act(games, position, person, action).position
    return position
