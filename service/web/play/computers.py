"""Computer players in forms, and games that one player can begin alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.players.levels import Level, levels_for
from service.rules.kernel import AnyRuleset, Meta
from service.web.page import current_runtime


def opponents_of(ruleset: AnyRuleset) -> list[int]:
    """Return how many computer players one person can play against, the fewest first; none where there are none."""
    return [seats - 1 for seats in ruleset.meta.seats if levels_for(ruleset, seats)]


def usual_level(levels: Sequence[Level]) -> Level:
    """Return the level that a form proposes."""
    return "normal" if "normal" in levels else levels[0]


ALONE: Final = 1
"""The number of players of a game that starts at once."""


def solo_meta() -> Meta | None:
    """Return the first game that one player can play; None if no game is for one."""
    return next((each.meta for each in current_runtime().games.rulesets.values() if ALONE in each.meta.seats), None)
