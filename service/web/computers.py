"""What the forms of the pages offer of computer players."""

from __future__ import annotations

from collections.abc import Sequence

from service.players.levels import Level, levels_for
from service.rules.kernel import AnyRuleset


def opponents_of(ruleset: AnyRuleset) -> list[int]:
    """Return how many computer players one person can play against, the fewest first; none where there are none."""
    return [seats - 1 for seats in ruleset.meta.seats if levels_for(ruleset, seats)]


def usual_level(levels: Sequence[Level]) -> Level:
    """Return the level that a form proposes."""
    return "normal" if "normal" in levels else levels[0]
