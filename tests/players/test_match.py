"""Levels are compared on the same deals from every seat."""

from __future__ import annotations

from typing import Any

import pytest

from service.players.match import Chair, play, play_deal, rate_of
from service.players.player import player
from service.rules.kernel import AnyRuleset
from tests.rules.playouts import TRIED


def chair(ruleset: AnyRuleset, seats: int, level: Any) -> Chair:
    return Chair(level, player(ruleset, seats, level).choose)


def test_games_of_one_name_are_the_same_and_of_another_are_others() -> None:
    ruleset = TRIED["new-corp-order"]
    chairs = [chair(ruleset, 2, "random")] * 2
    assert play(ruleset, chairs, "one") == play(ruleset, chairs, "one")
    assert play(ruleset, chairs, "one") != play(ruleset, chairs, "another")


def test_whoever_plays_the_deal_is_the_same() -> None:
    ruleset = TRIED["new-corp-order"]
    (first, *_), _ = play(ruleset, [chair(ruleset, 2, "random")] * 2, "one")
    (second, *_), _ = play(ruleset, [chair(ruleset, 2, "easy")] * 2, "one")
    assert first.after.companies.keys() == second.after.companies.keys()
    assert [c.name for c in first.after.companies.values()] == [c.name for c in second.after.companies.values()]
    assert first.after.objectives == second.after.objectives


@pytest.mark.parametrize(("name", "seats"), [("new-corp-order", 2), ("sealed-bids", 3)])
def test_a_level_against_itself_wins_its_part_of_every_deal(name: str, seats: int) -> None:
    same = chair(TRIED[name], seats, "easy")
    # The games from each seat are one and the same game, which has one victory.
    assert play_deal(TRIED[name], same, same, seats, "deal") == pytest.approx(1 / seats)


def test_a_rate_over_deals_of_even_chances_has_the_interval_of_as_many_tosses() -> None:
    rate = rate_of([1.0, 0.0] * 50)
    assert rate.rate == 0.5 and rate.deals == 100
    assert rate.low == pytest.approx(0.404, abs=0.002) and rate.high == pytest.approx(0.596, abs=0.002)


def test_deals_that_resemble_each_other_make_the_interval_narrower() -> None:
    wide, narrow = rate_of([1.0, 0.0] * 50), rate_of([0.75, 0.25] * 50)
    assert narrow.high - narrow.low < 0.6 * (wide.high - wide.low)


def test_a_level_that_has_won_everything_might_yet_have_lost() -> None:
    rate = rate_of([1.0] * 20)
    assert rate.rate == 1.0 and 0.8 < rate.low < 0.87 and rate.high == pytest.approx(1)


@pytest.mark.slow
def test_easy_beats_random_at_every_size_of_table() -> None:
    ruleset = TRIED["new-corp-order"]
    for seats in (2, 3, 4):
        one, others = chair(ruleset, seats, "easy"), chair(ruleset, seats, "random")
        rate = rate_of([play_deal(ruleset, one, others, seats, f"deal {number}") for number in range(3)])
        assert rate.rate > 1.5 / seats, seats
