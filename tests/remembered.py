"""A game at which both players have acted lately, so that the service remembers them."""

from __future__ import annotations

from dataclasses import dataclass

from werkzeug.test import TestResponse

from service.store.games import Games, Position
from tests.builders import first_legal, now_at, started
from tests.people import Person, alice, bob
from tests.rest import Caller

ALICE, BOB = 0, 1


@dataclass(frozen=True, slots=True)
class Table:
    """A game for two in which both have acted, so that the service remembers them, and Alice is to act."""

    games: Games
    start: Position
    people: list[Person]
    seats: list[Caller]

    @property
    def now(self) -> Position:
        return now_at(Games(self.games.engine, self.games.rulesets), self.start.game.id)

    def act(self, **headers: str) -> TestResponse:
        """Answer the decision with the first legal action, as whoever is to act."""
        position = self.now
        (seat,) = position.awaited
        return self.say(seat, position, **headers)

    def say(self, seat: int, position: Position, **headers: str) -> TestResponse:
        said = position.ruleset.notate(first_legal(position, seat))
        return self.seats[seat].act(position.game.id, position.decision, said, **headers)


def acted_at(games: Games, api: Caller) -> Table:
    """Return a game for two in which both have acted, and Alice is to act."""
    people = [alice(games), bob(games)]
    made = Table(games, started(games, "new-corp-order", people), people, [api.by(person) for person in people])
    acted = set[int]()
    while (awaited := made.now.awaited) != {ALICE} or acted != {ALICE, BOB}:
        acted |= awaited
        assert made.act().status_code == 201
    return made
