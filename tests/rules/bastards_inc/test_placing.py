"""Collecting and placing: B-13, B-16, B-23, B-30, B-31, B-35."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import Collect, Fight, Instruct, Let, Place, Push, Yield
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.events import (
    ArrivalForced,
    ArrivalRepelled,
    Bid,
    BidsRevealed,
    ChallengeAnswered,
    CollectionChosen,
    DecisionReached,
    EventRevealed,
    PapersUsed,
    PricePaid,
    Threshold,
    TurnBegan,
    VicePresidentArrived,
    VicePresidentPlaced,
    VicePresidentRested,
    VicePresidentsCollected,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import State, VicePresident
from service.rules.games.bastards_inc.terms import Scores, Vp
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, DAVE, placing, play, refused, table, take

HOME = Place(to="VIP")
TALK = Place(to="TLK")
TIGERS = Place(to="TIG", by="cri")


def turns_of(state: State) -> list[int]:
    """Send all VPs to the Lounge; return who was asked, one after the other."""
    asked: list[int] = []
    while state.phase == "place":
        asked.append(*to_act(state))
        state = play(state, (asked[-1], HOME))
    return asked


def test_b_23_whoever_has_a_vp_on_a_field_chooses_which_to_collect() -> None:
    state = table(phase="collect", companies={ALICE: {"vps": ("TIG", "TLK")}})
    sets = [(), (1,), (2,), (1, 2)]
    assert sets == [action.vps for action in legal(state, ALICE) if isinstance(action, Collect)]


def test_b_23_answers_are_revealed_at_once_and_then_all_in_the_lounge_are_free() -> None:
    state = table(
        phase="collect",
        asked=frozenset({ALICE, BOB}),
        start_player=BOB,
        companies={ALICE: {"vps": ("TIG", ("KOR", 4))}, BOB: {"vps": ("TLK", "VIP")}},
    )
    first = take(state, ALICE, Collect(vps=(2,)))
    assert (CollectionChosen(seat=ALICE, vps=(2,)),) == first.events
    second = take(first.state, BOB, Collect(vps=(1,)))
    collected = [VicePresidentsCollected(seat=BOB, vps=(1,)), VicePresidentsCollected(seat=ALICE, vps=(2,))]
    assert collected == second.all(VicePresidentsCollected)
    assert [(2,), (1, 2), (1, 2)] == [company.free for company in second.state.companies]


def test_b_23_vps_at_war_stay_but_for_the_laureates() -> None:
    state = table(phase="collect", wars=("TIG",), companies={ALICE: {"vps": ("TIG", "TLK")}})
    assert [(), (2,)] == [action.vps for action in legal(state, ALICE) if isinstance(action, Collect)]
    assert ("vp-cannot-leave", "B-23") == refused(state, ALICE, Collect(vps=(1,)))
    assert Collect(vps=(1, 2)) in legal(state._replace(laureate=ALICE), ALICE)


def test_b_23_a_vp_in_the_lounge_is_not_collected_and_sets_are_named_in_order() -> None:
    state = table(phase="collect", companies={ALICE: {"vps": ("VIP", "TLK", "TLK")}})
    assert ("vp-cannot-leave", "B-23") == refused(state, ALICE, Collect(vps=(1,)))
    assert ("not-in-rising-order", "B-23") == refused(state, ALICE, Collect(vps=(3, 2)))
    assert ("not-in-rising-order", "B-23") == refused(state, ALICE, Collect(vps=(2, 2)))
    assert ("vp-cannot-leave", "B-23") == refused(state, ALICE, Collect(vps=(5,)))


def test_b_23_a_vp_sent_to_the_lounge_later_is_not_free() -> None:
    state = placing({ALICE: 1, BOB: 1}, companies={BOB: {"vps": ("VIP", "TLK")}})
    state = play(state, (ALICE, TALK), (BOB, Fight(influence=0)), (ALICE, Push()))
    assert (1,) == state.companies[BOB].free


def test_b_13_a_vp_that_leaves_a_field_loses_its_black_money() -> None:
    state = table(phase="collect", companies={ALICE: {"vps": (("TIG", 5), ("TLK", 3))}})
    after = play(state, (ALICE, Collect(vps=(1,))))
    assert (VicePresident("VIP", 0), VicePresident("TLK", 3)) == after.companies[ALICE].vps


def test_b_30_one_each_clockwise_the_last_all_then_back_the_rest() -> None:
    state = placing({ALICE: 3, BOB: 2, CAROL: 3})
    assert [ALICE, BOB, CAROL, CAROL, CAROL, BOB, ALICE, ALICE] == turns_of(state)


def test_b_30_from_the_start_player_clockwise() -> None:
    state = placing({ALICE: 2, BOB: 2, CAROL: 2}, start_player=BOB, active=BOB, asked=frozenset({BOB}))
    assert [BOB, CAROL, ALICE, ALICE, CAROL, BOB] == turns_of(state)


def test_b_30_two_players_place_one_all_the_rest() -> None:
    assert [ALICE, BOB, BOB, ALICE, ALICE] == turns_of(placing({ALICE: 3, BOB: 2}, seats=2))


def test_b_30_seats_without_a_free_vp_are_left_out() -> None:
    assert [ALICE, BOB, BOB, ALICE] == turns_of(placing({ALICE: 2, BOB: 2}))
    assert [ALICE, CAROL, ALICE] == turns_of(placing({ALICE: 2, CAROL: 1}))


def test_b_30_only_one_seat_with_free_vps_places_all_of_them() -> None:
    busy = {seat: {"vps": ("TLK", "TLK")} for seat in (ALICE, BOB)}
    state = table(phase="collect", asked=frozenset({CAROL}), companies={**busy, CAROL: {"vps": ("TLK", "TLK")}})
    taken = take(state, CAROL, Collect(vps=(1, 2)))
    assert [TurnBegan(seat=CAROL, back=True)] == taken.all(TurnBegan)
    assert [CAROL, CAROL] == turns_of(taken.state)


def test_b_30_each_placement_is_a_decision_of_its_own() -> None:
    taken = take(placing({ALICE: 1, BOB: 2}), ALICE, HOME)
    assert (
        VicePresidentRested(seat=ALICE, vp=1),
        TurnBegan(seat=BOB, back=True),
        DecisionReached(phase="place", seats=(BOB,)),
    ) == taken.events
    again = take(taken.state, BOB, HOME)
    assert (VicePresidentRested(seat=BOB, vp=1), DecisionReached(phase="place", seats=(BOB,))) == again.events


def test_b_31_a_region_is_entered_by_corruption_or_crime() -> None:
    state = placing({ALICE: 2}, companies={ALICE: {"scores": Scores(3, 3, 3, 3)}})
    cheap = take(state, ALICE, Place(to="TIG", by="cri"))
    assert VicePresidentArrived(seat=ALICE, vp=1, field="TIG", by="cri") == cheap.events[0]
    assert VicePresidentPlaced(seat=ALICE, vp=1, field="TIG") == cheap.events[1]
    assert "TIG" == cheap.state.companies[ALICE].vps[0].at
    dear = take(state, ALICE, Place(to="TIG", by="cor"))
    assert PricePaid(seat=ALICE, billions=2, influence=0) == dear.events[0]


def test_b_31_the_event_in_force_makes_entering_dearer() -> None:
    event = EventRevealed(event="e13", thresholds=(Threshold("KOR", "cor", 2),))
    state = placing({ALICE: 2}, in_force=event, companies={ALICE: {"scores": Scores(2, 3, 3, 3)}})
    assert [PricePaid(seat=ALICE, billions=2, influence=0)] == take(state, ALICE, Place(to="KOR", by="cor")).all(
        PricePaid
    )
    assert [] == take(state, ALICE, Place(to="KOR", by="cri")).all(PricePaid)


def test_b_31_a_media_square_takes_media_power() -> None:
    state = placing({ALICE: 2}, companies={ALICE: {"scores": Scores(3, 3, 1, 3)}})
    assert [] == take(state, ALICE, TALK).all(PricePaid)
    assert [5] == [paid.billions for paid in take(state, ALICE, Place(to="NWS")).all(PricePaid)]


def test_b_31_in_a_region_at_war_nobody_places() -> None:
    state = placing({ALICE: 2}, wars=("TIG",), companies={ALICE: {"hand": ("a27",)}})
    assert ("region-at-war", "B-31") == refused(state, ALICE, TIGERS)
    assert ("region-at-war", "B-31") == refused(state, ALICE, Place(to="TIG", by="papers"))
    assert not [action for action in legal(state, ALICE) if isinstance(action, Place) and action.to == "TIG"]


def test_b_31_the_lounge_is_always_legal() -> None:
    nobody = {"scores": Scores(0, 0, 0, 0), "billions": 0, "influence": 0}
    places = legal(placing({ALICE: 2}, companies={ALICE: nobody}), ALICE)
    assert [HOME] == [action for action in places if isinstance(action, Place)]


def test_b_31_how_a_region_is_entered_is_named_and_only_there() -> None:
    state = placing({ALICE: 2})
    assert ("score-not-named", "B-31") == refused(state, ALICE, Place(to="TIG"))
    assert ("not-laureate", "B-31") == refused(state, ALICE, Place(to="TIG", by="prize"))
    assert ("only-regions-are-entered-by", "B-31") == refused(state, ALICE, Place(to="TLK", by="cor"))
    assert ("only-regions-are-entered-by", "B-31") == refused(state, ALICE, Place(to="VIP", by="cri"))


def test_b_31_the_laureate_enters_any_region_free_at_war_too_and_nobody_is_asked() -> None:
    none = Scores(0, 0, 0, 0)
    state = placing(
        {ALICE: 2}, laureate=ALICE, wars=("SUP",), companies={ALICE: {"scores": none}, BOB: {"vps": ("SUP", "VIP")}}
    )
    taken = take(state, ALICE, Place(to="SUP", by="prize"))
    assert "SUP" == taken.state.companies[ALICE].vps[0].at and [] == taken.all(PricePaid)
    assert [("SUP", "prize")] == [
        (action.to, action.by) for action in legal(state, ALICE) if isinstance(action, Place) and action.to == "SUP"
    ]
    assert ("laureate-enters-by-prize", "B-31") == refused(state, ALICE, Place(to="SUP", by="cor"))


def test_b_31_on_media_squares_the_laureate_is_like_anybody() -> None:
    state = placing(
        {ALICE: 2}, laureate=ALICE, companies={ALICE: {"scores": Scores(0, 0, 0, 0)}, BOB: {"vps": ("TLK", "VIP")}}
    )
    taken = take(state, ALICE, TALK)
    assert [2] == [paid.billions for paid in taken.all(PricePaid)]
    assert ("challenge", frozenset({BOB})) == (taken.state.phase, taken.state.asked)


def test_b_31_the_lowest_numbered_free_vp_is_placed() -> None:
    state = table(phase="place", back=True, companies={ALICE: {"vps": ("TLK", "VIP", "VIP"), "free": (2, 3)}})
    taken = take(state, ALICE, TALK)
    assert VicePresidentPlaced(seat=ALICE, vp=2, field="TLK") in taken.events
    assert (3,) == taken.state.companies[ALICE].free


def test_b_31_the_effort_is_paid_whatever_comes_of_it() -> None:
    state = placing({ALICE: 2}, companies={ALICE: {"influence": 0}, BOB: {"vps": ("RST", "VIP")}})
    after = play(state, (ALICE, Place(to="RST", by="cor")), (BOB, Fight(influence=0)))
    assert 8 == after.companies[ALICE].billions and "VIP" == after.companies[ALICE].vps[0].at


def test_b_35_the_diplomatic_passport_enters_without_a_score_and_can_be_fought() -> None:
    companies = {
        ALICE: {"scores": Scores(0, 0, 0, 0), "hand": ("a27",)},
        BOB: {"vps": ("SUP", "VIP")},
    }
    state = placing({ALICE: 1}, companies=companies)
    taken = take(state, ALICE, Place(to="SUP", by="papers"))
    assert PapersUsed(seat=ALICE, card="a27") == taken.events[0]
    assert VicePresidentArrived(seat=ALICE, vp=1, field="SUP", by="papers") == taken.events[1]
    assert ((), ("a27",)) == (taken.state.companies[ALICE].hand, taken.state.discards)
    assert "challenge" == taken.state.phase


def test_b_35_without_the_card_there_is_no_passport() -> None:
    assert ("card-not-in-hand", "B-35") == refused(placing({ALICE: 1}), ALICE, Place(to="TIG", by="papers"))


def test_b_16_instructions_are_given_while_placing_and_the_turn_goes_on() -> None:
    state = placing({ALICE: 2})
    after = play(state, (ALICE, Instruct(instruction="guard", setting="open")))
    assert ("place", frozenset({ALICE}), state.decision + 1) == (after.phase, after.asked, after.decision)
    assert after.companies[ALICE].free == state.companies[ALICE].free


# Fights about arrivals: B-32 to B-34.


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
