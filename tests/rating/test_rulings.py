"""The rulings of docs/ratings.md that follow from how a game was played: each test has the number of its ruling."""

from __future__ import annotations

import pytest

from service.rating.counting import FIRST_TURN, MOST_OF_PAIR, Finished, why_not
from service.rating.places import places
from service.rating.ratings import UNRATED
from service.rating.skill import NEWCOMER, SETTLED
from service.rules.outcome import Outcome

ALICE, BOB, CAROL = b"alice", b"bob", b"carol"
PLAYED = Finished((ALICE, BOB, CAROL), {}, shared=False, met=0)


def ended(winners: list[int], scores: list[int] | None) -> Outcome:
    return {"winners": winners, "scores": scores}


def test_a_game_among_people_that_is_played_to_its_end_counts() -> None:
    assert why_not(PLAYED) is None


def test_p04_a_game_with_a_guest_does_not_count() -> None:
    assert why_not(PLAYED._replace(addresses=(ALICE, None))) == "unconfirmed"


def test_p05_a_game_among_accounts_of_one_address_does_not_count() -> None:
    assert why_not(PLAYED._replace(addresses=(ALICE, BOB, BOB))) == "one-address"


def test_p06_a_game_among_accounts_of_one_browser_does_not_count() -> None:
    assert why_not(PLAYED._replace(shared=True)) == "one-browser"


def test_p07_winners_come_first_and_the_others_by_their_scores() -> None:
    assert places(4, ended([2], [10, 12, 15, 12]), ()) == (4, 2, 1, 2)
    # Seat 0 has won by a rule that breaks ties.
    assert places(3, ended([0], [12, 12, 7]), ()) == (1, 2, 3)
    assert places(3, ended([0, 1], [12, 12, 7]), ()) == (1, 1, 3)


def test_p08_players_who_left_come_last_whatever_became_of_their_seats() -> None:
    assert places(4, ended([1], [9, 30, 12, 20]), {1, 3}) == (2, 3, 1, 3)


def test_p10_without_a_winner_all_who_stayed_tie() -> None:
    assert places(3, ended([], [0, 0, 0]), ()) == (1, 1, 1)
    assert places(3, ended([], [4, 0, 9]), {2}) == (1, 1, 3)


def test_p10_a_resignation_that_ends_the_game_leaves_the_others_in_a_tie() -> None:
    assert places(3, ended([0, 2], None), {1}) == (1, 3, 1)


def test_p10_a_game_that_nobody_has_played_to_its_end_does_not_count() -> None:
    assert why_not(PLAYED._replace(left={0: 9, 1: 9, 2: 9})) == "nobody-stayed"


@pytest.mark.parametrize(("turn", "reason"), [(FIRST_TURN - 1, "left-early"), (FIRST_TURN, None)])
def test_p11_a_game_that_somebody_left_before_turn_5_does_not_count(turn: int, reason: str | None) -> None:
    assert why_not(PLAYED._replace(left={1: turn})) == reason


@pytest.mark.parametrize(("met", "reason"), [(MOST_OF_PAIR - 1, None), (MOST_OF_PAIR, "often")])
def test_p12_three_games_of_a_pair_and_week_count(met: int, reason: str | None) -> None:
    assert why_not(PLAYED._replace(met=met)) == reason


def test_p13_a_newcomer_has_1500_give_or_take_250() -> None:
    assert (NEWCOMER.number, NEWCOMER.margin) == (1500, 250)


def test_p14_a_rating_is_provisional_until_ten_games() -> None:
    assert UNRATED._replace(games=SETTLED - 1).provisional and not UNRATED._replace(games=SETTLED).provisional
    assert SETTLED == 10
