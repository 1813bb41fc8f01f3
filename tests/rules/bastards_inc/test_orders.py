"""Actions given ahead of time, and what may be done ahead (B-91, B-92)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc.actions import (
    Action,
    Agree,
    Campaign,
    Collect,
    Deal,
    Done,
    Draw,
    Fight,
    Give,
    Hire,
    Invite,
    KeepSilent,
    Launder,
    Let,
    OrderWars,
    Pass,
    Place,
    Play,
    Sell,
    Yield,
)
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import decide, on_timeout
from service.rules.games.bastards_inc.legal import ahead, legal
from service.rules.games.bastards_inc.orders import draw_at_once, relies_on, wars_in_order
from service.rules.games.bastards_inc.state import Folder, State
from service.rules.games.bastards_inc.view import view
from service.rules.kernel import Illegal
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, Loaded, play, refused, table

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


# Answers for a whole game (T-34).


def test_b_20_cards_are_drawn_at_once_without_discards_or_a_bonus() -> None:
    state = table(phase="draw", companies={ALICE: {"hand": ("a01",)}})
    assert draw_at_once(view(state, ALICE), legal(state, ALICE)) == Draw(bonus=0)
    assert draw_at_once(view(table(), ALICE), [Pass()]) is None


def test_b_42_wars_are_fought_from_the_top_of_the_pyramid_down() -> None:
    state = table(phase="wars", wars=("POO", "SUP", "TIG"))
    assert wars_in_order(view(state, ALICE), legal(state, ALICE)) == OrderWars(regions=("SUP", "TIG", "POO"))
    assert wars_in_order(view(table(), ALICE), [Pass()]) is None


# Absent seats, and seats that may answer (B-07, B-08, B-90).

FREE = {"free": (1,)}
ON_TALK = {"vps": ("TLK", "VIP")}


def arrived() -> State:
    """Return the table at which Bob is asked about Alice's arrival."""
    return play(
        table(phase="place", back=True, companies={ALICE: FREE, BOB: ON_TALK}),
        (ALICE, Place(to="TLK")),
        chance=Loaded(),
    )


def announced() -> State:
    """Return the table at which Bob may expose what Alice sells to the Have-Nots."""
    companies = {ALICE: {"vps": ("POO", "VIP")}, BOB: {"vps": ("NWS", "VIP")}}
    return play(table(stuff=(2, 2, 1, 1, 1, 3), companies=companies), (ALICE, Sell(vp=1)))


@pytest.mark.parametrize(
    ("state", "seat", "action"),
    [
        (table(phase="draw"), ALICE, Draw(bonus=0)),
        (table(phase="collect", companies={ALICE: ON_TALK}), ALICE, Collect(vps=())),
        (table(phase="place", back=True, companies={ALICE: FREE}), ALICE, Place(to="VIP")),
        (arrived(), BOB, Let()),
        (play(arrived(), (BOB, Fight(influence=0))), ALICE, Yield()),
        (table(phase="wars", wars=("POO", "SUP")), ALICE, OrderWars(regions=("SUP", "POO"))),
        (table(), ALICE, Done()),
        (announced(), BOB, KeepSilent()),
    ],
    ids=["draw", "collect", "place", "challenge", "push", "wars", "business", "expose"],
)
def test_b_90_what_is_played_for_an_absent_seat_is_legal(state: State, seat: int, action: Any) -> None:
    assert action == on_timeout(state, seat)
    assert action in legal(state, seat)
    assert decide(state, seat, action, Loaded())


def test_b_07_the_decision_rises_with_each_action_of_a_single_seat() -> None:
    state = table(phase="place", back=True, companies={ALICE: {"free": (1, 2)}})
    assert state.decision + 1 == play(state, (ALICE, Place(to="VIP"))).decision


def test_b_07_a_simultaneous_decision_rises_once_with_the_last_answer() -> None:
    state = table(phase="draw", asked=frozenset({ALICE, BOB, CAROL}))
    first = play(state, (BOB, Draw(bonus=0)), (CAROL, Draw(bonus=0)))
    assert state.decision == first.decision
    assert state.decision + 1 == play(first, (ALICE, Draw(bonus=0))).decision


def test_b_08_whoever_is_not_asked_may_not_act() -> None:
    assert ("not-your-turn", None) == refused(table(), BOB, Pass())
    assert [] == legal(table(), BOB)


def test_b_08_an_action_of_another_phase_answers_no_decision() -> None:
    assert ("other-decision-due", None) == refused(table(), ALICE, Draw(bonus=0))
    assert ("other-decision-due", None) == refused(table(phase="place", companies={ALICE: FREE}), ALICE, Pass())


def test_nobody_plays_but_players() -> None:
    assert RULESET.automaton(table()) is None
