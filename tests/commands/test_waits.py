"""How often the players of a game are waited for (T-03)."""

from __future__ import annotations

import pytest

from service.commands.selfplay import play_out
from service.commands.waits import Waits
from tests.rules.playouts import RULESETS


def counted(*asked: tuple[int | None, set[int]]) -> int:
    """Return the waits of a game in which these seats had to act after actions of those seats."""
    waits = Waits()
    for actor, seats in asked:
        waits.note(actor, frozenset(seats))
    return waits.count


def test_decisions_of_a_seat_in_a_row_are_one_wait() -> None:
    assert counted((None, {0}), (0, {0}), (0, {0}), (0, {1}), (1, {0})) == 3


def test_seats_that_act_at_once_are_each_waited_for() -> None:
    assert counted((None, {0, 1, 2}), (1, {0, 2}), (0, {2}), (2, {0, 1, 2})) == 6


def test_a_step_of_an_answer_ends_no_wait() -> None:
    assert counted((None, {0, 1}), (0, {0, 1}), (0, {1}), (1, {1}), (1, set())) == 2


@pytest.mark.parametrize(("name", "seats"), [("new-corp-order", 1), ("sealed-bids", 3)])
def test_a_whole_game_waits_as_often_as_its_clocks_would(name: str, seats: int) -> None:
    options = {option.name: option.default for option in RULESETS[name].meta.options}
    game = play_out(RULESETS[name], seats, options, "waits", recorded=False)
    players = [seat for _, seat, _ in game.actions if seat < seats]
    assert 0 < game.waits.count <= len(players)
    assert name != "sealed-bids" or game.waits.count == len(players)
