"""The search follows tables down a tree, and comes to try most what is worth most."""

from __future__ import annotations

from typing import Any

import pytest

from service.players.player import Search
from service.players.values import value_of
from service.rules.kernel import fold
from service.rules.lookahead import worth_trying
from tests.rules.playouts import chance_of, played

TABLES = 12


def searched(name: str, seats: int, state: Any, tables: int = TABLES) -> Search:
    ruleset, _ = played(name, seats, 1)
    search = Search(ruleset, seats, value_of(ruleset, seats, "easy"))
    for number in range(tables):
        search.follow(state, chance_of(number))
    return search


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_table_is_followed_through_one_action_of_the_root(seats: int) -> None:
    ruleset, game = played("new-corp-order", seats, 1)
    state = game.states[len(game.states) // 2]
    root = searched("new-corp-order", seats, state).root
    [seat] = ruleset.to_act(state)
    assert sum(branch.visits for branch in root.values()) == TABLES
    assert set(root) == set(worth_trying(ruleset, state, seat))
    assert any(branch.node for branch in root.values()), "nobody looked further than one action"


@pytest.mark.parametrize("seed", range(6))
def test_a_victory_that_is_at_hand_is_taken(seed: int) -> None:
    ruleset, game = played("new-corp-order", 2, seed)
    step = game.steps[-1]

    def wins(action: Any) -> bool:
        after = fold(ruleset, ruleset.decide(step.before, step.seat, action, chance_of(1)), step.before)
        outcome = ruleset.outcome(after)
        return outcome is not None and list(outcome["winners"]) == [step.seat]

    actions = worth_trying(ruleset, step.before, step.seat)
    if any(map(wins, actions)):
        assert wins(searched("new-corp-order", 2, step.before).choice(actions))


def test_of_the_actions_the_one_of_the_greatest_known_worth_is_tried_first() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    state = game.states[len(game.states) // 2]
    [seat] = ruleset.to_act(state)
    *_, last = worth_trying(ruleset, state, seat)
    search = Search(ruleset, 2, value_of(ruleset, 2, "easy"), {last: 100.0})
    search.follow(state, chance_of(1))
    assert [action for action, branch in search.root.items() if branch.visits] == [last]


def test_in_some_of_these_games_a_victory_was_at_hand_and_in_some_it_was_not() -> None:
    won = {
        list(played("new-corp-order", 2, seed)[1].states[-1].result.winners) == [step_seat(seed)] for seed in range(6)
    }
    assert won == {True, False}


def step_seat(seed: int) -> int:
    return played("new-corp-order", 2, seed)[1].steps[-1].seat


def test_secret_bids_are_searched_with_dice_and_several_seats_to_act() -> None:
    ruleset, game = played("sealed-bids", 3, 1)
    search = searched("sealed-bids", 3, game.start, tables=40)
    actions = worth_trying(ruleset, game.start, 0)
    assert search.choice(actions) in actions
    assert sum(branch.visits for branch in search.root.values()) == 40


def test_the_automaton_moves_by_itself_in_the_tree() -> None:
    ruleset, game = played("new-corp-order", 1, 1)
    state = next(step.before for step in game.steps[20:] if step.seat == 0)
    search = searched("new-corp-order", 1, state)
    assert search.choice(worth_trying(ruleset, state, 0)) in worth_trying(ruleset, state, 0)


def test_the_same_tables_and_dice_grow_the_same_tree() -> None:
    _, game = played("new-corp-order", 2, 2)
    one, other = (searched("new-corp-order", 2, game.states[30]).root for _ in range(2))
    assert [(action, branch.visits, branch.total) for action, branch in one.items()] == [
        (action, branch.visits, branch.total) for action, branch in other.items()
    ]
