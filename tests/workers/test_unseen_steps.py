"""A seat that takes a step of its answer, unseen and under the same decision, still owes the rest of it."""

from __future__ import annotations

import pytest

from service.mail.play import send_turn_mail
from service.runtime import Runtime
from service.store.games import Position
from tests.builders import act, sealed_bids
from tests.dropping import Drop, with_dropping
from tests.ordering import ALICE, BOB, CAROL, by_order, mails_to, order, try_orders, waiting


@pytest.fixture
def house(runtime: Runtime) -> Runtime:
    """A house in which a card may be dropped before the bid."""
    return with_dropping(runtime)


def drop(house: Runtime, position: Position, seat: int = ALICE, at: int = 0) -> Position:
    """Let a seat drop a card of its hand."""
    return act(house.games, position, seat, Drop(card=position.state.hands[seat][at])).position


def test_the_decision_stays_and_nobody_else_is_told_of_it(house: Runtime) -> None:
    position = sealed_bids(house.games)
    after = drop(house, position)
    assert (after.decision, after.awaited) == (position.decision, position.awaited)
    assert [len(mails_to(house.games, position, seat)) for seat in (BOB, CAROL)] == [1, 1]


def test_whoever_leaves_the_rest_lying_is_told_of_it_after_the_last_step(house: Runtime) -> None:
    position = sealed_bids(house.games)
    last = drop(house, drop(house, position))
    _, first, second = sorted(mails_to(house.games, position, ALICE), key=lambda row: row.id)
    assert second.payload == {"decision": position.decision, "seat": ALICE, "goes_on": True, "step": last.version}
    assert [send_turn_mail(house, row) for row in (first, second)] == ["skipped", "done"]


def test_orders_answer_one_decision_step_by_step(house: Runtime) -> None:
    position = sealed_bids(house.games)
    first, second, *_ = position.state.hands[ALICE]
    order(house.games, position, ALICE, f"drop {first}", f"drop {second}", "hold")
    after = try_orders(house, position)
    assert [each.action and each.action["type"] for each in by_order(house.games, position.game.id)] == [
        "drop",
        "drop",
        "hold",
    ]
    assert after.awaited == {BOB, CAROL} and waiting(house.games, position, ALICE) == []


def test_an_order_goes_on_where_its_player_has_begun(house: Runtime) -> None:
    begun = drop(house, sealed_bids(house.games))
    order(house.games, begun, ALICE, "hold")
    assert try_orders(house, begun).awaited == {BOB, CAROL}
