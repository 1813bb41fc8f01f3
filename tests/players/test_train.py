"""Fitted weights reproduce what they were made of, and are written as a module that Python reads again."""

from __future__ import annotations

from random import Random

import pytest

from service.commands.rulesets import chosen_ruleset
from service.players.train import Fit, end, module_of, train
from service.rules.valuation import Weights

WANTED = (2.0, -3.0, 0.5)


def course(lots: Random, moves: int) -> list[tuple[float, ...]]:
    """Return a course in which the features go astray more and more, each beginning where it was."""
    now = (0.0, 0.0)
    made: list[tuple[float, ...]] = []
    for _ in range(moves):
        now = (now[0] + lots.gauss(0, 1), now[1] + lots.gauss(0, 1))
        made.append((*now, 1.0))
    return made


def test_weights_of_a_straight_line_are_found_again() -> None:
    lots, fit = Random(1), Fit(3)
    for _ in range(400):
        made = course(lots, 12)
        fit.add(made, sum(map(float.__mul__, made[-1], WANTED)) + lots.gauss(0, 1))
    assert fit.weights() == pytest.approx(WANTED, abs=0.5)
    assert fit.positions == 4_800


def test_what_games_have_told_nothing_of_has_no_weight() -> None:
    fit = Fit(3)
    for number in range(9):
        fit.add([(float(number), 0.0, 1.0)], 2.0 * number + 1)
    first, untold, one = fit.weights()
    assert first == pytest.approx(2, abs=0.2) and one == pytest.approx(1, abs=0.5) and untold == 0


def test_two_features_that_are_always_alike_share_their_weight() -> None:
    fit = Fit(2)
    for number in range(9):
        fit.add([(float(number), float(number))], 4.0 * number)
    assert fit.weights() == pytest.approx((2, 2), abs=0.1)


def test_a_lead_is_counted_against_the_best_of_the_others_and_a_great_one_hardly_more_than_a_fair_one() -> None:
    small, great = ({"winners": [1], "scores": scores} for scores in ([7, 9, 3], [7, 47, 3]))
    ends = [[end(outcome, seat) for seat in range(3)] for outcome in (small, great)]  # type: ignore[arg-type]
    assert ends[0][0] == -ends[0][1] == pytest.approx(-2, abs=0.1) and ends[0][2] < -5
    assert ends[1][1] == -ends[1][0] == pytest.approx(10, abs=0.1)


@pytest.mark.slow
def test_training_is_the_same_again_for_the_same_name_and_another_for_another() -> None:
    ruleset = chosen_ruleset("new-corp-order")
    assert ruleset.valuation is not None
    steps: list[None] = []

    def trained(name: str) -> tuple[list[float], int]:
        assert ruleset.valuation is not None
        return train(ruleset, ruleset.valuation, 2, 3, 2, name, lambda: steps.append(None))

    first, positions = trained("one")
    assert (first, positions) == trained("one") and first != trained("another")[0]
    assert positions > 20 and len(steps) == 6


def test_weights_are_written_as_a_module_with_the_name_of_each_feature() -> None:
    two = Weights(values=(1.5, -0.25), version=1, figures="9 games")
    text = module_of("sealed-bids", ("lead", "hand"), {3: two, 2: two})
    read: dict[str, dict[int, Weights]] = {}
    exec(text, read)  # the text is our own
    assert read["WEIGHTS"] == {2: two, 3: two}
    assert "            1.5000,  # lead\n            -0.2500,  # hand\n" in text
