"""The war phase (B-06, B-42 to B-47)."""

from __future__ import annotations

from service.rules.games.bastards_inc import business
from service.rules.games.bastards_inc.actions import OrderWars
from service.rules.games.bastards_inc.companies import standing
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.board import WAR_TABLE, WarRow
from service.rules.games.bastards_inc.ending import nuclear_war
from service.rules.games.bastards_inc.events import DecisionReached
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.stuff import change_stuff
from service.rules.games.bastards_inc.terms import ROGUES, UPPERMOST, Region, Vp
from service.rules.games.bastards_inc.values import stuff_of
from service.rules.games.bastards_inc.war_events import WarEnded, WarFought, WarsOrdered
from service.rules.kernel import Illegal

SIDES = 6
BRIEF = (1, SIDES)
"""What on the die ends a war (B-44)."""


def begin_wars(course: Course) -> None:
    """Fight the one war there is, or ask the start player for the order of several (B-42)."""
    state = course.state
    if len(state.wars) > 1:
        course.record(DecisionReached(phase="wars", seats=(state.start_player,)))
    else:
        _fight_all(course, state.wars)


def order_wars(course: Course, _seat: int, action: OrderWars) -> None:
    """Fight the wars in the order named (B-42)."""
    if sorted(action.regions) != sorted(course.state.wars):
        raise Illegal("not-all-wars-once", "B-42", wars=course.state.wars)
    _fight_all(course, action.regions)


def _fight_all(course: Course, regions: tuple[Region, ...]) -> None:
    if regions:
        course.record(WarsOrdered(seat=course.state.start_player, regions=regions))
    for region in regions:
        if _fight(course, region) == "nuclear-war":
            nuclear_war(course)
            return
    business.begin_business(course)


def _fight(course: Course, region: Region) -> str:
    state = course.state
    die = course.chance.roll(f"war:{state.round}:{region}", SIDES)[0]
    total = die + stuff_of(state, region)
    row = _row(total)
    # In the One $uperpower nobody is there to intervene (B-46).
    intervention = row.row == "intervention" and region != UPPERMOST
    home = _flown_out(state, region) if intervention else ()
    course.record(WarFought(region=region, die=die, total=total, row=row.row, home=home))
    if row.row == "nuclear-war":
        return row.row
    lost = change_stuff(course, region, -row.loss)
    if region == ROGUES:
        change_stuff(course, UPPERMOST, lost)
    if intervention:
        change_stuff(course, UPPERMOST, -1)
    if intervention or die in BRIEF:
        course.record(WarEnded(region=region))
    return row.row


def _row(total: int) -> WarRow:
    return next(row for row in WAR_TABLE if total <= row.up_to)


def _flown_out(state: State, region: Region) -> tuple[Vp, ...]:
    seats = (seat for seat in range(len(state.companies)) if seat != state.laureate)
    return tuple(vp for seat in seats for vp in standing(state, seat, region))
