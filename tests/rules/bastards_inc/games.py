"""Random games of Ba$tard$ Inc. in which players like to do business, and actions that anybody might try."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any, NamedTuple, get_args

from service.rules.chance import Chance
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc import terms as t
from service.rules.games.bastards_inc.decide import decide
from service.rules.games.bastards_inc.edition import BUSINESS_DATA
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.setup import start
from service.rules.games.bastards_inc.state import State
from service.rules.kernel import GameStarted

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
"""What may stand in a field, and some that may not."""


def _drawn(lots: Random, state: State, action: Any, name: str) -> Any:
    kind = action if isinstance(action, type) else type(action)
    if name == "card":
        businesses, others = list(BUSINESS_DATA), [card for card in t.CARDS if card not in BUSINESS_DATA]
        return lots.choice(businesses if kind in {a.Deal, a.Invite} else others if kind is a.Play else t.CARDS)
    value = DOMAINS[name](lots, state)
    if kind is a.Invite and value is None:
        return a.Delegate(seat=0, vp=1)
    return value
