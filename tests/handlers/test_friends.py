"""Friends: who may be asked, what comes of it, and who then sees a profile."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from service.handlers import delete_account
from service.handlers.people import (
    MAX_OPEN_FRIEND_REQUESTS,
    accept_friend,
    ask_friend,
    block_player,
    change_player,
    ignore_player,
    unfriend,
)
from service.handlers.refusals import NoFriend, OwnAccount, TooMany
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.games import Games
from service.store.people import REQUEST_AGAIN_AFTER, are_friends, find_visible_profile
from service.store.quotas import Budget, MailsSpent
from tests.challenged import bot_of, called
from tests.people import Person, alice, bob, carol, guest, register


def handle() -> str:
    return f"u{uuid4().hex[:12]}"


@pytest.fixture
def people(games: Games) -> list[tuple[Person, str]]:
    """Alice, Bob and Carol, each with a handle."""
    found = []
    for person in (alice(games), bob(games), carol(games)):
        called(games, person, name := handle())
        found.append((person, name))
    return found


def mails_to(games: Games, person: Person) -> int:
    asked = text("select count(*) from outbox where kind = 'friend-request' and payload ->> 'player' = :player")
    with games.engine.connect() as db:
        return int(db.execute(asked, {"player": str(person.id)}).scalar_one())


def are(games: Games, one: Person, other: Person) -> bool:
    with games.engine.connect() as db:
        return are_friends(db, one.id, other.id)


def test_a_request_that_is_accepted_makes_friends_and_mails_once(
    games: Games, people: list[tuple[Person, str]]
) -> None:
    (one, _), (other, his), _ = people
    asked = ask_friend(games, one.id, his, clock.now())
    assert ask_friend(games, one.id, his, clock.now()).id == asked.id
    assert mails_to(games, other) == 1 and not are(games, one, other)
    with pytest.raises(NotFound):
        accept_friend(games, asked.id, one.id, clock.now())
    for _ in range(2):
        assert accept_friend(games, asked.id, other.id, clock.now()).state == "accepted"
    assert are(games, one, other) and are(games, other, one)
    unfriend(games, asked.id, one.id, clock.now())
    assert not are(games, one, other)
    with pytest.raises(NotFound):
        unfriend(games, asked.id, one.id, clock.now())


def test_who_asks_the_one_by_whom_they_were_asked_accepts(games: Games, people: list[tuple[Person, str]]) -> None:
    (one, hers), (other, his), _ = people
    ask_friend(games, one.id, his, clock.now())
    assert ask_friend(games, other.id, hers, clock.now()).state == "accepted"
    assert mails_to(games, one) == 0


@pytest.mark.parametrize("ender", [0, 1], ids=["withdrawn", "declined"])
def test_after_a_request_in_vain_the_next_one_takes_a_month(
    games: Games, people: list[tuple[Person, str]], ender: int
) -> None:
    (one, _), (other, his), _ = people
    now = clock.now()
    asked = ask_friend(games, one.id, his, now)
    unfriend(games, asked.id, (one, other)[ender].id, now)
    with pytest.raises(NoFriend):
        ask_friend(games, one.id, his, now)
    assert ask_friend(games, one.id, his, now + REQUEST_AGAIN_AFTER).state == "open"


def test_bots_one_self_and_the_deleted_are_not_asked(games: Games, people: list[tuple[Person, str]]) -> None:
    (one, hers), (other, his), _ = people
    bot_of(games, other, "Ben", robot := handle())
    with pytest.raises(NoFriend):
        ask_friend(games, one.id, robot, clock.now())
    with pytest.raises(OwnAccount):
        ask_friend(games, one.id, hers, clock.now())
    delete_account.delete_account(games, other.id, "api", clock.now())
    with pytest.raises(NotFound):
        ask_friend(games, one.id, his, clock.now())


def test_no_more_than_twenty_requests_wait_and_mails_are_counted(games: Games) -> None:
    one = guest(games, f"{uuid4().hex}@example.org")
    names = [handle() for _ in range(MAX_OPEN_FRIEND_REQUESTS + 1)]
    for name in names:
        called(games, register(games, "Dan", None, "en"), name)
    for name in names[:-1]:
        ask_friend(games, one.id, name, clock.now())
    with pytest.raises(TooMany):
        ask_friend(games, one.id, names[-1], clock.now())
    # One whose mail would be one too many is not asked at all.
    two, budget = register(games, "Eve", None, "en"), Budget(0.05)
    for number in range(2):
        called(games, bob(games), name := handle())
        if not number:
            ask_friend(games, two.id, name, clock.now(), budget)
    with pytest.raises(MailsSpent):
        ask_friend(games, two.id, name, clock.now(), budget)


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_ends_a_friendship_and_no_request_follows(
    games: Games, people: list[tuple[Person, str]], blocker: int
) -> None:
    pair = people[:2]
    (one, _), (other, his) = pair
    accept_friend(games, ask_friend(games, one.id, his, clock.now()).id, other.id, clock.now())
    block_player(games, pair[blocker][0].id, pair[1 - blocker][1], clock.now())
    assert not are(games, one, other)
    for asking, asked in ((one, his), (other, pair[0][1])):
        with pytest.raises(NoFriend):
            ask_friend(games, asking.id, asked, clock.now())
    assert mails_to(games, other) == 1


VIEWERS = ("owner", "friend", "stranger", "blocked", "blocking", "signed out")
SEEN = {
    "public": {"owner", "friend", "stranger", "blocked", "blocking", "signed out"},
    "friends": {"owner", "friend"},
    "hidden": {"owner"},
}


@pytest.mark.parametrize("visibility", SEEN)
def test_a_profile_is_seen_by_those_whom_its_owner_lets(games: Games, visibility: str) -> None:
    # given an owner, a friend, a stranger, and two with a block between them, which tells them nothing
    owner, friend, stranger, blocked, blocking = (alice(games) for _ in range(5))
    names = {person.id: handle() for person in (owner, friend, blocked)}
    for person in (owner, friend, blocked):
        called(games, person, names[person.id])
    accept_friend(games, ask_friend(games, owner.id, names[friend.id], clock.now()).id, friend.id, clock.now())
    block_player(games, owner.id, names[blocked.id], clock.now())
    block_player(games, blocking.id, names[owner.id], clock.now())
    change_player(games, owner.id, {"visibility": visibility}, clock.now())
    ids = (owner.id, friend.id, stranger.id, blocked.id, blocking.id, UUID(int=0))
    # when each of them looks
    with games.engine.connect() as db:
        seen = {
            who
            for who, viewer in zip(VIEWERS, ids, strict=True)
            if find_visible_profile(db, viewer, names[owner.id]) == owner.id
        }
    # then
    assert seen == SEEN[visibility]


def test_what_is_between_two_people_goes_with_either_account(games: Games, people: list[tuple[Person, str]]) -> None:
    (one, hers), (other, his), (third, theirs) = people
    ask_friend(games, one.id, his, clock.now())
    block_player(games, one.id, theirs, clock.now())
    block_player(games, third.id, hers, clock.now())
    ignore_player(games, other.id, hers, clock.now())
    delete_account.delete_account(games, one.id, "api", clock.now())
    kept = text("""
select (select count(*) from friendship where :player in (sender, recipient))
     + (select count(*) from block where :player in (blocker, blocked))
     + (select count(*) from ignored_player where :player in (player_id, ignored))
""")
    with games.engine.connect() as db:
        assert db.execute(kept, {"player": one.id}).scalar_one() == 0
