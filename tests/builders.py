"""Games in the situations that tests begin with."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

from sqlalchemy import update

from service.handlers import lobby
from service.handlers.append import Played
from service.handlers.lobby import Plan
from service.handlers.play import Move, play
from service.rules.pace import Pace
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import add_invitation_link, new_invitation_token
from service.store.tables import game as game_table
from tests.people import Person, alice, bob, carol


def table_for(games: Games, ruleset: str, host: Person, seats: int, terms: Terms | None = None, **options: Any) -> UUID:
    """Return the id of a game with its host alone at the table; public, so that the others can join, unless told."""
    access = "public" if seats > 1 else "invitation"
    plan = Plan(ruleset, seats, options, terms or Terms(access=access))
    return lobby.create(games, host.id, plan, clock.now()).game.id


def opened(games: Games, ruleset: str, people: Sequence[Person], **options: Any) -> UUID:
    """Return the id of a game with all people in their seats, not started."""
    game = table_for(games, ruleset, people[0], len(people), **options)
    for person in people[1:]:
        lobby.join(games, game, person.id, clock.now())
    return game


def started(games: Games, ruleset: str, people: Sequence[Person], **options: Any) -> Position:
    """Return a game at its first decision."""
    return lobby.start(games, opened(games, ruleset, people, **options), people[0].id, clock.now())


def paced(
    games: Games, pace: Pace, ruleset: str = "sealed-bids", people: Sequence[Person] = (), **options: Any
) -> Position:
    """Return a game with a clock at its first decision; with Alice, Bob and Carol, unless told."""
    seated = people or [alice(games), bob(games), carol(games)]
    game = table_for(games, ruleset, seated[0], len(seated), Terms(access="public", pace=pace), **options)
    for person in seated[1:]:
        lobby.join(games, game, person.id, clock.now())
    return lobby.start(games, game, seated[0].id, clock.now())


def mailed_token(games: Games, invitation: UUID) -> str:
    """Return the end of one more link to an invitation, as a mail would have it."""
    token = new_invitation_token()
    with games.engine.begin() as db:
        add_invitation_link(db, invitation, token)
    return token


def sealed_bids(games: Games, **options: Any) -> Position:
    """Return a game of sealed bids with Alice, Bob and Carol at its first decision."""
    return started(games, "sealed-bids", [alice(games), bob(games), carol(games)], **options)


def ending_on_resignation(games: Games, position: Position) -> Position:
    """Return the game, which now ends as soon as anybody resigns."""
    with games.engine.begin() as db:
        db.execute(update(game_table).where(game_table.c.id == position.game.id).values(on_resignation="end"))
    return now_at(games, position.game.id)


def now_at(games: Games, game: UUID) -> Position:
    """Return the game as it is."""
    with games.engine.connect() as db:
        return games.open(db, game)


def act(games: Games, position: Position, seat: int, action: Any) -> Played:
    """Play an action in answer to the position's decision, through the API's door."""
    return play(games, Move(position.game.id, seat, position.decision, action, "api"))


def first_legal(position: Position, seat: int) -> Any:
    """Return a legal action of the seat."""
    return position.ruleset.legal(position.state, seat)[0]


def finished(games: Games, position: Position) -> Position:
    """Play a game to its end by first legal actions."""
    while seats := position.ruleset.to_act(position.state):
        seat = min(seats)
        position = act(games, position, seat, first_legal(position, seat)).position
    return position


def later(games: Games, position: Position, decisions: int, seat: int) -> Position:
    """Play at random for so many decisions, and on until it is the seat's move."""
    chance = Random(decisions)
    while seats := position.awaited:
        if position.decision > decisions and seat in seats:
            break
        at = min(seats)
        position = act(games, position, at, chance.choice(position.ruleset.legal(position.state, at))).position
    return position
