"""Another person is named by a handle or by a seat, and a list tells no more of them than they let be known."""

from __future__ import annotations

from uuid import uuid4

import pytest

from service.handlers import delete_account, people
from service.handlers.people import BySeat
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.games import Games
from service.views.people import KINDS, Kind, list_acquaintances
from tests.builders import finished, opened, started
from tests.people import Person, alice, bob, carol


def handle_in(games: Games, kind: Kind, person: Person) -> str | None:
    """Return the handle that stands in the newest entry of a list."""
    with games.engine.connect() as db:
        found: str | None = list_acquaintances(db, kind, person.id)[0].handle
    return found


def test_the_seat_of_a_player_who_has_gone_names_nobody(games: Games) -> None:
    one, other = alice(games), bob(games)
    over = finished(games, started(games, "sealed-bids", [one, other, carol(games)])).game.id
    delete_account.delete_account(games, other.id, "api", clock.now())
    for act in (people.block_player, people.ignore_player, people.ask_friend):
        with pytest.raises(NotFound):
            act(games, one.id, BySeat(over, 1), clock.now())


@pytest.mark.parametrize(("visibility", "told"), [("hidden", False), ("friends", False), ("public", True)])
def test_a_list_tells_the_handle_of_one_who_was_named_by_a_seat_only_if_everybody_may_know_it(
    games: Games, visibility: str, told: bool
) -> None:
    # given Bob, who has a handle, beside Alice at a table
    one, other = alice(games), bob(games)
    people.take_handle(games, other.id, name := f"b{uuid4().hex[:12]}", clock.now())
    people.change_player(games, other.id, {"visibility": visibility}, clock.now())
    seat = BySeat(opened(games, "three-harbours", [one, other]), 1)
    # when Alice ignores him, asks him, and blocks him
    people.ignore_player(games, one.id, seat, clock.now())
    people.ask_friend(games, one.id, seat, clock.now())
    asked = handle_in(games, "friends", one)
    people.block_player(games, one.id, seat, clock.now())
    # then
    known = name if told else None
    assert [asked, handle_in(games, "ignored", one), handle_in(games, "blocks", one)] == [known] * len(KINDS)


def test_friends_and_those_who_were_asked_know_the_handle_of_a_hidden_player(games: Games) -> None:
    one, other = alice(games), bob(games)
    people.take_handle(games, other.id, name := f"b{uuid4().hex[:12]}", clock.now())
    people.change_player(games, other.id, {"visibility": "hidden"}, clock.now())
    asked = people.ask_friend(games, other.id, BySeat(opened(games, "three-harbours", [one, other]), 0), clock.now())
    assert handle_in(games, "friends", one) == name
    people.accept_friend(games, asked.id, one.id, clock.now())
    assert handle_in(games, "friends", one) == name
