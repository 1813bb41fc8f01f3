"""The notation of everything that can be asked for in a few hundred random games."""

from __future__ import annotations

from typing import Any

import pytest

from service.commands.selfplay import draw, play_out
from service.rules.games.new_corp_order import RULESET

pytestmark = pytest.mark.long

GAMES = 60


@pytest.mark.parametrize(
    "seats", [1, 2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)]
)
def test_every_legal_action_of_many_games_reads_as_it_was_written(seats: int) -> None:
    met: set[Any] = set()

    def watch(legal: Any, rng: Any) -> Any:
        met.update(legal)
        return draw(legal, rng)

    for number in range(GAMES):
        play_out(RULESET, seats, {}, f"notation:{seats}:{number}", recorded=False, choose=watch)
    lines = {RULESET.notate(action): action for action in met}
    assert len(lines) == len(met)
    assert all(RULESET.parse(line) == action for line, action in lines.items())
