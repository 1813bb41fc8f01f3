"""A whole turn looked at: a takeover is worth what its ability does, a first card what the second one adds to it.

Alone against an automaton, a turn is worth what is left of it after the automaton's answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.players.dice import Apart
from service.players.values import Value
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import after, worth_trying

PROMISING: Final = 8
"""For so many actions, those after which the position is worth most, the rest of the turn is looked at."""
STEPS: Final = 3
"""So many further actions of the seat in the same turn are looked at."""


@dataclass(frozen=True, slots=True)
class _Turn:
    ruleset: AnyRuleset
    seat: int
    number: int
    value: Value
    chance: Dice

    def led_to(self, state: Any, actions: Sequence[Any]) -> list[Any]:
        return [after(self.ruleset, state, self.seat, action, self.chance) for action in actions]

    def worth(self, state: Any, steps: int = STEPS) -> float:
        """Return what a position is worth after the best rest of the seat's turn and the automaton's answer."""
        if not steps or not self._goes_on(state):
            return self.value(self._answered(state), self.seat)
        actions = worth_trying(self.ruleset, state, self.seat)
        return max(self.worth(each, steps - 1) for each in self.led_to(state, actions))

    def _answered(self, state: Any) -> Any:
        """Return what the automaton makes of a position, which it has no choice about."""
        while self.ruleset.outcome(state) is None and (forced := self.ruleset.automaton(state)) is not None:
            state = after(self.ruleset, state, *forced, self.chance)
        return state

    def _goes_on(self, state: Any) -> bool:
        ruleset = self.ruleset
        if ruleset.outcome(state) is not None or ruleset.turn(state) != self.number:
            return False
        return self.seat in ruleset.to_act(state)


def best_of_turn(ruleset: AnyRuleset, table: Any, seat: int, actions: Sequence[Any], value: Value, dice: Dice) -> Any:
    """Return the first of the actions with which the turn can come to the position that is worth most to the seat."""
    worths = worths_of_turn(ruleset, table, seat, actions, value, dice)
    return max(worths, key=lambda action: worths[action])


def worths_of_turn(
    ruleset: AnyRuleset, table: Any, seat: int, actions: Sequence[Any], value: Value, dice: Dice
) -> dict[Any, float]:
    """Return the most that the turn can come to with each of the promising actions, the most promising first."""
    turn = _Turn(ruleset, seat, ruleset.turn(table), value, Apart(dice, "chance 0"))
    led_to = turn.led_to(table, actions)
    worths = [value(state, seat) for state in led_to]
    promising = sorted(range(len(actions)), key=lambda place: -worths[place])[:PROMISING]
    return {actions[place]: turn.worth(led_to[place]) for place in promising}
