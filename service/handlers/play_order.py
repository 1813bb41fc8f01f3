"""Plays an order or an auto-answer of a seat that was asked, or has its player asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from service.handlers.append import SealedChance, record
from service.handlers.orders import marked, seen_by
from service.handlers.take_back import ask_again
from service.handlers.transaction import transaction
from service.log.codec import action_json, read_action
from service.rules.kernel import Illegal
from service.rules.order_conditions import NOWHERE, value_at
from service.store import notices, outbox, pace
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.outbox import OutboxRow
from service.store.pace import Order, OrderingPlayer

TRIES: Final = 8
"""After so many attempts that came to no end an order is dropped, so that its player is asked.

It is less than MAX_ATTEMPTS, after which nobody would be.
"""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A seat that has to answer the decision of a locked game, and its orders that wait."""

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
    """An action that is played for the seat, with the events that it causes; `order` is None for an auto-answer."""

    action: Any
    happened: Sequence[Any]
    order: Order | None = None


class _Misfit(Exception):
    """An order cannot be played now; `why` is stored with it."""

    def __init__(self, why: str, **more: Any) -> None:
        super().__init__(why)
        self.why: Mapping[str, Any] = {"why": why, **more}


def play_order(games: Games, due: OutboxRow) -> None:
    """Try the orders of the seat that an outbox row (payload `decision`, `seat`, maybe `goes_on`) is about, once.

    The first order is played if it is legal and its conditions hold, or else what an auto-answer of the seat answers;
    or else the order is dropped with all that follow, and the player is asked. The row is settled in the same
    transaction. It is skipped if the seat no longer faces the decision.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, due.game_id)
        # Another worker may have had it before the lock was granted.
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
    return _Asked(db, games, position, seat, [each for each in pace.read_orders(db, owner) if each.dropped is None])


def _answered(asked: _Asked, row: OutboxRow) -> Position | None:
    """Play for the seat and return the position after it; or ask the player, and return None."""
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
    """Return what is played for the seat, if anything is, and why the first order is not."""
    try:
        fit, misfit = _ordered(asked), None
    except _Misfit as found:
        fit, misfit = None, found
    return fit or _auto_answered(asked), misfit


def _ordered(asked: _Asked) -> _Fit | None:
    """Return the first order as it is played, None if there is none; _Misfit."""
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
        # The rules have other actions now than when it was given.
        raise _Misfit("failed") from error


def _auto_answered(asked: _Asked) -> _Fit | None:
    """Return what the first auto-answer of the seat that is for this decision answers, None if there is none."""
    position, seat = asked.position, asked.seat
    chosen = pace.auto_answers(asked.db, asked.owner)
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
        pace.remove_order(db, asked.owner, fit.order.place)
    pace.forget_dropped_orders(db, asked.owner, position.decision)
    position = marked(db, position, asked.owner, seat)
    cause = Cause(seat, "order", position.decision, action_json(fit.action))
    after, _ = record(db, position, fit.happened, cause)
    if after.game.status == "running":
        _rebase(asked, after, [each for each in asked.waiting if each is not fit.order])
    return after


def _rebase(asked: _Asked, after: Position, left: Sequence[Order]) -> None:
    """Let conditions that follow from the action hold as before where only the seat's own move has changed a value."""
    before, now = seen_by(asked.position, asked.seat), seen_by(after, asked.seat)
    for each in left:
        if each.named:
            continue
        moved = [(pointer, _moved(before, now, pointer, value)) for pointer, value in each.conditions]
        if moved != [tuple(condition) for condition in each.conditions]:
            pace.rebase_orders(asked.db, asked.owner, each.place, moved)


def _moved(before: Any, now: Any, pointer: str, value: Any) -> Any:
    found = value_at(now, pointer)
    return found if value_at(before, pointer) == value and found is not NOWHERE else value


def _is_interlude(asked: _Asked) -> bool:
    """Return whether the seat has acted in this turn already, and now faces a decision of another kind than the order.

    Then the turn of the order has not come: it waits while its player answers. A discard after a plot is an example.
    """
    position, seat = asked.position, asked.seat
    kinds = {action_json(each)["type"] for each in position.ruleset.legal(position.state, seat)}
    if asked.waiting[0].action.get("type") in kinds:
        return False
    steps = asked.games.timeline(asked.db, position).steps
    own = next((step for step in reversed(steps) if step.seat == seat and step.facts[0].action is not None), None)
    return own is not None and not own.undone and own.turn == position.ruleset.turn(position.state)


def _drop(asked: _Asked, misfit: _Misfit) -> None:
    """Note why the first order is not played, and that those behind it are not played either."""
    decision, (first, *others) = asked.position.decision, asked.waiting
    pace.forget_dropped_orders(asked.db, asked.owner, decision)
    pace.drop_orders(asked.db, asked.owner, first.place, {"decision": decision, **misfit.why})
    for each in others:
        pace.drop_orders(asked.db, asked.owner, each.place, {"decision": decision, "why": "follows"})


def _ask(asked: _Asked, goes_on: bool, dropped: bool) -> None:
    """Have the player written to; once more if that has been done and something is dropped since."""
    db, position, seat = asked.db, asked.position, asked.seat
    if not position.seats[seat].told:
        return
    game, decision = position.game.id, position.decision
    written = outbox.post(db, game, [notices.turn_mail(game, decision, seat, goes_on and not dropped)])
    if dropped and not written:
        ask_again(db, position, seat)
