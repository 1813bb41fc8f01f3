"""Actions given ahead of time, and what may be done ahead (B-91, B-92)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import (
    Action,
    Agree,
    Campaign,
    Deal,
    Done,
    Give,
    Hire,
    Invite,
    Launder,
    Pass,
    Place,
    Play,
    Sell,
)
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import on_timeout
from service.rules.games.bastards_inc.legal import ahead, legal
from service.rules.games.bastards_inc.orders import relies_on
from service.rules.games.bastards_inc.state import Folder, State
from service.rules.games.bastards_inc.view import view
from service.rules.kernel import Illegal
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, play, table

MONEY = ["/companies/1/billions", "/companies/1/influence"]


def bobs_table(**changes: Any) -> State:
    """Return a table at which it is not Bob's turn, and Bob has VPs in the Tigers and in the Talk Circus."""
    bob = {"vps": (("TIG", 3), "TLK"), "hand": ("b13", "a06"), "portfolio": (Folder("b01", turned=False),)}
    return table(companies={ALICE: {"vps": ("RST", "TLK")}, BOB: bob, CAROL: {"vps": ("TLK", "TLK")}}, **changes)


@pytest.mark.parametrize(
    ("action", "places"),
    [
        (Launder(vp=1), ["/companies/1/vps/0", "/regions/2"]),
        (Sell(vp=1), ["/companies/1/vps/0", "/regions/2"]),
        (Campaign(vp=2), ["/companies/1/vps/1"]),
        (Deal(card="b01", vps=(1,)), ["/companies/1/vps/0", "/regions/2", "/companies/1/portfolio/0"]),
        (
            Deal(card="b13", vps=(1,), partner=Vp(seat=ALICE, vp=1)),
            ["/companies/1/vps/0", "/regions/2", "/companies/0/vps/0", "/regions/1"],
        ),
        (
            Invite(card="b13", vp=1, partner=Vp(seat=ALICE, vp=1)),
            ["/companies/1/vps/0", "/regions/2", "/companies/0/vps/0", "/regions/1"],
        ),
        (Hire(), MONEY),
        (Give(seat=ALICE, billions=2), MONEY),
        (Play(card="a06"), MONEY),
        (Play(card="a12", field="KOR"), ["/regions/3"]),
        (Play(card="a18", target=Vp(seat=ALICE, vp=2)), ["/companies/0/vps/1"]),
        (Agree(seat=ALICE), ["/companies/0/invitation"]),
        (Place(to="POO", by="cor"), ["/regions/5"]),
        (Place(to="VIP"), []),
        (Launder(vp=3), []),
        (Pass(), []),
        (Done(), []),
    ],
)
def test_b_92_an_order_rests_on_the_vps_money_businesses_and_regions_that_it_names(
    action: Action, places: list[str]
) -> None:
    assert relies_on(view(bobs_table(), BOB), action) == places


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Launder(vp=5), "no-such-vp"),
        (Agree(seat=3), "no-such-seat"),
        (Play(card="a18", target=Vp(seat=7, vp=1)), "no-such-seat"),
    ],
)
def test_b_92_what_no_turn_could_allow_is_told_beforehand(action: Action, code: str) -> None:
    with pytest.raises(Illegal) as refused:
        relies_on(view(bobs_table(), BOB), action)
    assert refused.value.code == code


def test_b_92_what_may_be_ordered_is_what_is_legal_in_the_turn_that_is_to_come() -> None:
    state = bobs_table()
    assert not legal(state, BOB)
    ordered = ahead(state, BOB)
    assert ordered == legal(play(state, (ALICE, Pass())), BOB)
    assert Launder(vp=1) in ordered


def test_b_92_what_was_done_once_in_this_turn_may_be_ordered_for_the_next() -> None:
    state = play(bobs_table(), (ALICE, Give(seat=BOB, billions=1)))
    assert not [action for action in legal(state, ALICE) if isinstance(action, Give)]
    assert [action for action in ahead(state, ALICE) if isinstance(action, Give)]


def test_b_92_nothing_is_ordered_when_the_game_is_over() -> None:
    assert not ahead(bobs_table(phase="over", asked=frozenset()), BOB)


def test_b_91_for_an_absent_seat_nothing_is_sold_hired_or_exposed() -> None:
    assert on_timeout(bobs_table(), ALICE) == Done()
