"""Changing the Stuff of a region within its bar (B-41, B-43, B-75)."""

from __future__ import annotations

from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.numbers import MOST_STUFF, MOST_WARS
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS, Region
from service.rules.games.bastards_inc.war_events import StuffChanged


def change_stuff(course: Course, region: Region, change: int) -> int:
    """Change the Stuff of a region as far as its bar goes; return what has changed."""
    before = course.state.stuff[REGIONS.index(region)]
    real = max(0, min(MOST_STUFF, before + change)) - before
    if real:
        course.record(StuffChanged(region=region, change=real))
    return real


def may_break_out(state: State, region: Region) -> bool:
    """Say whether a war may break out in a region: not if it is at war, or three are (B-15, B-41)."""
    return region not in state.wars and len(state.wars) < MOST_WARS
