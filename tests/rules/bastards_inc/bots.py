"""Bots of one step's foresight, and whole games between them, to measure the balance of the game.

A bot values places and actions in Billions at the end, and knows its own hand, the board, all VPs and money.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from service.rules.chance import Chance
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.costs import (
    audience,
    entry_effort,
    income,
    laundering_effort,
    media_effort,
    sale_is_illegal,
    selling_effort,
    stuff_of,
)
from service.rules.games.bastards_inc.decide import decide, to_act
from service.rules.games.bastards_inc.decide.journalism import is_amnesty
from service.rules.games.bastards_inc.edition import (
    BUSINESS_DATA,
    CARD_DATA,
    EFFORT_PRICES,
    INFLUENCE_WORTH,
    LAUREATE_FEE,
    MAX_STUFF,
    PAPERS,
    PRIZE_WORTH,
    REGION_DATA,
    CardKind,
)
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import ENTRY_SCORES, deal_effort, legal, upright
from service.rules.games.bastards_inc.scoring import outcome
from service.rules.games.bastards_inc.setup import start
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import FIELDS, LOUNGE, NEWS, REGIONS, SQUARES
from service.rules.kernel import GameStarted

NEVER = -100.0
LAUNDERED = 0.95
"""Share of black money left on average by laundering."""


class Taste(NamedTuple):
    """Preferences of a kind of bot: harm to others, Influence, the prize, ventures, fights; and its instructions."""

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


# The bots.

EARNER = Taste("earner")
SPOILER = Taste("spoiler", harm=0.4, bid=1, settings={"venture": "closed", "watch": "always"})
BARON = Taste("baron", influence=3.3, prize=5, bid=1, settings={})
BROKER = Taste("broker", invites=True, settings={"venture": "open"})
KINDS = (EARNER, SPOILER, BARON, BROKER)


class Played(NamedTuple):
    """A game between bots: how it ended, who sat where with which plan, how long it took, what was done."""

    reason: str
    winners: tuple[int, ...]
    worths: tuple[int, ...]
    plans: tuple[str, ...]
    start_player: int
    rounds: int
    decisions: int
    waits: float
    most_legal: int
    done: Counter[str]


def game(tastes: Sequence[Taste], options: Mapping[str, Any], seed: str) -> Played:
    """Play a game to its end; the same seed gives the same game."""
    chance, rng = Chance(sha256(seed.encode()).digest()), Random(seed)
    state = started(len(tastes), options, chance)
    first, decisions, most, done = state.start_player, 0, 0, Counter[str]()
    waits, before = 0, frozenset[int]()
    while state.phase != "over":
        waits, before = waits + len(to_act(state) - before), to_act(state)
        seat = min(before)
        ways = legal(state, seat)
        action = choose(state, seat, ways, tastes[seat], rng)
        for event in decide(state, seat, action, chance):
            state = evolve(state, event)
        decisions, most = decisions + 1, max(most, len(ways))
        done[_name(action)] += 1
    ended: Any = outcome(state)
    plans = tuple(each.plan for each in state.companies)
    each_round = waits / len(tastes) / state.round
    return Played(
        ended["reason"], tuple(ended["winners"]), tuple(worths(state)), plans, first, state.round, decisions,
        each_round, most, done,
    )  # fmt: skip


def worths(state: State) -> list[int]:
    """Return what everybody was worth at the end."""
    return [] if state.result is None else list(state.result.worths)


def choose(state: State, seat: int, ways: Sequence[a.Action], taste: Taste, rng: Random) -> a.Action:
    """Return the way that promises most; a little chance decides between those that are about as good."""
    return max(ways, key=lambda way: _ESTIMATES[type(way)](state, seat, way, taste) + 0.3 * rng.random())


def started(seats: int, options: Mapping[str, Any], chance: Chance) -> State:
    """Return the table at the first decision of a game."""
    started = GameStarted(ruleset="bastards-inc", revision=1, seats=seats, options=options, commitment="", nonces=())
    state = evolve(None, started)
    for event in start(seats, options, chance):
        state = evolve(state, event)
    return state


def _name(action: a.Action) -> str:
    """Return the card that is played, or else the class of the action."""
    if isinstance(action, a.Play | a.Deal):
        return action.card
    return PAPERS if isinstance(action, a.Place) and action.by == "papers" else type(action).__name__


def _drop(state: State, seat: int, action: a.Drop, taste: Taste) -> float:
    """Throw away what is worth less than the next card of the pile may be."""
    card = action.card
    value = deal(state, seat, card, 1) if card in BUSINESS_DATA else kept(state, card, taste)
    return 3.0 - value if value < 1.5 else NEVER


def _draw(state: State, seat: int, action: a.Draw, _: Taste) -> float:
    rich = state.companies[seat].billions > 8 and state.round > 1
    return action.bonus * 2.4 - EFFORT_PRICES[action.bonus] if rich else -action.bonus


def _best_place(state: State, seat: int, taste: Taste) -> float:
    return max(prospects(state, seat, place, taste) - entry(state, seat, place) for place in FIELDS)


def _collect(state: State, seat: int, action: a.Collect, taste: Taste) -> float:
    """Take back whoever would do better elsewhere."""
    best, vps = _best_place(state, seat, taste), state.companies[seat].vps
    stay = (prospects(state, seat, vps[vp - 1].at, taste) + vps[vp - 1].black for vp in action.vps)
    return sum(best - 2 - each for each in stay)


def _place(state: State, seat: int, action: a.Place, taste: Taste) -> float:
    if action.to == LOUNGE:
        return 0.0
    gain = prospects(state, seat, action.to, taste)
    if action.to in SQUARES:
        return gain - entry(state, seat, action.to)
    region = next(each for each in REGIONS if each == action.to)
    score = ENTRY_SCORES.get(action.by)
    return gain - (0.5 if score is None else entry_effort(state, seat, region, score) or 0)


def _fight(state: State, seat: int, action: a.Fight, taste: Taste) -> float:
    own = state.companies[seat].influence
    return 1.0 if action.influence == taste.bid and own >= 3 * action.influence else NEVER


def _push(state: State, seat: int, _: a.Push, taste: Taste) -> float:
    place = None if state.arrival is None else state.arrival.field
    return prospects(state, seat, place, taste) - taste.influence * (state.bids + 1)


def _instruct(state: State, seat: int, action: a.Instruct, taste: Taste) -> float:
    return 50.0 if taste.settings.get(action.instruction) == action.setting else NEVER


def _done(state: State, seat: int, _: a.Done, __: Taste) -> float:
    """Stop for good, unless an invitation is open."""
    return 0.3 if state.companies[seat].invitation is None else -1.0


def _nothing(_: State, __: int, ___: Any, ____: Taste) -> float:
    return 0.0


def _never(_: State, __: int, ___: Any, ____: Taste) -> float:
    return NEVER


_ESTIMATES: Mapping[type[a.Action], Callable[[State, int, Any, Taste], float]] = {
    a.Drop: _drop,
    a.Draw: _draw,
    a.Keep: lambda *_: NEVER,
    a.Collect: _collect,
    a.Place: _place,
    a.Let: _nothing,
    a.Fight: _fight,
    a.Push: _push,
    a.Yield: _nothing,
    a.OrderWars: _nothing,
    a.Deal: make,
    a.Launder: launder,
    a.Sell: sell,
    a.Campaign: campaign,
    a.Hire: hire,
    a.BuyPrize: buy_prize,
    a.Pass: _nothing,
    a.Done: _done,
    a.Play: play,
    a.Give: _never,
    a.Invite: invite,
    a.Withdraw: _never,
    a.Agree: lambda state, seat, action, taste: 20.0,
    a.Decline: _never,
    a.Instruct: _instruct,
    a.Expose: lambda state, seat, action, taste: 2.0 + 4 * taste.harm,
    a.KeepSilent: _nothing,
}
