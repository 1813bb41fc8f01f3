"""Set the table up (B-01 to B-04, B-06)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.bastards_inc.decide.course import Course
from service.rules.games.bastards_inc.decide.rounds import begin_round
from service.rules.games.bastards_inc.edition import NORMAL, PLAN_DATA, REGION_DATA, SEAT_COMPENSATION, SHORT, Length
from service.rules.games.bastards_inc.events import Event, PilesShuffled, PlansDealt, StuffLaid
from service.rules.games.bastards_inc.meta import META
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, PLANS, REGIONS
from service.rules.kernel import Dice, Json


def start(seats: int, options: Json, chance: Dice) -> Sequence[Event]:
    """Return the events of the setup, up to the first decision."""
    length = SHORT if options.get("short-game", False) else NORMAL
    fixed = options.get("first-player")
    first = chance.roll("start", seats)[0] - 1 if fixed is None else int(fixed)
    course = Course(State(revision=META.revision, companies=(), rounds=0, target=0), chance)
    course.record(_deal_plans(seats, first, length, chance))
    course.record(StuffLaid(stuff=tuple(REGION_DATA[region].stuff for region in REGIONS)))
    course.record(_shuffle_piles(chance))
    begin_round(course, first)
    return course


def _deal_plans(seats: int, first: int, length: Length, chance: Dice) -> PlansDealt:
    plans = chance.shuffle("plans", PLANS)[:seats]
    companies = []
    for seat, plan in enumerate(plans):
        dealt = PLAN_DATA[plan]
        more = SEAT_COMPENSATION[(seat - first) % seats]
        companies.append(dealt._replace(billions=dealt.billions + more))
    return PlansDealt(companies=tuple(companies), vps=length.vps, rounds=length.rounds, target=length.target)


def _shuffle_piles(chance: Dice) -> PilesShuffled:
    cards = chance.shuffle("cards:0", sorted(CARDS))
    events = chance.shuffle("events:0", EVENT_CARDS)
    return PilesShuffled(cards=tuple(cards), events=tuple(events))
