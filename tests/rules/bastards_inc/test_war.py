"""The phases event and war: B-06, B-15, B-40 to B-48."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import Collect, OrderWars, Place
from service.rules.games.bastards_inc.costs import income, threshold
from service.rules.games.bastards_inc.edition import EVENT_DATA
from service.rules.games.bastards_inc.events import (
    AwardGiven,
    Boom,
    BusinessBegun,
    DecisionReached,
    EventRevealed,
    EventsReshuffled,
    GameEnded,
    MoneyTaxed,
    StuffChanged,
    SubsidyPaid,
    Threshold,
    WarBrokeOut,
    WarEnded,
    WarFought,
    WarsOrdered,
)
from service.rules.games.bastards_inc.legal import legal, may_leave
from service.rules.games.bastards_inc.state import VicePresident
from service.rules.games.bastards_inc.terms import EVENT_CARDS, REGIONS, Region, Scores, Vp
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, Loaded, Taken, play, refused, table, take

FOUR = {f"war:1:{region}": 4 for region in REGIONS}


def happens(event: str, dice: Mapping[str, int] = FOUR, **changes: Any) -> Taken:
    """Return what follows when the last VP is placed and an event is revealed."""
    companies = {seat: dict(each) for seat, each in changes.pop("companies", {}).items()}
    companies[ALICE] = {**companies.get(ALICE, {}), "free": (1,)}
    rest = tuple(each for each in EVENT_CARDS if each != event)
    state = table(**{"phase": "place", "back": True, "events": (event, *rest), "companies": companies, **changes})
    return take(state, ALICE, Place(to="VIP"), Loaded(dice))


def fought(region: Region, die: int, stuff: int, **changes: Any) -> Taken:
    """Return what follows when the only war is fought: the first event leaves that region as it is."""
    at_war = {"wars": (region,), "stuff": tuple(stuff if each == region else 3 for each in REGIONS)}
    return happens("e12" if region not in {"POO", "KOR"} else "e11", {f"war:1:{region}": die}, **at_war, **changes)


def stuff_changed(taken: Taken) -> list[tuple[str, int]]:
    """Return what Stuff has changed since the war was fought."""
    begun = next(number for number, event in enumerate(taken.events) if isinstance(event, WarFought))
    return [(event.region, event.change) for event in taken.events[begun:] if isinstance(event, StuffChanged)]


def test_b_40_the_top_event_is_revealed_and_carried_out_in_the_order_of_the_card() -> None:
    taken = happens("e01", stuff=(3,) * 6)
    revealed = taken.events.index(EventRevealed(event="e01"))
    assert (
        WarBrokeOut(region="KOR"),
        StuffChanged(region="TIG", change=-2),
        StuffChanged(region="POO", change=-1),
    ) == taken.events[revealed + 1 : revealed + 4]
    assert ("e01",) == taken.state.revealed and "e01" not in taken.state.events


def test_b_40_an_event_is_in_force_until_the_next_one_is_revealed() -> None:
    old = EventRevealed(event="e07", famine=True)
    taken = happens("e13", in_force=old, revealed=("e07",))
    thresholds = (Threshold("KOR", "cor", 2), Threshold("RST", "cor", 1))
    assert EventRevealed(event="e13", thresholds=thresholds) == taken.state.in_force
    assert ("e07", "e13") == taken.state.revealed


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("e05", {"famine": True}),
        ("e08", {"disaster": True}),
        ("e16", {"amnesty": True}),
        ("e11", {"booms": (Boom("SUP", 2),)}),
    ],
)
def test_b_40_what_lasts_stands_in_the_event(event: Any, fields: dict[str, Any]) -> None:
    assert EventRevealed(event=event, **fields) == happens(event).state.in_force


def test_b_40_the_revealed_events_are_shuffled_with_the_one_in_force_when_the_pile_is_empty() -> None:
    taken = happens("e07", events=(), revealed=("e12", "e08", "e07"), in_force=EventRevealed(event="e07"))
    assert [EventsReshuffled(events=("e07", "e08", "e12"))] == taken.all(EventsReshuffled)
    assert ((("e08", "e12")), ("e07",), 1) == (taken.state.events, taken.state.revealed, taken.state.events_shuffled)


def test_b_06_each_reshuffle_of_the_events_has_a_label_of_its_own() -> None:
    dice = Loaded(FOUR)
    state = table(
        phase="place", back=True, events=(), revealed=("e12",), events_shuffled=1, companies={ALICE: {"free": (1,)}}
    )
    take(state, ALICE, Place(to="VIP"), dice)
    assert ["events:2"] == dice.labels


def test_b_41_a_war_breaks_out_unless_there_is_one_or_there_are_three() -> None:
    assert [WarBrokeOut(region="POO")] == happens("e05").all(WarBrokeOut)
    assert [] == happens("e05", wars=("POO",)).all(WarBrokeOut)
    assert [] == happens("e05", wars=("SUP", "RST", "TIG")).all(WarBrokeOut)


def test_b_41_stuff_stays_between_none_and_six() -> None:
    taken = happens("e10", stuff=(6, 2, 2, 1, 6, 2))
    assert [StuffChanged(region="KOR", change=-1)] == taken.all(StuffChanged)


def test_b_41_peace_for_all_takes_every_marker_off() -> None:
    taken = happens("e18", wars=("TIG", "KOR"))
    assert [WarEnded(region="TIG"), WarEnded(region="KOR")] == taken.all(WarEnded)
    assert () == taken.state.wars and "business" == taken.state.phase


def test_b_41_the_tax_takes_from_all_who_have_most() -> None:
    taken = happens("e14", companies={ALICE: {"billions": 12}, BOB: {"billions": 12}, CAROL: {"billions": 11}})
    assert [MoneyTaxed(seat=ALICE, billions=5), MoneyTaxed(seat=BOB, billions=5)] == taken.all(MoneyTaxed)
    assert [7, 7, 11] == [company.billions for company in taken.state.companies]


def test_b_41_the_tax_takes_no_more_than_there_is() -> None:
    few = {ALICE: {"billions": 3}, BOB: {"billions": 0}, CAROL: {"billions": 1}}
    assert [MoneyTaxed(seat=ALICE, billions=3)] == happens("e14", companies=few).all(MoneyTaxed)
    none = {seat: {"billions": 0} for seat in (ALICE, BOB, CAROL)}
    assert [] == happens("e14", companies=none).all(MoneyTaxed)


def test_b_41_the_subsidy_is_twice_as_much_for_all_who_have_fewest() -> None:
    taken = happens("e17", companies={ALICE: {"billions": 1}, BOB: {"billions": 1}, CAROL: {"billions": 2}})
    paid = [SubsidyPaid(seat=seat, billions=billions) for seat, billions in ((ALICE, 6), (BOB, 6), (CAROL, 3))]
    assert paid == taken.all(SubsidyPaid)
    assert [7, 7, 5] == [company.billions for company in taken.state.companies]


def test_b_41_the_award_goes_to_all_with_the_highest_score() -> None:
    taken = happens("e15", companies={ALICE: {"scores": Scores(6, 6, 2, 6)}})
    assert [AwardGiven(seat=BOB, influence=2), AwardGiven(seat=CAROL, influence=2)] == taken.all(AwardGiven)
    assert [5, 7, 7] == [company.influence for company in taken.state.companies]


def test_b_41_a_boom_makes_sales_and_a_threshold_makes_entering_dearer() -> None:
    boom, dear = happens("e11").state, happens("e13").state
    assert (10, 6) == (income(boom, "SUP"), income(boom, "RST"))
    assert (3, 3, 5) == (threshold(dear, "KOR", "cor"), threshold(dear, "KOR", "cri"), threshold(dear, "RST", "cor"))


def test_b_42_one_war_is_fought_without_a_decision() -> None:
    taken = happens("e08", wars=("POO",))
    assert [WarsOrdered(seat=ALICE, regions=("POO",))] == taken.all(WarsOrdered)
    assert [] == [each for each in taken.all(DecisionReached) if each.phase == "wars"]


def test_b_42_without_a_war_business_begins() -> None:
    taken = happens("e08")
    assert [] == taken.all(WarsOrdered) and [BusinessBegun()] == taken.all(BusinessBegun)


def test_b_42_from_two_wars_on_the_start_player_names_the_whole_order() -> None:
    state = happens("e08", wars=("POO", "TIG", "KOR"), start_player=BOB).state
    assert ("wars", frozenset({BOB}), BOB) == (state.phase, state.asked, state.active)
    orders = [action.regions for action in legal(state, BOB) if isinstance(action, OrderWars)]
    assert ("TIG", "KOR", "POO") == orders[0] and 6 == len(set(orders))
    taken = take(state, BOB, OrderWars(regions=("KOR", "POO", "TIG")), Loaded(FOUR))
    assert ["KOR", "POO", "TIG"] == [event.region for event in taken.all(WarFought)]
    assert "business" == taken.state.phase


@pytest.mark.parametrize("regions", [("TIG",), ("TIG", "TIG"), ("TIG", "SUP"), ("TIG", "KOR", "SUP"), ()])
def test_b_42_an_order_names_every_war_once(regions: tuple[Region, ...]) -> None:
    state = table(phase="wars", wars=("KOR", "TIG"))
    assert ("not-all-wars-once", "B-42") == refused(state, ALICE, OrderWars(regions=regions))


@pytest.mark.parametrize(
    ("die", "stuff", "row", "loss"),
    [
        (1, 0, "skirmish", 0),
        (2, 1, "skirmish", 0),
        (2, 2, "offensive", -1),
        (3, 3, "offensive", -1),
        (3, 4, "carnage", -2),
        (3, 5, "carnage", -2),
        (5, 6, "scorched-earth", -3),
    ],
)
def test_b_43_die_and_stuff_decide_the_row_and_the_loss(die: int, stuff: int, row: str, loss: int) -> None:
    taken = fought("TIG", die, stuff)
    assert [(die, die + stuff, row)] == [(each.die, each.total, each.row) for each in taken.all(WarFought)]
    assert [("TIG", loss)] * bool(loss) == stuff_changed(taken)


def test_b_43_a_region_does_not_lose_what_it_has_not() -> None:
    assert [] == stuff_changed(fought("TIG", 5, 0))


def test_b_43_a_war_in_the_rogue_states_costs_the_uppermost_as_much_as_they_lost() -> None:
    assert [("ROG", -2), ("SUP", -2)] == stuff_changed(fought("ROG", 3, 4))
    assert [] == stuff_changed(fought("ROG", 5, 0))
    poor = happens("e12", {"war:1:ROG": 3}, wars=("ROG",), stuff=(1, 3, 3, 3, 4, 3))
    assert [("ROG", -2), ("SUP", -1)] == stuff_changed(poor)


@pytest.mark.parametrize(("die", "over"), [(1, True), (2, False), (3, False), (4, False), (5, False), (6, True)])
def test_b_44_a_one_or_a_six_takes_the_marker_after_the_result(die: int, over: bool) -> None:
    taken = fought("TIG", die, 0)
    assert over == (WarEnded(region="TIG") in taken.events) == ("TIG" not in taken.state.wars)


def test_b_46_an_intervention_costs_the_uppermost_one_and_ends_the_war() -> None:
    vps: dict[int, dict[str, Any]] = {
        ALICE: {"vps": ("VIP", ("TIG", 4))},
        BOB: {"vps": (("TIG", 2), "KOR")},
        CAROL: {"vps": (("TIG", 1), "TIG")},
    }
    taken = fought("TIG", 5, 4, companies=vps, laureate=CAROL)
    home = (Vp(ALICE, 2), Vp(BOB, 1))
    assert [WarFought(region="TIG", die=5, total=9, row="intervention", home=home)] == taken.all(WarFought)
    assert [("TIG", -2), ("SUP", -1)] == stuff_changed(taken)
    assert [WarEnded(region="TIG")] == taken.all(WarEnded)
    assert VicePresident("VIP", 0) == taken.state.companies[ALICE].vps[1]
    assert ("VIP", "KOR") == tuple(vp.at for vp in taken.state.companies[BOB].vps)
    assert (VicePresident("TIG", 1), VicePresident("TIG")) == taken.state.companies[CAROL].vps


def test_b_46_in_the_rogue_states_an_intervention_costs_one_more() -> None:
    assert [("ROG", -2), ("SUP", -2), ("SUP", -1)] == stuff_changed(fought("ROG", 5, 5))


def test_b_46_nobody_intervenes_in_the_one_superpower() -> None:
    taken = fought("SUP", 5, 4, companies={BOB: {"vps": (("SUP", 2), "KOR")}})
    assert [WarFought(region="SUP", die=5, total=9, row="intervention")] == taken.all(WarFought)
    assert [("SUP", -2)] == stuff_changed(taken)
    assert ("SUP",) == taken.state.wars and VicePresident("SUP", 2) == taken.state.companies[BOB].vps[0]
    assert () == fought("SUP", 6, 4).state.wars


def test_b_47_a_nuclear_war_ends_the_game_at_once() -> None:
    state = table(phase="wars", wars=("KOR", "TIG"), stuff=(2, 2, 6, 6, 2, 2))
    taken = take(state, ALICE, OrderWars(regions=("TIG", "KOR")), Loaded({"war:1:TIG": 6}))
    assert ["TIG"] == [event.region for event in taken.all(WarFought)]
    assert [] == taken.all(StuffChanged) + taken.all(WarEnded)
    assert ["nuclear-war"] == [event.reason for event in taken.all(GameEnded)]
    assert ("over", frozenset()) == (taken.state.phase, taken.state.asked)
    assert ("game-over", None) == refused(taken.state, ALICE, OrderWars(regions=("KOR", "TIG")))


def test_b_48_vps_in_a_region_at_war_do_not_leave_it_but_the_laureates_may() -> None:
    state = table(wars=("TIG",), laureate=BOB)
    assert not may_leave(state, ALICE, "TIG") and may_leave(state, BOB, "TIG")
    assert may_leave(state, ALICE, "KOR") and may_leave(state, ALICE, "TLK") and not may_leave(state, BOB, "VIP")


def test_b_48_a_seat_whose_vps_are_all_at_war_is_not_asked_to_collect() -> None:
    state = table(
        phase="collect",
        wars=("TIG",),
        asked=frozenset({BOB}),
        companies={ALICE: {"vps": ("TIG", "VIP")}, BOB: {"vps": ("KOR", "VIP")}},
    )
    assert "TIG" == play(state, (BOB, Collect(vps=(1,)))).companies[ALICE].vps[0].at


def test_b_06_a_region_is_fought_over_by_a_label_of_its_round() -> None:
    dice = Loaded({"war:5:KOR": 2, "war:5:TIG": 2})
    take(table(phase="wars", round=5, wars=("KOR", "TIG")), ALICE, OrderWars(regions=("TIG", "KOR")), dice)
    assert ["war:5:TIG", "war:5:KOR"] == dice.labels


@pytest.mark.parametrize("event", EVENT_CARDS)
def test_b_15_every_event_keeps_stuff_and_wars_within_their_bounds(event: Any) -> None:
    for stuff in (0, 6):
        state = happens(event, stuff=(stuff,) * 6, wars=("SUP", "RST")).state
        assert all(0 <= each <= 6 for each in state.stuff) and len(state.wars) <= 3
    assert EVENT_DATA[event]
