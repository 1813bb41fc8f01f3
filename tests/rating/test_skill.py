"""The model: it is the library's, and gives the same numbers again."""

from __future__ import annotations

import pytest
from openskill.models import PlackettLuce

from service.rating.skill import NEWCOMER, Skill, rate


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
