"""Invitations to joint ventures, and when they lapse (B-14, B-54, B-56)."""

from __future__ import annotations

from typing import Any

from service.rules.games.bastards_inc.actions import (
    Agree,
    Campaign,
    Deal,
    Decline,
    Invite,
    Launder,
    Pass,
    Play,
    Withdraw,
)
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide.business import begin_business
from service.rules.games.bastards_inc.decide.course import Course
from service.rules.games.bastards_inc.events import (
    DecisionReached,
    InvitationLapsed,
    TurnPassed,
    VentureDeclined,
    VentureOffered,
    VentureWithdrawn,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, Invitation, State
from service.rules.games.bastards_inc.terms import REGIONS
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, Loaded, play, refused, take
from tests.rules.bastards_inc.ventures import BOBS, INVITE, invited, of, two


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
