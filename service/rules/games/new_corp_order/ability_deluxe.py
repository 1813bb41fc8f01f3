"""The abilities of the Deluxe companies: Viral, Product Placement and Negative Campaigning (R-74 to R-76)."""

from __future__ import annotations

from collections.abc import Iterator

from service.rules.games.new_corp_order.actions import AddAgents, PlaceCard, WithdrawAgents
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import AgentsPlaced, AgentsWithdrawn, CardsPlaced
from service.rules.games.new_corp_order.state import Company, State
from service.rules.games.new_corp_order.terms import COLOURS, Square
from service.rules.kernel import Illegal

MOST = 2
"""The most agents that come or go."""


def viral_options(state: State) -> Iterator[AddAgents]:
    """One or two agents of the supply on any company of their colour."""
    for square, company in state.companies.items():
        for agents in range(1, min(state.supply[company.colour], MOST) + 1):
            yield AddAgents(company=square, agents=agents)


def add_agents(course: Course, action: AddAgents) -> None:
    """Add one or two agents of the supply to a company of their colour (R-74)."""
    company = _company(course.state, action.company)
    _check_number(action.agents, "R-74")
    left = course.state.supply[company.colour]
    if action.agents > left:
        raise Illegal("supply-too-small", "R-74", colour=company.colour, left=left)
    seat = course.state.active
    course.record(AgentsPlaced(seat=seat, company=action.company, colour=company.colour, agents=action.agents))


def placement_options(state: State) -> Iterator[PlaceCard]:
    """One card of each colour in the hand."""
    yield from (PlaceCard(colour=colour) for colour in COLOURS if state.hands[state.active][colour])


def place_card(course: Course, action: PlaceCard) -> None:
    """Put one card from the hand into the own HQ, unrotated (R-75)."""
    seat = course.state.active
    if not course.state.hands[seat][action.colour]:
        raise Illegal("cards-not-in-hand", "R-75", colour=action.colour, held=0)
    course.record(CardsPlaced(seat=seat, colour=action.colour, cards=1))


def negative_options(state: State) -> Iterator[WithdrawAgents]:
    """One or two agents of any company that keeps one at least."""
    for square, company in state.companies.items():
        for agents in range(1, min(company.agents - 1, MOST) + 1):
            yield WithdrawAgents(company=square, agents=agents)


def withdraw_agents(course: Course, action: WithdrawAgents) -> None:
    """Send one or two agents of a company back to the supply; one stays (R-76)."""
    company = _company(course.state, action.company)
    _check_number(action.agents, "R-76")
    if action.agents >= company.agents:
        raise Illegal("last-agent-stays", "R-76", square=action.company)
    course.record(AgentsWithdrawn(company=action.company, colour=company.colour, agents=action.agents))


def _check_number(agents: int, rule: str) -> None:
    if not 1 <= agents <= MOST:
        raise Illegal("wrong-number-of-agents", rule)


def _company(state: State, square: Square) -> Company:
    if square not in state.companies:
        raise Illegal("no-such-company", square=square)
    return state.companies[square]
