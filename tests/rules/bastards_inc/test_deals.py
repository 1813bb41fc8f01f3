"""Businesses (B-10, B-14, B-57, B-58)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import (
    Agree,
    Campaign,
    Deal,
    Decline,
    Expose,
    Invite,
    KeepSilent,
    Launder,
    Pass,
    Play,
    Withdraw,
)
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.decide.business import begin_business
from service.rules.games.bastards_inc.decide.course import Course
from service.rules.games.bastards_inc.edition import BUSINESS_DATA
from service.rules.games.bastards_inc.events import (
    ActExposed,
    BusinessTurned,
    DealMade,
    DecisionReached,
    InvitationLapsed,
    PricePaid,
    SeatWoken,
    TurnPassed,
    VentureAgreed,
    VentureDeclined,
    VentureOffered,
    VentureWithdrawn,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, Invitation, State, VicePresident, updated
from service.rules.games.bastards_inc.terms import REGIONS, Scores
from tests.rules.bastards_inc.support import (
    ALICE,
    BOB,
    BOBS,
    CAROL,
    DEAL,
    INVITE,
    Loaded,
    agreed,
    invited,
    of,
    play,
    refused,
    table,
    take,
    two,
)


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


# Joint ventures (B-53, B-55, B-57).

ILLEGAL = Invite(card="b16", vp=1, partner=BOBS, pay=2)


def test_b_55_nobody_else_answers_an_invitation() -> None:
    state = play(invited(), (ALICE, Pass()), (BOB, Pass()))
    assert not of(state, CAROL, Agree)
    assert refused(state, CAROL, Agree(seat=ALICE)) == ("no-invitation", "B-55")


def test_b_55_who_agrees_gives_the_inviter_a_turn() -> None:
    state = play(two(), (ALICE, INVITE), (ALICE, Pass()))
    assert state.passes == 1
    taken = take(state, BOB, Agree(seat=ALICE))
    assert taken.events[0] == VentureAgreed(seat=BOB, host=ALICE)
    assert taken.state.passes == 0
    state = play(taken.state, (BOB, Pass()), (CAROL, Pass()))
    assert to_act(state) == {ALICE}
    assert of(state, ALICE, Deal) == [DEAL]


def test_b_53_an_answer_wakes_the_inviter() -> None:
    state = take(updated(invited(), ALICE, done=True), ALICE, Pass()).state
    state = updated(state, ALICE, done=True)
    for answer in (Agree(seat=ALICE), Decline(seat=ALICE)):
        assert take(state, BOB, answer).all(SeatWoken) == [SeatWoken(seat=ALICE, cause="answer")]


def test_b_55_the_venture_is_the_action_of_the_inviter_and_costs_the_partner_none() -> None:
    taken = take(agreed(), ALICE, DEAL)
    assert taken.events[:2] == (
        BusinessTurned(seat=ALICE, card="b20", from_hand=True),
        DealMade(seat=ALICE, card="b20", vps=(1,), income=3, partner=BOBS),
    )
    alice, bob, _ = taken.state.companies
    assert (alice.vps[0], bob.vps[0]) == (VicePresident("POO", 3), VicePresident("KOR", 3))
    assert (alice.invitation, alice.portfolio) == (None, (Folder("b20", turned=True),))
    assert not taken.all(InvitationLapsed)
    assert to_act(taken.state) == {BOB}


def test_b_53_a_venture_wakes_the_partner() -> None:
    taken = take(two(bob={"venture": "open", "done": True}), ALICE, DEAL)
    assert taken.all(SeatWoken) == [SeatWoken(seat=BOB, cause="venture")]


def test_b_55_without_consent_there_is_no_venture() -> None:
    assert refused(two(), ALICE, DEAL) == ("no-consent", "B-55")
    assert refused(invited(), ALICE, DEAL) == ("no-consent", "B-55")
    assert not of(invited(), ALICE, Deal)


def test_b_55_an_open_partner_takes_part_at_once_without_a_side_payment() -> None:
    state = two(bob={"venture": "open"})
    assert of(state, ALICE, Deal) == [DEAL]
    assert take(state, ALICE, DEAL).all(DealMade)
    paid = Deal(card="b20", vps=(1,), partner=BOBS, pay=-2)
    assert refused(state, ALICE, paid) == ("no-consent", "B-55")


@pytest.mark.parametrize(("venture", "pays"), [("ask", [-2, 0, 2]), ("open", [-2]), ("closed", [])])
def test_b_55_side_payments_are_offered_as_the_partner_is_disposed(venture: Any, pays: list[int]) -> None:
    state = two(bob={"venture": venture})
    assert [invite.pay for invite in of(state, ALICE, Invite)] == pays
    if venture == "closed":
        assert refused(state, ALICE, INVITE) == ("closed-to-ventures", "B-55")
    if venture == "open":
        assert refused(state, ALICE, INVITE) == ("no-such-side-payment", "B-55")


def test_b_55_all_other_conditions_are_the_makers() -> None:
    nothing = Scores(0, 0, 0, 0)
    assert of(two(bob={"scores": nothing}), ALICE, Invite)
    state = two(alice={"scores": nothing, "billions": 1, "influence": 0})
    assert not of(state, ALICE, Invite)
    assert refused(state, ALICE, INVITE) == ("cannot-pay", "B-57")


def test_b_55_both_stand_where_the_business_needs_them_in_either_order() -> None:
    swapped = two(alice={"vps": ("KOR", "TLK")}, bob={"vps": ("POO", "TLK"), "venture": "open"})
    assert of(swapped, ALICE, Deal) == [DEAL]
    state = two(bob={"vps": ("POO", "TLK")})
    assert not of(state, ALICE, Invite)
    assert refused(state, ALICE, INVITE) == ("wrong-region", "B-58")


def test_b_55_an_invitation_names_a_card_of_ones_own_for_two() -> None:
    assert refused(two(alice={"hand": ()}), ALICE, INVITE) == ("card-not-in-hand", "B-58")
    alone = Invite(card="b02", vp=1, partner=BOBS)
    assert refused(two(alice={"hand": ("b02",)}), ALICE, alone) == ("no-venture", "B-55")
    upright = two(alice={"hand": (), "portfolio": (Folder("b20", turned=False),)})
    assert INVITE in legal(upright, ALICE)
    turned = two(alice={"hand": (), "portfolio": (Folder("b20", turned=True),)})
    assert not of(turned, ALICE, Invite)


@pytest.mark.parametrize(("pay", "billions"), [(2, (8, 12)), (-2, (12, 8))])
def test_b_57_the_side_payment_changes_hands_with_the_venture(pay: Any, billions: tuple[int, int]) -> None:
    deal = Deal(card="b20", vps=(1,), partner=BOBS, pay=pay)
    state = agreed(pay)
    assert of(state, ALICE, Deal) == [deal]
    after = take(state, ALICE, deal).state
    assert tuple(own.billions for own in after.companies[:2]) == billions


def test_b_57_both_must_be_able_to_pay_when_the_venture_is_made() -> None:
    offers, takes = agreed(2), agreed(-2)
    paid = Deal(card="b20", vps=(1,), partner=BOBS, pay=2)
    assert refused(updated(offers, ALICE, billions=1), ALICE, paid)[0] == "cannot-pay"
    assert not of(updated(offers, ALICE, billions=1), ALICE, Deal)
    got = Deal(card="b20", vps=(1,), partner=BOBS, pay=-2)
    assert refused(updated(takes, BOB, billions=1), ALICE, got) == ("partner-cannot-pay", "B-57")
    assert not of(updated(takes, BOB, billions=1), ALICE, Deal)


def test_b_57_the_effort_is_paid_from_what_the_side_payment_leaves() -> None:
    state = updated(agreed(2), ALICE, scores=Scores(0, 0, 0, 0), billions=3, influence=5)
    taken = take(state, ALICE, Deal(card="b20", vps=(1,), partner=BOBS, pay=2))
    assert taken.all(PricePaid) == [PricePaid(seat=ALICE, billions=1, influence=1)]
    own = taken.state.companies[ALICE]
    assert (own.billions, own.influence) == (0, 4)


def test_b_55_the_venture_keeps_to_what_was_agreed() -> None:
    state = updated(agreed(2), ALICE, vps=(VicePresident("POO"), VicePresident("POO", 1)))
    for other in (
        Deal(card="b20", vps=(1,), partner=BOBS, pay=0),
        Deal(card="b20", vps=(2,), partner=BOBS, pay=2),
        Deal(card="b20", vps=(1,), partner=Vp(seat=BOB, vp=2), pay=2),
    ):
        assert refused(state, ALICE, other)[0] in {"no-consent", "wrong-region"}


def illegal(watch: str) -> State:
    """Return a table at which Alice may make an illegal venture with Bob, for 2 Billions, and Carol watches."""
    companies: Any = {
        ALICE: {"vps": ("ROG", "TLK"), "hand": ("b16",), "scores": Scores(3, 1, 3, 3)},
        BOB: {"vps": ("KOR", "TLK")},
        CAROL: {"vps": ("NWS", "TLK"), "watch": watch},
    }
    steps = ((ALICE, ILLEGAL), (ALICE, Pass()), (BOB, Agree(seat=ALICE)), (BOB, Pass()), (CAROL, Pass()))
    return play(table(companies=companies), *steps)


VENTURE = Deal(card="b16", vps=(1,), partner=BOBS, pay=2)


def test_b_57_an_exposed_venture_pays_nothing_and_its_effort_is_gone() -> None:
    taken = take(illegal("always"), ALICE, VENTURE)
    assert taken.all(PricePaid) == [PricePaid(seat=ALICE, billions=2, influence=0)]
    assert len(taken.all(ActExposed)) == 1
    alice, bob, _ = taken.state.companies
    assert (alice.billions, bob.billions, bob.vps[0].black) == (8, 10, 0)
    assert alice.portfolio == (Folder("b16", turned=True),)
    assert taken.all(InvitationLapsed) == [InvitationLapsed(seat=ALICE)]


def test_b_57_a_venture_about_which_journalists_are_silent_is_made() -> None:
    state = take(illegal("ask"), ALICE, VENTURE).state
    assert (state.phase, sorted(to_act(state))) == ("expose", [CAROL])
    taken = take(state, CAROL, KeepSilent())
    assert taken.all(DealMade) == [DealMade(seat=ALICE, card="b16", vps=(1,), income=4, partner=BOBS, pay=2)]
    assert not taken.all(InvitationLapsed)
    assert not take(state, CAROL, Expose()).all(DealMade)


# Invitations to joint ventures, and when they lapse (B-14, B-54, B-56).


def test_b_54_an_invitation_is_free_and_open_to_all_eyes() -> None:
    taken = take(two(), ALICE, INVITE)
    assert taken.events == (
        VentureOffered(seat=ALICE, card="b20", vp=1, partner=BOBS, pay=0),
        DecisionReached(phase="business", seats=(ALICE,)),
    )
    assert taken.state.companies[ALICE].invitation == Invitation("b20", 1, BOBS, 0)


def test_b_54_one_invitation_once_per_turn_and_one_open_at_a_time() -> None:
    state = invited()
    assert refused(state, ALICE, INVITE) == ("no-further-invitation", "B-54")
    state = take(state, ALICE, Withdraw()).state
    assert refused(state, ALICE, INVITE) == ("no-further-invitation", "B-54")
    state = play(state, (ALICE, Pass()), (BOB, Pass()), (CAROL, Campaign(vp=1)))
    assert INVITE in legal(state, ALICE)
    waiting = play(invited(), (ALICE, Pass()), (BOB, Pass()), (CAROL, Campaign(vp=1)))
    assert not of(waiting, ALICE, Invite)


def only_an_invitation_to_post(**changes: Any) -> State:
    """Return a table at which Alice, who has nothing else to do, has invited Bob and taken that back."""
    full = (6,) * len(REGIONS)
    alice = {"vps": ("POO", "VIP"), "billions": 5, "influence": 0}
    state = two(alice, {"billions": 5, "influence": 0}, stuff=full, **changes)
    return play(state, (ALICE, INVITE), (ALICE, Withdraw()), (ALICE, Pass()), (BOB, Pass()))


def test_b_52_an_invitation_of_the_last_turn_is_no_obstacle_to_being_asked_for_the_next() -> None:
    taken = take(only_an_invitation_to_post(), CAROL, Campaign(vp=1))
    assert taken.state.asked == {ALICE} and of(taken.state, ALICE, Invite)


def test_b_52_an_invitation_of_the_round_before_is_no_obstacle_either() -> None:
    # She placed nobody in between, so no turn of hers has begun since.
    course = Course(only_an_invitation_to_post(), Loaded())
    begin_business(course)
    assert course.state.asked == {ALICE}


def test_b_52_under_revision_1_it_was_an_obstacle() -> None:
    taken = take(only_an_invitation_to_post(revision=1), CAROL, Campaign(vp=1))
    assert taken.events[1] == TurnPassed(seat=ALICE, asked=False)


def test_b_54_no_more_than_three_invitations_a_round() -> None:
    assert of(two(alice={"invitations": 2}), ALICE, Invite)
    state = two(alice={"invitations": 3})
    assert not of(state, ALICE, Invite)
    assert refused(state, ALICE, INVITE) == ("no-further-invitation", "B-54")


def test_b_54_an_invitation_is_withdrawn() -> None:
    taken = take(invited(), ALICE, Withdraw())
    assert taken.events[0] == VentureWithdrawn(seat=ALICE)
    assert taken.state.companies[ALICE].invitation is None
    assert refused(two(), ALICE, Withdraw()) == ("no-invitation", "B-54")
    assert Withdraw() not in legal(two(), ALICE)


def test_b_54_the_invited_seat_declines_in_its_own_turn() -> None:
    state = take(invited(), ALICE, Pass()).state
    assert of(state, BOB, Decline) == [Decline(seat=ALICE)]
    taken = take(state, BOB, Decline(seat=ALICE))
    assert taken.events == (
        VentureDeclined(seat=BOB, host=ALICE),
        DecisionReached(phase="business", seats=(BOB,)),
    )
    assert taken.state.companies[ALICE].invitation is None


def test_b_14_an_invitation_keeps_the_vps_that_it_names() -> None:
    alice = {"vps": ("POO", "POO")}
    offer = Invite(card="b20", vp=2, partner=BOBS)
    steps = ((ALICE, offer), (ALICE, Pass()), (BOB, Agree(seat=ALICE)), (BOB, Pass()), (CAROL, Pass()))
    assert of(play(two(alice=alice), *steps), ALICE, Deal) == [Deal(card="b20", vps=(2,), partner=BOBS)]


def test_b_56_an_invitation_lapses_when_a_vp_is_elsewhere() -> None:
    state = take(invited(alice={"vps": (("POO", 2), "TLK")}), ALICE, Launder(vp=1))
    assert state.all(InvitationLapsed) == [InvitationLapsed(seat=ALICE)]
    evicted = take(invited(bob={"hand": ("a18",)}), ALICE, Pass()).state
    taken = take(evicted, BOB, Play(card="a18", target=Vp(seat=ALICE, vp=1)))
    assert taken.all(InvitationLapsed) == [InvitationLapsed(seat=ALICE)]


def test_b_56_an_invitation_lapses_when_a_vp_has_flown_to_another_region_that_would_do() -> None:
    alice = {"vps": ("TIG", "TLK"), "hand": ("b13",)}
    bob = {"vps": ("RST", "TLK"), "hand": ("a29",)}
    offer = Invite(card="b13", vp=1, partner=BOBS)
    state = play(two(alice=alice, bob=bob), (ALICE, offer), (ALICE, Pass()))
    taken = take(state, BOB, Play(card="a29", vp=1, field="SUP"))
    assert taken.all(InvitationLapsed) == [InvitationLapsed(seat=ALICE)]


def test_b_56_an_invitation_lapses_when_its_card_is_used() -> None:
    state = invited(alice={"vps": ("POO", "KOR"), "hand": ("b20",)})
    taken = take(state, ALICE, Deal(card="b20", vps=(1, 2)))
    assert taken.all(InvitationLapsed) == [InvitationLapsed(seat=ALICE)]


def test_b_56_an_invitation_lapses_when_its_card_is_replaced() -> None:
    cards: Any = ("b20", "b03", "b04")
    folders = tuple(Folder(card, turned=False) for card in cards)
    state = invited(alice={"vps": ("POO", "TIG"), "hand": ("b01",), "portfolio": folders})
    taken = take(state, ALICE, Deal(card="b01", vps=(2,), replaces="b20"))
    assert taken.all(InvitationLapsed) == [InvitationLapsed(seat=ALICE)]


def test_b_56_an_invitation_stays_while_nothing_of_it_changes() -> None:
    taken = take(invited(), ALICE, Campaign(vp=2))
    assert not taken.all(InvitationLapsed)


def test_b_56_an_invitation_lapses_at_the_end_of_the_phase() -> None:
    state = play(invited(), (ALICE, Pass()), (BOB, Pass()))
    assert take(state, CAROL, Pass()).all(InvitationLapsed) == [InvitationLapsed(seat=ALICE)]
