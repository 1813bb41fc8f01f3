"""Orders (moves given ahead) and auto-answers: give, cancel, play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import structs
from msgspec.json import decode, encode
from sqlalchemy import Connection, text

from service.handlers.append import SealedChance, delay, record
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import AlreadyResigned, BadOrder, TooMany
from service.handlers.seated import seat_in_play
from service.handlers.take_back import ask_again
from service.handlers.transaction import transaction
from service.log.codec import action_json, read_action
from service.log.recorded import milliseconds
from service.rules.kernel import Illegal
from service.rules.order_conditions import NOWHERE, conditions_of, value_at
from service.store import notices, orders, outbox
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.orders import MAX_ORDERS, Conditions, Order, OrderingPlayer
from service.store.outbox import OutboxRow

# Orders given and cancelled; auto-answers chosen.

MOST_EXACT: Final = 2**53
"""Limit below which every JSON reader represents integers exactly."""
_PENDING = text("""
select exists (select from outbox where state = 'pending' and kind = 'order' and game_id = :game
                and cast(payload ->> 'decision' as integer) = :decision and cast(payload ->> 'seat' as integer) = :seat)
""")


@dataclass(frozen=True, slots=True)
class Condition:
    """A `pointer` into the seat's view and its required `value`; NOWHERE for the current value."""

    pointer: str
    value: Any = NOWHERE


@dataclass(frozen=True, slots=True)
class NewOrder:
    """An action and its conditions; None for all that the action rests on."""

    action: Any
    conditions: Sequence[Condition] | None = None


def give(games: Games, game: UUID, player: UUID, given: Sequence[NewOrder], now: datetime) -> Position:
    """Replace the player's orders, and return the position.

    An awaited seat's orders are tried at the current decision. UnknownGame, NotSeated, NotRunning, AlreadyResigned,
    TooMany, BadOrder.
    """

    def change(db: Connection, position: Position, owner: OrderingPlayer, seat: int) -> bool:
        made = [_made(position, seat, place, each, now) for place, each in enumerate(given)]
        orders.replace_orders(db, owner, made)
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
    """Append orders to the player's earlier ones; under a key Repeated, others as with `give`."""

    def change(db: Connection, position: Position, owner: OrderingPlayer, seat: int) -> bool:
        waiting = [each for each in orders.read_orders(db, owner) if each.dropped is None]
        made = [_made(position, seat, place, each, now) for place, each in enumerate(given, len(waiting))]
        orders.replace_orders(db, owner, [replace(each, place=place) for place, each in enumerate([*waiting, *made])])
        return bool(made)

    return _change(games, game, player, now, change, receipt)


def cancel(games: Games, game: UUID, player: UUID, now: datetime) -> Position:
    """Delete the player's orders in the game, but keep auto-answers. Refusals as with `give`."""
    return give(games, game, player, (), now)


def choose_auto_answers(games: Games, game: UUID, player: UUID, names: Sequence[str], now: datetime) -> Position:
    """Answer decisions of these kinds for the player until the game ends.

    BadOrder for an unknown name; other refusals as with `give`.
    """

    def change(db: Connection, position: Position, owner: OrderingPlayer, seat: int) -> bool:
        known = [each.name for each in position.ruleset.auto_answers]
        if not set(names) <= set(known):
            raise BadOrder("auto-answer", "chosen", next(at for at, name in enumerate(names) if name not in known))
        orders.set_auto_answers(db, owner, [name for name in known if name in names])
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
    """Change the orders of a locked game; try new orders at once if the seat is awaited."""
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
    """Update the seats with orders in the row of a locked game; return the position with them."""
    waiting = any(each.dropped is None for each in orders.read_orders(db, owner)) or bool(
        orders.auto_answers(db, owner)
    )
    others = {each for each in position.game.ordered if each != seat}
    ordered = tuple(sorted(others | {seat} if waiting else others))
    if ordered == position.game.ordered:
        return position
    orders.mark_orders(db, position.game.id, ordered)
    return replace(position, game=structs.replace(position.game, ordered=ordered))


def to_be_tried(db: Connection, position: Position, seat: int) -> bool:
    """Return whether a trial of the seat's orders is pending at the current decision."""
    faced = {"game": position.game.id, "decision": position.decision, "seat": seat}
    return bool(db.execute(_PENDING, faced).scalar_one())


def seen_by(position: Position, seat: int) -> Any:
    """Return the seat's view as JSON types, the subject of conditions."""
    return decode(encode(position.ruleset.view(position.state, seat)))


def _made(position: Position, seat: int, place: int, given: NewOrder, now: datetime) -> Order:
    if place >= MAX_ORDERS:
        raise TooMany(MAX_ORDERS)
    conditions = _conditions(position, seat, place, given)
    return Order(place, action_json(given.action), conditions, given.conditions is not None, now)


def _conditions(position: Position, seat: int, place: int, given: NewOrder) -> Conditions:
    """Return the conditions with their current values; BadOrder."""
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
    """Return whether a view could hold the value: PostgreSQL stores no other texts, JSON no other numbers."""
    if isinstance(value, dict):
        return all(_can_stand(each) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return all(map(_can_stand, value))
    if isinstance(value, str):
        return not any(each == "\0" or "\ud800" <= each <= "\udfff" for each in value)
    return not isinstance(value, int | float) or abs(value) < MOST_EXACT


def _try_now(db: Connection, position: Position, seat: int, now: datetime) -> None:
    """Enqueue a trial of the orders at the seat's current decision, unless one is pending."""
    game, decision = position.game.id, position.decision
    if not to_be_tried(db, position, seat):
        again = str(milliseconds(now))
        outbox.post(db, game, [notices.order(game, decision, seat, delay(position, seat), again=again)])


# Orders and auto-answers when due: played, or the player is asked.

TRIES: Final = 8
"""Attempts after which an order is dropped and its player asked.

Less than MAX_ATTEMPTS, after which nobody would be asked.
"""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A seat that has to answer the decision of a locked game, and its pending orders."""

    db: Connection
    games: Games
    position: Position
    seat: int
    waiting: Sequence[Order]

    @property
    def owner(self) -> OrderingPlayer:
        return OrderingPlayer(self.position.game.id, self.position.seats[self.seat].player_id)


@dataclass(frozen=True, slots=True)
class _Fit:
    """An action to play for the seat, and its events; `order` is None for an auto-answer."""

    action: Any
    happened: Sequence[Any]
    order: Order | None = None


class _Misfit(Exception):
    """An order that cannot be played now; `why` is stored with the order."""

    def __init__(self, why: str, **more: Any) -> None:
        super().__init__(why)
        self.why: Mapping[str, Any] = {"why": why, **more}


def play_order(games: Games, due: OutboxRow) -> None:
    """Try the orders of the seat of an outbox row (payload `decision`, `seat`, optional `goes_on`), once.

    Play the first order if legal and its conditions hold, else an auto-answer. Else drop the order and all that follow,
    and ask the player. The row is settled in the same transaction, as skipped if the seat no longer faces the decision.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, due.game_id)
        # Another worker may have settled the row before the lock was granted.
        row = outbox.read(db, due.id)
        if row is None:
            return
        seat, decision = row.payload["seat"], row.payload["decision"]
        if position.decision != decision or seat not in position.awaited:
            outbox.finish(db, row.id, "skipped")
            return
        outbox.finish(db, row.id, "done")
        after = _answered(_asked(db, games, position, seat), row)
    if after is not None:
        games.committed(after)
        games.wake(after)
    else:
        games.wake()


def _asked(db: Connection, games: Games, position: Position, seat: int) -> _Asked:
    owner = OrderingPlayer(position.game.id, position.seats[seat].player_id)
    return _Asked(db, games, position, seat, [each for each in orders.read_orders(db, owner) if each.dropped is None])


def _answered(asked: _Asked, row: OutboxRow) -> Position | None:
    """Play for the seat and return the position after; or ask the player and return None."""
    fit, misfit = _tried(asked) if row.attempts <= TRIES else (None, _Misfit("failed"))
    if fit is not None:
        return _play(asked, fit)
    dropped = misfit is not None and bool(asked.waiting) and not _is_interlude(asked)
    if misfit is not None and dropped:
        _drop(asked, misfit)
    marked(asked.db, asked.position, asked.owner, asked.seat)
    _ask(asked, row.payload.get("goes_on", False), dropped)
    return None


def _tried(asked: _Asked) -> tuple[_Fit | None, _Misfit | None]:
    """Return the action to play for the seat, if any, and the misfit of the first order."""
    try:
        fit, misfit = _ordered(asked), None
    except _Misfit as found:
        fit, misfit = None, found
    return fit or _auto_answered(asked), misfit


def _ordered(asked: _Asked) -> _Fit | None:
    """Return the first order's action and events, None without an order; _Misfit."""
    if not asked.waiting:
        return None
    first, view = asked.waiting[0], seen_by(asked.position, asked.seat)
    action = _action(asked.position, first)
    changed = next((pointer for pointer, value in first.conditions if value_at(view, pointer) != value), None)
    if changed is not None:
        raise _Misfit("changed", pointer=changed)
    try:
        return _Fit(action, _decided(asked, action), first)
    except Illegal as illegal:
        raise _Misfit("illegal", code=illegal.code, rule=illegal.rule, facts=illegal.facts) from illegal


def _action(position: Position, order: Order) -> Any:
    try:
        return read_action(position.ruleset, order.action)
    except LookupError as error:
        # The rules have changed their actions since the order.
        raise _Misfit("failed") from error


def _auto_answered(asked: _Asked) -> _Fit | None:
    """Return the first chosen auto-answer that fits this decision, None without one."""
    position, seat = asked.position, asked.seat
    chosen = orders.auto_answers(asked.db, asked.owner)
    if not chosen:
        return None
    view, legal = seen_by(position, seat), position.ruleset.legal(position.state, seat)
    for each in position.ruleset.auto_answers:
        action = each.answer(view, legal) if each.name in chosen else None
        if action is not None:
            return _Fit(action, _decided(asked, action))
    return None


def _decided(asked: _Asked, action: Any) -> Sequence[Any]:
    position = asked.position
    return position.ruleset.decide(position.state, asked.seat, action, SealedChance(asked.db, position))


def _play(asked: _Asked, fit: _Fit) -> Position:
    db, position, seat = asked.db, asked.position, asked.seat
    if fit.order is not None:
        orders.remove_order(db, asked.owner, fit.order.place)
    orders.forget_dropped_orders(db, asked.owner, position.decision)
    position = marked(db, position, asked.owner, seat)
    cause = Cause(seat, "order", position.decision, action_json(fit.action))
    after, _ = record(db, position, fit.happened, cause)
    if after.game.status == "running":
        _rebase(asked, after, [each for each in asked.waiting if each is not fit.order])
    return after


def _rebase(asked: _Asked, after: Position, left: Sequence[Order]) -> None:
    """Update implied conditions whose values only the seat's own move has changed."""
    before, now = seen_by(asked.position, asked.seat), seen_by(after, asked.seat)
    for each in left:
        if each.named:
            continue
        moved = [(pointer, _moved(before, now, pointer, value)) for pointer, value in each.conditions]
        if moved != [tuple(condition) for condition in each.conditions]:
            orders.rebase_orders(asked.db, asked.owner, each.place, moved)


def _moved(before: Any, now: Any, pointer: str, value: Any) -> Any:
    found = value_at(now, pointer)
    return found if value_at(before, pointer) == value and found is not NOWHERE else value


def _is_interlude(asked: _Asked) -> bool:
    """Return whether the seat has acted this turn and now faces a decision of another kind than the order's.

    The order then waits while its player answers. Example: a discard after a plot.
    """
    position, seat = asked.position, asked.seat
    kinds = {action_json(each)["type"] for each in position.ruleset.legal(position.state, seat)}
    if asked.waiting[0].action.get("type") in kinds:
        return False
    steps = asked.games.timeline(asked.db, position).steps
    own = next((step for step in reversed(steps) if step.seat == seat and step.facts[0].action is not None), None)
    return own is not None and not own.undone and own.turn == position.ruleset.turn(position.state)


def _drop(asked: _Asked, misfit: _Misfit) -> None:
    """Drop the first order with its reason, and those behind it."""
    decision, (first, *others) = asked.position.decision, asked.waiting
    orders.forget_dropped_orders(asked.db, asked.owner, decision)
    orders.drop_orders(asked.db, asked.owner, first.place, {"decision": decision, **misfit.why})
    for each in others:
        orders.drop_orders(asked.db, asked.owner, each.place, {"decision": decision, "why": "follows"})


def _ask(asked: _Asked, goes_on: bool, dropped: bool) -> None:
    """Enqueue a turn mail; a second one if orders were dropped after the first."""
    db, position, seat = asked.db, asked.position, asked.seat
    if not position.seats[seat].told:
        return
    game, decision = position.game.id, position.decision
    written = outbox.post(db, game, [notices.turn_mail(game, decision, seat, goes_on and not dropped)])
    if dropped and not written:
        ask_again(db, position, seat)
