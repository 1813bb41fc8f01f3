"""Leagues and tournaments: groups, tables, pairings, promotion (docs/leagues.md)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.competition.leagues import (
    FULL_POINTS,
    GameResult,
    Moves,
    Pair,
    Standing,
    game_points,
    groups_of,
    moves,
    next_ladder,
    rotated,
    round_robin,
    rounds_of_round_robin,
    seated,
    swiss,
    table,
    table_sizes,
    tier_sizes,
    tiers_of,
    without_game,
)
from service.rules.outcome import Outcome

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
    whole = FULL_POINTS * seats // 2
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


@given(st.integers(3, 4))
def test_l08_after_as_many_rounds_everybody_has_sat_in_each_seat_once(players: int) -> None:
    rounds = [rotated(range(players), number) for number in range(1, players + 1)]
    for seat in range(players):
        assert {order[seat] for order in rounds} == set(range(players))


@given(st.integers(2, 20))
def test_l23_at_tables_of_two_everybody_meets_everybody_once(players: int) -> None:
    rounds = [round_robin(range(players), number) for number in range(1, rounds_of_round_robin(players, 2) + 1)]
    assert all(len(set(chain(*tables))) == len(list(chain(*tables))) for tables in rounds)
    met = Counter(Pair(table) for tables in rounds for table in tables)
    assert met == Counter(map(Pair, combinations(range(players), 2)))


def test_l23_at_larger_tables_there_are_as_many_rounds_as_meeting_everybody_takes() -> None:
    assert [rounds_of_round_robin(players, 4) for players in (4, 7, 10, 16)] == [1, 2, 3, 5]


def played(players: int, seats: int, rounds: int, seed: int = 0) -> list[GameResult[int]]:
    """Play rounds whose games end by chance."""
    results, chance = list[GameResult[int]](), Random(seed)
    for _ in range(rounds):
        ranked = [line.player for line in table(range(players), results)]
        tables = swiss(ranked, results, (seats, 2))
        there = list(chain(*tables))
        assert len(there) == len(set(there))
        for each in tables:
            places = (12, 8, 4, 0)[: len(each)]
            results.append(GameResult(tuple(seated(each, results)), tuple(chance.sample(places, len(each)))))
        results += [GameResult((player,), (12,)) for player in ranked if player not in there]
    return results


@settings(max_examples=30)
@given(st.integers(2, 24), st.integers(2, 4), st.integers(0, 9))
def test_l24_nobody_is_twice_in_a_round_and_everybody_plays_or_sits_out(players: int, seats: int, seed: int) -> None:
    results = played(players, seats, 4, seed)
    assert Counter(player for result in results for player in result.players) == dict.fromkeys(range(players), 4)
    byes = Counter(dict.fromkeys(range(players), 0))
    byes.update(result.players[0] for result in results if len(result.players) == 1)
    assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize(("players", "seats", "rounds"), [(8, 2, 4), (16, 2, 6), (33, 2, 5), (20, 4, 3), (9, 3, 3)])
def test_l24_nobody_meets_again_where_there_are_enough_others(players: int, seats: int, rounds: int) -> None:
    results = played(players, seats, rounds)
    met = Counter(Pair(pair) for result in results for pair in combinations(result.players, 2))
    assert set(met.values()) == {1}


def test_l24_neighbours_in_rank_meet_but_not_a_blocked_pair() -> None:
    assert swiss(range(6), [], (2, 2)) == [[0, 1], [2, 3], [4, 5]]
    assert swiss(range(6), [], (2, 2), {Pair((2, 3))}) == [[0, 2], [1, 3], [4, 5]]


def test_l24_who_has_sat_later_sits_earlier() -> None:
    assert seated([1, 2, 3], [GameResult((1, 2, 3), (0, 0, 0))]) == [3, 2, 1]


def test_l25_the_last_of_those_who_have_sat_out_least_sits_out() -> None:
    assert swiss(range(5), [GameResult((4,), (12,))], (2, 2)) == [[0, 1], [2, 4]]
    assert swiss(range(5), [], (4, 3)) == [[0, 1, 2, 3]]


def table_of(*players: int, points: tuple[int, ...] = (48, 32, 16, 0)) -> list[Standing[int]]:
    return [Standing(player, points[place], Fraction(0), 0) for place, player in enumerate(players)]


def played_test_ladder(entrants: int, seed: int = 0) -> Moves[int]:
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
    before, found = tiers_of(range(entrants)), played_test_ladder(entrants, seed)
    assert sorted(found.ladder) == sorted(player for tier in before for player in tier)
    assert not found.up & found.down
    after = tiers_of(found.ladder)
    assert [len(tier) for tier in after] == [len(tier) for tier in before]
    for number, tier in enumerate(after):
        above, below = (before[at] if 0 <= at < len(before) else [] for at in (number - 1, number + 1))
        assert set(tier) - set(before[number]) <= found.down & set(above) | found.up & set(below)


def test_l15_those_who_do_not_enter_lose_their_place_and_newcomers_come_last() -> None:
    assert next_ladder((3, 1, 4, 2), [9, 2, 3, 8, 4]) == [3, 4, 2, 9, 8]
