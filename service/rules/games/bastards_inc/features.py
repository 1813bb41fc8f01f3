"""A position in numbers, as one seat can know it: what its company is worth, and what its vice presidents could earn.

Of the others only what lies open counts. Each number stands twice, the second time multiplied by the part of the rounds
that is left: a vice president is worth much early in the game and nothing at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from service.rules.games.bastards_inc.costs import effort, income, laundering_effort, stuff_of, threshold
from service.rules.games.bastards_inc.edition import (
    BUSINESS_DATA,
    CAMPAIGN_INFLUENCE,
    EFFORT_PRICES,
    INFLUENCE_WORTH,
    MAX_STUFF,
    PITY_CAMPAIGN_INFLUENCE,
    BusinessData,
)
from service.rules.games.bastards_inc.scoring import worth
from service.rules.games.bastards_inc.state import Company, State, VicePresident
from service.rules.games.bastards_inc.terms import LOUNGE, PITY, REGIONS, SQUARES

_ONCE = (
    "lead", "lead-over-mean", "vice-presidents", "scores", "cards", "businesses", "free", "sale", "campaign", "deal",
    "black-money", "laundry", "at-war", "owed",
)  # fmt: skip
NAMES = (*_ONCE, *(f"{name}-left" for name in _ONCE))

WEIGHTS_BY_HAND = {
    "lead": 0.5, "lead-over-mean": 0.5, "vice-presidents-left": 25.0, "scores-left": 3.0, "cards-left": 1.0,
    "businesses-left": 2.0, "free-left": 3.0, "sale": 0.5, "campaign": 0.5, "deal": 0.4, "black-money-left": 0.5,
    "laundry": 0.6, "at-war-left": -3.0, "owed": -1.0,
}  # fmt: skip
"""Worth, vice presidents while there are rounds left, and sales, campaigns and deals in reach: weights by hand."""


def features(state: State, seat: int) -> tuple[float, ...]:
    """Return the numbers in the order of NAMES, for a seat of a game of any size."""
    numbers = (*_worth(state, seat), *_company(state, seat), *_reach(state, seat), _owed(state, seat))
    left = (state.rounds - state.round) / state.rounds
    return (*numbers, *[number * left for number in numbers])


def _worth(state: State, seat: int) -> tuple[float, float]:
    """Return the lead over the best other company, and over the mean of all others."""
    totals = [worth(state, who) for who in range(len(state.companies))]
    own = totals.pop(seat)
    return own - max(totals), own - sum(totals) / len(totals)


def _company(state: State, seat: int) -> tuple[float, float, float, float]:
    """Return the company's lead over the others' mean; the hand counts cards that are decided to be drawn."""
    own = state.companies[seat]
    others = [company for who, company in enumerate(state.companies) if who != seat]
    bonus = _answer(state, seat) if state.phase == "draw" else 0
    cards = len(own.hand) - len(own.dropped) + (bonus if isinstance(bonus, int) else 0)
    if state.phase == "draw" and (seat, None) in state.answers:
        # All who have not answered are reckoned to draw up to their VPs.
        cards -= len(own.vps) - cards
    return (
        len(own.vps) - sum(len(each.vps) for each in others) / len(others),
        sum(own.scores) - sum(sum(each.scores) for each in others) / len(others),
        cards,
        len(own.portfolio),
    )


def _reach(state: State, seat: int) -> tuple[float, ...]:
    """Return VPs that are free, incomes in reach, and black money."""
    own = state.companies[seat]
    collected = _answer(state, seat) if state.phase == "collect" else ()
    away = collected if isinstance(collected, tuple) else ()
    placed = [vp for number, vp in enumerate(own.vps, 1) if number not in away and vp.at != LOUNGE]
    at_war = sum(vp.at in state.wars for vp in placed)
    active = [vp for vp in placed if vp.at not in state.wars]
    black = sum(vp.black for vp in placed)
    return (
        len(own.vps) - len(placed), sum(_sales(state, own, active)), sum(_campaigns(state, active)),
        max(_deals(own, placed), default=0), black, sum(_laundered(state, seat, active)), at_war,
    )  # fmt: skip


def _sales(state: State, own: Company, vps: list[VicePresident]) -> Iterator[float]:
    for vp in vps:
        if vp.at in REGIONS and stuff_of(state, vp.at) < MAX_STUFF:
            cost = effort(own.scores.tec, threshold(state, vp.at, "tec"))
            if cost is not None:
                yield max(0, income(state, vp.at) - cost)


def _campaigns(state: State, vps: list[VicePresident]) -> Iterator[float]:
    for vp in vps:
        if vp.at in SQUARES:
            yield INFLUENCE_WORTH * (PITY_CAMPAIGN_INFLUENCE if vp.at == PITY and state.wars else CAMPAIGN_INFLUENCE)


def _deals(own: Company, vps: list[VicePresident]) -> Iterator[float]:
    """Yield the black money of each business in reach, less its effort."""
    upright = {each.card for each in own.portfolio if not each.turned}
    for card, data in BUSINESS_DATA.items():
        if card in upright or card in own.hand:
            cost = effort(getattr(own.scores, data.score), data.least)
            if cost is not None and _manned(data, vps):
                yield max(0, data.income * len(data.slots) - cost)


def _manned(data: BusinessData, vps: list[VicePresident]) -> bool:
    places = permutations([vp.at for vp in vps], len(data.slots))
    return any(all(at in slot for at, slot in zip(each, data.slots, strict=True)) for each in places)


def _laundered(state: State, seat: int, vps: list[VicePresident]) -> Iterator[float]:
    for vp in vps:
        if vp.black and vp.at in REGIONS:
            cost = laundering_effort(state, seat, vp.at)
            if cost is not None:
                yield max(0, vp.black - cost)


def _owed(state: State, seat: int) -> float:
    """Return the worth that is offered and not paid yet: for cards, or in a fight over a field."""
    answer = _answer(state, seat)
    if isinstance(answer, bool) or not isinstance(answer, int):
        return 0
    if state.phase == "draw":
        return EFFORT_PRICES[answer]
    return INFLUENCE_WORTH * answer if state.phase == "challenge" else 0


def _answer(state: State, seat: int) -> object:
    return next((answer for who, answer in state.answers if who == seat), None)
