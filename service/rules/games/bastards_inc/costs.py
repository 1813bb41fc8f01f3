"""Prices and incomes in force: efforts, thresholds of regions, sales, campaigns (B-10 to B-12, B-31, B-41, B-60)."""

from __future__ import annotations

from service.rules.games.bastards_inc.edition import (
    CAMPAIGN_INFLUENCE,
    EFFORT_PRICES,
    MEDIA_POWER,
    PITY_CAMPAIGN_INFLUENCE,
    REGION_DATA,
)
from service.rules.games.bastards_inc.state import Company, State
from service.rules.games.bastards_inc.terms import (
    PITY,
    REGIONS,
    Region,
    Score,
    Square,
)


def stuff_of(state: State, region: Region) -> int:
    return state.stuff[REGIONS.index(region)]


def threshold(state: State, region: Region, score: Score) -> int:
    """Return the Corruption, Crime or Technology that a region asks for, with the event in force (B-41)."""
    data = REGION_DATA[region]
    value = data.cor if score == "cor" else data.cri if score == "cri" else data.tec
    if state.in_force is not None:
        for each in state.in_force.thresholds:
            if each.region == region and each.score == score:
                value += each.higher
    return value


def income(state: State, region: Region) -> int:
    """Return the Billions that a region pays for Stuff, with the event in force (B-41, B-60)."""
    value = REGION_DATA[region].income
    if state.in_force is not None:
        value += sum(each.billions for each in state.in_force.booms if each.region == region)
    return value


def entry_effort(state: State, seat: int, region: Region, score: Score) -> int | None:
    """Return the effort to enter a region by a score, None if too much is missing (B-31)."""
    return effort(getattr(state.companies[seat].scores, score), threshold(state, region, score))


def media_effort(state: State, seat: int, square: Square) -> int | None:
    """Return the effort to enter a media square, None if too much is missing (B-31)."""
    return effort(state.companies[seat].scores.med, MEDIA_POWER[square])


def laundering_effort(state: State, seat: int, region: Region) -> int | None:
    """Return the cheaper effort of Corruption and Crime in a region, None if neither will do (B-12)."""
    efforts = (entry_effort(state, seat, region, "cor"), entry_effort(state, seat, region, "cri"))
    return min((each for each in efforts if each is not None), default=None)


def effort(score: int, least: int) -> int | None:
    """Return the Billions for the points missing from `least`; None if more than three are missing (B-10)."""
    missing = least - score
    if missing <= 0:
        return 0
    return EFFORT_PRICES[missing] if missing < len(EFFORT_PRICES) else None


def can_pay(company: Company, price: int, kept: int = 0) -> bool:
    """Say whether a company can pay a price in Billions and Influence and keep `kept` Billions (B-11, B-57)."""
    free = company.billions - kept
    return free >= 0 and free + company.influence >= price


def selling_effort(state: State, seat: int, region: Region) -> int | None:
    """Return the effort to sell Stuff in a region, None if too much Technology is missing (B-60)."""
    return effort(state.companies[seat].scores.tec, threshold(state, region, "tec"))


def sale_is_illegal(state: State, region: Region) -> bool:
    """Say whether a sale would put the region's Stuff on the grey part of its bar (B-60)."""
    return stuff_of(state, region) + 1 > REGION_DATA[region].legal_up_to


def audience(state: State, square: Square) -> int:
    """Return the Influence of a campaign: more on Pity during a war, famine or disaster (B-60)."""
    event = state.in_force
    misery = bool(state.wars) or (event is not None and (event.famine or event.disaster))
    return PITY_CAMPAIGN_INFLUENCE if square == PITY and misery else CAMPAIGN_INFLUENCE
