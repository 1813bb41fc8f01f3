"""The pairings of a round: seats rotate, everybody plays once, few meet again (L-08, L-23 to L-25)."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.leagues.grouping import Pair
from service.leagues.pairing import rotated, round_robin, rounds_of_round_robin, seated, swiss
from service.leagues.table import GameResult, table


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
