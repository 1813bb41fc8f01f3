"""What is said to be legal in the business phase is what is accepted, no more and no less (B-14, B-51)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest

from service.rules.chance import Chance
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.actions import Delegate
from service.rules.games.bastards_inc.decide import decide, to_act
from service.rules.games.bastards_inc.edition import BUSINESS_DATA, CARD_DATA, GIFT_SIZES, SIDE_PAYMENTS
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import FIELDS, SCORES, SETTINGS
from service.rules.kernel import Illegal
from tests.rules.bastards_inc.bots import begun

CHANCE = Chance(bytes(32))
NUMBERS = range(1, 5)


def turns(seats: int, seed: int) -> Iterator[tuple[State, int]]:
    """Return the turns of the business phase of a random game, and whose they are."""
    chance, rng = Chance(seed.to_bytes(32, "big")), Random(seed)
    state = begun(seats, {"short-game": True}, chance)
    while state.phase != "over":
        seat = rng.choice(sorted(to_act(state)))
        if state.phase == "business":
            yield state, seat
        kinds: dict[type[a.Action], list[a.Action]] = {}
        for action in legal(state, seat):
            kinds.setdefault(type(action), []).append(action)
        kinds.pop(a.Done, None)
        for event in decide(state, seat, rng.choice(kinds[rng.choice(list(kinds))]), chance):
            state = evolve(state, event)


def thinkable(state: State, seat: int) -> Iterator[a.Action]:
    """Return every action that could be thought of, legal or not."""
    seats = range(len(state.companies))
    strangers = [Delegate(seat=other, vp=vp) for other in seats for vp in NUMBERS if other != seat]
    for kind in (a.Launder, a.Sell, a.Campaign):
        yield from (kind(vp=vp) for vp in NUMBERS)
    yield from (a.Hire(), a.BuyPrize(), a.Pass(), a.Done(), a.Withdraw())
    yield from (a.Give(seat=other, billions=gift) for other in seats for gift in GIFT_SIZES)
    yield from (kind(seat=other) for other in seats for kind in (a.Agree, a.Decline))
    yield from (a.Instruct(instruction=each, setting=to) for each, settings in SETTINGS.items() for to in settings)
    own = state.companies[seat]
    for card in BUSINESS_DATA:
        if card in own.hand or any(folder.card == card for folder in own.portfolio):
            yield from _businesses(state, seat, card, strangers)
    for action_card in CARD_DATA:
        if action_card in own.hand:
            yield from _cards(state, action_card, strangers)


def _businesses(state: State, seat: int, card: Any, strangers: list[Delegate]) -> Iterator[a.Action]:
    replaced = (None, *(folder.card for folder in state.companies[seat].portfolio))
    alone = [(vp,) for vp in NUMBERS]
    for vps, replaces in product([*alone, *permutations(NUMBERS, 2)], replaced):
        yield a.Deal(card=card, vps=vps, replaces=replaces)
    for vps, partner, pay in product(alone, strangers, SIDE_PAYMENTS):
        yield a.Invite(card=card, vp=vps[0], partner=partner, pay=pay)
        yield from (a.Deal(card=card, vps=vps, partner=partner, pay=pay, replaces=each) for each in replaced)


def _cards(state: State, card: Any, strangers: list[Delegate]) -> Iterator[a.Play]:
    yield a.Play(card=card)
    aims: Mapping[str, tuple[Any, ...]] = {
        "vp": tuple(NUMBERS),
        "target": tuple(strangers),
        "seat": tuple(range(len(state.companies))),
        "score": SCORES,
        "field": FIELDS,
        "business": tuple(BUSINESS_DATA),
    }
    for name, values in aims.items():
        yield from (a.Play(card=card, **{name: value}) for value in values)
    for first, second in combinations(aims, 2):
        for one, other in product(aims[first], aims[second]):
            yield a.Play(card=card, **{first: one, second: other})


def accepted(state: State, seat: int, action: a.Action) -> bool:
    try:
        decide(state, seat, action, CHANCE)
    except Illegal:
        return False
    return True


def lowest(state: State, seat: int, action: Any) -> Any:
    """Return the action with the lowest number for each VP that is alike, but for what an invitation names."""
    invitation = state.companies[seat].invitation
    if isinstance(action, a.Deal) and action.partner is not None and invitation is not None:
        named = (action.card, action.vps, action.partner, action.pay)
        if named == (invitation.card, (invitation.vp,), invitation.partner, invitation.pay):
            return action

    def lower(of: int, vp: int) -> int:
        vps = state.companies[of].vps
        return vps.index(vps[vp - 1]) + 1

    changed: dict[str, Any] = {name: getattr(action, name) for name in type(action).__dataclass_fields__}
    if isinstance(changed.get("vp"), int):
        changed["vp"] = lower(seat, changed["vp"])
    if "vps" in changed:
        changed["vps"] = tuple(lower(seat, vp) for vp in changed["vps"])
    for name in ("partner", "target"):
        if changed.get(name) is not None:
            named_vp = changed[name]
            changed[name] = Delegate(seat=named_vp.seat, vp=lower(named_vp.seat, named_vp.vp))
    return type(action)(**changed)


@pytest.mark.parametrize("seed", range(6))
def test_b_14_the_legal_actions_are_all_that_is_accepted_and_each_is_named_once(seed: int) -> None:
    number = 0
    for state, seat in turns(2 + seed % 3, seed):
        number += 1
        if number % 5:
            continue
        ways = legal(state, seat)
        assert len(set(map(repr, ways))) == len(ways)
        assert all(accepted(state, seat, way) for way in ways)
        found = {repr(lowest(state, seat, each)) for each in thinkable(state, seat) if accepted(state, seat, each)}
        assert found == set(map(repr, ways))
    assert number > 10
