"""The order of the seats."""

from __future__ import annotations

from service.rules.kit import clockwise, following


def test_clockwise_comes_round_the_table_to_every_seat_once() -> None:
    assert clockwise(4, 2) == [2, 3, 0, 1]


def test_the_seats_up_to_a_reader_end_with_that_reader() -> None:
    assert following(4, 2, 1) == [3, 0, 1]
    assert following(4, 2, 3) == [3]
    assert following(4, 2, 2) == []
