"""The business phase: turns, waking, instructions, gifts, sales, the prize, and its legal actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest

from service.rules.chance import Chance
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.actions import (
    BuyPrize,
    Campaign,
    Delegate,
    Done,
    Expose,
    Give,
    Hire,
    Instruct,
    Invite,
    Launder,
    OrderWars,
    Pass,
    Place,
    Play,
    Sell,
)
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import decide, to_act
from service.rules.games.bastards_inc.edition import BUSINESS_DATA, CARD_DATA, GIFT_SIZES, SIDE_PAYMENTS
from service.rules.games.bastards_inc.events import (
    Boom,
    BusinessBegun,
    CampaignRun,
    DecisionReached,
    EventRevealed,
    FeePaid,
    GameEnded,
    InstructionGiven,
    MoneyGiven,
    MoneyLaundered,
    PricePaid,
    PrizeBought,
    RoundEnded,
    SeatWoken,
    StuffSold,
    Threshold,
    TurnBegan,
    TurnPassed,
    VicePresidentHired,
)
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, Invitation, State, VicePresident, updated
from service.rules.games.bastards_inc.terms import FIELDS, REGIONS, SCORES, SETTINGS, Scores
from service.rules.kernel import Illegal
from tests.rules.bastards_inc.bots import started
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, Loaded, refused, table, take

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


# Laundering, sales, campaigns, hiring, the prize (B-12, B-13, B-48, B-59, B-60, B-70, B-71).

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


# Legal actions of the business phase are those that are accepted (B-14, B-51).

CHANCE = Chance(bytes(32))
NUMBERS = range(1, 5)


def turns(seats: int, seed: int) -> Iterator[tuple[State, int]]:
    """Return the turns of the business phase of a random game, and whose they are."""
    chance, rng = Chance(seed.to_bytes(32, "big")), Random(seed)
    state = started(seats, {"short-game": True}, chance)
    while state.phase != "over":
        seat = rng.choice(sorted(to_act(state)))
        if state.phase == "business":
            yield state, seat
        kinds: dict[type[a.Action], list[a.Action]] = {}
        for action in legal(state, seat):
            kinds.setdefault(type(action), []).append(action)
        kinds.pop(a.Done, None)
        for event in decide(state, seat, rng.choice(kinds[rng.choice(list(kinds))]), chance):
            state = evolve(state, event)


def thinkable(state: State, seat: int) -> Iterator[a.Action]:
    """Return every action that could be thought of, legal or not."""
    seats = range(len(state.companies))
    strangers = [Delegate(seat=other, vp=vp) for other in seats for vp in NUMBERS if other != seat]
    for kind in (a.Launder, a.Sell, a.Campaign):
        yield from (kind(vp=vp) for vp in NUMBERS)
    yield from (a.Hire(), a.BuyPrize(), a.Pass(), a.Done(), a.Withdraw())
    yield from (a.Give(seat=other, billions=gift) for other in seats for gift in GIFT_SIZES)
    yield from (kind(seat=other) for other in seats for kind in (a.Agree, a.Decline))
    yield from (a.Instruct(instruction=each, setting=to) for each, settings in SETTINGS.items() for to in settings)
    own = state.companies[seat]
    for card in BUSINESS_DATA:
        if card in own.hand or any(folder.card == card for folder in own.portfolio):
            yield from _businesses(state, seat, card, strangers)
    for action_card in CARD_DATA:
        if action_card in own.hand:
            yield from _cards(state, action_card, strangers)


def _businesses(state: State, seat: int, card: Any, strangers: list[Delegate]) -> Iterator[a.Action]:
    replaced = (None, *(folder.card for folder in state.companies[seat].portfolio))
    alone = [(vp,) for vp in NUMBERS]
    for vps, replaces in product([*alone, *permutations(NUMBERS, 2)], replaced):
        yield a.Deal(card=card, vps=vps, replaces=replaces)
    for vps, partner, pay in product(alone, strangers, SIDE_PAYMENTS):
        yield a.Invite(card=card, vp=vps[0], partner=partner, pay=pay)
        yield from (a.Deal(card=card, vps=vps, partner=partner, pay=pay, replaces=each) for each in replaced)


def _cards(state: State, card: Any, strangers: list[Delegate]) -> Iterator[a.Play]:
    yield a.Play(card=card)
    aims: Mapping[str, tuple[Any, ...]] = {
        "vp": tuple(NUMBERS),
        "target": tuple(strangers),
        "seat": tuple(range(len(state.companies))),
        "score": SCORES,
        "field": FIELDS,
        "business": tuple(BUSINESS_DATA),
    }
    for name, values in aims.items():
        yield from (a.Play(card=card, **{name: value}) for value in values)
    for first, second in combinations(aims, 2):
        for one, other in product(aims[first], aims[second]):
            yield a.Play(card=card, **{first: one, second: other})


def accepted(state: State, seat: int, action: a.Action) -> bool:
    try:
        decide(state, seat, action, CHANCE)
    except Illegal:
        return False
    return True


def lowest(state: State, seat: int, action: Any) -> Any:
    """Return the action with the lowest number for each VP that is alike, but for what an invitation names."""
    invitation = state.companies[seat].invitation
    if isinstance(action, a.Deal) and action.partner is not None and invitation is not None:
        named = (action.card, action.vps, action.partner, action.pay)
        if named == (invitation.card, (invitation.vp,), invitation.partner, invitation.pay):
            return action

    def lower(of: int, vp: int) -> int:
        vps = state.companies[of].vps
        return vps.index(vps[vp - 1]) + 1

    changed: dict[str, Any] = {name: getattr(action, name) for name in type(action).__dataclass_fields__}
    if isinstance(changed.get("vp"), int):
        changed["vp"] = lower(seat, changed["vp"])
    if "vps" in changed:
        changed["vps"] = tuple(lower(seat, vp) for vp in changed["vps"])
    for name in ("partner", "target"):
        if changed.get(name) is not None:
            named_vp = changed[name]
            changed[name] = Delegate(seat=named_vp.seat, vp=lower(named_vp.seat, named_vp.vp))
    return type(action)(**changed)


@pytest.mark.parametrize("seed", range(6))
def test_b_14_the_legal_actions_are_all_that_is_accepted_and_each_is_named_once(seed: int) -> None:
    number = 0
    for state, seat in turns(2 + seed % 3, seed):
        number += 1
        if number % 5:
            continue
        ways = legal(state, seat)
        assert len(set(map(repr, ways))) == len(ways)
        assert all(accepted(state, seat, way) for way in ways)
        found = {repr(lowest(state, seat, each)) for each in thinkable(state, seat) if accepted(state, seat, each)}
        assert found == set(map(repr, ways))
    assert number > 10
