"""Fights about arrivals: B-32 to B-34."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import Fight, Let, Place, Push, Yield
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.events import (
    ArrivalForced,
    ArrivalRepelled,
    Bid,
    BidsRevealed,
    ChallengeAnswered,
    DecisionReached,
    VicePresidentPlaced,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import State, VicePresident
from service.rules.games.bastards_inc.terms import Vp
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, DAVE, placing, play, refused, take

TALK = Place(to="TLK")
TIGERS = Place(to="TIG", by="cri")


def test_b_32_all_who_stand_there_are_asked_at_once_and_answer_unseen() -> None:
    state = placing(
        {ALICE: 1},
        seats=4,
        companies={BOB: {"vps": ("TLK", "TLK")}, CAROL: {"vps": ("TLK", "VIP"), "influence": 2}},
    )
    asked = take(state, ALICE, TALK)
    assert DecisionReached(phase="challenge", seats=(BOB, CAROL)) == asked.events[-1]
    assert [Let(), Fight(influence=0), Fight(influence=1), Fight(influence=2)] == legal(asked.state, CAROL)
    first = take(asked.state, CAROL, Fight(influence=2))
    assert (ChallengeAnswered(seat=CAROL, influence=2),) == first.events
    assert 2 == first.state.companies[CAROL].influence and frozenset({BOB}) == to_act(first.state)
    second = take(first.state, BOB, Let())
    assert BidsRevealed(bids=(Bid(BOB, None), Bid(CAROL, 2))) in second.events
    assert 0 == second.state.companies[CAROL].influence


def test_b_32_whoever_has_an_open_guard_is_not_asked() -> None:
    state = placing({ALICE: 1}, companies={BOB: {"vps": ("TLK", "TLK"), "guard": "open"}})
    assert VicePresidentPlaced(seat=ALICE, vp=1, field="TLK") in take(state, ALICE, TALK).events


def test_b_32_nobody_bids_more_influence_than_he_has() -> None:
    state = play(placing({ALICE: 1}, companies={BOB: {"vps": ("TLK", "TLK"), "influence": 1}}), (ALICE, TALK))
    assert ("not-so-much-influence", "B-32") == refused(state, BOB, Fight(influence=2))
    assert ("not-so-much-influence", "B-32") == refused(state, BOB, Fight(influence=-1))


def test_b_32_when_all_let_it_in_the_newcomer_stays() -> None:
    state = placing({ALICE: 1}, companies={BOB: {"vps": ("TLK", "TLK")}})
    taken = take(play(state, (ALICE, TALK)), BOB, Let())
    assert VicePresidentPlaced(seat=ALICE, vp=1, field="TLK") in taken.events
    assert "TLK" == taken.state.companies[ALICE].vps[0].at and taken.state.arrival is None


def fought(**alice: Any) -> State:
    """Return the table at which Bob fights with 2 Influence, and Carol lets Alice in."""
    companies = {
        ALICE: {"vps": ("VIP", ("TLK", 3)), **alice},
        BOB: {"vps": ("TLK", "TLK")},
        CAROL: {"vps": ("TLK", "VIP")},
    }
    state = placing({ALICE: 1}, companies=companies)
    return play(state, (ALICE, TALK), (BOB, Fight(influence=2)), (CAROL, Let()))


def test_b_33_the_newcomer_pays_one_more_and_the_fighters_go() -> None:
    state = fought(influence=4)
    assert ("push", [Push(), Yield()]) == (state.phase, legal(state, ALICE))
    taken = take(state, ALICE, Push())
    forced = ArrivalForced(seat=ALICE, vp=1, field="TLK", influence=3, home=(Vp(BOB, 1), Vp(BOB, 2)))
    assert [forced] == taken.all(ArrivalForced)
    assert 1 == taken.state.companies[ALICE].influence
    assert ["VIP", "VIP"] == [vp.at for vp in taken.state.companies[BOB].vps]
    assert ["TLK", "TLK"] == [vp.at for vp in taken.state.companies[ALICE].vps]


def test_b_33_whoever_gives_up_leaves_the_field_with_all_his_vps() -> None:
    taken = take(fought(influence=4), ALICE, Yield())
    repelled = ArrivalRepelled(seat=ALICE, vp=1, field="TLK", home=(Vp(ALICE, 2),), asked=True)
    assert [repelled] == taken.all(ArrivalRepelled)
    assert (VicePresident(), VicePresident()) == taken.state.companies[ALICE].vps
    assert 4 == taken.state.companies[ALICE].influence and taken.state.arrival is None
    assert ["TLK", "TLK"] == [vp.at for vp in taken.state.companies[BOB].vps]


def test_b_33_who_has_not_enough_influence_gives_up_unasked() -> None:
    state = placing({ALICE: 1}, companies={ALICE: {"influence": 2}, BOB: {"vps": ("TLK", "TLK")}})
    taken = take(play(state, (ALICE, TALK)), BOB, Fight(influence=2))
    assert [ArrivalRepelled(seat=ALICE, vp=1, field="TLK", home=(), asked=False)] == taken.all(ArrivalRepelled)


def test_b_33_a_fight_of_no_influence_costs_the_newcomer_one() -> None:
    state = placing({ALICE: 1}, companies={BOB: {"vps": ("TLK", "TLK")}})
    after = play(state, (ALICE, TALK), (BOB, Fight(influence=0)), (ALICE, Push()))
    assert (4, 5) == (after.companies[ALICE].influence, after.companies[BOB].influence)


def test_b_34_who_let_the_newcomer_in_stays() -> None:
    assert "TLK" == play(fought(influence=4), (ALICE, Push())).companies[CAROL].vps[0].at


def test_b_34_a_laureate_among_the_fighters_who_loses_goes_too() -> None:
    state = placing({ALICE: 1}, laureate=BOB, companies={BOB: {"vps": ("TIG", "VIP")}})
    after = play(state, (ALICE, TIGERS), (BOB, Fight(influence=0)), (ALICE, Push()))
    assert "VIP" == after.companies[BOB].vps[0].at and "TIG" == after.companies[ALICE].vps[0].at


@pytest.mark.parametrize("winner", [Push(), Yield()])
def test_b_30_after_a_fight_the_next_seat_places(winner: Any) -> None:
    state = placing({ALICE: 1, DAVE: 1}, seats=4, companies={BOB: {"vps": ("TLK", "VIP")}})
    after = play(state, (ALICE, TALK), (BOB, Fight(influence=0)), (ALICE, winner))
    assert ("place", frozenset({DAVE}), 0) == (after.phase, after.asked, after.bids)
