"""Valuations of every game: features and weights fit each other, and features look at nothing hidden."""

from __future__ import annotations

from math import isfinite

import pytest

from service.players.levels import VERSIONS, Level
from service.players.player import lookalike_state
from service.rules.lookahead import valuation_of
from service.rules.valuation import Kept
from tests.rules.playouts import TABLES, TRIED, chance_of, few, played, seeds

VALUED = [(name, seats) for name, seats in TABLES if valuation_of(TRIED[name], seats) is not None]
every_valued_table = pytest.mark.parametrize(("name", "seats"), VALUED)


@every_valued_table
def test_every_feature_has_a_name_and_a_weight_in_every_version(name: str, seats: int) -> None:
    valuation = valuation_of(TRIED[name], seats)
    assert valuation is not None
    assert len(set(valuation.names)) == len(valuation.names)
    for kept in (valuation.rules_of_thumb, valuation.weights):
        for weights in (each for brought in kept for each in brought.values()):
            assert len(weights.values) == len(valuation.names) and weights.figures
    assert valuation.gains.keys() <= set(valuation.names), "hints speak of a feature that there is not"


@every_valued_table
def test_weights_are_for_tables_that_the_game_has(name: str, seats: int) -> None:
    ruleset = TRIED[name]
    valuation = valuation_of(ruleset, seats)
    assert valuation is not None
    by_hand, fitted = (set().union(*kept) for kept in (valuation.rules_of_thumb, valuation.weights))
    assert set(valuation.expert) <= fitted <= by_hand == set(valuation.seats) <= set(ruleset.meta.seats)


@every_valued_table
def test_weights_stand_in_the_order_of_versions_of_their_level(name: str, seats: int) -> None:
    valuation = valuation_of(TRIED[name], seats)
    assert valuation is not None
    of_levels: dict[Level, Kept] = {"normal": valuation.rules_of_thumb, "hard": valuation.weights}
    for level, kept in of_levels.items():
        versions = [brought[seats].version for brought in kept if seats in brought]
        assert versions == sorted(set(versions)) and all(1 <= each <= VERSIONS[level] for each in versions)


@every_valued_table
@few
@seeds
def test_features_are_numbers_and_follow_from_what_the_seat_knows_alone(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    valuation = valuation_of(ruleset, seats)
    assert valuation is not None
    for number, state in enumerate(game.states[:-1:7]):
        for seat in range(seats):
            features = valuation.features(state, seat)
            assert len(features) == len(valuation.names) and all(map(isfinite, features))
            assert features == valuation.features(lookalike_state(ruleset, state, seat, chance_of(number)), seat)


def test_new_corp_order_is_valued_with_one_to_four_players() -> None:
    assert {seats for name, seats in VALUED if name == "new-corp-order"} >= {1, 2, 3, 4}
