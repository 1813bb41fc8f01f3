"""What a computer player in a seat of a game plays: a record tells all that it follows from."""

from __future__ import annotations

from typing import Any, Final

from service.players.dice import dice_for
from service.players.levels import LEVELS, VERSION, Level
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
