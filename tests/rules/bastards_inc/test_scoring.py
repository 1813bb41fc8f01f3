"""Worth and the end of the game (B-80 to B-82)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import OrderWars, Pass
from service.rules.games.bastards_inc.events import GameEnded, RoundBegun, RoundEnded
from service.rules.games.bastards_inc.scoring import outcome, standings, worth
from service.rules.games.bastards_inc.state import State
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, Loaded, Taken, table, take


def ending(companies: Mapping[int, Mapping[str, Any]] = {}, **changes: Any) -> Taken:
    """Return what follows when the business phase ends with Alice's pass: nobody else has anything to do."""
    idle = {
        seat: {"billions": 5, "influence": 2, "vps": ("VIP", "VIP"), **companies.get(seat, {})} for seat in range(3)
    }
    idle[ALICE] = {**idle[ALICE], "vps": (*idle[ALICE]["vps"][1:], "TLK"), "done": False}
    rest = {seat: {**each, "done": True} for seat, each in idle.items() if seat != ALICE}
    return take(table(companies={ALICE: idle[ALICE], **rest}, **changes), ALICE, Pass())


def test_b_81_worth_is_billions_three_for_each_influence_and_twelve_for_the_prize() -> None:
    state = table(companies={ALICE: {"billions": 7, "influence": 4}}, laureate=ALICE)
    assert worth(state, ALICE) == 7 + 3 * 4 + 12


def test_b_81_black_money_cards_and_vps_count_nothing() -> None:
    rich = {"vps": (("TIG", 9), ("POO", 5), "VIP"), "hand": ("a03", "b01")}
    state = table(companies={ALICE: rich})
    assert worth(state, ALICE) == worth(state, BOB)


def test_b_80_the_game_ends_after_the_last_round() -> None:
    taken = ending({ALICE: {"billions": 9}}, round=7)
    assert taken.events[-2:] == (
        RoundEnded(round=7, worths=(15, 11, 11)),
        GameEnded(reason="last-round", winners=(ALICE,), worths=(15, 11, 11)),
    )
    assert (taken.state.phase, taken.state.asked) == ("over", frozenset())


def test_b_80_the_game_ends_after_a_round_in_which_somebody_reached_the_target() -> None:
    taken = ending({BOB: {"billions": 124}}, round=3)
    assert taken.all(GameEnded) == [GameEnded(reason="target", winners=(BOB,), worths=(11, 130, 11))]
    assert not ending({BOB: {"billions": 123}}, round=3).all(GameEnded)


def test_b_80_otherwise_the_seat_after_the_start_player_is_the_next() -> None:
    taken = ending(round=3, start_player=CAROL)
    assert taken.all(RoundBegun) == [RoundBegun(round=4, start_player=ALICE)]


@pytest.mark.parametrize(
    ("companies", "winners"),
    [
        ({ALICE: {"billions": 8, "influence": 1}, BOB: {"billions": 5, "influence": 2}}, (BOB, CAROL)),
        ({ALICE: {"vps": ("VIP", "VIP", "VIP")}}, (ALICE,)),
        ({BOB: {"billions": 2, "influence": 3}}, (BOB,)),
        ({ALICE: {"vps": ("VIP", "VIP", "VIP")}, BOB: {"billions": 2, "influence": 3}}, (BOB,)),
        ({}, (ALICE, BOB, CAROL)),
    ],
)
def test_b_81_ties_go_to_influence_then_to_vps_then_they_are_shared(companies: Any, winners: tuple[int, ...]) -> None:
    taken = ending(companies, round=7)
    assert set(taken.state.result.worths) == {11}  # type: ignore[union-attr]
    assert taken.state.result.winners == winners  # type: ignore[union-attr]


def nuclear(**changes: Any) -> State:
    """Return the table after a nuclear war in the Tigers, and before one in Corruptistan."""
    state = table(phase="wars", wars=("TIG", "KOR"), stuff=(2, 2, 6, 1, 1, 1), **changes)
    return take(state, ALICE, OrderWars(regions=("TIG", "KOR")), Loaded({"war:1:TIG": 6})).state


def test_b_82_in_a_nuclear_war_everybody_has_lost() -> None:
    state = nuclear(laureate=BOB)
    assert state.result == GameEnded(reason="nuclear-war", winners=(), worths=(0, 0, 0))
    assert outcome(state) == {"winners": [], "scores": [0, 0, 0], "reason": "nuclear-war"}


def test_b_82_but_the_owner_of_the_bunker_who_wins_alone_with_his_own_worth() -> None:
    state = nuclear(bunker=CAROL, companies={CAROL: {"billions": 1, "influence": 2}})
    assert outcome(state) == {"winners": [CAROL], "scores": [0, 0, 7], "reason": "nuclear-war"}


def test_b_81_standings_say_what_everybody_is_worth_and_who_leads() -> None:
    state = table(companies={ALICE: {"billions": 7, "influence": 4}}, laureate=ALICE, stuff=(2,) * 6)
    told = standings(state, None)
    assert told["companies"][ALICE] == {"seat": ALICE, "billions": 7, "influence": 4, "prize": 12, "worth": 31}
    assert (told["companies"][BOB]["worth"], told["winners"], told["reason"]) == (25, [ALICE], None)


def test_b_82_standings_after_a_nuclear_war_say_that_nobody_is_worth_anything() -> None:
    told = standings(nuclear(), ALICE)
    assert [each["worth"] for each in told["companies"]] == [0, 0, 0]
    assert (told["winners"], told["reason"]) == ([], "nuclear-war")


def test_b_80_a_running_game_has_no_outcome() -> None:
    assert outcome(table()) is None
