"""Setup and chance: B-01 to B-06."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.chance import Chance
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.edition import PLAN_DATA, REGION_DATA
from service.rules.games.bastards_inc.events import PilesShuffled, PlansDealt
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.setup import start
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, REGIONS
from service.rules.kernel import Dice, GameStarted
from tests.rules.bastards_inc.support import Loaded

DICE = Chance(bytes(32))
OF_BOB: dict[str, Any] = {"first-player": 1}
SHORT: dict[str, Any] = {"short-game": True}
every_number_of_players = pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])


def begun(seats: int = 3, chance: Dice = DICE, **options: Any) -> State:
    """Return the state in which a game begins."""
    state = evolve(None, GameStarted(ruleset="bastards-inc", revision=1, seats=seats, commitment="", nonces=()))
    for event in start(seats, options, chance):
        state = evolve(state, event)
    return state


@every_number_of_players
def test_b_01_two_to_six_players_begin_with_the_drawing_phase(seats: int) -> None:
    state = begun(seats)
    assert (1, "draw") == (state.round, state.phase)
    assert set(range(seats)) == to_act(state)


def test_b_01_the_first_start_player_is_drawn() -> None:
    assert 2 == begun(4, Loaded({"start": 3})).start_player


def test_b_01_the_host_may_fix_the_start_player() -> None:
    dice = Loaded()
    assert 1 == begun(3, dice, **OF_BOB).start_player
    assert "start" not in dice.labels


@every_number_of_players
def test_b_02_every_seat_has_a_plan_of_its_own_and_what_it_says(seats: int) -> None:
    state = begun(seats)
    assert seats == len({company.plan for company in state.companies})
    for company in state.companies:
        data = PLAN_DATA[company.plan]
        assert (data.scores, data.billions, data.influence) == (company.scores, company.billions, company.influence)


def test_b_02_plans_are_dealt_in_seat_order_as_they_were_shuffled() -> None:
    state = begun(3, Loaded({"start": 2}))
    assert ["p1", "p2", "p3"] == [company.plan for company in state.companies]


def test_b_02_vps_rest_two_each_or_three_in_the_short_game() -> None:
    assert {("VIP", "VIP")} == {tuple(vp.at for vp in company.vps) for company in begun().companies}
    short = begun(**SHORT)
    assert {("VIP", "VIP", "VIP")} == {tuple(vp.at for vp in company.vps) for company in short.companies}
    assert (7, 130, 4, 95) == (begun().rounds, begun().target, short.rounds, short.target)


def test_b_03_all_cards_and_events_lie_in_their_piles_and_nobody_has_a_card() -> None:
    state = begun()
    assert sorted(CARDS) == sorted(state.cards) and sorted(EVENT_CARDS) == sorted(state.events)
    assert list(CARDS) != list(state.cards) and list(EVENT_CARDS) != list(state.events)
    assert not any(company.hand for company in state.companies)


def test_b_04_regions_have_their_stuff_and_nothing_else_has_happened() -> None:
    state = begun()
    assert tuple(REGION_DATA[region].stuff for region in REGIONS) == state.stuff
    assert ((), None, None, None) == (state.wars, state.laureate, state.bunker, state.in_force)


def test_b_06_the_labels_of_the_setup() -> None:
    dice = Loaded({"start": 1})
    events = start(2, {}, dice)
    assert ["start", "plans", "cards:0", "events:0"] == dice.labels
    assert [tuple(sorted(CARDS))] == [event.cards for event in events if isinstance(event, PilesShuffled)]
    assert 1 == sum(isinstance(event, PlansDealt) for event in events)
