"""The event of the round: its effects in the order of the card (B-06, B-40, B-41)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from service.rules.games.bastards_inc import war
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.event_cards import EVENT_DATA, Effect
from service.rules.games.bastards_inc.stuff import change_stuff, may_break_out
from service.rules.games.bastards_inc.terms import EventCard, Region, Score
from service.rules.games.bastards_inc.war_events import (
    AwardGiven,
    Boom,
    EventRevealed,
    EventsReshuffled,
    MoneyTaxed,
    SubsidyPaid,
    Threshold,
    WarBrokeOut,
    WarEnded,
)


def reveal_event(course: Course) -> None:
    """Reveal the top event and carry it out; the wars follow (B-40)."""
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
    war.begin_wars(course)


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


def _war(course: Course, effect: Effect) -> None:
    region = cast("Region", effect.region)
    if may_break_out(course.state, region):
        course.record(WarBrokeOut(region=region))


def _stuff(course: Course, effect: Effect) -> None:
    change_stuff(course, cast("Region", effect.region), effect.number)


def _peace(course: Course, _: Effect) -> None:
    for region in course.state.wars:
        course.record(WarEnded(region=region))


def _tax(course: Course, effect: Effect) -> None:
    billions = [company.billions for company in course.state.companies]
    for seat, owned in enumerate(billions):
        if 0 < owned == max(billions):
            course.record(MoneyTaxed(seat=seat, billions=min(owned, effect.number)))


def _subsidy(course: Course, effect: Effect) -> None:
    billions = [company.billions for company in course.state.companies]
    for seat, owned in enumerate(billions):
        twice = owned == min(billions)
        course.record(SubsidyPaid(seat=seat, billions=effect.number * (2 if twice else 1)))


def _award(course: Course, effect: Effect) -> None:
    scores = [getattr(company.scores, cast("Score", effect.score)) for company in course.state.companies]
    for seat, score in enumerate(scores):
        if score == max(scores):
            course.record(AwardGiven(seat=seat, influence=effect.number))


_EFFECTS: Mapping[str, Callable[[Course, Effect], None]] = {
    "war": _war,
    "stuff": _stuff,
    "peace": _peace,
    "tax": _tax,
    "subsidy": _subsidy,
    "award": _award,
}
"""The effects that happen at once; the others are fields of EventRevealed."""
