"""Orders as the tests give them, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import text

from service.handlers import orders
from service.handlers.orders import Condition, NewOrder
from service.log.recorded import Recorded
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store import orders as stored
from service.store.games import Games, Position
from service.store.orders import Order, OrderingPlayer
from tests.builders import act, now_at, started
from tests.letters import turn_mails
from tests.people import alice, bob
from workers.jobs import carry_out

ALICE, BOB, CAROL = 0, 1, 2


def corp(games: Games, **options: Any) -> Position:
    """Return Alice's first turn in New Corp Order, against Bob."""
    return started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE, **options})


def solo(games: Games) -> Position:
    """Return a game of New Corp Order that Alice plays alone."""
    return started(games, "new-corp-order", [alice(games)])


def order(games: Games, position: Position, seat: int, *given: Any) -> Position:
    """Give actions ahead, in notation or as NewOrder, in the place of all earlier ones."""
    made = [each if isinstance(each, NewOrder) else NewOrder(position.ruleset.parse(each)) for each in given]
    return orders.give(games, position.game.id, player_in(position, seat), made, clock.now())


def unconditional(position: Position, notation: str) -> NewOrder:
    """Return an order that rests on nothing."""
    return NewOrder(position.ruleset.parse(notation), ())


def on(position: Position, notation: str, **conditions: Any) -> NewOrder:
    """Return an order under conditions; `display__0="red"` stands for the pointer /display/0."""
    named = [Condition(f"/{name.replace('__', '/')}", value) for name, value in conditions.items()]
    return NewOrder(position.ruleset.parse(notation), named)


def automatic(games: Games, position: Position, seat: int, *names: str) -> Position:
    """Choose auto-answers for a seat, in the place of all earlier ones."""
    return orders.choose_auto_answers(games, position.game.id, player_in(position, seat), names, clock.now())


def player_in(position: Position, seat: int) -> UUID:
    """Return the player in a seat."""
    return position.seats[seat].player_id


def kept(games: Games, position: Position, seat: int) -> list[Order]:
    """Return the seat's orders, those dropped among them."""
    with games.engine.connect() as db:
        return stored.read_orders(db, OrderingPlayer(position.game.id, player_in(position, seat)))


def waiting(games: Games, position: Position, seat: int) -> list[str]:
    """Return the orders of the seat that wait, in notation."""
    found = [each for each in kept(games, position, seat) if each.dropped is None]
    return [notated(position, each) for each in found]


def notated(position: Position, given: Order) -> str:
    """Return an order's action in notation."""
    kind = position.ruleset.action_types[given.action["type"]]
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in given.action.items()}
    return position.ruleset.notate(kind(**{name: value for name, value in fields.items() if name != "type"}))


def rows(runtime: Runtime, game: UUID, state: str = "pending") -> list[int]:
    """Return the ids of the outbox rows that try orders of a game."""
    found = text("select id from outbox where game_id = :game and kind = 'order' and state = :state order by id")
    with runtime.engine.connect() as db:
        return list(db.execute(found, {"game": game, "state": state}).scalars())


def try_orders(runtime: Runtime, position: Position) -> Position:
    """Carry out all rows that try orders, as if their time had come; return the game after it."""
    while due := rows(runtime, position.game.id):
        for row in due:
            carry_out(runtime, row)
    return now_at(runtime.games, position.game.id)


def by_order(games: Games, game: UUID) -> Sequence[Recorded]:
    """Return the events that orders and auto-answers have caused, those at which an action stands."""
    position = now_at(games, game)
    with games.engine.connect() as db:
        log = events.read(db, position.codec, game)
    return [each for each in log if each.door == "order" and each.action is not None]


def plot(position: Position, *sources: str) -> Any:
    """Return the action that takes cards from these places, as the notation names them."""
    return position.ruleset.parse(" ".join(["P", *sources]))


def alice_plots(games: Games, position: Position) -> Position:
    """Alice takes two cards of the deck, on which no order of Bob's rests, and discards if need be."""
    now = act(games, position, ALICE, plot(position, "D", "D")).position
    return now if now.awaited != {ALICE} else settle(games, now, ALICE)


def mails_to(games: Games, position: Position, seat: int) -> list[Any]:
    """Return the outbox rows of the turn mails to a seat."""
    return [row for row in turn_mails(games, position) if row.payload["seat"] == seat]


def settle(games: Games, now: Position, seat: int) -> Position:
    """Let the seat answer whatever its turn still asks for."""
    while now.awaited == {seat}:
        now = act(games, now, seat, now.ruleset.legal(now.state, seat)[-1]).position
    return now
