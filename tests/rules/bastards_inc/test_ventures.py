"""Joint ventures (B-53, B-55, B-57)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import (
    Agree,
    Deal,
    Decline,
    Expose,
    Invite,
    KeepSilent,
    Pass,
)
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.events import (
    ActExposed,
    BusinessTurned,
    DealMade,
    InvitationLapsed,
    PricePaid,
    SeatWoken,
    VentureAgreed,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, State, VicePresident, updated
from service.rules.games.bastards_inc.terms import Scores
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, play, refused, table, take
from tests.rules.bastards_inc.ventures import BOBS, DEAL, INVITE, agreed, invited, of, two

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
