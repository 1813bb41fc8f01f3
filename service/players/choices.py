"""What a computer player, or the stand-in, plays in a seat of a game: a record tells all that it follows from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from service.players.dice import dice_for
from service.players.levels import LEVELS, VERSION, Level, levels_of
from service.players.player import player
from service.rules.kernel import AnyRuleset
from service.rules.shared_events import ComputerSeated

KEPT: Final = frozenset({VERSION})
"""The versions of the computer players that can still choose: a game goes on with the one that it began with."""


class VersionGone(LookupError):
    """Computer players of this version are kept here no more, or not yet."""


def seated(seat: int, level: Level) -> ComputerSeated:
    """Return the event that seats a computer player of today's version."""
    return ComputerSeated(seat=seat, level=level, version=VERSION)


def choice(ruleset: AnyRuleset, seats: int, game: str, decision: int, state: Any, computer: ComputerSeated) -> Any:
    """Return the action with which a computer player answers a decision; VersionGone, LookupError for a wrong level."""
    if computer.version not in KEPT:
        raise VersionGone(f"computer players of version {computer.version} are not installed here")
    level = next((each for each in LEVELS if each == computer.level), None)
    if level is None:
        raise LookupError(f"there is no level {computer.level}")
    dice = dice_for(game, decision, computer.seat, level, computer.version)
    return player(ruleset, seats, level).choose(state, computer.seat, dice)


def stand_in(  # noqa: PLR0913, PLR0917 - the game, its size and name, and whose decision of which state it is
    ruleset: AnyRuleset, seats: int, game: str, decision: int, state: Any, seat: int, version: int = VERSION
) -> Any:
    """Return the action that is played for a player who does not: that of `normal`, of `easy` where there is none.

    A game whose rules say what it is has its way. VersionGone as `choice`.
    """
    if ruleset.absence_ruled:
        return ruleset.on_timeout(state, seat)
    level: Level = "normal" if "normal" in levels_of(ruleset, seats) else "easy"
    return choice(ruleset, seats, game, decision, state, ComputerSeated(seat=seat, level=level, version=version))


def could_stand_in(ruleset: AnyRuleset, seats: int, game: str, decision: int, state: Any, seat: int) -> Iterator[Any]:
    """Yield what any version has played for a player who does not; before there were computer players, `on_timeout`.

    Records do not tell the version of a stand-in, so that a version has to be kept while there are records of it.
    """
    yield ruleset.on_timeout(state, seat)
    for version in sorted(KEPT):
        yield stand_in(ruleset, seats, game, decision, state, seat, version)
