"""A computer player at a table: it deals what its seat cannot see again before it thinks, and thinks about that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.players.dice import Apart
from service.players.levels import BUDGETS, VERSIONS, Level, levels_of
from service.players.search import Search
from service.players.turn import best_of_turn, worths_of_turn
from service.players.values import Value, value_of
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import after, worth_trying


@dataclass(frozen=True, slots=True)
class Player:
    """A level at a table of `seats` players; `budget` is the number of tables dealt for a choice."""

    ruleset: AnyRuleset
    seats: int
    level: Level
    budget: int
    version: int

    def choose(self, state: Any, seat: int, dice: Dice) -> Any:
        """Return a legal action of a seat that has to act; the same for all states that look alike to the seat."""
        tables = [alike(self.ruleset, state, seat, Apart(dice, f"table {number}")) for number in range(self.budget)]
        # The order settles which of equally good actions is taken, and is all that a random player goes by.
        actions = dice.shuffle("actions", self._actions(tables[0], seat))
        if self.level == "random":
            return actions[0]
        value = value_of(self.ruleset, self.seats, self.level, self.version)
        if self.level == "expert":
            return self._searched(tables, seat, actions, value, dice)
        if self.level == "hard" and self.version > 1:
            return best_of_turn(self.ruleset, tables[0], seat, actions, value, dice)
        return best(self.ruleset, tables, seat, actions, value, dice)

    def _actions(self, table: Any, seat: int) -> Sequence[Any]:
        # A random player is a measure only as long as all that is legal is as likely.
        return self.ruleset.legal(table, seat) if self.level == "random" else worth_trying(self.ruleset, table, seat)

    def _searched(self, tables: Sequence[Any], seat: int, actions: Sequence[Any], value: Value, dice: Dice) -> Any:
        worths = worths_of_turn(self.ruleset, tables[0], seat, actions, value, dice)
        search = Search(self.ruleset, self.seats, value, worths)
        for number, table in enumerate(tables):
            search.follow(table, Apart(dice, f"chance {number}"))
        return search.choice(actions)


def player(ruleset: AnyRuleset, seats: int, level: Level, version: int | None = None) -> Player:
    """Return a player of a level with its budget, by default of today's version.

    LookupError if the game has no such level at this table.
    """
    if level not in levels_of(ruleset, seats):
        raise LookupError(f"{ruleset.meta.title} has no level {level} with {seats} players")
    return Player(ruleset, seats, level, BUDGETS[level], VERSIONS[level] if version is None else version)


def alike(ruleset: AnyRuleset, state: Any, seat: int | None, dice: Dice) -> Any:
    """Return a state that looks to the seat (None: a spectator) like this one and follows from what it knows alone.

    A game that cannot deal again gives one of the states that it imagines, which are not all states there are.
    """
    if ruleset.deal_again is not None:
        return ruleset.deal_again(state, seat, dice)
    tables = ruleset.imagine(state, seat)
    return tables[dice.roll("imagined", len(tables))[0] - 1]


def best(
    ruleset: AnyRuleset, tables: Sequence[Any], seat: int, actions: Sequence[Any], value: Value, dice: Dice
) -> Any:
    """Return the first of the actions after which the tables are worth most to the seat, all together."""
    worths = [0.0] * len(actions)
    for number, table in enumerate(tables):
        # All actions meet the same chance, which none of them can have earned.
        chance = Apart(dice, f"chance {number}")
        for place, action in enumerate(actions):
            worths[place] += value(after(ruleset, table, seat, action, chance), seat)
    return actions[worths.index(max(worths))]
