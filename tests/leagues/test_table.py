"""What a game brings, and the table that follows (L-09, L-10, L-12, L-13)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.leagues.table import FULL, GameResult, game_points, table, without_game
from service.rules.outcome import Outcome

ALL = range(4)


def ended(winners: list[int], scores: list[int] | None) -> Outcome:
    return {"winners": winners, "scores": scores}


@pytest.mark.parametrize(
    ("outcome", "points"),
    [
        (ended([2], [5, 7, 9, 1]), (4, 8, 12, 0)),
        (ended([1], [9, 9, 9, 1]), (6, 12, 6, 0)),
        (ended([0, 1], [7, 7, 3]), (9, 9, 0)),
        (ended([1], None), (3, 12, 3)),
        (ended([], None), (6, 6)),
        (ended([1], [0, 4]), (0, 12)),
    ],
)
def test_l09_places_bring_equal_shares_and_those_who_share_a_place_share_its_points(
    outcome: Outcome, points: tuple[int, ...]
) -> None:
    assert game_points(outcome, len(points), range(len(points))) == points


def test_l10_who_has_not_finished_gets_nothing_and_is_behind_those_who_have() -> None:
    assert game_points(ended([0], [9, 5, 5, 1]), 4, {1, 2, 3}) == (0, 10, 10, 4)
    assert game_points(ended([0], [9, 5, 5, 1]), 4, {3}) == (0, 0, 0, 12)
    assert game_points(ended([0], [9, 5]), 2, ()) == (0, 0)


@given(st.data())
def test_l09_a_game_never_brings_more_than_its_places_are_worth(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 4))
    scores = data.draw(st.lists(st.integers(0, 5), min_size=seats, max_size=seats))
    finished = data.draw(st.sets(st.integers(0, seats - 1)))
    best = max(scores)
    points = game_points(ended([seat for seat in range(seats) if scores[seat] == best], scores), seats, finished)
    whole = FULL * seats // 2
    assert sum(points) == whole if len(finished) == seats else sum(points) <= whole
    assert all(points[seat] == 0 for seat in range(seats) if seat not in finished)


def test_l12_without_a_game_one_alone_has_won_and_others_share() -> None:
    assert (without_game(1), without_game(2), without_game(0)) == ((12,), (6, 6), ())


def lines(results: list[GameResult[str]], players: str = "abcd") -> list[tuple[Any, ...]]:
    return [(line.player, line.points, line.met, line.wins) for line in table(list(players), results)]


def test_l13_a_table_is_ordered_by_points_opponents_wins_and_the_order_at_the_start() -> None:
    results = [
        GameResult(("a", "b"), (12, 0)),
        GameResult(("c", "d"), (0, 12)),
        GameResult(("d", "a"), (12, 0)),
        GameResult(("c", "b"), (6, 6)),
    ]
    # A first place that is shared counts as won, too.
    first, second = ("d", 24, Fraction(9), 2), ("a", 12, Fraction(15), 1)
    assert lines(results) == [first, second, ("c", 6, Fraction(15), 1), ("b", 6, Fraction(9), 1)]
    assert [line[0] for line in lines([])] == ["a", "b", "c", "d"]


def test_l22_those_who_have_left_count_as_opponents_only() -> None:
    assert lines([GameResult(("a", "x"), (0, 12))], "ab") == [("a", 0, Fraction(12), 0), ("b", 0, Fraction(0), 0)]
