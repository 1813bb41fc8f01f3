"""What an action may lead to, as far as its seat can tell before acting.

The action is never tried on the real table, but on every table that looks the same to the seat (`Ruleset.imagine`),
with chance that falls out differently each time. What comes out alike on all of them the seat knows before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from service.rules.kernel import FEWEST_ARRANGEMENTS, AnyRuleset, fold


class Future(NamedTuple):
    """A made-up table, the events that follow there, and whether chance had a hand in them."""

    table: Any
    facts: Sequence[Any]
    chance: bool


def futures(ruleset: AnyRuleset, state: Any, seat: int, action: Any) -> list[Future]:
    """Return what may follow the action on every table that the seat could be at; raises Illegal."""
    tables = ruleset.imagine(state, seat)
    made = []
    for number in range(max(len(tables), FEWEST_ARRANGEMENTS)):
        table, dice = tables[number % len(tables)], _LoadedDice(number)
        made.append(Future(table, ruleset.decide(table, seat, action, dice), dice.asked))
    return made


def afterwards(ruleset: AnyRuleset, state: Any, seats: int, seat: int, action: Any) -> Any | None:
    """Return a state that looks to the seat like the one after the action, or None if the action reveals something.

    It does if chance is asked, or if anybody gets to see what the seat could not tell before: a card of the deck, what
    another player holds. Cards of its own that the seat shows are no such thing. Raises Illegal.
    """
    made = futures(ruleset, state, seat, action)
    ends = [fold(ruleset, each.facts, each.table) for each in made]
    viewers = (*range(seats), None)
    told = {repr([_told(ruleset, each.facts, viewer) for viewer in viewers]) for each in made}
    seen = {repr([ruleset.view(end, viewer) for viewer in (seat, None)]) for end in ends}
    revealing = any(each.chance for each in made) or len(told) > 1 or len(seen) > 1
    return None if revealing else ends[0]


class _LoadedDice:
    """Chance that is none: every number gives another result, so that no result is taken for granted."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.asked = False

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items, beginning with another one for each number."""
        self.asked = True
        shift = self._number % max(1, len(items))
        return [*items[shift:], *items[:shift]]

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` numbers that follow one another."""
        self.asked = True
        return tuple((self._number + die) % sides + 1 for die in range(count))


def _told(ruleset: AnyRuleset, facts: Sequence[Any], viewer: int | None) -> list[Any]:
    return [(type(fact).__name__, ruleset.redact(fact, viewer)) for fact in facts]
