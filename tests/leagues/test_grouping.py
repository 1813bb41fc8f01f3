"""Tiers and groups of a league, and tables of a round (L-05 to L-07, L-25)."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.leagues.grouping import Pair, groups_of, table_sizes, tier_sizes, tiers_of

FIELDS = st.integers(0, 300)


@pytest.mark.parametrize(
    ("players", "most", "least", "sizes"),
    [
        (8, 4, 3, (4, 4)),
        (7, 4, 3, (4, 3)),
        (6, 4, 3, (3, 3)),
        (9, 4, 3, (3, 3, 3)),
        (5, 4, 3, (4,)),
        (2, 4, 3, ()),
        (5, 2, 2, (2, 2)),
        (5, 3, 2, (3, 2)),
        (7, 3, 3, (3, 3)),
        (1, 2, 2, ()),
    ],
)
def test_l25_a_table_is_smaller_by_one_where_the_players_cannot_be_divided(
    players: int, most: int, least: int, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(players, most, least) == sizes


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, ()),
        (3, (3,)),
        (5, (4,)),
        (6, (3, 3)),
        (9, (3, 6)),
        (13, (4, 6, 3)),
        (14, (4, 7, 3)),
        (16, (4, 8, 4)),
        (17, (4, 7, 6)),
        (29, (4, 8, 14, 3)),
    ],
)
def test_l05_tiers_have_4_8_16_players_and_a_rest_takes_what_is_missing_from_above(
    players: int, sizes: tuple[int, ...]
) -> None:
    assert tier_sizes(players) == sizes


@given(FIELDS)
def test_l06_everybody_is_in_exactly_one_group_of_three_or_four_but_for_one_of_five(players: int) -> None:
    ladder = list(range(players))
    groups = [group for tier in tiers_of(ladder) for group in groups_of(tier)]
    assert {len(group) for group in groups} <= {3, 4}
    left_out = {1: 1, 2: 2, 5: 1}.get(players, 0)
    assert sorted(chain(*groups)) == ladder[: players - left_out]


def test_l07_groups_are_dealt_to_and_fro() -> None:
    assert groups_of(range(8)) == [[0, 3, 4, 7], [1, 2, 5, 6]]


def test_l07_a_blocked_pair_is_in_two_groups_where_there_are_two() -> None:
    apart = {Pair((0, 3)), Pair((1, 2)), Pair((0, 4))}
    groups = groups_of(range(8), apart)
    assert not any(Pair(pair) in apart for group in groups for pair in combinations(group, 2))
    assert groups_of(range(4), apart) == [[0, 1, 2, 3]]


@given(st.integers(6, 60), st.sets(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=6))
def test_l07_separating_pairs_loses_nobody_and_leaves_the_sizes(players: int, pairs: set[tuple[int, int]]) -> None:
    plain = groups_of(range(players))
    groups = groups_of(range(players), {Pair(pair) for pair in pairs if pair[0] != pair[1]})
    assert [len(group) for group in groups] == [len(group) for group in plain]
    assert sorted(chain(*groups)) == sorted(chain(*plain))
