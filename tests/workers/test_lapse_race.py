"""A move and a lapse race from two processes; `make races` does so a thousand times."""

from __future__ import annotations

import pytest

from service.runtime import Runtime
from service.settings import Settings
from tests.workers.lapse_race import races

ROUNDS = 60

pytestmark = pytest.mark.slow


def test_t11_of_a_move_and_a_lapse_from_two_processes_exactly_one_is_written(
    runtime: Runtime, settings: Settings
) -> None:
    won = races(runtime, settings, ROUNDS)
    assert won.total() == ROUNDS
    assert set(won) == {"played", "lapsed"}, "each of them has to win sometimes"
