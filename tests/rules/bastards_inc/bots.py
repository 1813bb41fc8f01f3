"""Bots of one step's foresight, and whole games between them: what the balance of the game is measured with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from service.rules.chance import Chance
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.costs import entry_effort
from service.rules.games.bastards_inc.decide import decide, to_act
from service.rules.games.bastards_inc.edition import BUSINESS_DATA, EFFORT_PRICES, PAPERS
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import ENTRY_SCORES, legal
from service.rules.games.bastards_inc.scoring import outcome
from service.rules.games.bastards_inc.setup import start
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import FIELDS, LOUNGE, REGIONS, SQUARES
from service.rules.kernel import GameStarted
from tests.rules.bastards_inc import estimates as worth
from tests.rules.bastards_inc.estimates import NEVER, Taste

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
    state = begun(len(tastes), options, chance)
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


def begun(seats: int, options: Mapping[str, Any], chance: Chance) -> State:
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
    if action.card in BUSINESS_DATA:
        value = worth.deal(state, seat, action.card, 1)
    else:
        value = worth.kept(state, action.card, taste)
    return 3.0 - value if value < 1.5 else NEVER


def _draw(state: State, seat: int, action: a.Draw, _: Taste) -> float:
    rich = state.companies[seat].billions > 8 and state.round > 1
    return action.bonus * 2.4 - EFFORT_PRICES[action.bonus] if rich else -action.bonus


def _best_place(state: State, seat: int, taste: Taste) -> float:
    return max(worth.prospects(state, seat, place, taste) - worth.entry(state, seat, place) for place in FIELDS)


def _collect(state: State, seat: int, action: a.Collect, taste: Taste) -> float:
    """Take back whoever would do better elsewhere."""
    best, vps = _best_place(state, seat, taste), state.companies[seat].vps
    stay = (worth.prospects(state, seat, vps[vp - 1].at, taste) + vps[vp - 1].black for vp in action.vps)
    return sum(best - 2 - each for each in stay)


def _place(state: State, seat: int, action: a.Place, taste: Taste) -> float:
    if action.to == LOUNGE:
        return 0.0
    gain = worth.prospects(state, seat, action.to, taste)
    if action.to in SQUARES:
        return gain - worth.entry(state, seat, action.to)
    region = next(each for each in REGIONS if each == action.to)
    score = ENTRY_SCORES.get(action.by)
    return gain - (0.5 if score is None else entry_effort(state, seat, region, score) or 0)


def _fight(state: State, seat: int, action: a.Fight, taste: Taste) -> float:
    own = state.companies[seat].influence
    return 1.0 if action.influence == taste.bid and own >= 3 * action.influence else NEVER


def _push(state: State, seat: int, _: a.Push, taste: Taste) -> float:
    place = None if state.arrival is None else state.arrival.field
    return worth.prospects(state, seat, place, taste) - taste.influence * (state.bids + 1)


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
    a.Deal: worth.make,
    a.Launder: worth.launder,
    a.Sell: worth.sell,
    a.Campaign: worth.campaign,
    a.Hire: worth.hire,
    a.BuyPrize: worth.buy_prize,
    a.Pass: _nothing,
    a.Done: _done,
    a.Play: worth.play,
    a.Give: _never,
    a.Invite: worth.invite,
    a.Withdraw: _never,
    a.Agree: lambda state, seat, action, taste: 20.0,
    a.Decline: _never,
    a.Instruct: _instruct,
    a.Expose: lambda state, seat, action, taste: 2.0 + 4 * taste.harm,
    a.KeepSilent: _nothing,
}
