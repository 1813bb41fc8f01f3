"""What holds for every game that knows good positions, and that New Corp Order counts its positions right."""

from __future__ import annotations

from math import isfinite

import pytest

from service.players.player import alike
from tests.rules.playouts import TABLES, TRIED, chance_of, few, played, seeds

VALUED = [
    (name, seats)
    for name, seats in TABLES
    for valuation in [TRIED[name].valuation]
    if valuation is not None and seats in valuation.seats
]
every_valued_table = pytest.mark.parametrize(("name", "seats"), VALUED)


@every_valued_table
def test_every_feature_has_a_name_a_rule_of_thumb_and_a_weight(name: str, seats: int) -> None:
    valuation = TRIED[name].valuation
    assert valuation is not None
    assert len(set(valuation.names)) == len(valuation.names) == len(valuation.rules_of_thumb)
    for weights in valuation.weights.values():
        assert len(weights.values) == len(valuation.names) and weights.figures and weights.version >= 1


@every_valued_table
def test_weights_are_for_tables_that_the_game_has(name: str, seats: int) -> None:
    ruleset = TRIED[name]
    assert ruleset.valuation is not None
    assert set(ruleset.valuation.expert) <= set(ruleset.valuation.weights) <= set(ruleset.valuation.seats)
    assert set(ruleset.valuation.seats) <= set(ruleset.meta.seats)


@every_valued_table
@few
@seeds
def test_features_are_numbers_and_follow_from_what_the_seat_knows_alone(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    assert ruleset.valuation is not None
    for number, state in enumerate(game.states[:-1:7]):
        for seat in range(seats):
            features = ruleset.valuation.features(state, seat)
            assert len(features) == len(ruleset.valuation.names) and all(map(isfinite, features))
            assert features == ruleset.valuation.features(alike(ruleset, state, seat, chance_of(number)), seat)


def test_new_corp_order_is_valued_with_two_to_four_players() -> None:
    assert {seats for name, seats in VALUED if name == "new-corp-order"} >= {2, 3, 4}


@pytest.mark.parametrize("seats", [2, 3, 4])
@few
@seeds
def test_the_lead_is_that_of_the_standings(seats: int, seed: int) -> None:
    ruleset, game = played("new-corp-order", seats, seed)
    assert ruleset.valuation is not None
    for state in game.states[:-1:3]:
        for seat in range(seats):
            scores = [each["total"] for each in ruleset.standings(state, seat)["seats"]]
            named = dict(zip(ruleset.valuation.names, ruleset.valuation.features(state, seat), strict=True))
            own = scores.pop(seat)
            assert named["lead"] == own - max(scores)
            assert named["lead-over-mean"] == own - sum(scores) / len(scores)
            assert named["lead-early"] == pytest.approx(named["lead"] * len(state.deck) / 50)


@pytest.mark.parametrize("seats", [2, 3])
@few
@seeds
def test_the_best_capture_is_one_that_the_rules_allow(seats: int, seed: int) -> None:
    ruleset, game = played("new-corp-order", seats, seed)
    assert ruleset.valuation is not None
    seen = 0
    for state in game.states[:-1]:
        seat = state.active
        named = dict(zip(ruleset.valuation.names, ruleset.valuation.features(state, seat), strict=True))
        if named["capture"] and state.phase == "turn":
            taken = [
                fact
                for action in ruleset.legal(state, seat)
                if type(action).__name__ == "TakeOver"
                for fact in ruleset.decide(state, seat, action, chance_of(1))
                if type(fact).__name__ == "CompanyTakenOver"
            ]
            seen += 1
            assert taken or _last_of_a_colour(state)
    assert seen


def _last_of_a_colour(state: object) -> bool:
    companies = state.companies.values()  # type: ignore[attr-defined]
    colours = [company.colour for company in companies]
    return any(colours.count(colour) == 1 for colour in colours)
