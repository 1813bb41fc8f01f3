"""Computer players choose by what their seat knows alone, and the same again from what a record tells."""

from __future__ import annotations

from dataclasses import replace
from time import process_time
from typing import Any

import pytest

from service.players.levels import BUDGETS, LEVELS, VERSIONS, Level, dice_for, levels_for, levels_of
from service.players.player import Player, lookalike_state, player
from service.players.values import WON, value_of
from service.record.draws import Witness
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, begin, fold
from tests.rules.playouts import FEWER_TABLES, TRIED, chance_of, few, fewest, played, seeds

AT_TABLES = [
    (name, seats, level)
    for name, seats in FEWER_TABLES
    for level in (LEVELS if "hard" in levels_of(TRIED[name], seats) else levels_of(TRIED[name], seats))
]
every_level = pytest.mark.parametrize(("name", "seats", "level"), AT_TABLES)
EVERY = 11
"""Of a random game, one state in so many is looked at."""


def seat_to_act(ruleset: AnyRuleset, state: Any, seats: int) -> int | None:
    """Return a player's seat that has to act; none where it is the automaton's turn."""
    return min(ruleset.to_act(state) & set(range(seats)), default=None)


def quick(name: str, seats: int, level: Any) -> Player:
    """Return a player that looks at few tables."""
    return Player(TRIED[name], seats, level, min(3, BUDGETS[level]), VERSIONS[level])


@every_level
@fewest
@seeds
def test_a_choice_is_legal(name: str, seats: int, level: Any, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate(game.states[:-1:EVERY]):
        seat = seat_to_act(ruleset, state, seats)
        if seat is not None:
            assert quick(name, seats, level).choose(state, seat, chance_of(number)) in ruleset.legal(state, seat)


@every_level
@fewest
@seeds
def test_a_player_that_cannot_see_the_difference_chooses_the_same(name: str, seats: int, level: Any, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate(game.states[:-1:EVERY]):
        seat = seat_to_act(ruleset, state, seats)
        if seat is not None:
            chosen = quick(name, seats, level).choose(state, seat, chance_of(number))
            for other in range(2):
                twin = lookalike_state(ruleset, state, seat, chance_of(1_000 + other))
                assert quick(name, seats, level).choose(twin, seat, chance_of(number)) == chosen


@every_level
@fewest
@seeds
def test_a_choice_asks_the_chance_of_the_game_for_nothing(name: str, seats: int, level: Any, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate(game.states[:-1:EVERY]):
        seat = seat_to_act(ruleset, state, seats)
        if seat is not None:
            dice = Witness(Chance(number.to_bytes(32, "big")))
            quick(name, seats, level).choose(state, seat, dice)
            asked = {draw["label"] for draw in dice.taken()}
            assert asked and not asked & set(game.labels)


@pytest.mark.parametrize(
    ("name", "seats", "level"),
    [(name, seats, level) for name, seats in FEWER_TABLES for level in levels_for(TRIED[name], seats)],
)
def test_no_choice_that_people_wait_for_takes_two_seconds_of_cpu_time(name: str, seats: int, level: Level) -> None:
    ruleset, game = played(name, seats, 1)
    decisions = [
        (state, seat) for state in game.states[:-1] if (seat := seat_to_act(ruleset, state, seats)) is not None
    ]
    state, seat = max(decisions, key=lambda decision: len(ruleset.legal(*decision)))
    began = process_time()
    player(ruleset, seats, level).choose(state, seat, chance_of(1))
    assert process_time() - began < 2


def test_a_choice_can_be_computed_again_from_game_decision_seat_level_and_version() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    state = game.states[20]
    [seat] = ruleset.to_act(state)
    one = player(ruleset, 2, "random")
    decision = ruleset.decision(state)

    def chosen(*key: Any) -> Any:
        return one.choose(state, seat, dice_for(*key))

    assert len({chosen("game", decision, seat, "random", 1) for _ in range(3)}) == 1
    for others in (
        [(f"game {number}", decision, seat, "random", 1) for number in range(9)],
        [("game", decision + number, seat, "random", 1) for number in range(9)],
        [("game", decision, number, "random", 1) for number in range(9)],
        [("game", decision, seat, level, 1) for level in LEVELS],
        [("game", decision, seat, "random", number) for number in range(9)],
    ):
        assert len({chosen(*key) for key in others}) > 1


def test_the_dice_of_a_choice_stay_the_same_for_ever() -> None:
    assert dice_for("game", 7, 1, "easy", 1).roll("any", 1_000, 3) == (767, 818, 252)


@few
@seeds
def test_easy_takes_an_action_after_which_no_other_has_a_greater_lead(seed: int) -> None:
    ruleset, game = played("new-corp-order", 2, seed)
    state = game.states[len(game.states) // 2]
    [seat] = ruleset.to_act(state)
    value = value_of(ruleset, 2, "easy")
    chosen = player(ruleset, 2, "easy").choose(state, seat, chance_of(seed))

    def worth(action: Any) -> float:
        return value(fold(ruleset, ruleset.decide(state, seat, action, chance_of(1)), state), seat)

    assert worth(chosen) == max(map(worth, ruleset.legal(state, seat)))


def test_a_game_that_is_over_is_worth_its_end_and_a_shared_victory_half() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    end = game.states[-1]
    result = end.result
    value = value_of(ruleset, 2, "easy")
    [winner] = result.winners
    assert (value(end, winner), value(end, 1 - winner)) == (WON, -WON)


def test_a_game_that_cannot_deal_again_is_played_by_what_it_imagines() -> None:
    ruleset = replace(TRIED["sealed-bids"], deal_again=None)
    start = fold(ruleset, begin(ruleset, 3, {"double": False}, chance_of(3), "", ()))
    tables = [lookalike_state(ruleset, start, 1, chance_of(number)) for number in range(9)]
    assert all(table in ruleset.imagine(start, 1) for table in tables) and len({str(table) for table in tables}) > 1
    assert player(ruleset, 3, "easy").choose(start, 1, chance_of(1)) in ruleset.legal(start, 1)


def test_a_game_without_features_has_no_levels_that_need_them() -> None:
    ruleset = TRIED["sealed-bids"]
    assert levels_of(ruleset, 3) == ("random", "easy")
    for level in LEVELS[2:]:
        with pytest.raises(LookupError, match="Sealed Bids has no level"):
            player(ruleset, 3, level)
