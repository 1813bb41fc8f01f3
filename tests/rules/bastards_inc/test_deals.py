"""Businesses (B-10, B-14, B-57, B-58)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import Deal
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.edition import BUSINESS_DATA
from service.rules.games.bastards_inc.events import BusinessTurned, DealMade, PricePaid
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, State, VicePresident
from service.rules.games.bastards_inc.terms import Scores
from tests.rules.bastards_inc.tables import ALICE, BOB, refused, table, take


def alice(*vps: Any, **fields: Any) -> State:
    """Return a table at which Alice's VPs stand so, and her company is as told."""
    return table(companies={ALICE: {"vps": vps, **fields}})


def deals(state: State) -> list[Deal]:
    return [action for action in legal(state, ALICE) if isinstance(action, Deal)]


def test_b_58_a_business_puts_its_income_on_the_vp_and_lies_turned_in_the_portfolio() -> None:
    taken = take(alice("TIG", "VIP", hand=("b01",)), ALICE, Deal(card="b01", vps=(1,)))
    assert taken.events[:2] == (
        BusinessTurned(seat=ALICE, card="b01", from_hand=True),
        DealMade(seat=ALICE, card="b01", vps=(1,), income=3),
    )
    own = taken.state.companies[ALICE]
    assert (own.vps[0], own.hand, own.portfolio) == (VicePresident("TIG", 3), (), (Folder("b01", turned=True),))


def test_b_58_a_business_for_two_puts_its_income_on_each() -> None:
    own = take(alice("TIG", ("SUP", 2), hand=("b13",)), ALICE, Deal(card="b13", vps=(1, 2))).state.companies[ALICE]
    assert own.vps == (VicePresident("TIG", 3), VicePresident("SUP", 5))


def test_b_58_the_vps_of_a_business_for_two_are_named_in_any_order_that_fits() -> None:
    state = alice("TIG", ("SUP", 2), hand=("b13",))
    assert (
        take(state, ALICE, Deal(card="b13", vps=(2, 1))).events
        == take(state, ALICE, Deal(card="b13", vps=(1, 2))).events
    )
    old = state._replace(revision=1)
    assert refused(old, ALICE, Deal(card="b13", vps=(2, 1))) == ("wrong-region", "B-58")
    assert refused(state, ALICE, Deal(card="b13", vps=(2, 2))) == ("wrong-region", "B-58")


def test_b_58_a_business_that_lies_upright_is_used_again() -> None:
    folders = (Folder("b01", turned=False), Folder("b08", turned=False))
    own = take(alice("TIG", "VIP", portfolio=folders), ALICE, Deal(card="b01", vps=(1,))).state.companies[ALICE]
    assert own.portfolio == (Folder("b01", turned=True), Folder("b08", turned=False))


def test_b_58_a_turned_business_is_done_for_this_round() -> None:
    state = alice("TIG", "VIP", portfolio=(Folder("b01", turned=True),))
    assert refused(state, ALICE, Deal(card="b01", vps=(1,))) == ("business-turned", "B-58")
    assert not deals(state)


def test_b_58_a_fourth_business_takes_the_place_of_one_that_is_named() -> None:
    folders = tuple(Folder(card, turned=card == "b03") for card in ("b02", "b03", "b04"))  # type: ignore[arg-type]
    state = alice("TIG", "VIP", hand=("b01",), portfolio=folders)
    assert refused(state, ALICE, Deal(card="b01", vps=(1,))) == ("portfolio-full", "B-58")
    assert [deal.replaces for deal in deals(state) if deal.card == "b01"] == ["b02", "b03", "b04"]
    after = take(state, ALICE, Deal(card="b01", vps=(1,), replaces="b03")).state
    assert [folder.card for folder in after.companies[ALICE].portfolio] == ["b02", "b01", "b04"]
    assert after.discards == ("b03",)


def test_b_58_nothing_is_replaced_where_there_is_room() -> None:
    state = alice("TIG", "VIP", hand=("b01",), portfolio=(Folder("b02", turned=False),))
    assert refused(state, ALICE, Deal(card="b01", vps=(1,), replaces="b02")) == ("nothing-to-replace", "B-58")


def test_b_58_only_a_business_of_the_portfolio_is_replaced() -> None:
    folders = tuple(Folder(card, turned=False) for card in ("b02", "b03", "b04"))  # type: ignore[arg-type]
    state = alice("TIG", "VIP", hand=("b01",), portfolio=folders)
    assert refused(state, ALICE, Deal(card="b01", vps=(1,), replaces="b09")) == ("card-not-in-hand", "B-58")


def test_b_58_a_vp_for_each_slot_stands_in_a_region_of_it() -> None:
    state = alice("TIG", "POO", "SUP", hand=("b13",))
    assert refused(state, ALICE, Deal(card="b13", vps=(1, 2))) == ("wrong-region", "B-58")
    assert refused(state, ALICE, Deal(card="b13", vps=(1,))) == ("wrong-number-of-vps", "B-58")
    assert refused(state, ALICE, Deal(card="b13", vps=(1, 2, 3))) == ("wrong-number-of-vps", "B-58")
    assert refused(state, ALICE, Deal(card="b13", vps=(1, 4))) == ("no-such-vp", None)
    assert deals(state) == [Deal(card="b13", vps=(1, 3))]


def test_b_58_a_card_of_nobody_is_not_made() -> None:
    assert refused(alice("TIG", "VIP"), ALICE, Deal(card="b01", vps=(1,))) == ("card-not-in-hand", "B-58")


def test_b_58_a_region_at_war_is_no_obstacle() -> None:
    state = alice("TIG", "VIP", hand=("b01",))._replace(wars=("TIG",))
    assert take(state, ALICE, Deal(card="b01", vps=(1,))).all(DealMade)


@pytest.mark.parametrize(("tec", "price"), [(4, 0), (3, 2), (2, 5), (1, 9)])
def test_b_10_missing_points_are_bought_with_the_business(tec: int, price: int) -> None:
    state = alice("SUP", "VIP", hand=("b06",), scores=Scores(3, 3, 3, tec), billions=9, influence=0)
    taken = take(state, ALICE, Deal(card="b06", vps=(1,)))
    assert taken.state.companies[ALICE].billions == 9 - price
    assert taken.all(PricePaid) == ([PricePaid(seat=ALICE, billions=price, influence=0)] if price else [])


def test_b_10_four_missing_points_are_too_many_and_a_price_that_cannot_be_paid_too() -> None:
    state = alice("SUP", "VIP", hand=("b06",), scores=Scores(3, 3, 3, 0), billions=90)
    assert refused(state, ALICE, Deal(card="b06", vps=(1,))) == ("score-too-low", "B-10")
    poor = alice("SUP", "VIP", hand=("b06",), scores=Scores(3, 3, 3, 2), billions=3, influence=1)
    assert refused(poor, ALICE, Deal(card="b06", vps=(1,)))[0] == "cannot-pay"
    assert not deals(state)
    assert not deals(poor)


def test_b_11_effort_is_paid_in_billions_first_and_the_rest_in_influence() -> None:
    state = alice("SUP", "VIP", hand=("b06",), scores=Scores(3, 3, 3, 2), billions=3, influence=4)
    assert take(state, ALICE, Deal(card="b06", vps=(1,))).all(PricePaid) == [
        PricePaid(seat=ALICE, billions=3, influence=2)
    ]


def test_b_14_vps_that_are_alike_are_named_once_and_each_of_them_is_accepted() -> None:
    state = alice("TIG", "TIG", ("TIG", 2), hand=("b01",))
    assert [deal.vps for deal in deals(state)] == [(1,), (3,)]
    assert take(state, ALICE, Deal(card="b01", vps=(2,))).state.companies[ALICE].vps[1].black == 3


def test_b_57_without_a_partner_there_is_no_side_payment() -> None:
    state = alice("TIG", "VIP", hand=("b01",))
    assert refused(state, ALICE, Deal(card="b01", vps=(1,), pay=2)) == ("no-partner", "B-57")


def test_b_55_a_business_for_one_has_no_partner() -> None:
    state = table(
        companies={ALICE: {"vps": ("TIG", "VIP"), "hand": ("b01",)}, BOB: {"vps": ("TIG",), "venture": "open"}}
    )
    venture = Deal(card="b01", vps=(1,), partner=Vp(seat=BOB, vp=1))
    assert refused(state, ALICE, venture) == ("wrong-number-of-vps", "B-58")


def test_b_55_no_two_slots_of_a_business_share_a_region() -> None:
    pairs = [data.slots for data in BUSINESS_DATA.values() if len(data.slots) == 2]
    assert pairs
    assert not [slots for slots in pairs if set(slots[0]) & set(slots[1])]
