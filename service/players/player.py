"""A computer player at a table: it deals hidden cards again, searches many such tables, and looks at whole turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, sqrt
from typing import Any, Final

from service.players.levels import BUDGETS, LEVELS, VERSIONS, Apart, Level, dice_for, levels_of
from service.players.values import Value, value_of
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import after, worth_trying
from service.rules.shared_events import ComputerSeated


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
        tables = [
            lookalike_state(self.ruleset, state, seat, Apart(dice, f"table {number}")) for number in range(self.budget)
        ]
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


def lookalike_state(ruleset: AnyRuleset, state: Any, seat: int | None, dice: Dice) -> Any:
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


# Information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012): many tables dealt again grow one tree.
#
# A table is followed down the tree by the most promising actions to a new position; the worth of that position for
# each seat goes back up. PUCT picks the next action: by its worth so far, its linear value, and its few tries.

_POINTS: Final = 6.0
"""A lead of so many points wins about three games of four."""
_SHARPNESS: Final = 40.0
"""Inverse temperature of the prior, a softmax of the linear value."""
_CURIOSITY: Final = 0.6
"""Exploration constant of PUCT: few tries against worth."""


class _Branch:
    """An action at a node: what the value says of it, how often it was tried, and what came of that."""

    __slots__ = ("node", "prior", "total", "visits")

    def __init__(self, prior: float) -> None:
        self.prior = prior
        self.visits = 0
        self.total = prior
        self.node: dict[Any, _Branch] = {}

    @property
    def worth(self) -> float:
        return self.total / (self.visits + 1)


_Node = dict[Any, _Branch]
"""The branches of a node by their actions: those that were legal on any table so far."""


class Search:
    """A tree that grows with each table; `root` is the decision of the seat that thinks.

    What is known of some of its actions, as their `worths` in points, says which of them to try first.
    """

    def __init__(
        self, ruleset: AnyRuleset, seats: int, value: Value, worths: Mapping[Any, float] | None = None
    ) -> None:
        self._ruleset = ruleset
        self._seats = seats
        self._value = value
        self.root: _Node = {action: _Branch(_chance(worth)) for action, worth in (worths or {}).items()}

    def follow(self, table: Any, dice: Dice) -> None:
        """Follow a table down to a new position, and note on the way what that is worth."""
        node, state, path, fresh = self.root, table, list[tuple[int, _Branch]](), False
        while not fresh and self._ruleset.outcome(state) is None:
            forced = self._ruleset.automaton(state)
            if forced is not None:
                state = self._after(state, *forced, dice, len(path))
                continue
            seat = min(self._ruleset.to_act(state))
            fresh = not node
            action = self._pick(node, state, seat, dice, len(path))
            state = self._after(state, seat, action, dice, len(path))
            path.append((seat, node[action]))
            node = node[action].node
        worths = [_chance(self._value(state, seat)) for seat in range(self._seats)]
        for seat, branch in path:
            branch.visits += 1
            branch.total += worths[seat]

    def choice(self, actions: Sequence[Any]) -> Any:
        """Return the action that was tried most, the first of those that are equal."""
        return max(actions, key=lambda action: (self.root[action].visits, self.root[action].worth))

    def _pick(self, node: _Node, state: Any, seat: int, dice: Dice, depth: int) -> Any:
        actions = worth_trying(self._ruleset, state, seat)
        for action in actions:
            if action not in node:
                tried = self._after(state, seat, action, dice, depth)
                node[action] = _Branch(_chance(self._value(tried, seat)))
        branches = [node[action] for action in actions]
        best = max(branch.prior for branch in branches)
        likely = [exp(_SHARPNESS * (branch.prior - best)) for branch in branches]
        push = _CURIOSITY * sqrt(1 + sum(branch.visits for branch in branches)) / sum(likely)
        scores = [
            branch.worth + push * share / (1 + branch.visits) for branch, share in zip(branches, likely, strict=True)
        ]
        return actions[scores.index(max(scores))]

    def _after(self, state: Any, seat: int, action: Any, dice: Dice, depth: int) -> Any:
        return after(self._ruleset, state, seat, action, Apart(dice, f"depth {depth}"))


def _chance(lead: float) -> float:
    """Return about how likely a lead is to win."""
    return 1 / (1 + exp(-lead / _POINTS))


# Look-ahead over a whole turn: a takeover is worth its ability, a first card what the second card adds.
#
# Alone against an automaton, a turn is worth what is left after the automaton's answer.

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


# The choice of a computer player, or of the stand-in, in a seat of a game: it follows from the record.


class VersionGone(LookupError):
    """Computer players of this version are kept here no more, or not yet."""


def computer_seated(seat: int, level: Level) -> ComputerSeated:
    """Return the event that seats a computer player of today's version."""
    return ComputerSeated(seat=seat, level=level, version=VERSIONS[level])


def choice(
    ruleset: AnyRuleset,
    seats: int,
    game: str,
    decision: int,
    state: Any,
    computer: ComputerSeated,
    tables: int | None = None,
) -> Any:
    """Return the action with which a computer player answers a decision; VersionGone, LookupError for a wrong level.

    `tables` is its budget if that was cut, smaller than the level's own; LookupError for another.
    """
    level = next((each for each in LEVELS if each == computer.level), None)
    if level is None:
        raise LookupError(f"there is no level {computer.level}")
    if not 1 <= computer.version <= VERSIONS[level]:
        raise VersionGone(f"version {computer.version} of {level} is not installed here")
    dice = dice_for(game, decision, computer.seat, level, computer.version)
    chooses = player(ruleset, seats, level, computer.version)
    if tables is not None:
        if not 0 < tables < chooses.budget:
            raise LookupError(f"{tables} tables are no smaller budget than that of {level}")
        chooses = replace(chooses, budget=tables)
    return chooses.choose(state, computer.seat, dice)


def substitute_action(
    ruleset: AnyRuleset, seats: int, game: str, decision: int, state: Any, seat: int, version: int | None = None
) -> Any:
    """Return the action that is played for a player who does not: that of `normal`, of `easy` where there is none.

    A game whose rules say what it is has its way. VersionGone as `choice`.
    """
    if ruleset.absence_ruled:
        return ruleset.on_timeout(state, seat)
    level = _level_of_stand_in(ruleset, seats)
    computer = ComputerSeated(seat=seat, level=level, version=VERSIONS[level] if version is None else version)
    return choice(ruleset, seats, game, decision, state, computer)


def possible_substitute_actions(
    ruleset: AnyRuleset, seats: int, game: str, decision: int, state: Any, seat: int
) -> Iterator[Any]:
    """Yield what any version has played for a player who does not; before there were computer players, `on_timeout`.

    Records do not tell the version of a stand-in, so that a version has to be kept while there are records of it.
    """
    yield ruleset.on_timeout(state, seat)
    for version in range(1, VERSIONS[_level_of_stand_in(ruleset, seats)] + 1):
        yield substitute_action(ruleset, seats, game, decision, state, seat, version)


def _level_of_stand_in(ruleset: AnyRuleset, seats: int) -> Level:
    # Records of games for one are from before there was a `normal` for these.
    return "normal" if seats > 1 and "normal" in levels_of(ruleset, seats) else "easy"
