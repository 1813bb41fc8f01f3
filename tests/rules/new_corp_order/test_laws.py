"""Laws that hold in every position of New Corp Order that random play reaches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.games.new_corp_order import RULESET, actions
from service.rules.games.new_corp_order.events import CardsDiscarded, TableFlipped
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import COLOURS
from service.rules.kernel import Illegal, fold
from tests.rules.new_corp_order.support import any_action, changed_action
from tests.rules.playouts import RandomGame, chance_of, names_of, plain, random_game, refusal_of, times

every_table = pytest.mark.parametrize("seats", RULESET.meta.seats)
some_games = times(8)
seeds = given(seed=st.integers(0, 99))


def played(seats: int, seed: int) -> RandomGame:
    """A random game."""
    return random_game("new-corp-order", seats, seed)


@every_table
@some_games
@seeds
def test_no_card_appears_or_is_lost(seats: int, seed: int) -> None:
    for state in played(seats, seed).states:
        areas = [*state.hands, *(hq.cards for hq in state.hqs), *(hq.rotated for hq in state.hqs), state.box]
        lying = [*state.deck, *state.display]
        for colour in COLOURS:
            assert 20 == lying.count(colour) + sum(area[colour] for area in areas)
            assert min(area[colour] for area in areas) >= 0


@every_table
@some_games
@seeds
def test_no_agent_appears_or_is_lost(seats: int, seed: int) -> None:
    for state in played(seats, seed).states:
        for colour in COLOURS:
            on_grid = sum(company.agents for company in state.companies.values() if company.colour == colour)
            in_hqs = [hq.agents[colour] for hq in state.hqs]
            assert 25 == state.supply[colour] + on_grid + sum(in_hqs)
            assert min(state.supply[colour], *in_hqs) >= 0


@every_table
@some_games
@seeds
def test_no_consultant_appears_or_is_lost(seats: int, seed: int) -> None:
    states = played(seats, seed).states
    assert {tuple(consultants(states[0]))} == {tuple(consultants(state)) for state in states}
    for state in states:
        assert min(*state.consultants.values(), *(n for hq in state.hqs for n in hq.consultants.values())) >= 0


def consultants(state: State) -> list[int]:
    """Count each consultant."""
    return [state.consultants[each] + sum(hq.consultants[each] for hq in state.hqs) for each in state.consultants]


@every_table
@some_games
@seeds
def test_each_company_has_an_agent_and_each_colour_a_company(seats: int, seed: int) -> None:
    for state in played(seats, seed).states:
        assert min(company.agents for company in state.companies.values()) >= 1
        assert set(COLOURS) == {company.colour for company in state.companies.values()}
        assert (12 if seats < 3 else 16) == len(state.companies)


@every_table
@some_games
@seeds
def test_nobody_holds_more_than_six_cards_when_a_turn_begins(seats: int, seed: int) -> None:
    for state in played(seats, seed).states:
        if state.phase == "turn":
            assert max(sum(hand.values()) for hand in state.hands) <= 6


@every_table
@some_games
@seeds
def test_only_one_company_at_a_time_is_taken_over(seats: int, seed: int) -> None:
    game = played(seats, seed)
    for before, after in zip(game.states, game.states[1:], strict=False):
        pairs = [(before.companies[square], after.companies[square]) for square in before.companies]
        turned = [old for old, new in pairs if old.colour != new.colour]
        assert len(turned) <= (2 if before.phase == "ability" else 1)
        assert all((old.name, old.type) == (new.name, new.type) for old, new in pairs)


@times(40)
@given(seed=st.integers(0, 10_000))
def test_r_66_is_not_reached_in_random_play(seed: int) -> None:
    assert not [event for event in played(1, seed).log() if isinstance(event, TableFlipped)]


@every_table
@some_games
@seeds
def test_r_30_no_two_uses_of_an_ability_lead_to_one_position_and_none_changes_nothing(seats: int, seed: int) -> None:
    for state in played(seats, seed).states:
        if state.phase == "ability":
            listed = RULESET.legal(state, state.active)
            skipped = actions.SkipAbility()
            assert 1 == list(listed).count(skipped) and len(listed) > 1
            ends = [plain(after(state, action)) for action in listed]
            assert len(listed) == len(set(ends))


@pytest.mark.long
@every_table
@times(80)
@given(seed=st.integers(0, 99), lots=st.integers(0, 2**32))
def test_decide_accepts_what_is_listed_and_nothing_else(seats: int, seed: int, lots: int) -> None:
    drawn = Random(lots)
    state = drawn.choice(played(seats, seed).states[:-1])
    listed = RULESET.legal(state, state.active)
    asked = [any_action(drawn)] + [wild(drawn.choice(list(listed)), drawn) for _ in range(12)]
    for action in asked:
        try:
            facts = tell(state, action)
        except Illegal:
            assert action not in listed
            continue
        alike = [other for other in listed if type(other) is type(action)]
        assert any(same(state, facts, tell(state, other)) for other in alike), action


@pytest.mark.long
@every_table
@times(100)
@given(seed=st.integers(0, 99), lots=st.integers(0, 2**32))
def test_every_refusal_has_a_code_and_is_told_in_every_language(seats: int, seed: int, lots: int) -> None:
    drawn = Random(lots)
    state = drawn.choice(played(seats, seed).states)
    for action in [any_action(drawn) for _ in range(8)]:
        refusal = refusal_of(RULESET, state, state.active, action)
        if refusal is not None:
            assert refusal.code and refusal.code == refusal.code.lower()
            for language in RULESET.meta.languages:
                assert RULESET.describe(refusal, state.active, language, names_of(seats)).strip()


def wild(action: Any, lots: Random) -> Any:
    """The action, changed once or twice."""
    once = changed_action(action, lots)
    return changed_action(once, lots) if lots.random() < 0.3 else once


def tell(state: State, action: Any) -> tuple[Any, ...]:
    """The facts that the action of the active seat causes."""
    return tuple(RULESET.decide(state, state.active, action, chance_of(1)))


def after(state: State, action: Any) -> State:
    """The state after an action of the active seat."""
    return fold(RULESET, tell(state, action), state)


def same(state: State, facts: Iterable[Any], others: Iterable[Any]) -> bool:
    """Return whether two ways lead to the same position and, but for the ability's own steps, by the same facts."""
    ends = [fold(RULESET, way, state) for way in (facts, others)]
    ends = [end._replace(to_place=tuple(sorted(end.to_place))) for end in ends]
    if state.phase == "conglomerates":
        return [set(side) for side in ends[0].colours] == [set(side) for side in ends[1].colours]
    return ends[0] == ends[1] and (state.phase == "ability" or _told(facts) == _told(others))


def _told(facts: Iterable[Any]) -> frozenset[Any]:
    return frozenset(plain(_sorted(fact)) for fact in facts)


def _sorted(fact: Any) -> Any:
    return replace(fact, cards=tuple(sorted(fact.cards))) if isinstance(fact, CardsDiscarded) else fact
