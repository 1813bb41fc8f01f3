"""What a place or an action is about worth to a seat, in Billions at the end: one step's foresight.

Only what the seat may know is looked at: its own hand, the board, everybody's VPs and money.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.costs import (
    audience,
    income,
    laundering_effort,
    media_effort,
    sale_is_illegal,
    selling_effort,
    stuff_of,
)
from service.rules.games.bastards_inc.decide.journalism import is_amnesty
from service.rules.games.bastards_inc.edition import (
    BUSINESS_DATA,
    CARD_DATA,
    INFLUENCE_WORTH,
    LAUREATE_FEE,
    MAX_STUFF,
    PRIZE_WORTH,
    REGION_DATA,
    CardKind,
)
from service.rules.games.bastards_inc.legal import deal_effort, upright
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import NEWS, REGIONS, SQUARES

NEVER = -100.0
LAUNDERED = 0.95
"""What is left of black money on average when it is clean."""


class Taste(NamedTuple):
    """What a kind of bot likes: harm to others, Influence, the prize, ventures, fights; what it instructs."""

    name: str
    harm: float = 0.0
    influence: float = INFLUENCE_WORTH
    prize: float = 0.0
    invites: bool = False
    bid: int | None = None
    settings: Mapping[str, str] = {"venture": "open", "watch": "never", "guard": "open"}


def left(state: State) -> int:
    """Return the rounds after this one."""
    return state.rounds - state.round


def is_watched(state: State, seat: int) -> bool:
    """Say whether another seat has a VP on Investigative Journalism, and could expose this one."""
    own = state.companies[seat]
    if own.immune or is_amnesty(state):
        return False
    return any(vp.at == NEWS for other in state.companies if other is not own for vp in other.vps)


def at_risk(state: State, seat: int, gain: float, illegal: bool) -> float:
    """Return what is left of a gain if journalists may look at it."""
    return gain * 0.3 - 1 if illegal and is_watched(state, seat) else gain


def sale(state: State, seat: int, region: Any) -> float:
    """Return what a sale in a region brings."""
    effort = selling_effort(state, seat, region)
    if effort is None or stuff_of(state, region) >= MAX_STUFF:
        return NEVER
    return at_risk(state, seat, income(state, region), sale_is_illegal(state, region)) - effort


def deal(state: State, seat: int, card: Any, vps: int) -> float:
    """Return what a business brings with so many VPs of one's own."""
    effort, data = deal_effort(state.companies[seat], card), BUSINESS_DATA[card]
    if effort is None:
        return NEVER
    return at_risk(state, seat, data.income * vps * LAUNDERED, data.illegal) - effort


def businesses(state: State, seat: int) -> list[Any]:
    """Return the businesses that a seat could make."""
    own = state.companies[seat]
    held = [card for card in own.hand if card in BUSINESS_DATA]
    return held + [folder.card for folder in own.portfolio if upright(own, folder.card) or state.phase != "business"]


def prospects(state: State, seat: int, place: Any, taste: Taste) -> float:
    """Return what a VP of the seat could earn where it stands, or would stand, in the next business phase."""
    if place in SQUARES:
        news = 2 * taste.harm if place == NEWS else 0
        return 0.9 * audience(state, place) * taste.influence + news
    if place not in REGIONS:
        return 0.0
    if place in state.wars and state.laureate != seat:
        return -1.0
    crowd = sum(vp.at == place for each in state.companies for vp in each.vps)
    room = REGION_DATA[place].legal_up_to - stuff_of(state, place) - crowd / 2
    selling = sale(state, seat, place) * (0.9 if room > 0 else 0.35)
    elsewhere = {vp.at for vp in state.companies[seat].vps}
    dealing = 0.0
    for card in businesses(state, seat):
        slots = BUSINESS_DATA[card].slots
        if any(place in slot for slot in slots):
            partners = len(slots) == 1 or any(at in slot for slot in slots if place not in slot for at in elsewhere)
            dealing += max(0.0, deal(state, seat, card, 1)) * (1 if partners else 0.5)
    effort = laundering_effort(state, seat, place)
    clean = 0.0 if effort is None else max(0.0, dealing - effort)
    return max(selling, clean, dealing * 0.3)


def launder(state: State, seat: int, action: a.Launder, _: Taste) -> float:
    """Return what laundering brings."""
    vp: Any = state.companies[seat].vps[action.vp - 1]
    return float(vp.black - (laundering_effort(state, seat, vp.at) or 0)) - 1


def sell(state: State, seat: int, action: a.Sell, _: Taste) -> float:
    """Return what a sale brings, and costs if the VP has black money that could be laundered."""
    vp: Any = state.companies[seat].vps[action.vp - 1]
    return float(sale(state, seat, vp.at) - 0.2 * vp.black)


def make(state: State, seat: int, action: a.Deal, _: Taste) -> float:
    """Return what a business brings; a VP that waits there is worth more than one at home, so it comes first."""
    gain = deal(state, seat, action.card, len(action.vps)) - action.pay
    lost = 0.0 if action.replaces is None else 0.5 * BUSINESS_DATA[action.replaces].income
    return gain - lost + (4 if gain - lost > 0.5 else 0)


def campaign(state: State, seat: int, action: a.Campaign, taste: Taste) -> float:
    """Return what a campaign brings; whoever likes to harm keeps a VP on journalism till the end."""
    place: Any = state.companies[seat].vps[action.vp - 1].at
    stays = taste.harm if place == NEWS and left(state) else 0
    return audience(state, place) * taste.influence - 4 * stays


def hire(state: State, _: int, __: a.Hire, ___: Taste) -> float:
    """Return what a VP will earn in the rounds to come, less its price."""
    return 4.5 * left(state) - 12


def buy_prize(state: State, seat: int, _: a.BuyPrize, taste: Taste) -> float:
    """Return the worth of the prize and its fees, less its price; more if it is taken from whoever leads."""
    other = state.laureate
    rival = 0 if other is None or state.companies[other].billions < state.companies[seat].billions else 6
    return PRIZE_WORTH + INFLUENCE_WORTH * LAUREATE_FEE * left(state) - 30 + taste.prize + rival


def invite(state: State, seat: int, action: a.Invite, taste: Taste) -> float:
    """Return what a venture would bring, for those who like ventures."""
    gain = deal(state, seat, action.card, 1) - action.pay
    return gain + 8 if taste.invites and action.pay >= 0 and gain > 0 else NEVER


def play(state: State, seat: int, action: a.Play, taste: Taste) -> float:
    """Return what a card brings."""
    data = CARD_DATA[action.card]
    return _CARDS[data.kind](state, seat, action, taste) - data.cost


def _black(state: State, target: Any) -> int:
    return 0 if target is None else state.companies[target.seat].vps[target.vp - 1].black


def _haven(state: State, seat: int, action: a.Play, _: Taste) -> float:
    return state.companies[seat].vps[(action.vp or 1) - 1].black + 1.0


def _war(state: State, seat: int, action: a.Play, taste: Taste) -> float:
    hit = sum(vp.black + 2 for each in state.companies for vp in each.vps if vp.at == action.field)
    mine = sum(vp.black + 4 for vp in state.companies[seat].vps if vp.at == action.field)
    return at_risk(state, seat, taste.harm * (hit + 1) - mine + 0.1, illegal=True)


def _stuff(state: State, seat: int, action: a.Play, taste: Taste) -> float:
    mine = sum(vp.at == action.field for vp in state.companies[seat].vps)
    return 0.3 + (taste.harm if action.card != "a17" else 2.0 * mine)


def _jet(state: State, seat: int, action: a.Play, taste: Taste) -> float:
    at: Any = state.companies[seat].vps[(action.vp or 1) - 1].at
    return prospects(state, seat, action.field, taste) - prospects(state, seat, at, taste) - 1


def _bunker(state: State, _: int, __: a.Play, taste: Taste) -> float:
    danger = max(stuff_of(state, region) for region in REGIONS)
    return 4.1 + 4 * taste.harm if len(state.wars) > 1 or danger > 4 else 0.0


def _again(state: State, seat: int, action: a.Play, _: Taste) -> float:
    card: Any = action.business
    places = {vp.at for vp in state.companies[seat].vps}
    there = all(places & set(slot) for slot in BUSINESS_DATA[card].slots)
    return deal(state, seat, card, 1) if there else 0.0


def _evict(state: State, seat: int, action: a.Play, taste: Taste) -> float:
    return at_risk(state, seat, (taste.harm + 0.05) * (_black(state, action.target) + 2), illegal=True)


def _telethon(state: State, seat: int, _: a.Play, taste: Taste) -> float:
    return taste.influence * sum(vp.at in SQUARES for vp in state.companies[seat].vps)


_CARDS: Mapping[CardKind, Callable[[State, int, Any, Taste], float]] = {
    "haven": _haven,
    "money": lambda state, seat, action, taste: 6,
    "influence": lambda state, seat, action, taste: 3 * taste.influence,
    "improve": lambda state, seat, action, taste: 1.3 * left(state) + 0.1,
    "smear": lambda state, seat, action, taste: 1.1 + taste.harm,
    "war": _war,
    "peace": lambda state, seat, action, taste: 2 * taste.influence,
    "stuff": _stuff,
    "evict": _evict,
    "sue": lambda state, seat, action, taste: min(5, state.companies[action.seat].billions),
    "extort": lambda state, seat, action, taste: at_risk(state, seat, (_black(state, action.target) + 1) // 2, True),
    "draw": lambda state, seat, action, taste: 5,
    "bunker": _bunker,
    "skeleton": lambda state, seat, action, taste: 2 + 4 * taste.harm,
    "nepotism": lambda state, seat, action, taste: 4.5 * left(state),
    "again": _again,
    "papers": lambda state, seat, action, taste: NEVER,
    "telethon": _telethon,
    "jet": _jet,
    "immunity": lambda state, seat, action, taste: 2.0 if is_watched(state, seat) else 0.0,
}


def entry(state: State, seat: int, place: Any) -> float:
    """Return what it costs to place a VP on a media square, 0 elsewhere."""
    return float(media_effort(state, seat, place) or 0) if place in SQUARES else 0.0


def kept(state: State, card: Any, taste: Taste) -> float:
    """Return what an action card is about worth that stays in the hand."""
    kind = CARD_DATA[card].kind
    if kind in {"smear", "war", "evict", "skeleton", "immunity", "bunker", "papers", "stuff"}:
        return 1.0 + 2 * taste.harm
    return 1.3 * left(state) - CARD_DATA[card].cost if kind == "improve" else 3.0
