"""A handle leads to one account: none looks like another, and one that was given back leads nowhere for a year."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.handlers import delete_account, people
from service.handlers.refusals import HandleChangedOften, HandleTaken
from service.shared import clock
from service.store.games import Games
from service.store.pruning import prune
from service.texts.names import handle_skeleton
from tests.people import Person, alice, bob


def taken(games: Games, person: Person, handle: str, days: int = 0) -> None:
    """Let the person take a handle, so many days from now."""
    people.take_handle(games, person.id, handle, clock.now() + timedelta(days=days))


def leads_to(games: Games, handle: str) -> object:
    """The account that the handle leads to."""
    with games.engine.connect() as db:
        return people.find_handle(db, handle)


@pytest.mark.parametrize(("one", "other"), [("bill", "b1ll"), ("modern", "rnodem"), ("vivi", "vlv1"), ("wow", "vv0vv")])
def test_what_reads_alike_has_one_skeleton(one: str, other: str) -> None:
    assert handle_skeleton(one) == handle_skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("anna", "ana"), ("an-na", "anna"), ("nora", "mora")])
def test_what_reads_differently_has_two(one: str, other: str) -> None:
    assert handle_skeleton(one) != handle_skeleton(other)


def test_a_handle_leads_to_its_account_and_no_other_looks_like_it(games: Games) -> None:
    one, other = alice(games), bob(games)
    taken(games, one, "willow-10")

    assert leads_to(games, "Willow-10") == one.id
    for alike in ("willow-10", "vvillow-10", "wiilow-lo", "boardroorn", "adm1n"):
        with pytest.raises(HandleTaken):
            taken(games, other, alike)
    assert leads_to(games, "willow-lo") is None


def test_a_former_handle_leads_nowhere_and_is_free_for_others_after_a_year(games: Games) -> None:
    one, other = alice(games), bob(games)
    taken(games, one, "former-one")
    taken(games, one, "other-one")

    assert leads_to(games, "former-one") is None
    with pytest.raises(HandleTaken):
        taken(games, other, "forrner-one", days=364)
    taken(games, other, "forrner-one", days=366)
    assert leads_to(games, "forrner-one") == other.id


def test_its_former_owner_can_have_it_again(games: Games) -> None:
    one = alice(games)
    taken(games, one, "back-again")
    people.release_handle(games, one.id, clock.now())
    assert leads_to(games, "back-again") is None
    taken(games, one, "back-again")
    assert leads_to(games, "back-again") == one.id


def test_it_is_changed_three_times_in_thirty_days(games: Games) -> None:
    one = alice(games)
    for handle in ("often-a", "often-b", "often-c", "often-d"):
        taken(games, one, handle)
    with pytest.raises(HandleChangedOften):
        people.release_handle(games, one.id, clock.now())
    taken(games, one, "often-e", days=31)
    assert leads_to(games, "often-e") == one.id


def test_the_handle_of_a_deleted_account_is_nobodys_for_a_year(games: Games) -> None:
    one, other = alice(games), bob(games)
    taken(games, one, "gone-away")
    delete_account.delete_account(games, one.id, "api", clock.now())

    assert leads_to(games, "gone-away") is None
    with pytest.raises(HandleTaken):
        taken(games, other, "gone-away")
    while prune(games.engine, clock.now() + timedelta(days=366)):
        pass
    taken(games, other, "gone-away")
    assert leads_to(games, "gone-away") == other.id
