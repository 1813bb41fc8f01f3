"""Computer players in forms, and solo games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.players.levels import Level, levels_for
from service.rules.kernel import AnyRuleset, Meta
from service.web.page import current_runtime


def opponents_of(ruleset: AnyRuleset) -> list[int]:
    """Return the possible numbers of computer opponents of a single person, ascending; empty if there are none."""
    return [seats - 1 for seats in ruleset.meta.seats if levels_for(ruleset, seats)]


def usual_level(levels: Sequence[Level]) -> Level:
    """Return the default level of a form."""
    return "normal" if "normal" in levels else levels[0]


ALONE: Final = 1
"""Number of players of a solo game, which starts at once."""


def solo_meta() -> Meta | None:
    """Return the first game that supports a single player; None if no game does."""
    return next((each.meta for each in current_runtime().games.rulesets.values() if ALONE in each.meta.seats), None)
