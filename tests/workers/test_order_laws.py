"""The law of orders: whatever is given ahead, the log that comes about is one that a game without orders allows."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from service.handlers import orders
from service.handlers.orders import NewOrder
from service.handlers.refusals import BadOrder
from service.log.folding import fold_log
from service.record.draws import Witness
from service.rules.kernel import Illegal
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.games import Position
from tests.builders import act, now_at, started
from tests.ordering import by_order, player_in, try_orders
from tests.people import alice, bob, carol
from tests.rules.playouts import chance_of

MOST_MOVES = 60
AHEAD = 4


def given_at_random(runtime: Runtime, position: Position, seat: int, lots: Random) -> None:
    """Give a few actions ahead that might be legal some time, under conditions or under none, and auto-answers."""
    ruleset = position.ruleset
    mine = ruleset.legal(position.state, seat) or [
        action for other in position.awaited for action in ruleset.legal(position.state, other)
    ]
    known = ruleset.relies_on is not None
    made = [
        NewOrder(lots.choice(mine), None if known and lots.random() < 0.5 else ()) for _ in range(lots.randrange(AHEAD))
    ]
    names = [each.name for each in ruleset.auto_answers if lots.random() < 0.5]
    game, player = position.game.id, player_in(position, seat)
    try:
        orders.give(runtime.games, game, player, made, clock.now())
    except BadOrder:
        # Another seat's action may be about what is the seat's own.
        orders.cancel(runtime.games, game, player, clock.now())
    orders.choose_auto_answers(runtime.games, game, player, names, clock.now())


def played_with_orders(runtime: Runtime, name: str, people: list[Any], lots: Random) -> Position:
    """Play a game for a while in which everybody gives orders at random and moves at random."""
    position = started(runtime.games, name, people)
    for _ in range(MOST_MOVES):
        if position.game.status != "running":
            break
        given_at_random(runtime, position, lots.randrange(position.game.seats), lots)
        position = try_orders(runtime, position)
        if not position.awaited:
            break
        seat = lots.choice(sorted(position.awaited))
        position = act(
            runtime.games, position, seat, lots.choice(position.ruleset.legal(position.state, seat))
        ).position
    return now_at(runtime.games, position.game.id)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@pytest.mark.parametrize(
    ("name", "who"),
    [("new-corp-order", (alice, bob)), ("sealed-bids", (alice, bob, carol)), ("bastards-inc", (alice, bob))],
)
def test_orders_never_change_what_a_game_without_them_would_allow(
    runtime: Runtime, name: str, who: tuple[Any, ...], seed: int
) -> None:
    games = runtime.games
    position = played_with_orders(runtime, name, [each(games, email=None) for each in who], Random(f"{name} {seed}"))
    assert by_order(games, position.game.id), "no order was played, so nothing is shown"
    with games.engine.connect() as db:
        log = events.read(db, position.codec, position.game.id)
    ruleset, chance = position.ruleset, Witness(chance_of(seed))
    for at, each in enumerate(log):
        if each.action is None or each.seat is None:
            continue
        before = fold_log(ruleset, [fact.event for fact in log[:at]])
        assert each.seat in ruleset.to_act(before.state)
        assert each.decision == ruleset.decision(before.state)
        fields = {name: value for name, value in each.action.items() if name != "type"}
        action = msgspec.convert(fields, ruleset.action_types[each.action["type"]])
        try:
            ruleset.decide(before.state, each.seat, action, chance)
        except Illegal as refused:
            pytest.fail(f"event {each.seq} by {each.door}: {refused}")
