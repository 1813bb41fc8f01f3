"""Ratings: the rulings, the model, and that they find the order of players of known strength (docs/ratings.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

import pytest
from openskill.models import PlackettLuce

from service.competition.ratings import (
    FIRST_COUNTED_TURN,
    MAX_DOUBTFUL_POINTS,
    MAX_GAMES_OF_PAIR,
    MIN_OPPONENTS,
    NEWCOMER,
    SETTLED_AFTER_GAMES,
    UNRATED,
    Finished,
    Opponent,
    RatedResult,
    Rating,
    Skill,
    doubtful,
    places,
    rate,
    steps,
    why_not,
)
from service.rules.outcome import Outcome
from tests.competition.simulated import BEGIN, recovered

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


@pytest.mark.parametrize(("turn", "reason"), [(FIRST_COUNTED_TURN - 1, "left-early"), (FIRST_COUNTED_TURN, None)])
def test_p11_a_game_that_somebody_left_before_turn_5_does_not_count(turn: int, reason: str | None) -> None:
    assert why_not(PLAYED._replace(left={1: turn})) == reason


@pytest.mark.parametrize(("met", "reason"), [(MAX_GAMES_OF_PAIR - 1, None), (MAX_GAMES_OF_PAIR, "often")])
def test_p12_three_games_of_a_pair_and_week_count(met: int, reason: str | None) -> None:
    assert why_not(PLAYED._replace(met=met)) == reason


def test_p22_a_game_with_house_rules_does_not_count() -> None:
    assert why_not(PLAYED._replace(house_rules=True)) == "house-rules"


def test_p13_a_newcomer_has_1500_give_or_take_250() -> None:
    assert (NEWCOMER.number, NEWCOMER.margin) == (1500, 250)


def test_p14_a_rating_is_provisional_until_ten_games_against_five_opponents() -> None:
    settled = UNRATED._replace(games=SETTLED_AFTER_GAMES, opponents=MIN_OPPONENTS)
    assert not settled.provisional
    assert settled._replace(games=SETTLED_AFTER_GAMES - 1).provisional
    assert settled._replace(opponents=MIN_OPPONENTS - 1).provisional


SETTLER = Opponent(SETTLED_AFTER_GAMES, MIN_OPPONENTS, None)


@pytest.mark.parametrize(
    ("loser", "left"),
    [
        (SETTLER._replace(games=SETTLED_AFTER_GAMES - 1), {}),
        (SETTLER._replace(others=MIN_OPPONENTS - 1), {}),
        (SETTLER._replace(domain="farm.example"), {}),
        (SETTLER, {1: FIRST_COUNTED_TURN}),
    ],
    ids=["a newcomer", "who plays almost nobody else", "of one mail domain", "who left"],
)
def test_p19_what_a_doubtful_opponent_gives_is_capped(loser: Opponent, left: dict[int, int]) -> None:
    winner = SETTLER._replace(domain="farm.example")
    assert doubtful((1, 2), left, [winner, loser]) == (True, False)
    assert doubtful((2, 1), left, [winner, loser])[0] is False


def test_p19_opponents_who_play_with_many_give_all_they_have() -> None:
    assert doubtful((1, 2, 3), {}, [SETTLER, SETTLER, SETTLER]) == (False, False, False)


def results_of(farmer: UUID, puppets: Sequence[UUID], seats: int) -> Iterator[RatedResult]:
    """Yield games that the farmer wins, three with each puppet, all within a day."""
    groups = [puppets[first : first + seats - 1] for first in range(0, len(puppets) - seats + 2, seats - 1)]
    for number, group in enumerate((each for each in groups for _ in range(MAX_GAMES_OF_PAIR)), 1):
        came, capped = (1, *(2 for _ in group)), (True, *(False for _ in group))
        yield RatedResult(number, "new-corp-order", seats, BEGIN, (farmer, *group), came, capped)


@pytest.mark.parametrize(("puppets", "seats"), [(3, 2), (10, 2), (40, 2), (30, 4)])
def test_p20_farmers_gain_sixty_points_in_a_week_however_many_puppets_they_have(puppets: int, seats: int) -> None:
    farmer, ratings, gained = UUID(int=0), dict[UUID, Rating](), 0.0
    for result in results_of(farmer, [UUID(int=number) for number in range(1, puppets + 1)], seats):
        before = ratings.get(farmer, UNRATED).skill.mu
        ratings |= {each.player: each.after for each in steps(result, ratings, {}, {farmer: gained})}
        gained += ratings[farmer].skill.mu - before
    assert ratings[farmer].skill.number == 1500 + MAX_DOUBTFUL_POINTS
    # What is almost sure of the number rises by no more than a single game against one of them would have raised it.
    assert ratings[farmer].skill.sigma > 0.7 * NEWCOMER.sigma


def test_p20_losses_and_what_others_give_are_not_capped() -> None:
    one, other = UUID(int=1), UUID(int=2)
    for doubted, came in (((True, False), (2, 1)), ((False, False), (1, 2))):
        result = RatedResult(1, "new-corp-order", 2, BEGIN, (one, other), came, doubted)
        free = steps(result._replace(doubtful=()), {}, {}, {})
        assert steps(result, {}, {}, {one: 99.0, other: 99.0}) == free


def test_two_players_get_what_the_librarys_own_examples_have() -> None:
    # The first game of two in the tests of openskill and of its ports; tau is 0 there.
    winner, loser = rate([NEWCOMER, NEWCOMER], [1, 2])
    assert (winner.mu, loser.mu) == pytest.approx((27.63523138347365, 22.36476861652635), abs=2e-4)
    assert winner.sigma == loser.sigma == pytest.approx(8.065506316323548, abs=5e-4)


@pytest.mark.parametrize("ranks", [(1, 2), (2, 1), (1, 1)])
def test_two_players_get_what_the_library_says_without_us(ranks: tuple[int, int]) -> None:
    model, given = PlackettLuce(), [Skill(31.5, 4.25), Skill(22.125, 7.5)]
    [[first], [second]] = model.rate([[model.rating(*each)] for each in given], ranks=[float(each) for each in ranks])
    assert rate(given, ranks) == [(first.mu, first.sigma), (second.mu, second.sigma)]


def test_the_same_places_give_the_same_numbers_bit_for_bit() -> None:
    given = [Skill(20.1 + seat, 8.3 - seat) for seat in range(4)]
    assert rate(given, [2, 1, 3, 3]) == rate(given, [2, 1, 3, 3])


def test_seats_make_no_difference() -> None:
    first, second = Skill(27.0, 5.0), Skill(24.0, 6.0)
    assert rate([first, second], [1, 2]) == rate([second, first], [2, 1])[::-1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_after_thirty_games_each_the_order_of_strengths_is_recovered(seats: int) -> None:
    assert recovered(seats) >= 0.9
