"""What a computer player, or the stand-in, plays in a seat of a game: a record tells all that it follows from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from service.players.dice import dice_for
from service.players.levels import LEVELS, VERSIONS, Level, levels_of
from service.players.player import player
from service.rules.kernel import AnyRuleset
from service.rules.shared_events import ComputerSeated


class VersionGone(LookupError):
    """Computer players of this version are kept here no more, or not yet."""


def seated(seat: int, level: Level) -> ComputerSeated:
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


def stand_in(
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


def could_stand_in(ruleset: AnyRuleset, seats: int, game: str, decision: int, state: Any, seat: int) -> Iterator[Any]:
    """Yield what any version has played for a player who does not; before there were computer players, `on_timeout`.

    Records do not tell the version of a stand-in, so that a version has to be kept while there are records of it.
    """
    yield ruleset.on_timeout(state, seat)
    for version in range(1, VERSIONS[_level_of_stand_in(ruleset, seats)] + 1):
        yield stand_in(ruleset, seats, game, decision, state, seat, version)


def _level_of_stand_in(ruleset: AnyRuleset, seats: int) -> Level:
    # Records of games for one are from before there was a `normal` for these.
    return "normal" if seats > 1 and "normal" in levels_of(ruleset, seats) else "easy"
