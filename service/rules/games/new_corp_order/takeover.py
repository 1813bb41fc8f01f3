"""Takeover: rotated cards move agents to an adjacent company, and may win it (R-19 to R-22, R-53, R-72, R-79)."""

from __future__ import annotations

from service.rules.games.new_corp_order.abilities import can_use, use_ability
from service.rules.games.new_corp_order.actions import Ability, TakeOver
from service.rules.games.new_corp_order.consultants import check_use, rotated_by
from service.rules.games.new_corp_order.contest import last_of_colour, succeeds
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import (
    AbilityLapsed,
    AgentsMoved,
    CardsRotated,
    CompanyTakenOver,
    ConsultantUsed,
    DecisionReached,
    DefenderHired,
    TakeoverFailed,
)
from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.turns import finish_takeover
from service.rules.kernel import Illegal


def take_over(course: Course, action: TakeOver) -> None:
    """Rotate the cards and move the agents; a won company's ability is a decision of its own."""
    state = course.state
    check_use(state, action)
    _check_squares(state, action)
    _check_agents(state, action)
    if action.use is not None:
        course.record(ConsultantUsed(seat=state.active, consultant=action.use))
    colour = state.companies[action.source].colour
    course.record(CardsRotated(hq=state.active, colour=colour, cards=rotated_by(action)))
    _arrive(course, action)
    if _ability_is_open(course):
        course.record(DecisionReached(seat=state.active, decision="ability"))
    else:
        finish_takeover(course)


def use_won_ability(course: Course, action: Ability) -> None:
    """Use or skip the ability of the company just won, and end the turn."""
    use_ability(course, action)
    finish_takeover(course)


def _check_squares(state: State, action: TakeOver) -> None:
    for square in (action.source, action.target):
        if square not in state.companies:
            raise Illegal("no-such-company", square=square)
    if action.target not in neighbours_of(len(state.companies))[action.source]:
        raise Illegal("not-adjacent", "R-19", source=action.source, target=action.target)
    colour = state.companies[action.source].colour
    if state.solo and colour not in state.colours[state.active]:
        raise Illegal("not-your-conglomerate", "R-53", colour=colour)


def _check_agents(state: State, action: TakeOver) -> None:
    source, target = state.companies[action.source], state.companies[action.target]
    if action.agents < 1:
        raise Illegal("no-agents-moved", "R-19")
    if rotated_by(action) < 1:
        raise Illegal("corporate-accountant-needs-two-agents", "R-72")
    unrotated = state.hqs[state.active].cards[source.colour]
    if rotated_by(action) > unrotated:
        raise Illegal("too-few-cards", "R-19", colour=source.colour, unrotated=unrotated)
    if action.agents >= source.agents:
        raise Illegal("last-agent-stays", "R-19", square=action.source)
    if succeeds(target, source.colour, action.agents, action.use) and last_of_colour(state, target.colour):
        raise Illegal("last-of-colour", "R-20", colour=target.colour)


def _arrive(course: Course, action: TakeOver) -> None:
    """Record what comes of the agents' move: joined, driven back, or the company won."""
    state, seat, agents = course.state, course.state.active, action.agents
    source, target, colour = action.source, action.target, state.companies[action.source].colour
    defender = state.companies[target]
    if defender.colour == colour:
        course.record(AgentsMoved(source=source, target=target, colour=colour, agents=agents))
    elif succeeds(defender, colour, agents, action.use):
        won = CompanyTakenOver(
            seat=seat,
            source=source,
            target=target,
            colour=colour,
            agents=agents,
            defender=defender.colour,
            defenders=defender.agents,
        )
        course.record(won)
        if action.use == "headhunter" and defender.agents > 1:
            course.record(DefenderHired(seat=seat, colour=defender.colour))
    else:
        course.record(TakeoverFailed(seat=seat, source=source, target=target, colour=colour, agents=agents))


def _ability_is_open(course: Course) -> bool:
    """Return whether a company was won whose ability could change anything; if it could not, say so (R-10)."""
    state = course.state
    if state.taken_over is None:
        return False
    if can_use(state):
        return True
    course.record(AbilityLapsed(seat=state.active, company=state.taken_over))
    return False
