"""`hard` looks at its whole turn since its second version; games go on with the version that they began with."""

from __future__ import annotations

from typing import Any

import pytest

from service.players.levels import VERSIONS, Apart, Level
from service.players.player import PROMISING, VersionGone, best, best_of_turn, choice
from service.players.values import value_of
from service.rules.lookahead import after, worth_trying
from service.rules.shared_events import ComputerSeated
from tests.rules.playouts import chance_of, played

NAME, SEATS = "new-corp-order", 4
RULESET, GAME = played(NAME, SEATS, 1)
VALUE = value_of(RULESET, SEATS, "hard")
EVERY = 5
KEPT: dict[tuple[Level, int], list[str]] = {
    ("normal", 1): ["M I 1K+B B4", "I 1K D2", "P 5", "T B2-C2 2", "I 3R A4 =M", "I 3R C3 =C"],
    ("normal", 2): ["M I 1B+W C3", "I 1K B4", "P 4", "I 1K A2", "I 3R A4 =M", "P 2 4"],
    ("hard", 1): ["P 3 4", "P 1 5", "P 1", "P 1 3", "I 3R A4 =M", "I 2K D2"],
    ("hard", 2): ["P 3 4", "P 1 5", "P 1", "T B2-A2 2", "I 3R A4 =C", "I 2K D2"],
}
"""What versions chose while they were today's: records of their games are checked by computing it again."""


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


def chosen_by(level: Level, version: int) -> list[str]:
    """Return what a version of a level chooses in positions of one game, as moves are written."""
    written = []
    for state in GAME.states[3:-1:17]:
        computer = ComputerSeated(seat=min(RULESET.to_act(state)), level=level, version=version)
        chosen = choice(RULESET, SEATS, "game", RULESET.decision(state), state, computer)
        written.append(RULESET.notate(chosen))
    return written


@pytest.mark.parametrize(("level", "version"), KEPT)
def test_what_an_earlier_version_chooses_stays_the_same_for_ever(level: Level, version: int) -> None:
    assert chosen_by(level, version) == KEPT[level, version]


def test_new_weights_and_old_ones_choose_otherwise_with_the_same_dice() -> None:
    value_then = value_of(RULESET, SEATS, "hard", 2)
    others = 0
    for number, state in enumerate(GAME.states[:-1:EVERY]):
        seat, dice = min(RULESET.to_act(state)), chance_of(number)
        actions = worth_trying(RULESET, state, seat)
        then, now = (best_of_turn(RULESET, state, seat, actions, value, dice) for value in (value_then, VALUE))
        others += then != now
    assert others, "no position shows the difference"


def test_a_level_that_a_table_had_not_yet_in_a_version_chooses_nothing() -> None:
    with pytest.raises(LookupError, match="no level hard with 1 players"):
        value_of(RULESET, 1, "hard", 2)


def test_a_version_that_is_not_here_yet_chooses_nothing() -> None:
    state = GAME.states[20]
    computer = ComputerSeated(seat=min(RULESET.to_act(state)), level="hard", version=VERSIONS["hard"] + 1)
    with pytest.raises(VersionGone, match=f"version {VERSIONS['hard'] + 1} of hard"):
        choice(RULESET, SEATS, "game", RULESET.decision(state), state, computer)


def test_alone_a_turn_is_worth_what_the_automaton_leaves_of_it() -> None:
    games = [played(NAME, 1, seed) for seed in range(6)]
    value, others = value_of(RULESET, 1, "hard"), 0
    for ruleset, game in games:
        for number, state in enumerate(game.states[:-1]):
            actions = worth_trying(ruleset, state, 0) if state.phase == "placement" else []
            if not 1 < len(actions) <= PROMISING:
                continue
            dice = chance_of(number)
            ends = [after(ruleset, state, 0, action, Apart(dice, "chance 0")) for action in actions]
            left = [value(answered(end, dice), 0) for end in ends]
            chosen = actions.index(best_of_turn(ruleset, state, 0, actions, value, dice))
            assert left[chosen] == max(left)
            others += value(ends[chosen], 0) < max(value(end, 0) for end in ends)
    assert others, "in no position the answer makes a difference"


def answered(state: Any, dice: Any) -> Any:
    """Return what ODS makes of a position, if it has to move there."""
    forced = RULESET.automaton(state)
    return state if forced is None else after(RULESET, state, *forced, Apart(dice, "chance 0"))
