"""Infiltrate: cards from the hand into the HQ, as many agents to a company (R-15 to R-18, R-78)."""

from __future__ import annotations

from service.rules.games.new_corp_order.actions import Infiltrate, Placement
from service.rules.games.new_corp_order.consultants import agents_of, cards_of, check_use
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import AgentsPlaced, CardsPlaced, ConsultantTaken, ConsultantUsed
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import CARDS_FOR_CONSULTANT
from service.rules.games.new_corp_order.turns import finish_turn
from service.rules.kernel import Illegal


def infiltrate(course: Course, action: Infiltrate) -> None:
    """Place cards and agents, with the help of at most one consultant."""
    state, seat = course.state, course.state.active
    if state.solo:
        raise Illegal("no-infiltrate-in-solo", "R-51")
    check_use(state, action)
    check_colours(action)
    for placement in action.placements:
        _check_placement(state, placement, action)
    _check_take(state, action)
    if action.use is not None:
        course.record(ConsultantUsed(seat=seat, consultant=action.use))
    for placement in action.placements:
        _place(course, placement, action)
    if action.take is not None:
        course.record(ConsultantTaken(seat=seat, consultant=action.take))
    finish_turn(course)


def check_colours(action: Infiltrate) -> None:
    """Refuse colours that no table allows together."""
    placed = [placement.colour for placement in action.placements]
    if not placed:
        raise Illegal("no-cards-placed", "R-15")
    if action.use == "corporate-lawyer":
        if len(placed) != 2 or placed[0] == placed[1]:
            raise Illegal("corporate-lawyer-needs-two-colours", "R-18")
    elif len(placed) > 1:
        raise Illegal("second-colour-needs-corporate-lawyer", "R-18")
    if action.joker is not None and action.use != "media-advisor":
        raise Illegal("joker-needs-media-advisor", "R-17")
    if action.joker is None and action.use == "media-advisor":
        raise Illegal("media-advisor-needs-joker", "R-17")
    if action.joker in placed:
        raise Illegal("joker-of-main-colour", "R-17", colour=action.joker)


def _check_placement(state: State, placement: Placement, action: Infiltrate) -> None:
    hand, colour = state.hands[state.active], placement.colour
    if placement.cards < 1:
        raise Illegal("no-cards-placed", "R-15")
    if placement.cards > hand[colour]:
        raise Illegal("cards-not-in-hand", "R-15", colour=colour, held=hand[colour])
    if action.joker is not None and not hand[action.joker]:
        raise Illegal("cards-not-in-hand", "R-15", colour=action.joker, held=0)
    if agents_of(placement, action) > state.supply[colour]:
        rule = "R-78" if action.use == "spin-doctor" else "R-15"
        raise Illegal("supply-too-small", rule, colour=colour, left=state.supply[colour])
    if placement.company not in state.companies:
        raise Illegal("no-such-company", square=placement.company)
    if state.companies[placement.company].colour != colour:
        raise Illegal("other-colour-there", "R-15", square=placement.company, colour=colour)


def _check_take(state: State, action: Infiltrate) -> None:
    if action.take is None:
        return
    if max(cards_of(placement, action) for placement in action.placements) < CARDS_FOR_CONSULTANT:
        raise Illegal("too-few-cards-for-consultant", "R-16")
    if action.take == action.use:
        raise Illegal("consultant-just-used", "R-16", consultant=action.take)
    if not state.consultants.get(action.take):
        raise Illegal("consultant-not-in-supply", "R-16", consultant=action.take)


def _place(course: Course, placement: Placement, action: Infiltrate) -> None:
    seat, colour = course.state.active, placement.colour
    course.record(CardsPlaced(seat=seat, colour=colour, cards=placement.cards))
    if action.joker is not None:
        course.record(CardsPlaced(seat=seat, colour=action.joker, cards=1))
    agents = agents_of(placement, action)
    course.record(AgentsPlaced(seat=seat, company=placement.company, colour=colour, agents=agents))
