"""A player gives moves ahead for a seat, cancels them, and chooses what is answered for the player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import structs
from msgspec.json import decode, encode
from sqlalchemy import Connection, text

from service.handlers.append import delay
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import AlreadyResigned, BadOrder, TooMany
from service.handlers.seated import seat_in_play
from service.handlers.transaction import transaction
from service.log.codec import action_json
from service.log.recorded import milliseconds
from service.rules.kernel import Illegal
from service.rules.order_conditions import NOWHERE, conditions_of, value_at
from service.store import notices, outbox, pace
from service.store.games import Games, Position
from service.store.pace import MAX_ORDERS, Conditions, Order, OrderingPlayer

MOST_EXACT: Final = 2**53
"""Smaller whole numbers are exact in every program that reads JSON."""
_PENDING = text("""
select exists (select from outbox where state = 'pending' and kind = 'order' and game_id = :game
                and cast(payload ->> 'decision' as integer) = :decision and cast(payload ->> 'seat' as integer) = :seat)
""")


@dataclass(frozen=True, slots=True)
class Condition:
    """A place of the seat's view (`pointer`) and the `value` that has to be there; NOWHERE for the value of now."""

    pointer: str
    value: Any = NOWHERE


@dataclass(frozen=True, slots=True)
class NewOrder:
    """An action of the ruleset, and what has to be so still; None for all that the action rests on."""

    action: Any
    conditions: Sequence[Condition] | None = None


def give(games: Games, game: UUID, player: UUID, given: Sequence[NewOrder], now: datetime) -> Position:
    """Keep these orders in the place of the player's earlier ones, and return the game as it stands.

    Where the seat is to act already they are tried at this decision. UnknownGame, NotSeated, NotRunning,
    AlreadyResigned, TooMany, BadOrder.
    """

    def change(db: Connection, position: Position, owner: OrderingPlayer, seat: int) -> bool:
        made = [_made(position, seat, place, each, now) for place, each in enumerate(given)]
        pace.replace_orders(db, owner, made)
        return bool(made)

    return _change(games, game, player, now, change)


def give_more(
    games: Games,
    game: UUID,
    player: UUID,
    given: Sequence[NewOrder],
    now: datetime,
    receipt: Receipt[Position] | None = None,
) -> Position:
    """Put these orders behind those that the player has given before; under a key Repeated, others as with `give`."""

    def change(db: Connection, position: Position, owner: OrderingPlayer, seat: int) -> bool:
        waiting = [each for each in pace.read_orders(db, owner) if each.dropped is None]
        made = [_made(position, seat, place, each, now) for place, each in enumerate(given, len(waiting))]
        pace.replace_orders(db, owner, [replace(each, place=place) for place, each in enumerate([*waiting, *made])])
        return bool(made)

    return _change(games, game, player, now, change, receipt)


def cancel(games: Games, game: UUID, player: UUID, now: datetime) -> Position:
    """Forget the player's orders in the game; auto-answers stay. Refusals as with `give`."""
    return give(games, game, player, (), now)


def choose_auto_answers(games: Games, game: UUID, player: UUID, names: Sequence[str], now: datetime) -> Position:
    """Have decisions of these kinds answered for the player until the game ends.

    BadOrder for a name that the ruleset does not have; other refusals as with `give`.
    """

    def change(db: Connection, position: Position, owner: OrderingPlayer, seat: int) -> bool:
        known = [each.name for each in position.ruleset.auto_answers]
        if not set(names) <= set(known):
            raise BadOrder("auto-answer", "chosen", next(at for at, name in enumerate(names) if name not in known))
        pace.set_auto_answers(db, owner, [name for name in known if name in names])
        return bool(names)

    return _change(games, game, player, now, change)


def _change(
    games: Games,
    game: UUID,
    player: UUID,
    now: datetime,
    change: Callable[[Connection, Position, OrderingPlayer, int], bool],
    receipt: Receipt[Position] | None = None,
) -> Position:
    """Change the orders of a locked game, and try them where the seat is to act already and they are new."""
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        seat = seat_in_play(db, position, player)
        if seat in position.resigned:
            raise AlreadyResigned
        owner = OrderingPlayer(game, player)
        new = change(db, position, owner, seat)
        marked(db, position, owner, seat)
        if new and seat in position.awaited:
            _try_now(db, position, seat, now)
        keep(db, receipt, position)
    games.wake()
    with transaction(games.engine) as db:
        return games.open(db, game)


def marked(db: Connection, position: Position, owner: OrderingPlayer, seat: int) -> Position:
    """Note in the row of the locked game whether the seat has anything to be tried; return the position with that."""
    waiting = any(each.dropped is None for each in pace.read_orders(db, owner)) or bool(pace.auto_answers(db, owner))
    others = {each for each in position.game.ordered if each != seat}
    ordered = tuple(sorted(others | {seat} if waiting else others))
    if ordered == position.game.ordered:
        return position
    pace.mark_orders(db, position.game.id, ordered)
    return replace(position, game=structs.replace(position.game, ordered=ordered))


def to_be_tried(db: Connection, position: Position, seat: int) -> bool:
    """Return whether a worker has yet to try the orders of the seat at the decision that the game is at."""
    faced = {"game": position.game.id, "decision": position.decision, "seat": seat}
    return bool(db.execute(_PENDING, faced).scalar_one())


def seen_by(position: Position, seat: int) -> Any:
    """Return the seat's view as JSON types, which conditions are about."""
    return decode(encode(position.ruleset.view(position.state, seat)))


def _made(position: Position, seat: int, place: int, given: NewOrder, now: datetime) -> Order:
    if place >= MAX_ORDERS:
        raise TooMany(MAX_ORDERS)
    conditions = _conditions(position, seat, place, given)
    return Order(place, action_json(given.action), conditions, given.conditions is not None, now)


def _conditions(position: Position, seat: int, place: int, given: NewOrder) -> Conditions:
    """Return the conditions with the values that they have now; BadOrder."""
    view = seen_by(position, seat)
    try:
        rested_on = conditions_of(position.ruleset, view, seat, given.action)
    except Illegal as illegal:
        raise BadOrder("illegal", "orders", place, illegal=illegal) from illegal
    if given.conditions is None:
        found = [(pointer, value_at(view, pointer)) for pointer in rested_on]
        if any(value is NOWHERE for _, value in found):
            raise BadOrder("nowhere", "orders", place)
        return found
    for number, each in enumerate(given.conditions):
        if value_at(view, each.pointer) is NOWHERE:
            raise BadOrder("condition", "orders", place, "conditions", number, "pointer")
        if each.value is not NOWHERE and not _can_stand(each.value):
            raise BadOrder("value", "orders", place, "conditions", number, "value")
    return [
        (each.pointer, value_at(view, each.pointer) if each.value is NOWHERE else each.value)
        for each in given.conditions
    ]


def _can_stand(value: Any) -> bool:
    """Return whether the value could stand in a view: PostgreSQL keeps no other texts, and JSON no other numbers."""
    if isinstance(value, dict):
        return all(_can_stand(each) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return all(map(_can_stand, value))
    if isinstance(value, str):
        return not any(each == "\0" or "\ud800" <= each <= "\udfff" for each in value)
    return not isinstance(value, int | float) or abs(value) < MOST_EXACT


def _try_now(db: Connection, position: Position, seat: int, now: datetime) -> None:
    """Have the orders tried at the decision that the seat faces, unless that is due already."""
    game, decision = position.game.id, position.decision
    if not to_be_tried(db, position, seat):
        again = str(milliseconds(now))
        outbox.post(db, game, [notices.order(game, decision, seat, delay(position, seat), again=again)])
