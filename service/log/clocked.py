"""The fold of a log with its clocks, which need to know when each append was made, and by whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from service.log.clocks import Clocks, acted, awaiting, noted, started
from service.log.folding import NOTHING, Folded, fold_log, folds
from service.log.recorded import Recorded, milliseconds
from service.rules.kernel import AnyRuleset
from service.rules.shared_events import ActionTakenBack, PaceSet, SharedEvent, TimeLapsed


def appends(log: Sequence[Recorded]) -> Iterator[Sequence[Recorded]]:
    """Yield what was put into the log at once, from a log that begins with the first event of an append."""
    begins = [place for place, each in enumerate(log) if not place or _begins(each)]
    for begin, end in pairwise([*begins, len(log)]):
        yield log[begin:end]


def clocked_folds(ruleset: AnyRuleset, log: Sequence[Recorded], folded: Folded = NOTHING) -> Iterator[Folded]:
    """Yield what the log adds up to after each of the events, with its clocks; LooksBack.

    All events of an append but its last have the clocks of before it.
    """
    bare, clocks = iter(folds(ruleset, (each.event for each in log), folded)), folded.clocks
    past: list[tuple[Clocks | None, Sequence[Recorded]]] = []
    for made in appends(log):
        for _ in made[:-1]:
            yield _with(next(bare), clocks)
        last = next(bare)
        past.append((clocks, made))
        if isinstance(made[0].event, ActionTakenBack):
            clocks = rewound(past, made[0].event.first)
        if clocks is not None or isinstance(made[-1].event, PaceSet):
            seats = made[0].event.seats if clocks is None else len(clocks.banks)
            clocks = after_append(clocks, made, players_to_act(ruleset, seats, last))
        yield _with(last, clocks)


def fold_clocked(ruleset: AnyRuleset, log: Sequence[Recorded], folded: Folded = NOTHING) -> Folded:
    """Return what the log adds up to, with its clocks, going on from an earlier fold; LooksBack."""
    if folded.clocks is None and not any(isinstance(each.event, PaceSet) for each in log):
        return fold_log(ruleset, (each.event for each in log), folded)
    for each in clocked_folds(ruleset, log, folded):
        folded = each
    return folded


def after_append(clocks: Clocks | None, made: Sequence[Recorded], to_act: frozenset[int]) -> Clocks | None:
    """Return the clocks after an append, given those before it; None in a game without a clock.

    `to_act` are the seats of players who have to act afterwards and have not resigned.
    """
    cause = made[0]
    if clocks is not None and cause.action is not None and _goes_on(clocks, to_act):
        return clocks
    event, at = made[-1].event, milliseconds(cause.at)
    if isinstance(event, PaceSet):
        clocks = started(event.pace, cause.event.seats)
    if clocks is None:
        return None
    if cause.action is None:
        clocks = noted(clocks, event, at)
    elif cause.seat is not None and cause.seat < len(clocks.banks):
        clocks = acted(clocks, cause.seat, cause.door)
    return awaiting(clocks, to_act, None if cause.action is None else cause.seat, at)


def _goes_on(clocks: Clocks, to_act: frozenset[int]) -> bool:
    """Return whether an action after which these have to act leaves all clocks as they are, which most do."""
    return to_act == clocks.waits.keys() and not clocks.lapsed and not any(clocks.lapses)


def _with(folded: Folded, clocks: Clocks | None) -> Folded:
    return folded if folded.clocks is clocks else replace(folded, clocks=clocks)


def players_to_act(ruleset: AnyRuleset, seats: int, folded: Folded) -> frozenset[int]:
    """Return the seats of people who have to act and have not resigned."""
    if folded.state is None or folded.ended or folded.void:
        return frozenset()
    # By the rules nobody has to act in a game that is over.
    to_act = ruleset.to_act(folded.state) & every_player(seats)
    return to_act - folded.silent if folded.resigned or folded.computers else to_act


@cache
def every_player(seats: int) -> frozenset[int]:
    """Return the seats of all players at a table of so many."""
    return frozenset(range(seats))


def rewound(past: Sequence[tuple[Clocks | None, Sequence[Recorded]]], first: int) -> Clocks | None:
    """Return the clocks as if the append of the event `first`, and what was played since, had not been made (T-06).

    What the players have said of their time since stays so.
    """
    place = next(place for place, (_, made) in enumerate(past) if made[0].seq == first)
    clocks = past[place][0]
    for _, made in past[place:]:
        event = made[0].event
        if clocks is not None and made[0].action is None and not isinstance(event, TimeLapsed):
            clocks = noted(clocks, event, milliseconds(made[0].at))
    return clocks


def _begins(recorded: Recorded) -> bool:
    # The setup is nobody's; what a game that was forked begins with is all part of it.
    return recorded.seat is not None and (recorded.action is not None or isinstance(recorded.event, SharedEvent))
