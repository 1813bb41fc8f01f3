"""`hard` looks at its whole turn since its second version; games that began with the first one go on with it."""

from __future__ import annotations

from typing import Any

import pytest

from service.players.choices import VersionGone, choice
from service.players.dice import Apart, dice_for
from service.players.levels import VERSIONS
from service.players.player import alike, best
from service.players.turn import best_of_turn
from service.players.values import value_of
from service.rules.lookahead import after, worth_trying
from service.rules.shared_events import ComputerSeated
from tests.rules.playouts import chance_of, played

NAME, SEATS = "new-corp-order", 4
RULESET, GAME = played(NAME, SEATS, 1)
VALUE = value_of(RULESET, SEATS, "hard")
EVERY = 5


def at_its_end(state: Any, seat: int, action: Any, dice: Any) -> float:
    """Return what a turn that begins with an action comes to, if its rest is played as well as it can be."""
    turn = RULESET.turn(state)
    while True:
        state = after(RULESET, state, seat, action, Apart(dice, "chance 0"))
        if RULESET.outcome(state) is not None or RULESET.turn(state) != turn or seat not in RULESET.to_act(state):
            return VALUE(state, seat)
        action = best_of_turn(RULESET, state, seat, worth_trying(RULESET, state, seat), VALUE, dice)


def test_where_the_whole_turn_tells_more_than_its_first_action_it_comes_to_more() -> None:
    others = 0
    for number, state in enumerate(GAME.states[:-1:EVERY]):
        seat, dice = min(RULESET.to_act(state)), chance_of(number)
        actions = worth_trying(RULESET, state, seat)
        first = best(RULESET, [state], seat, actions, VALUE, dice)
        chosen = best_of_turn(RULESET, state, seat, actions, VALUE, dice)
        if chosen != first:
            others += 1
            assert at_its_end(state, seat, chosen, dice) > at_its_end(state, seat, first, dice)
    assert others, "no position shows the difference"


def test_a_game_that_began_with_the_first_version_goes_on_with_it() -> None:
    for state in GAME.states[:-1:EVERY]:
        seat, decision = min(RULESET.to_act(state)), RULESET.decision(state)
        dice = dice_for("game", decision, seat, "hard", 1)
        table = alike(RULESET, state, seat, Apart(dice, "table 0"))
        actions = dice.shuffle("actions", worth_trying(RULESET, table, seat))
        computer = ComputerSeated(seat=seat, level="hard", version=1)
        first = best(RULESET, [table], seat, actions, VALUE, dice)
        assert choice(RULESET, SEATS, "game", decision, state, computer) == first


def test_a_version_that_is_not_here_yet_chooses_nothing() -> None:
    state = GAME.states[20]
    computer = ComputerSeated(seat=min(RULESET.to_act(state)), level="hard", version=VERSIONS["hard"] + 1)
    with pytest.raises(VersionGone, match="version 3 of hard"):
        choice(RULESET, SEATS, "game", RULESET.decision(state), state, computer)
