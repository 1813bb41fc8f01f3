"""Invariants of every position that random play comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.chance import Chance
from service.rules.games.bastards_inc import events as b
from service.rules.games.bastards_inc import events as c
from service.rules.games.bastards_inc import events as e
from service.rules.games.bastards_inc import events as w
from service.rules.games.bastards_inc.decide import decide, on_timeout
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, LOUNGE
from service.rules.kernel import Illegal
from tests.rules.bastards_inc.support import any_action, canonical, changed, keen_game
from tests.rules.playouts import chance_of, times

every_table = pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
some_games = times(3)
seeds = given(seed=st.integers(0, 99))


def states(seats: int, seed: int) -> list[State]:
    """Return every state of a random game in which somebody is asked, and the last one."""
    game = keen_game(seats, seed)
    return [game[0].before, *(step.after for step in game)]


@every_table
@some_games
@seeds
def test_each_of_the_54_cards_is_always_somewhere_once(seats: int, seed: int) -> None:
    for state in states(seats, seed):
        in_hands = [card for company in state.companies for card in company.hand]
        in_portfolios = [folder.card for company in state.companies for folder in company.portfolio]
        bunker = [] if state.bunker is None else ["a23"]
        assert sorted(CARDS) == sorted([*state.cards, *state.discards, *in_hands, *in_portfolios, *bunker])


@every_table
@some_games
@seeds
def test_each_of_the_18_events_is_always_somewhere_once(seats: int, seed: int) -> None:
    for state in states(seats, seed):
        assert sorted(EVENT_CARDS) == sorted([*state.events, *state.revealed])


@every_table
@some_games
@seeds
def test_numbers_stay_within_their_bounds(seats: int, seed: int) -> None:
    for state in states(seats, seed):
        assert all(0 <= stuff <= 6 for stuff in state.stuff)
        assert len(set(state.wars)) == len(state.wars) <= 3
        for company in state.companies:
            assert company.billions >= 0 and company.influence >= 0
            assert all(0 <= score <= 6 for score in company.scores)
            assert 2 <= len(company.vps) <= 4 and len(company.portfolio) <= 3
            assert all(vp.black == 0 if vp.at == LOUNGE else vp.black >= 0 for vp in company.vps)
            assert tuple(sorted(company.hand)) == company.hand


BILLIONS: Mapping[type[Any], Callable[[Any], int]] = {
    e.PricePaid: lambda event: -event.billions,
    w.MoneyTaxed: lambda event: -event.billions,
    w.SubsidyPaid: lambda event: event.billions,
    b.MoneyLaundered: lambda event: event.billions,
    b.StuffSold: lambda event: event.billions,
    c.BillionsGained: lambda event: event.billions,
}
"""Billions that an event brings all seats together; other events only move Billions, or leave them."""

INFLUENCE: Mapping[type[Any], Callable[[Any], int]] = {
    e.PricePaid: lambda event: -event.influence,
    e.BidsRevealed: lambda event: -sum(bid.influence or 0 for bid in event.bids),
    e.ArrivalForced: lambda event: -event.influence,
    w.AwardGiven: lambda event: event.influence,
    b.FeePaid: lambda event: event.influence,
    b.CampaignRun: lambda event: event.influence,
    b.PrizeBought: lambda event: -event.influence,
    b.ActExposed: lambda event: event.influence,
    c.InfluenceGained: lambda event: event.influence,
}
"""Influence that an event brings all seats together."""


def brought(ledger: Mapping[type[Any], Callable[[Any], int]], events: Iterable[Any]) -> int:
    """Return what events bring all seats together, by a ledger."""
    return sum(ledger[type(event)](event) for event in events if type(event) in ledger)


@every_table
@some_games
@seeds
def test_money_and_influence_come_and_go_as_the_events_say(seats: int, seed: int) -> None:
    for step in keen_game(seats, seed):
        before, after = step.before.companies, step.after.companies
        billions = sum(each.billions for each in after) - sum(each.billions for each in before)
        influence = sum(each.influence for each in after) - sum(each.influence for each in before)
        assert (billions, influence) == (brought(BILLIONS, step.events), brought(INFLUENCE, step.events))


@every_table
@some_games
@seeds
def test_black_money_comes_only_from_businesses(seats: int, seed: int) -> None:
    for step in keen_game(seats, seed):
        earned = sum(
            event.income * (len(event.vps) + (event.partner is not None))
            for event in step.events
            if isinstance(event, b.DealMade)
        )
        assert black(step.after) - black(step.before) <= earned


def black(state: State) -> int:
    """Return the black money on all VPs together."""
    return sum(vp.black for company in state.companies for vp in company.vps)


@every_table
@some_games
@seeds
def test_everybody_who_is_asked_may_do_something_and_all_of_it_is_accepted(seats: int, seed: int) -> None:
    for number, step in enumerate(keen_game(seats, seed)):
        for seat in step.before.asked if number % 5 == 0 else ():
            actions = legal(step.before, seat)
            assert actions and len(actions) == len(set(actions))
            assert all(decide(step.before, seat, action, chance_of(seed)) for action in actions)


@every_table
@some_games
@seeds
def test_what_is_played_for_an_absent_seat_is_always_legal(seats: int, seed: int) -> None:
    for state in states(seats, seed)[:-1]:
        for seat in state.asked:
            assert on_timeout(state, seat) in legal(state, seat)


@every_table
@some_games
@seeds
def test_whatever_is_not_legal_is_refused_and_nothing_else(seats: int, seed: int) -> None:
    lots = Random(seed)
    for step in keen_game(seats, seed):
        actions = legal(step.before, step.seat)
        for action in (
            *(changed(lots, step.before, lots.choice(actions)) for _ in range(8)),
            any_action(lots, step.before),
        ):
            listed = action in actions or canonical(step.before, step.seat, action) in actions
            assert listed == is_accepted(step.before, step.seat, action), action


def is_accepted(state: State, seat: int, action: Any) -> bool:
    """Say whether the rules accept an action."""
    try:
        return bool(decide(state, seat, action, Chance(bytes(32))))
    except Illegal:
        return False


@every_table
@some_games
@seeds
def test_the_game_ends_in_its_last_round_or_before(seats: int, seed: int) -> None:
    end = states(seats, seed)[-1]
    assert end.result is not None and end.phase == "over" and end.round <= end.rounds
    assert end.result.reason != "last-round" or end.round == end.rounds
