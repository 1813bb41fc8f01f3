"""Ratings find the order of players whose strengths are known."""

from __future__ import annotations

import pytest

from tests.rating.simulated import recovered


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_after_thirty_games_each_the_order_of_strengths_is_recovered(seats: int) -> None:
    assert recovered(seats) >= 0.9
