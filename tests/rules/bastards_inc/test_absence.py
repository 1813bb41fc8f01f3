"""What is played for an absent seat, and who may answer: B-07, B-08, B-90."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc.actions import (
    Collect,
    Done,
    Draw,
    Fight,
    KeepSilent,
    Let,
    OrderWars,
    Pass,
    Place,
    Sell,
    Yield,
)
from service.rules.games.bastards_inc.decide import decide, on_timeout
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import State
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, Loaded, play, refused, table

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
