"""Whether a VP may be placed somewhere, and what that costs (B-31, B-35)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.rules.games.bastards_inc.actions import Place
from service.rules.games.bastards_inc.paying import can_pay
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import REGIONS, SQUARES, ActionCard, Entry, Region, Score
from service.rules.games.bastards_inc.values import entry_effort, media_effort
from service.rules.kernel import Illegal

PAPERS: Final[ActionCard] = "a27"
"""The Diplomatic Passport."""
ENTRY_SCORES: Mapping[Entry | None, Score] = {"cor": "cor", "cri": "cri"}
"""The entries that need a score."""


def price_to_enter(state: State, seat: int, action: Place) -> int:
    """Return the effort in Billions that a placement costs; raises Illegal if it is not to be had."""
    for region in REGIONS:
        if action.to == region:
            return _region(state, seat, region, action)
    if action.by is not None:
        raise Illegal("only-regions-are-entered-by", "B-31", to=action.to)
    for square in SQUARES:
        if action.to == square:
            return _paid(state, seat, media_effort(state, seat, square))
    return 0


def _region(state: State, seat: int, region: Region, action: Place) -> int:
    if seat == state.laureate:
        if action.by != "prize":
            raise Illegal("laureate-enters-by-prize", "B-31", to=region)
        return 0
    if region in state.wars:
        raise Illegal("region-at-war", "B-31", to=region)
    if action.by in ENTRY_SCORES:
        return _paid(state, seat, entry_effort(state, seat, region, ENTRY_SCORES[action.by]))
    if action.by == "papers":
        if PAPERS not in state.companies[seat].hand:
            raise Illegal("card-not-in-hand", "B-35", card=PAPERS)
        return 0
    raise Illegal("not-laureate" if action.by == "prize" else "score-not-named", "B-31", to=region)


def _paid(state: State, seat: int, price: int | None) -> int:
    if price is None:
        raise Illegal("score-too-low", "B-10")
    if not can_pay(state.companies[seat], price):
        raise Illegal("cannot-pay", "B-11", price=price)
    return price
