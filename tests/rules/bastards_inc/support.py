"""Positions and games for the tests of Ba$tard$ Inc.: tables in the middle of a game, and random games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any, NamedTuple, get_args

from service.rules.chance import Chance
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc import terms as t
from service.rules.games.bastards_inc.actions import Action, Agree, Deal, Invite, Pass
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import decide
from service.rules.games.bastards_inc.edition import BUSINESS_DATA, PLAN_DATA, REGION_DATA
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.setup import start
from service.rules.games.bastards_inc.state import Company, State, VicePresident, updated
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, PLANS, REGIONS, Location, Scores
from service.rules.kernel import Dice, GameStarted, Illegal

ALICE, BOB, CAROL, DAVE = range(4)
MEDIOCRE = Scores(cor=3, cri=3, med=3, tec=3)


class Loaded:
    """Dice that fall as they are told to by label, or else show a 2; shuffles leave everything as it lies."""

    def __init__(self, dice: Mapping[str, int] = {}) -> None:
        self.dice = dice
        self.labels: list[str] = []

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items in the order given."""
        self.labels.append(label)
        return list(items)

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return what was told of the label."""
        self.labels.append(label)
        return (min(sides, self.dice.get(label, 2)),) * count


class Taken(NamedTuple):
    """Result of an action: the events, and the state after them."""

    events: tuple[Any, ...]
    state: State

    def all(self, kind: type[Any]) -> list[Any]:
        """Return the events of a class, in order."""
        return [event for event in self.events if type(event) is kind]


def table(seats: int = 3, *, companies: Mapping[int, Mapping[str, Any]] = {}, **changes: Any) -> State:
    """Return a table in the business phase of the first round, Alice's turn, everybody's VPs in the Lounge.

    Every company has 10 Billions, 5 Influence, all scores 3, two VPs and no card; `companies` says by seat what is
    different, `changes` what else. `wars`, `stuff` and so on are the fields of State; `vps` may be places, or pairs
    of a place and black money. The draw pile holds all cards that lie nowhere else.
    """
    state = State(
        revision=2,
        companies=tuple(_company(seat) for seat in range(seats)),
        rounds=7,
        target=130,
        stuff=tuple(REGION_DATA[region].stuff for region in REGIONS),
        events=EVENT_CARDS,
        round=1,
        phase="business",
        decision=1,
        asked=frozenset({changes.get("active", ALICE)}),
    )
    for seat, different in companies.items():
        state = updated(state, seat, **_read(different))
    state = state._replace(**changes)
    return state if "cards" in changes else state._replace(cards=_left(state))


def placing(free: dict[int, int], **changes: Any) -> State:
    """Return a table at which Alice places; `free` says how many VPs of a seat are free."""
    companies = {seat: dict(each) for seat, each in changes.pop("companies", {}).items()}
    for seat, number in free.items():
        vps = ("VIP",) * max(2, number)
        companies[seat] = {"vps": vps, **companies.get(seat, {}), "free": tuple(range(1, number + 1))}
    return table(**{"phase": "place", "back": len(free) == 1, "companies": companies, **changes})


def take(state: State, seat: int, action: Action, chance: Dice | None = None) -> Taken:
    """Return what follows from an action."""
    events = tuple(decide(state, seat, action, chance or Chance(bytes(32))))
    for event in events:
        state = evolve(state, event)
    return Taken(events, state)


def play(state: State, *actions: tuple[int, Action], chance: Dice | None = None) -> State:
    """Return the state after actions of seats, one after the other."""
    for seat, action in actions:
        state = take(state, seat, action, chance).state
    return state


def refused(state: State, seat: int, action: Action) -> tuple[str, str | None]:
    """Return the code and the ruling of a refusal."""
    try:
        decide(state, seat, action, Chance(bytes(32)))
    except Illegal as refusal:
        return refusal.code, refusal.rule
    raise AssertionError(f"{action} is not refused")


def _company(seat: int) -> Company:
    plan = PLAN_DATA[PLANS[seat]].plan
    return Company(plan=plan, scores=MEDIOCRE, billions=10, influence=5, vps=(VicePresident(), VicePresident()))


def _read(fields: Mapping[str, Any]) -> dict[str, Any]:
    read = dict(fields)
    if "vps" in read:
        read["vps"] = tuple(_vp(each) for each in read["vps"])
    if "hand" in read:
        read["hand"] = tuple(sorted(read["hand"]))
    return read


def _vp(told: Location | tuple[Location, int]) -> VicePresident:
    return VicePresident(*told) if isinstance(told, tuple) else VicePresident(told)


def _left(state: State) -> tuple[Any, ...]:
    held = {card for company in state.companies for card in company.hand}
    held |= {folder.card for company in state.companies for folder in company.portfolio}
    held |= {*state.discards, *(() if state.bunker is None else ("a23",))}
    return tuple(card for card in CARDS if card not in held)


# Joint ventures: Alice and Bob could make business b20 together.

BOBS = Vp(seat=BOB, vp=1)
INVITE = Invite(card="b20", vp=1, partner=BOBS)
DEAL = Deal(card="b20", vps=(1,), partner=BOBS)


def two(alice: Mapping[str, Any] = {}, bob: Mapping[str, Any] = {}, **changes: Any) -> State:
    """Return a table at which Alice in the Have-Nots and Bob in Corruptistan could make business b20 together."""
    companies = {
        ALICE: {"vps": ("POO", "TLK"), "hand": ("b20",), **alice},
        BOB: {"vps": ("KOR", "TLK"), **bob},
        CAROL: {"vps": ("TLK", "TLK")},
    }
    return table(companies=companies, **changes)


def invited(pay: Any = 0, **more: Any) -> State:
    """Return a table at which Alice has invited Bob."""
    return take(two(**more), ALICE, Invite(card="b20", vp=1, partner=BOBS, pay=pay)).state


def agreed(pay: Any = 0, **more: Any) -> State:
    """Return a table at which Bob has agreed to Alice's invitation, and it is her turn again."""
    return play(invited(pay, **more), (ALICE, Pass()), (BOB, Agree(seat=ALICE)), (BOB, Pass()), (CAROL, Pass()))


def of(state: State, seat: int, kind: type[Any]) -> list[Any]:
    """Return the legal actions of a class."""
    return [action for action in legal(state, seat) if isinstance(action, kind)]


# Random games in which players like to do business, and actions that anybody might try.

KEEN_ON = (a.Deal, a.Launder, a.Sell, a.Campaign, a.Hire, a.BuyPrize, a.Play, a.Place, a.Invite, a.Agree, a.Expose)
ENDLESS = 3_000


class Step(NamedTuple):
    """One action: the state it met, who did what, what followed, the state after it."""

    before: State
    seat: int
    action: a.Action
    events: tuple[Any, ...]
    after: State


@cache
def keen_game(seats: int, seed: int) -> tuple[Step, ...]:
    """Return a whole game; the same for the same seed."""
    lots = Random(f"{seats} {seed}")
    chance = Chance(lots.randbytes(32))
    state = evolve(None, GameStarted(ruleset="bastards-inc", revision=1, seats=seats, commitment="", nonces=()))
    for event in start(seats, {"short-game": lots.random() < 0.3}, chance):
        state = evolve(state, event)
    steps: list[Step] = []
    while state.asked:
        assert len(steps) < ENDLESS, "the game does not end"
        seat = lots.choice(sorted(state.asked))
        action = keen(lots, state, seat)
        before, events = state, tuple(decide(state, seat, action, chance))
        for event in events:
            state = evolve(state, event)
        steps.append(Step(before, seat, action, events, state))
    return tuple(steps)


def keen(lots: Random, state: State, seat: int) -> a.Action:
    """Return a legal action of a player who likes to do business."""
    actions = legal(state, seat)
    liked = [action for action in actions if isinstance(action, KEEN_ON)]
    return lots.choice(liked if liked and lots.random() < 0.8 else actions)


def changed(lots: Random, state: State, action: a.Action) -> a.Action:
    """Return an action that is like another one but for a field or two."""
    names = [field.name for field in fields(action)]
    for name in lots.sample(names, min(len(names), lots.choice((1, 1, 2)))):
        action = replace(action, **{name: _drawn(lots, state, action, name)})
    return action


def any_action(lots: Random, state: State) -> a.Action:
    """Return some action with some values."""
    kind = lots.choice(list(a.ACTION_TYPES.values()))
    drawn: dict[str, Any] = {each.name: _drawn(lots, state, kind, each.name) for each in fields(kind)}
    return kind(**drawn)


def canonical(state: State, seat: int, action: a.Action) -> a.Action:
    """Return the action with the lowest number of alike VPs wherever it names one (B-14)."""
    if isinstance(action, a.Deal):
        vps = tuple(_lowest(state, seat, vp) for vp in action.vps)
        return replace(action, vps=vps, partner=_lowest_of(state, action.partner))
    if isinstance(action, a.Invite):
        partner = _lowest_of(state, action.partner) or action.partner
        return replace(action, vp=_lowest(state, seat, action.vp), partner=partner)
    if isinstance(action, a.Play):
        vp = None if action.vp is None else _lowest(state, seat, action.vp)
        return replace(action, vp=vp, target=_lowest_of(state, action.target))
    if isinstance(action, a.Launder | a.Sell | a.Campaign):
        return replace(action, vp=_lowest(state, seat, action.vp))
    return action


def _lowest(state: State, seat: int, vp: int) -> int:
    vps = state.companies[seat].vps
    return vps.index(vps[vp - 1]) + 1 if 1 <= vp <= len(vps) else vp


def _lowest_of(state: State, delegate: a.Delegate | None) -> a.Delegate | None:
    if delegate is None or not 0 <= delegate.seat < len(state.companies):
        return delegate
    return replace(delegate, vp=_lowest(state, delegate.seat, delegate.vp))


def _delegate(lots: Random, state: State) -> a.Delegate | None:
    seat = lots.randint(-1, len(state.companies))
    return lots.choice((None, *[a.Delegate(seat=seat, vp=lots.randint(-1, 5))] * 5))


def _regions(lots: Random, state: State) -> tuple[t.Region, ...]:
    return tuple(lots.sample(state.wars or t.REGIONS, lots.randint(0, len(state.wars))))


DOMAINS: Mapping[str, Callable[[Random, State], Any]] = {
    "bonus": lambda lots, _: lots.randint(-1, 5),
    "vps": lambda lots, _: tuple(lots.randint(-1, 5) for _ in range(lots.randint(0, 3))),
    "to": lambda lots, _: lots.choice(t.LOCATIONS),
    "by": lambda lots, _: lots.choice((None, *get_args(t.Entry))),
    "influence": lambda lots, _: lots.randint(-2, 12),
    "regions": _regions,
    "replaces": lambda lots, _: lots.choice((None, *BUSINESS_DATA)),
    "business": lambda lots, _: lots.choice((None, *BUSINESS_DATA)),
    "vp": lambda lots, _: lots.randint(-1, 5),
    "seat": lambda lots, state: lots.randint(-1, len(state.companies)),
    "score": lambda lots, _: lots.choice((None, *t.SCORES)),
    "field": lambda lots, _: lots.choice((None, *t.FIELDS)),
    "billions": lambda lots, _: lots.choice((1, 2, 5, 10)),
    "pay": lambda lots, _: lots.choice((-2, 0, 2)),
    "partner": _delegate,
    "target": _delegate,
    "instruction": lambda lots, _: lots.choice(list(t.SETTINGS)),
    "setting": lambda lots, _: lots.choice(get_args(t.Setting)),
}
"""Generators of values for a field, some of them not allowed."""


def _drawn(lots: Random, state: State, action: Any, name: str) -> Any:
    kind = action if isinstance(action, type) else type(action)
    if name == "card":
        businesses, others = list(BUSINESS_DATA), [card for card in t.CARDS if card not in BUSINESS_DATA]
        return lots.choice(businesses if kind in {a.Deal, a.Invite} else others if kind is a.Play else t.CARDS)
    value = DOMAINS[name](lots, state)
    if kind is a.Invite and value is None:
        return a.Delegate(seat=0, vp=1)
    return value
