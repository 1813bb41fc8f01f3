"""When arriving agents win a company, and when they may not (R-19, R-20)."""

from __future__ import annotations

from service.rules.games.new_corp_order.state import Company, State
from service.rules.games.new_corp_order.terms import Colour, Consultant


def succeeds(target: Company, colour: Colour, agents: int, use: Consultant | None) -> bool:
    """Return whether agents of a colour take the target over: more than it holds, with Military Contractor as many."""
    if target.colour == colour:
        return False
    return agents > target.agents or (agents == target.agents and use == "military-contractor")


def last_of_colour(state: State, colour: Colour) -> bool:
    """Return whether only one company on the grid holds the colour."""
    return sum(company.colour == colour for company in state.companies.values()) == 1
