"""The event of the round and the wars (B-06, B-40 to B-47)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from service.rules.games.bastards_inc.actions import OrderWars
from service.rules.games.bastards_inc.costs import stuff_of
from service.rules.games.bastards_inc.decide import business
from service.rules.games.bastards_inc.decide.course import Course, change_stuff
from service.rules.games.bastards_inc.decide.rounds import nuclear_war
from service.rules.games.bastards_inc.edition import EVENT_DATA, WAR_TABLE, EventEffect
from service.rules.games.bastards_inc.events import (
    AwardGiven,
    Boom,
    DecisionReached,
    EventRevealed,
    EventsReshuffled,
    MoneyTaxed,
    SubsidyPaid,
    Threshold,
    WarBrokeOut,
    WarEnded,
    WarFought,
    WarsOrdered,
)
from service.rules.games.bastards_inc.legal import may_break_out
from service.rules.games.bastards_inc.state import standing
from service.rules.games.bastards_inc.terms import ROGUES, UPPERMOST, EventCard, Region, Score
from service.rules.kernel import Illegal


def reveal_event(course: Course) -> None:
    """Reveal the top event, carry it out, and begin the wars (B-06, B-40)."""
    state = course.state
    if not state.events:
        label = f"events:{state.events_shuffled + 1}"
        course.record(EventsReshuffled(events=tuple(course.chance.shuffle(label, sorted(state.revealed)))))
    event = course.state.events[0]
    course.record(_revealed(event))
    for effect in EVENT_DATA[event]:
        happen = _EFFECTS.get(effect.kind)
        if happen is not None:
            happen(course, effect)
    begin_wars(course)


def _revealed(event: EventCard) -> EventRevealed:
    effects = EVENT_DATA[event]
    kinds = {effect.kind for effect in effects}
    return EventRevealed(
        event=event,
        famine="famine" in kinds,
        disaster="disaster" in kinds,
        amnesty="amnesty" in kinds,
        booms=tuple(Boom(each.region, each.number) for each in effects if each.kind == "boom" and each.region),
        thresholds=tuple(
            Threshold(each.region, each.score, each.number)
            for each in effects
            if each.kind == "threshold" and each.region and each.score
        ),
    )


def _war(course: Course, effect: EventEffect) -> None:
    region = cast("Region", effect.region)
    if may_break_out(course.state, region):
        course.record(WarBrokeOut(region=region))


def _stuff(course: Course, effect: EventEffect) -> None:
    change_stuff(course, cast("Region", effect.region), effect.number)


def _peace(course: Course, _: EventEffect) -> None:
    for region in course.state.wars:
        course.record(WarEnded(region=region))


def _tax(course: Course, effect: EventEffect) -> None:
    billions = [company.billions for company in course.state.companies]
    for seat, owned in enumerate(billions):
        if 0 < owned == max(billions):
            course.record(MoneyTaxed(seat=seat, billions=min(owned, effect.number)))


def _subsidy(course: Course, effect: EventEffect) -> None:
    billions = [company.billions for company in course.state.companies]
    for seat, owned in enumerate(billions):
        twice = owned == min(billions)
        course.record(SubsidyPaid(seat=seat, billions=effect.number * (2 if twice else 1)))


def _award(course: Course, effect: EventEffect) -> None:
    scores = [getattr(company.scores, cast("Score", effect.score)) for company in course.state.companies]
    for seat, score in enumerate(scores):
        if score == max(scores):
            course.record(AwardGiven(seat=seat, influence=effect.number))


_EFFECTS: Mapping[str, Callable[[Course, EventEffect], None]] = {
    "war": _war,
    "stuff": _stuff,
    "peace": _peace,
    "tax": _tax,
    "subsidy": _subsidy,
    "award": _award,
}
"""The effects that happen at once; the others are fields of EventRevealed."""


# Wars (B-42 to B-47).

DIE_SIDES = 6
DICE_THAT_END_A_WAR = (1, DIE_SIDES)
"""Die rolls that end a war (B-44)."""


def begin_wars(course: Course) -> None:
    """Fight the only war, or ask the start player for the order of several (B-42)."""
    state = course.state
    if len(state.wars) > 1:
        course.record(DecisionReached(phase="wars", seats=(state.start_player,)))
    else:
        _fight_all(course, state.wars)


def order_wars(course: Course, _seat: int, action: OrderWars) -> None:
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
    """Fight a war, and return the row of the war table (B-43 to B-47)."""
    state = course.state
    die = course.chance.roll(f"war:{state.round}:{region}", DIE_SIDES)[0]
    total = die + stuff_of(state, region)
    row = next(row for row in WAR_TABLE if total <= row.up_to)
    # In the One $uperpower nobody is there to intervene (B-46).
    intervention = row.row == "intervention" and region != UPPERMOST
    others = [seat for seat in range(len(state.companies)) if seat != state.laureate]
    home = tuple(vp for seat in others for vp in standing(state, seat, region)) if intervention else ()
    course.record(WarFought(region=region, die=die, total=total, row=row.row, home=home))
    if row.row == "nuclear-war":
        return row.row
    lost = change_stuff(course, region, -row.loss)
    if region == ROGUES:
        change_stuff(course, UPPERMOST, lost)
    if intervention:
        change_stuff(course, UPPERMOST, -1)
    if intervention or die in DICE_THAT_END_A_WAR:
        course.record(WarEnded(region=region))
    return row.row
