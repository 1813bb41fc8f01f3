"""The legal actions of every phase before business."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from service.rules.games.bastards_inc.actions import (
    Action,
    Collect,
    Draw,
    Drop,
    Fight,
    Keep,
    Let,
    OrderWars,
    Place,
    Push,
    Yield,
)
from service.rules.games.bastards_inc.collecting import collectable
from service.rules.games.bastards_inc.drawing import buys_a_card, may_keep
from service.rules.games.bastards_inc.edition.numbers import EFFORT
from service.rules.games.bastards_inc.entering import ENTRY_SCORES, PAPERS
from service.rules.games.bastards_inc.instructing import legal_instructions
from service.rules.games.bastards_inc.paying import can_pay
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import LOUNGE, REGIONS, SQUARES, Entry, Region
from service.rules.games.bastards_inc.values import entry_effort, media_effort


def legal_draw(state: State, seat: int) -> Sequence[Action]:
    """Return the bonuses that can be had, to draw nothing, the cards to drop, the instructions (B-16, B-20, B-21)."""
    company = state.companies[seat]
    bonuses = [0, *(bonus for bonus in range(1, len(EFFORT)) if buys_a_card(company, bonus))]
    return [
        *(Draw(bonus=bonus) for bonus in bonuses if can_pay(company, EFFORT[bonus])),
        *((Keep(),) if may_keep(state, seat) else ()),
        *(Drop(card=card) for card in company.hand if card not in company.dropped),
        *legal_instructions(state, seat),
    ]


def legal_collect(state: State, seat: int) -> Sequence[Action]:
    """Return every set of VPs that may be collected, none at all first (B-23)."""
    may = collectable(state, seat)
    return [Collect(vps=vps) for number in range(len(may) + 1) for vps in combinations(may, number)]


def legal_place(state: State, seat: int) -> Sequence[Action]:
    """Return where the next free VP may go, and how; and the instructions (B-16, B-31, B-35)."""
    company = state.companies[seat]
    squares = ((square, media_effort(state, seat, square)) for square in SQUARES)
    return [
        *(Place(to=region, by=by) for region in REGIONS for by in _entries(state, seat, region)),
        *(Place(to=square) for square, price in squares if price is not None and can_pay(company, price)),
        Place(to=LOUNGE),
        *legal_instructions(state, seat),
    ]


def legal_challenge(state: State, seat: int) -> Sequence[Action]:
    """Return to let the newcomer in, and every bid (B-32)."""
    return [Let(), *(Fight(influence=bid) for bid in range(state.companies[seat].influence + 1))]


def legal_push(_state: State, _seat: int) -> Sequence[Action]:
    """Return both answers of a newcomer who is fought (B-33)."""
    return [Push(), Yield()]


def legal_wars(state: State, _: int) -> Sequence[Action]:
    """Return every order of the wars, that of the board first (B-42)."""
    wars = [region for region in REGIONS if region in state.wars]
    return [OrderWars(regions=regions) for regions in permutations(wars)]


def _entries(state: State, seat: int, region: Region) -> Iterator[Entry | None]:
    company = state.companies[seat]
    if seat == state.laureate:
        yield "prize"
    elif region not in state.wars:
        for by, score in ENTRY_SCORES.items():
            price = entry_effort(state, seat, region, score)
            if price is not None and can_pay(company, price):
                yield by
        if PAPERS in company.hand:
            yield "papers"
