"""Laundering, sales, campaigns, hiring, the prize (B-12, B-13, B-48, B-59, B-60, B-70, B-71)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import BuyPrize, Campaign, Hire, Launder, Sell
from service.rules.games.bastards_inc.events import (
    Boom,
    CampaignRun,
    EventRevealed,
    MoneyLaundered,
    PricePaid,
    PrizeBought,
    StuffSold,
    Threshold,
    VicePresidentHired,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import State, VicePresident
from service.rules.games.bastards_inc.terms import REGIONS, Scores
from tests.rules.bastards_inc.tables import ALICE, BOB, refused, table, take

HOME = VicePresident()


def alice(*vps: Any, **fields: Any) -> State:
    """Return a table at which Alice's VPs stand so, and her company is as told."""
    return table(companies={ALICE: {"vps": vps, **fields}})


def with_stuff(state: State, region: str, stuff: int) -> State:
    return state._replace(
        stuff=tuple(stuff if each == region else n for each, n in zip(REGIONS, state.stuff, strict=True))
    )


def test_b_59_black_money_becomes_billions_and_the_vp_goes_to_the_lounge() -> None:
    taken = take(alice(("POO", 5), "VIP"), ALICE, Launder(vp=1))
    assert taken.events[0] == MoneyLaundered(seat=ALICE, vp=1, billions=5)
    own = taken.state.companies[ALICE]
    assert (own.billions, own.vps[0]) == (15, HOME)


def test_b_59_a_vp_without_black_money_cannot_launder() -> None:
    state = alice("POO", ("TLK", 3), "VIP")
    assert refused(state, ALICE, Launder(vp=1)) == ("no-black-money", "B-59")
    assert refused(state, ALICE, Launder(vp=2)) == ("not-in-a-region", None)
    assert refused(state, ALICE, Launder(vp=3)) == ("not-in-a-region", None)
    assert refused(state, ALICE, Launder(vp=4)) == ("no-such-vp", None)
    assert not [action for action in legal(state, ALICE) if isinstance(action, Launder)]


@pytest.mark.parametrize(("scores", "price"), [((4, 0), 0), ((0, 3), 0), ((3, 1), 2), ((1, 2), 2), ((1, 1), 5)])
def test_b_12_laundering_takes_the_cheaper_effort(scores: tuple[int, int], price: int) -> None:
    taken = take(alice(("TIG", 9), "VIP", scores=Scores(*scores, 0, 0)), ALICE, Launder(vp=1))
    assert taken.all(PricePaid) == ([PricePaid(seat=ALICE, billions=price, influence=0)] if price else [])


def test_b_59_laundering_needs_corruption_or_crime_in_force() -> None:
    state = alice(("KOR", 9), "VIP", scores=Scores(1, 0, 6, 6))
    higher = EventRevealed(event="e13", thresholds=(Threshold("KOR", "cor", 2),))
    taken = take(state._replace(in_force=higher), ALICE, Launder(vp=1))
    assert taken.all(PricePaid) == [PricePaid(seat=ALICE, billions=5, influence=0)]
    assert refused(alice(("SUP", 9), "VIP", scores=Scores(1, 0, 6, 6)), ALICE, Launder(vp=1)) == (
        "score-too-low",
        "B-10",
    )


def test_b_10_effort_that_cannot_be_paid_makes_an_action_illegal() -> None:
    state = alice(("TIG", 9), "VIP", scores=Scores(1, 0, 0, 0), billions=1, influence=0)
    assert refused(state, ALICE, Launder(vp=1)) == ("cannot-pay", "B-10")
    assert Launder(vp=1) not in legal(state, ALICE)


@pytest.mark.parametrize("action", [Launder(vp=1), Sell(vp=1)])
def test_b_48_no_vp_leaves_a_region_at_war_but_the_laureates(action: Launder | Sell) -> None:
    state = alice(("TIG", 3), "VIP")._replace(wars=("TIG",))
    assert refused(state, ALICE, action) == ("region-at-war", "B-48")
    assert action not in legal(state, ALICE)
    laureate = state._replace(laureate=ALICE)
    assert action in legal(laureate, ALICE)
    assert take(laureate, ALICE, action).state.companies[ALICE].vps[0] == HOME


def test_b_60_a_sale_brings_the_income_and_more_stuff() -> None:
    taken = take(alice("TIG", "VIP"), ALICE, Sell(vp=1))
    assert taken.events[0] == StuffSold(seat=ALICE, vp=1, region="TIG", billions=5)
    own = taken.state.companies[ALICE]
    assert (own.billions, own.vps[0], taken.state.stuff[REGIONS.index("TIG")]) == (15, HOME, 2)


def test_b_13_black_money_of_the_seller_is_lost() -> None:
    own = take(alice(("TIG", 7), "VIP"), ALICE, Sell(vp=1)).state.companies[ALICE]
    assert (own.billions, own.vps[0]) == (15, HOME)


def test_b_60_a_boom_brings_more() -> None:
    boom = EventRevealed(event="e11", booms=(Boom("TIG", 2),))
    taken = take(alice("TIG", "VIP")._replace(in_force=boom), ALICE, Sell(vp=1))
    assert taken.events[0] == StuffSold(seat=ALICE, vp=1, region="TIG", billions=7)


def test_b_60_a_sale_needs_technology() -> None:
    taken = take(alice("TIG", "VIP", scores=Scores(0, 0, 0, 2)), ALICE, Sell(vp=1))
    assert taken.all(PricePaid) == [PricePaid(seat=ALICE, billions=2, influence=0)]
    assert refused(alice("SUP", "VIP", scores=Scores(6, 6, 6, 1)), ALICE, Sell(vp=1)) == ("score-too-low", "B-10")


def test_b_60_a_region_with_six_buys_no_more() -> None:
    state = with_stuff(alice("TIG", "VIP"), "TIG", 6)
    assert refused(state, ALICE, Sell(vp=1)) == ("too-much-stuff", "B-60")
    assert Sell(vp=1) not in legal(state, ALICE)
    assert Sell(vp=1) in legal(with_stuff(state, "TIG", 5), ALICE)


def test_b_60_only_regions_buy() -> None:
    state = alice("TLK", "VIP")
    assert refused(state, ALICE, Sell(vp=1)) == ("not-in-a-region", None)
    assert refused(state, ALICE, Sell(vp=2)) == ("not-in-a-region", None)


@pytest.mark.parametrize("square", ["TLK", "PTY", "NWS"])
def test_b_60_a_campaign_earns_one_influence_and_the_vp_goes_to_the_lounge(square: Any) -> None:
    taken = take(alice(square, "VIP"), ALICE, Campaign(vp=1))
    assert taken.events[0] == CampaignRun(seat=ALICE, vp=1, square=square, influence=1)
    own = taken.state.companies[ALICE]
    assert (own.influence, own.vps[0]) == (6, HOME)


FAMINE = EventRevealed(event="e07", famine=True)
DISASTER = EventRevealed(event="e08", disaster=True)


@pytest.mark.parametrize("misery", [{"wars": ("POO",)}, {"in_force": FAMINE}, {"in_force": DISASTER}])
def test_b_60_the_pity_act_earns_two_while_there_is_misery(misery: Any) -> None:
    state = alice("PTY", "TLK")._replace(**misery)
    assert take(state, ALICE, Campaign(vp=1)).all(CampaignRun)[0].influence == 2
    assert take(state, ALICE, Campaign(vp=2)).all(CampaignRun)[0].influence == 1


def test_b_60_a_campaign_is_run_on_media_squares_only() -> None:
    assert refused(alice("TIG", "VIP"), ALICE, Campaign(vp=1)) == ("not-on-a-media-square", "B-60")


def test_b_60_a_vp_costs_twelve_billions_and_waits_in_the_lounge() -> None:
    taken = take(alice("TIG", "TIG", billions=13), ALICE, Hire())
    assert taken.events[:2] == (
        PricePaid(seat=ALICE, billions=12, influence=0),
        VicePresidentHired(seat=ALICE, vp=3),
    )
    assert taken.state.companies[ALICE].vps[2] == HOME


def test_b_11_a_vp_may_be_paid_in_influence_too() -> None:
    own = take(alice("TIG", "TIG", billions=10, influence=3), ALICE, Hire()).state.companies[ALICE]
    assert (own.billions, own.influence) == (0, 1)
    assert refused(alice("TIG", "TIG", billions=10, influence=1), ALICE, Hire()) == ("cannot-pay", "B-11")


def test_b_15_nobody_has_more_than_four_vps() -> None:
    state = alice("TIG", "TIG", "TIG", "TIG", billions=20)
    assert refused(state, ALICE, Hire()) == ("enough-vps", "B-15")
    assert Hire() not in legal(state, ALICE)


def test_b_70_the_prize_is_bought_from_the_bank() -> None:
    taken = take(alice("TLK", "TLK", influence=11), ALICE, BuyPrize())
    assert taken.events[0] == PrizeBought(seat=ALICE, influence=10, former=None)
    assert (taken.state.laureate, taken.state.companies[ALICE].influence) == (ALICE, 1)


def test_b_70_the_prize_is_bought_from_under_the_laureate_who_gets_nothing() -> None:
    taken = take(alice("TLK", "TLK", influence=10)._replace(laureate=BOB), ALICE, BuyPrize())
    assert taken.events[0] == PrizeBought(seat=ALICE, influence=10, former=BOB)
    assert (taken.state.laureate, taken.state.companies[BOB].influence) == (ALICE, 5)


def test_b_70_the_laureate_does_not_buy_it_again() -> None:
    state = alice("TLK", "TLK", influence=10)._replace(laureate=ALICE)
    assert refused(state, ALICE, BuyPrize()) == ("already-laureate", "B-70")
    assert BuyPrize() not in legal(state, ALICE)


def test_b_11_the_prize_takes_influence_only() -> None:
    state = alice("TLK", "TLK", influence=9, billions=50)
    assert refused(state, ALICE, BuyPrize()) == ("too-little-influence", "B-70")
    assert BuyPrize() not in legal(state, ALICE)


def test_b_71_who_is_laureate_may_leave_a_war_at_once_and_no_longer_when_it_is_gone() -> None:
    state = table(
        companies={ALICE: {"vps": ("TIG", "TLK"), "influence": 10}, BOB: {"vps": ("TIG", "TLK")}},
        wars=("TIG",),
        laureate=BOB,
    )
    after = take(state, ALICE, BuyPrize()).state
    assert Sell(vp=1) not in legal(after, BOB)
    assert Sell(vp=1) in legal(after._replace(asked=frozenset({ALICE})), ALICE)


def test_b_14_vps_with_other_black_money_are_not_alike() -> None:
    state = alice(("TIG", 1), ("TIG", 1), ("TIG", 2))
    assert [action.vp for action in legal(state, ALICE) if isinstance(action, Launder)] == [1, 3]
    assert [action.vp for action in legal(state, ALICE) if isinstance(action, Sell)] == [1, 3]
