"""Events that come with the state after them are evolved only in the log, and on top of another state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

import pytest

from service.log.folding import Folded, fold_log
from service.rules.kernel import AnyRuleset, DecisionResult, fold, state_after
from tests.rules.playouts import chance_of, played

both_games = pytest.mark.parametrize("name", ["new-corp-order", "bastards-inc"])


def acted(name: str) -> tuple[AnyRuleset, Any, Any]:
    """Return a game, the state before the first action of two players, and what that action causes."""
    ruleset, game = played(name, 2, 1)
    step = game.steps[0]
    return ruleset, step.before, ruleset.decide(step.before, step.seat, step.action, chance_of(1))


def never(_: Any, event: Any) -> NoReturn:
    raise AssertionError(f"{event} is evolved")


@both_games
def test_a_game_returns_the_state_with_the_events(name: str) -> None:
    ruleset, state, caused = acted(name)
    assert isinstance(caused, DecisionResult) and caused.before is state
    assert caused.state == fold(ruleset, caused, state) != state


@both_games
def test_who_looks_ahead_goes_on_with_that_state(name: str) -> None:
    ruleset, state, caused = acted(name)
    assert state_after(replace(ruleset, evolve=never), state, caused) is caused.state


@both_games
def test_the_log_is_what_its_events_add_up_to_whatever_comes_with_them(name: str) -> None:
    ruleset, state, caused = acted(name)
    right = caused.state
    caused.state = None
    assert fold_log(ruleset, caused, Folded(state=state, revision=1)).state == right


@both_games
def test_on_top_of_another_state_the_events_are_evolved(name: str) -> None:
    ruleset, state, caused = acted(name)
    right, elsewhere = caused.state, state._replace()
    caused.state = None
    assert state_after(ruleset, elsewhere, caused) == right


def test_plain_events_are_evolved() -> None:
    ruleset, state, caused = acted("new-corp-order")
    assert state_after(ruleset, state, list(caused)) == caused.state
