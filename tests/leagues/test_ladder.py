"""Promotion and relegation (L-14, L-15)."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from service.leagues.grouping import groups_of, tiers_of
from service.leagues.ladder import Moves, moves, next_ladder
from service.leagues.table import Standing


def table_of(*players: int, points: tuple[int, ...] = (48, 32, 16, 0)) -> list[Standing[int]]:
    return [Standing(player, points[place], Fraction(0), 0) for place, player in enumerate(players)]


def played(entrants: int, seed: int = 0) -> Moves[int]:
    chance = Random(seed)
    tiers = [groups_of(tier) for tier in tiers_of(range(entrants))]
    return moves([[table_of(*chance.sample(group, len(group))) for group in groups] for groups in tiers])


def test_l14_winners_go_up_and_as_many_of_the_last_go_down() -> None:
    first = [table_of(0, 1, 2, 3)]
    second = [table_of(4, 5, 6, 7), table_of(8, 9, 10, 11, points=(48, 24, 24, 8))]
    third = [table_of(12, 13, 14, 15)]
    found = moves([first, second, third])
    assert found.up == {4, 8, 12}
    assert found.down == {2, 3, 7}
    assert found.ladder == (0, 1, 4, 8, 2, 3, 5, 9, 10, 6, 11, 12, 7, 13, 14, 15)


def test_l14_where_not_all_winners_can_go_up_those_with_more_points_do() -> None:
    upper = [table_of(0, 1, 2, 3)]
    lower = [table_of(10 * each, 10 * each + 1, 10 * each + 2, points=(each, 0, 0)) for each in (5, 7, 6)]
    assert moves([upper, lower]).up == {70, 60}


@given(st.integers(3, 300), st.integers(0, 9))
def test_l14_each_tier_keeps_its_size_and_nobody_is_lost(entrants: int, seed: int) -> None:
    before, found = tiers_of(range(entrants)), played(entrants, seed)
    assert sorted(found.ladder) == sorted(player for tier in before for player in tier)
    assert not found.up & found.down
    after = tiers_of(found.ladder)
    assert [len(tier) for tier in after] == [len(tier) for tier in before]
    for number, tier in enumerate(after):
        above, below = (before[at] if 0 <= at < len(before) else [] for at in (number - 1, number + 1))
        assert set(tier) - set(before[number]) <= found.down & set(above) | found.up & set(below)


def test_l15_those_who_do_not_enter_lose_their_place_and_newcomers_come_last() -> None:
    assert next_ladder((3, 1, 4, 2), [9, 2, 3, 8, 4]) == [3, 4, 2, 9, 8]
