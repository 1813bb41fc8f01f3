"""Effort and prices: B-10 to B-12."""

from __future__ import annotations

import pytest

from service.rules.games.bastards_inc.actions import Place
from service.rules.games.bastards_inc.costs import can_pay, effort, laundering_effort
from service.rules.games.bastards_inc.decide.course import Course, pay
from service.rules.games.bastards_inc.events import PricePaid
from service.rules.games.bastards_inc.terms import Scores
from tests.rules.bastards_inc.support import ALICE, Loaded, refused, table, take


@pytest.mark.parametrize(("score", "price"), [(6, 0), (5, 0), (4, 2), (3, 5), (2, 9), (1, None), (0, None)])
def test_b_10_up_to_three_missing_points_are_bought_for_one_action(score: int, price: int | None) -> None:
    assert price == effort(score, least=5)


def test_b_10_an_action_whose_effort_cannot_be_paid_is_refused() -> None:
    poor = table(phase="place", companies={ALICE: {"billions": 3, "influence": 1, "free": (1,)}})
    assert ("cannot-pay", "B-11") == refused(poor, ALICE, Place(to="SUP", by="cor"))


def test_b_10_a_score_that_is_four_too_low_is_refused() -> None:
    weak = table(phase="place", companies={ALICE: {"scores": Scores(1, 3, 3, 3), "billions": 99, "free": (1,)}})
    assert ("score-too-low", "B-10") == refused(weak, ALICE, Place(to="SUP", by="cor"))


def test_b_11_a_price_is_paid_in_billions_first_and_the_rest_in_influence() -> None:
    state = table(phase="place", companies={ALICE: {"billions": 3, "influence": 4, "free": (1,)}})
    taken = take(state, ALICE, Place(to="SUP", by="cor"))
    assert [PricePaid(seat=ALICE, billions=3, influence=2)] == taken.all(PricePaid)
    assert (0, 2) == (taken.state.companies[ALICE].billions, taken.state.companies[ALICE].influence)


def test_b_11_billions_that_are_kept_do_not_pay() -> None:
    state = table(companies={ALICE: {"billions": 5, "influence": 1}})
    company = state.companies[ALICE]
    assert can_pay(company, 4, kept=2) and not can_pay(company, 5, kept=2) and not can_pay(company, 0, kept=6)
    course = Course(state, Loaded())
    pay(course, ALICE, 4, kept=2)
    assert [PricePaid(seat=ALICE, billions=3, influence=1)] == course


def test_b_11_what_costs_nothing_is_not_paid() -> None:
    course = Course(table(), Loaded())
    pay(course, ALICE, 0)
    assert [] == course


@pytest.mark.parametrize(
    ("scores", "price"),
    [(Scores(3, 3, 0, 0), 0), (Scores(2, 2, 0, 0), 2), (Scores(2, 1, 0, 0), 5), (Scores(0, 1, 0, 0), 5)],
)
def test_b_12_the_cheaper_effort_of_corruption_and_crime_counts(scores: Scores, price: int) -> None:
    assert price == laundering_effort(table(companies={ALICE: {"scores": scores}}), ALICE, "TIG")


def test_b_12_where_neither_will_do_nothing_is_laundered() -> None:
    assert laundering_effort(table(companies={ALICE: {"scores": Scores(0, 0, 6, 6)}}), ALICE, "RST") is None
