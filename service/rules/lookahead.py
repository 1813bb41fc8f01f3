"""Look ahead from a position: which actions to try, how to value positions, and what an action can lead to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from service.rules.kernel import AnyRuleset, Dice, state_after
from service.rules.permutations import FEWEST_PERMUTATIONS
from service.rules.valuation import Valuation


def valuation_of(ruleset: AnyRuleset, seats: int) -> Valuation | None:
    """Return how a game values positions at tables of one size; None if it does not."""
    valuation = ruleset.valuation
    if valuation is not None and seats == 1:
        valuation = valuation.alone
    return valuation if valuation is not None and seats in valuation.seats else None


def worth_trying(ruleset: AnyRuleset, state: Any, seat: int) -> Sequence[Any]:
    """Return the legal actions that a computer player thinks about; at least one if the seat has to act."""
    return (ruleset.candidates or ruleset.legal)(state, seat)


def after(ruleset: AnyRuleset, state: Any, seat: int, action: Any, dice: Dice) -> Any:
    """Return the state after an action; raises Illegal."""
    return state_after(ruleset, state, ruleset.decide(state, seat, action, dice))


# What an action can lead to, as far as its seat knows. The action is never tried on the real state, but on every
# state that looks the same to the seat (`Ruleset.imagine`), each time with other results of chance: what all of them
# have in common the seat knows beforehand.


class Future(NamedTuple):
    """An imagined state, the events that follow there, and whether chance was asked for them."""

    table: Any
    facts: Sequence[Any]
    chance: bool


def futures(ruleset: AnyRuleset, state: Any, seat: int, action: Any) -> list[Future]:
    """Return what follows the action in every state in which the seat could be; raises Illegal."""
    return futures_in(ruleset, ruleset.imagine(state, seat), seat, action)


def futures_in(ruleset: AnyRuleset, tables: Sequence[Any], seat: int, action: Any) -> list[Future]:
    """Return what follows the action in each of the states, which look alike to the seat; raises Illegal."""
    made = []
    for number in range(max(len(tables), FEWEST_PERMUTATIONS)):
        table = tables[number % len(tables)]
        # Chance is tried twice on each state: what is hidden and what is rolled must not rise in step.
        for shift in (0, 1):
            dice = _LoadedDice(number + shift)
            made.append(Future(table, ruleset.decide(table, seat, action, dice), dice.asked))
            if not dice.asked:
                break
    return made


def afterwards(ruleset: AnyRuleset, state: Any, seats: int, seat: int, action: Any) -> Any | None:
    """Return a state that looks to the seat like the one after the action, or None if the action reveals something.

    An action reveals something if it asks chance, or if any viewer comes to see what the seat could not know before:
    a card of the deck, or a card of another player. Its own cards the seat knows. Raises Illegal.
    """
    made = futures(ruleset, state, seat, action)
    ends = [state_after(ruleset, each.table, each.facts) for each in made]
    return None if reveals(ruleset, made, ends, seats, seat) else ends[0]


def reveals(ruleset: AnyRuleset, made: Sequence[Future], ends: Sequence[Any], seats: int, seat: int) -> bool:
    """Return whether futures and the states at their ends differ in anything that any viewer comes to see."""
    viewers = (*range(seats), None)
    return (
        any(each.chance for each in made)
        or _differ([each.facts for each in made], lambda facts: [_told(ruleset, facts, each) for each in viewers])
        or _differ(ends, lambda end: [ruleset.view(end, viewer) for viewer in (seat, None)])
    )


def _differ(things: Sequence[Any], shown: Callable[[Any], Any]) -> bool:
    """Return whether what is shown of the things differs; equal ones are shown alike."""
    first, *others = things
    known = shown(first)
    return any(each != first and shown(each) != known for each in others)


class _LoadedDice:
    """Chance with results that are fixed, but others for each number, so that no result is taken for certain."""

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
