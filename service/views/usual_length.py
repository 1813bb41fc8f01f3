"""How long a game usually takes: measured from games that ended here, or else estimated from self-play.

Pages and mails that tell it ask here, so that all tell the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from service.rules.kernel import Meta, Option
from service.rules.pace import Pace, pace_name
from service.store.game_lengths import NO_CLOCK, TableKind, measured

SPENT: Final = 1 / 3
"""The part of the time that a pace gives which players are taken to spend, as long as too few games have ended."""
_WEEK: Final = 7 / 5
"""By how much a game takes longer whose time runs on weekdays alone."""


@dataclass(frozen=True, slots=True)
class UsualLengths:
    """The usual lengths of games; `measured` are the medians of those that ended here, in seconds."""

    measured: Mapping[TableKind, int]

    def of(self, meta: Meta, seats: int, options: Mapping[str, Any], pace: Pace | None) -> int | None:
        """Return how many seconds a game between people takes; None if nothing is known, and for one player.

        Without a clock only games that have ended tell.
        """
        if seats == 1:
            return None
        chosen = tuple(sorted(name for name, value in options.items() if value is True))
        named = NO_CLOCK if pace is None else pace_name(pace)
        known = None if named is None else self.measured.get(TableKind(meta.name, seats, chosen, named))
        if known is None:
            known = None if pace is None else _estimate(meta, seats, chosen, pace)
        return round(known * _WEEK) if known and pace and pace.weekdays else known


def usual_lengths(db: Connection) -> UsualLengths:
    """Return the usual lengths as they are kept."""
    return UsualLengths(measured(db))


def short_option(meta: Meta, seats: int) -> Option | None:
    """Return the option that makes the game shorter at a table of so many players; None if there is none."""
    return next((each for each in meta.options if seats in each.waits), None)


def _estimate(meta: Meta, seats: int, chosen: tuple[str, ...], pace: Pace) -> int | None:
    usual = meta.waits.get(seats, meta.moves * seats)
    waits = min([usual, *(each.waits.get(seats, usual) for each in meta.options if each.name in chosen)])
    given = waits * (pace.free + pace.credit) + seats * pace.bank
    return round(SPENT * given) if waits else None
