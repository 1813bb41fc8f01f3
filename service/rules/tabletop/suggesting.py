"""Suggests actions: of each kind of action the best one, as far as its outcome is known before it is played.

Where there is one kind alone, its first choices are suggested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.rules.shapes import Choice, Choices, Kind, Picks, Prospect
from service.rules.tabletop.facets import KIND

_RANK: Final[Mapping[Prospect, int]] = {"bad": 0, "open": 1, "good": 2}


class Suggestion(NamedTuple):
    """An action, what comes of it, and its gain in points of the reader; None if the gain cannot be known."""

    action: Any
    prospect: Prospect
    gain: int | None


def suggested(kinds: Sequence[Kind], choices: Callable[[Picks], Choices], most: int) -> list[Suggestion]:
    """Return at most `most` actions, one of each kind, those that gain most first; of a kind alone, several.

    Of each part the best choice is taken. Actions that fail are left out, unless all of them do, and those of kinds
    that are seldom wanted (`Kind.aside`), unless there are no others. Before them come all answers to offers of other
    players (`Kind.answers`), one for each first choice, however many they are.
    """
    answers = [each for kind in kinds if kind.answers for each in _answers(kind.id, choices)]
    others = [kind for kind in kinds if not kind.answers]
    wanted = [kind for kind in others if not kind.aside] or others
    alone = not answers and len(wanted) == 1
    found = _several(wanted[0].id, choices) if alone else [_best({KIND: kind.id}, choices) for kind in wanted]
    worthwhile = [each for each in found if each.prospect != "bad"] or found
    by_gain = sorted(worthwhile, key=lambda each: -(each.gain or 0))
    return [*answers, *by_gain[: max(0, most - len(answers))]]


def _answers(kind: str, choices: Callable[[Picks], Choices]) -> Iterator[Suggestion]:
    made = choices({KIND: kind})
    if made.action is not None:
        yield Suggestion(made.action, "open", None)
        return
    for each in made.choices:
        if each.part != KIND:
            yield _best(each.picks, choices)


def _several(kind: str, choices: Callable[[Picks], Choices]) -> list[Suggestion]:
    """Return the best action for each choice of the first part, unless that is an amount; each action once."""
    made = choices({KIND: kind})
    first = next((each.part for each in made.choices if each.part != KIND), None)
    begun = [each.picks for each in made.choices if each.part == first != made.amount] or [{KIND: kind}]
    found: list[Suggestion] = []
    for picks in begun:
        best = _best(picks, choices)
        if best.action not in [each.action for each in found]:
            found.append(best)
    return found


def _best(picks: Picks, choices: Callable[[Picks], Choices]) -> Suggestion:
    taken: Choice | None = None
    while (made := choices(picks)).action is None:
        taken = max((each for each in made.choices if each.part not in picks), key=_worth)
        picks = taken.picks
    if taken is None:
        taken = max((each for each in made.choices if each.chosen), key=_worth, default=None)
    if taken is None:
        return Suggestion(made.action, "open", None)
    return Suggestion(made.action, taken.prospect, taken.gain)


def _worth(choice: Choice) -> tuple[int, int]:
    return _RANK[choice.prospect], choice.gain or 0
