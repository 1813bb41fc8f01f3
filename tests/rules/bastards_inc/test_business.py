"""The business phase: turns, passes, waking, instructions and gifts (B-16, B-50 to B-54, B-73)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import (
    BuyPrize,
    Campaign,
    Done,
    Expose,
    Give,
    Instruct,
    Invite,
    OrderWars,
    Pass,
    Place,
    Play,
)
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.events import (
    BusinessBegun,
    DecisionReached,
    FeePaid,
    GameEnded,
    InstructionGiven,
    MoneyGiven,
    RoundEnded,
    SeatWoken,
    TurnBegan,
    TurnPassed,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, Invitation, State, updated
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, Loaded, refused, table, take

ON_AIR = {"vps": ("TLK", "TLK")}
IDLE = {"influence": 0}
"""Nothing to do, and too little to hire anybody."""
FULL = (6,) * 6


def everybody(seats: int = 3, **fields: Any) -> dict[int, dict[str, Any]]:
    """Return companies that all have two VPs on a media square, and so something to do."""
    return {seat: {**ON_AIR, **fields} for seat in range(seats)}


def asked_after(state: State, *actions: tuple[int, Any]) -> list[int]:
    """Return who is asked after each of the actions."""
    asked = []
    for seat, action in actions:
        state = take(state, seat, action).state
        asked += sorted(to_act(state))
    return asked


def before_business(**changes: Any) -> State:
    """Return a table at which Alice's order of two wars is all that stands before the business phase."""
    return table(phase="wars", wars=("TIG", "KOR"), **changes)


def begun(state: State) -> Any:
    """Have both wars fought without much harm, so that the business phase begins."""
    dice = Loaded({"war:1:TIG": 2, "war:1:KOR": 2})
    return take(state, ALICE, OrderWars(regions=("TIG", "KOR")), dice)


def test_b_50_businesses_are_upright_and_invitations_and_done_are_cleared() -> None:
    invitation = Invitation("b13", 1, Vp(seat=BOB, vp=1), 0)
    alice = {**ON_AIR, "portfolio": (Folder("b01", turned=True),), "done": True, "invitation": invitation}
    own = begun(before_business(companies={ALICE: alice})).state.companies[ALICE]
    assert (own.portfolio, own.invitation, own.done) == ((Folder("b01", turned=False),), None, False)


def test_b_73_the_laureate_gets_the_fee_at_the_beginning() -> None:
    taken = begun(before_business(laureate=BOB, companies=everybody()))
    assert taken.all(FeePaid) == [FeePaid(seat=BOB, influence=2)]
    assert taken.state.companies[BOB].influence == 7
    assert taken.events.index(taken.all(BusinessBegun)[0]) < taken.events.index(taken.all(FeePaid)[0])


def test_b_51_the_start_player_is_asked_first_and_then_everybody_clockwise() -> None:
    taken = begun(before_business(companies=everybody(), start_player=ALICE))
    assert taken.events[-2:] == (TurnBegan(seat=ALICE), DecisionReached(phase="business", seats=(ALICE,)))
    turns = ((ALICE, Pass()), (BOB, Campaign(vp=1)), (CAROL, Campaign(vp=1)), (ALICE, Campaign(vp=1)))
    assert asked_after(taken.state, *turns) == [BOB, CAROL, ALICE, BOB]


def test_b_51_the_phase_ends_when_all_have_passed_one_after_another() -> None:
    state = table(companies=everybody())
    state = take(state, ALICE, Pass()).state
    state = take(state, BOB, Campaign(vp=1)).state
    state = take(state, CAROL, Pass()).state
    state = take(state, ALICE, Pass()).state
    taken = take(state, BOB, Pass())
    assert len(taken.all(RoundEnded)) == 1
    assert (taken.state.round, taken.state.start_player) == (2, BOB)


def test_b_51_who_has_passed_may_act_again() -> None:
    state = take(table(companies=everybody()), ALICE, Pass()).state
    state = take(state, BOB, Campaign(vp=1)).state
    state = take(state, CAROL, Pass()).state
    assert Campaign(vp=1) in legal(state, ALICE)


def test_b_52_who_can_do_nothing_passes_unasked() -> None:
    taken = take(table(companies={ALICE: ON_AIR, BOB: IDLE, CAROL: ON_AIR}), ALICE, Campaign(vp=1))
    assert taken.events[1:] == (
        TurnPassed(seat=BOB, asked=False),
        TurnBegan(seat=CAROL),
        DecisionReached(phase="business", seats=(CAROL,)),
    )


def test_b_52_money_to_give_and_instructions_are_no_reason_to_ask() -> None:
    taken = take(table(companies={ALICE: ON_AIR, BOB: IDLE, CAROL: IDLE}), ALICE, Pass())
    assert [event.seat for event in taken.all(TurnPassed)] == [ALICE, BOB, CAROL]
    assert taken.all(RoundEnded)


@pytest.mark.parametrize(
    "why",
    [
        {"billions": 12},
        {"billions": 0, "influence": 10},
        {"hand": ("a21",)},
        {"vps": ("POO", "VIP")},
        {"hand": ("b02",), "vps": ("POO", "VIP")},
    ],
)
def test_b_52_who_can_act_is_asked(why: dict[str, Any]) -> None:
    assert asked_after(table(companies={ALICE: ON_AIR, BOB: {**IDLE, **why}}), (ALICE, Pass())) == [BOB]


def test_b_52_an_invitation_to_answer_is_a_reason_to_ask() -> None:
    invitation = Invitation("b20", 1, Vp(seat=BOB, vp=1), 2)
    alice = {"vps": ("POO", "TLK"), "hand": ("b20",), "invitation": invitation}
    state = table(companies={ALICE: alice, BOB: {**IDLE, "vps": ("KOR", "VIP")}}, stuff=FULL)
    assert asked_after(state, (ALICE, Pass())) == [BOB]
    agreed = updated(state, ALICE, invitation=invitation._replace(agreed=True))
    assert asked_after(agreed, (ALICE, Pass())) == [CAROL]


def test_b_52_an_invitation_to_post_is_a_reason_to_ask() -> None:
    bob = {**IDLE, "vps": ("POO", "VIP"), "hand": ("b20",)}
    state = table(companies={ALICE: ON_AIR, BOB: bob, CAROL: {"vps": ("KOR", "VIP")}}, stuff=FULL)
    assert asked_after(state, (ALICE, Pass())) == [BOB]
    assert asked_after(updated(state, CAROL, venture="closed"), (ALICE, Pass())) == [CAROL]


def test_b_53_done_passes_unasked_until_the_phase_ends() -> None:
    state = take(table(companies=everybody()), ALICE, Done()).state
    state = take(state, BOB, Campaign(vp=1)).state
    taken = take(state, CAROL, Campaign(vp=1))
    assert taken.events[1:] == (
        TurnPassed(seat=ALICE, asked=False),
        TurnBegan(seat=BOB),
        DecisionReached(phase="business", seats=(BOB,)),
    )


def test_b_53_a_gift_wakes() -> None:
    state = take(table(companies=everybody()), ALICE, Done()).state
    taken = take(state, BOB, Give(seat=ALICE, billions=5))
    assert taken.events == (
        MoneyGiven(seat=BOB, to=ALICE, billions=5),
        SeatWoken(seat=ALICE, cause="gift"),
        DecisionReached(phase="business", seats=(BOB,)),
    )
    assert not taken.state.companies[ALICE].done


def test_b_53_an_invitation_wakes() -> None:
    alice = {"vps": ("KOR", "TLK"), "done": True}
    bob = {"vps": ("POO", "TLK"), "hand": ("b20",)}
    taken = take(
        table(companies={ALICE: alice, BOB: bob}, active=BOB), BOB, Invite(card="b20", vp=1, partner=Vp(seat=0, vp=1))
    )
    assert taken.all(SeatWoken) == [SeatWoken(seat=ALICE, cause="invitation")]


@pytest.mark.parametrize(
    ("card", "action"),
    [
        ("a11", Play(card="a11", seat=ALICE, score="cor")),
        ("a18", Play(card="a18", target=Vp(seat=ALICE, vp=1))),
        ("a19", Play(card="a19", seat=ALICE)),
        ("a20", Play(card="a20", vp=1, target=Vp(seat=ALICE, vp=2))),
    ],
)
def test_b_53_a_card_aimed_at_a_seat_wakes_it(card: str, action: Play) -> None:
    alice = {"vps": ("TLK", ("TIG", 4)), "done": True}
    bob = {"vps": ("TIG", "TLK"), "hand": (card,)}
    taken = take(table(companies={ALICE: alice, BOB: bob}, active=BOB), BOB, action)
    assert taken.all(SeatWoken) == [SeatWoken(seat=ALICE, cause="card")]


@pytest.mark.parametrize(("card", "region"), [("a12", "KOR"), ("a14", "TIG")])
def test_b_53_a_war_card_wakes_everybody(card: Any, region: Any) -> None:
    companies = everybody(done=True)
    companies[BOB] = {**ON_AIR, "hand": (card,)}
    taken = take(table(companies=companies, active=BOB, wars=("TIG",)), BOB, Play(card=card, field=region))
    assert taken.all(SeatWoken) == [SeatWoken(seat=ALICE, cause="war"), SeatWoken(seat=CAROL, cause="war")]


def test_b_53_ones_own_scoop_wakes() -> None:
    alice = {"vps": ("NWS", "TLK"), "done": True, "watch": "always"}
    bob = {**ON_AIR, "hand": ("a12",)}
    taken = take(table(companies={ALICE: alice, BOB: bob}, active=BOB), BOB, Play(card="a12", field="TIG"))
    assert taken.all(SeatWoken) == [SeatWoken(seat=ALICE, cause="scoop")]


def test_b_53_the_loss_of_the_prize_wakes() -> None:
    companies = {ALICE: {**ON_AIR, "done": True}, BOB: {**ON_AIR, "influence": 10, "hand": ("a24",)}}
    state = table(companies=companies, active=BOB, laureate=ALICE)
    for action in (BuyPrize(), Play(card="a24")):
        assert take(state, BOB, action).all(SeatWoken) == [SeatWoken(seat=ALICE, cause="prize")]


def test_b_53_who_is_awake_is_not_woken() -> None:
    taken = take(table(companies=everybody(), active=BOB), BOB, Give(seat=ALICE, billions=1))
    assert not taken.all(SeatWoken)


@pytest.mark.parametrize("billions", [1, 2, 5, 10])
def test_b_54_billions_may_be_given_once_per_turn(billions: Any) -> None:
    state = take(table(companies=everybody()), ALICE, Give(seat=BOB, billions=billions)).state
    assert [own.billions for own in state.companies] == [10 - billions, 10 + billions, 10]
    assert refused(state, ALICE, Give(seat=BOB, billions=1)) == ("once-per-turn", "B-54")


def test_b_54_a_gift_is_of_one_of_four_sizes_and_in_billions_only() -> None:
    state = table(companies={ALICE: {**ON_AIR, "billions": 4}})
    gift: Any = 3
    assert refused(state, ALICE, Give(seat=BOB, billions=gift)) == ("no-such-gift", "B-54")
    assert refused(state, ALICE, Give(seat=BOB, billions=5)) == ("cannot-pay", "B-11")
    assert refused(state, ALICE, Give(seat=ALICE, billions=1)) == ("no-such-seat", None)
    assert [action.billions for action in legal(state, ALICE) if isinstance(action, Give)] == [1, 2, 1, 2]


def test_b_54_what_is_free_does_not_end_the_turn_and_is_neither_action_nor_pass() -> None:
    state = table(companies=everybody(hand=("a30",)), passes=2)
    for action in (Give(seat=BOB, billions=1), Instruct(instruction="guard", setting="open")):
        after = take(state, ALICE, action).state
        assert (sorted(to_act(after)), after.passes) == ([ALICE], 2)
    state = table(companies={ALICE: {**ON_AIR, "hand": ("a30",)}}, passes=2)
    after = take(state, ALICE, Play(card="a30")).state
    assert (sorted(to_act(after)), after.passes, after.decision) == ([ALICE], 2, 2)


def test_b_16_an_instruction_is_set_to_another_value_once_per_turn() -> None:
    state = table(companies=everybody())
    taken = take(state, ALICE, Instruct(instruction="watch", setting="always"))
    assert taken.events == (
        InstructionGiven(seat=ALICE, instruction="watch", setting="always"),
        DecisionReached(phase="business", seats=(ALICE,)),
    )
    again = Instruct(instruction="watch", setting="never")
    assert refused(taken.state, ALICE, again) == ("once-per-turn", "B-16")
    assert again not in legal(taken.state, ALICE)
    assert Instruct(instruction="venture", setting="open") in legal(taken.state, ALICE)


def test_b_16_an_instruction_is_not_set_to_what_it_is_or_what_it_cannot_be() -> None:
    state = table(companies=everybody())
    assert refused(state, ALICE, Instruct(instruction="guard", setting="ask")) == ("already-so", "B-16")
    assert refused(state, ALICE, Instruct(instruction="guard", setting="never")) == ("no-such-setting", "B-16")


def test_b_16_an_instruction_is_given_while_placing_and_the_seat_is_asked_again() -> None:
    state = table(phase="place", companies={ALICE: {"free": (1, 2)}})
    taken = take(state, ALICE, Instruct(instruction="guard", setting="open"))
    assert taken.events[1:] == (DecisionReached(phase="place", seats=(ALICE,)),)
    assert Place(to="VIP") in legal(taken.state, ALICE)


def test_b_16_in_the_next_turn_it_may_be_set_again() -> None:
    state = take(table(companies=everybody()), ALICE, Instruct(instruction="watch", setting="always")).state
    for seat in (ALICE, BOB, CAROL):
        state = take(state, seat, Campaign(vp=1)).state
    assert Instruct(instruction="watch", setting="never") in legal(state, ALICE)


def test_b_07_every_answer_of_the_phase_raises_the_decision() -> None:
    state = table(companies=everybody())
    for action in (Give(seat=BOB, billions=1), Instruct(instruction="guard", setting="open"), Pass()):
        after = take(state, ALICE, action).state
        assert after.decision > state.decision
        state = after


def test_b_51_nothing_else_is_played_in_the_business_phase() -> None:
    assert refused(table(companies=everybody()), ALICE, Expose())[0] == "other-decision-due"
    assert not take(table(companies=everybody()), ALICE, Pass()).all(GameEnded)
