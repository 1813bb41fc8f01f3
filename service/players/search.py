"""Search on many tables dealt again, all of which grow one tree (information set Monte Carlo tree search).

Each table is followed down the tree by the actions that promise most, until it comes to a position that is new; what
that position is worth to each seat goes back up (Cowling, Powley and Whitehouse 2012). Which action is tried next
follows from its worth so far, from what the linear value says of it, and from how seldom it was tried (PUCT).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import Any, Final

from service.players.dice import Apart
from service.players.values import Value
from service.rules.kernel import AnyRuleset, Dice
from service.rules.lookahead import after, worth_trying

_POINTS: Final = 6.0
"""A lead of so many points wins about three games of four."""
_SHARPNESS: Final = 40.0
"""How strongly the first tries prefer what the linear value prefers."""
_CURIOSITY: Final = 0.6
"""How much the seldom tried counts against the good."""


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
