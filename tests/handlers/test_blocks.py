"""Blocks between players: no new table together, and neither hears the other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.handlers import challenges, invitations, lobby, substitutes, talk
from service.handlers.challenges import ChallengeRequest
from service.handlers.invitations import ByLink, ByMail
from service.handlers.lobby import Fork, Plan
from service.handlers.people import MAX_BLOCKED, BySeat, block_player, ignore_player, take_handle, unblock_player
from service.handlers.refusals import (
    CannotTakeOver,
    InvitationOver,
    NoChallenge,
    NoMail,
    OwnAccount,
    TooMany,
    UnknownGame,
)
from service.handlers.substitutes import Answering, SeatWanted
from service.shared import clock
from service.shared.refusal import NotFound, Refusal
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import invitation_token
from service.views.games import GameFilter, games_known
from service.views.table import talk as talk_of
from tests.builders import finished, mailed_token, now_at, opened, started, table_for
from tests.challenged import bot_of, called, challenged
from tests.leaving import leave, link_to
from tests.people import Person, alice, bob, carol, register

Block = Callable[[], None]


def _fresh(games: Games) -> tuple[Person, Person]:
    return alice(games, f"{uuid4().hex}@example.org"), bob(games, f"{uuid4().hex}@example.org")


def _third(games: Games) -> Person:
    return register(games, "Dan", None, "en")


def _of_the_list(games: Games, one: Person, other: Person, block: Block) -> None:
    game = table_for(games, "sealed-bids", one, 3)
    block()
    lobby.join(games, game, other.id, clock.now())


def _next_to_a_third(games: Games, one: Person, other: Person, block: Block) -> None:
    game = table_for(games, "sealed-bids", carol(games), 3)
    lobby.join(games, game, one.id, clock.now())
    block()
    lobby.join(games, game, other.id, clock.now())


def _by_a_link(games: Games, one: Person, other: Person, block: Block) -> None:
    game = table_for(games, "sealed-bids", one, 3, Terms())
    given = invitations.invite(games, game, one.id, ByLink("secret"), clock.now(), None)
    block()
    invitations.accept(games, invitation_token(given.id, "secret"), other.id, clock.now())


def _by_a_mail_from_before(games: Games, one: Person, other: Person, block: Block) -> None:
    game = table_for(games, "sealed-bids", one, 3, Terms())
    assert other.email
    given = invitations.invite(games, game, one.id, ByMail(other.email), clock.now(), None)
    link = mailed_token(games, given.id)
    block()
    invitations.accept(games, link, other.id, clock.now())


def _by_a_new_mail(games: Games, one: Person, other: Person, block: Block) -> None:
    game = table_for(games, "sealed-bids", one, 3, Terms())
    assert other.email
    block()
    invitations.invite(games, game, one.id, ByMail(other.email), clock.now(), None)


def _by_a_challenge(games: Games, one: Person, other: Person, block: Block) -> None:
    block()
    challenged(games, one, other)


def _by_a_challenge_to_a_bot(games: Games, one: Person, other: Person, block: Block) -> None:
    his = bot_of(games, other, "Ben")
    block()
    challenged(games, one, his)


def _by_a_rematch(games: Games, one: Person, other: Person, block: Block) -> None:
    over = finished(games, started(games, "sealed-bids", [one, other, _third(games)]))
    block()
    again = invitations.rematch(games, over.game.id, one.id, clock.now())
    lobby.join(games, again.game.id, other.id, clock.now())


def _by_the_same_rematch(games: Games, one: Person, other: Person, block: Block) -> None:
    over = finished(games, started(games, "sealed-bids", [one, other, _third(games)]))
    block()
    invitations.rematch(games, over.game.id, one.id, clock.now())
    invitations.rematch(games, over.game.id, other.id, clock.now())


def _by_a_fork(games: Games, one: Person, other: Person, block: Block) -> None:
    over = finished(games, started(games, "sealed-bids", [one, other, _third(games)]))
    block()
    table = lobby.fork(games, one.id, Fork(over.game.id, 1, Terms(access="public")), clock.now())
    lobby.join(games, table.game.id, other.id, clock.now())


def _by_a_request_for_a_seat(games: Games, one: Person, other: Person, block: Block) -> None:
    position = leave(games, started(games, "sealed-bids", [one, carol(games), _third(games)]), 1)
    block()
    substitutes.ask_for_seat(games, SeatWanted(position.game.id, 1, other.id), clock.now())


def _by_a_request_from_before(games: Games, one: Person, other: Person, block: Block) -> None:
    position = leave(games, started(games, "sealed-bids", [one, carol(games), _third(games)]), 1)
    asked = substitutes.ask_for_seat(games, SeatWanted(position.game.id, 1, other.id), clock.now())
    block()
    substitutes.agree_to_seat_request(games, Answering(position.game.id, asked.id, one.id, "api"), clock.now())


def _as_a_substitute(games: Games, one: Person, other: Person, block: Block) -> None:
    position = leave(games, started(games, "sealed-bids", [one, carol(games), _third(games)]), 1)
    link = link_to(games, position, 1)
    block()
    invitations.accept(games, link, other.id, clock.now())


WAYS = [
    pytest.param(_of_the_list, UnknownGame, id="open list"),
    pytest.param(_next_to_a_third, UnknownGame, id="open list, next to a third"),
    pytest.param(_by_a_link, InvitationOver, id="invitation by link"),
    pytest.param(_by_a_mail_from_before, InvitationOver, id="invitation mailed before"),
    pytest.param(_by_a_new_mail, NoMail, id="new invitation by mail"),
    pytest.param(_by_a_challenge, NoChallenge, id="challenge"),
    pytest.param(_by_a_challenge_to_a_bot, NoChallenge, id="challenge to a bot"),
    pytest.param(_by_a_rematch, UnknownGame, id="rematch"),
    pytest.param(_by_the_same_rematch, UnknownGame, id="rematch asked for by both"),
    pytest.param(_by_a_fork, UnknownGame, id="fork"),
    pytest.param(_by_a_request_for_a_seat, CannotTakeOver, id="seat request"),
    pytest.param(_by_a_request_from_before, CannotTakeOver, id="seat request made before"),
    pytest.param(_as_a_substitute, CannotTakeOver, id="invitation to a left seat"),
]
Way = Callable[[Games, Person, Person, Block], None]


@pytest.mark.parametrize("blocker", [0, 1], ids=["the first blocks", "the other blocks"])
@pytest.mark.parametrize(("way", "refusal"), WAYS)
def test_no_way_leads_those_who_block_each_other_to_a_common_table(
    games: Games, way: Way, refusal: type[Refusal], blocker: int
) -> None:
    # given a way that is open
    way(games, *_fresh(games), lambda: None)
    # when one of two people blocks the other
    people = _fresh(games)
    mine, theirs = people[blocker], called(games, people[1 - blocker], f"u{uuid4().hex[:12]}")

    def block() -> None:
        with games.engine.connect() as db:
            handle = db.execute(text("select handle from player where id = :id"), {"id": theirs.id}).scalar_one()
        block_player(games, mine.id, handle, clock.now())

    # then it is closed, with a refusal that others get as well
    with pytest.raises(refusal):
        way(games, *people, block)


def test_a_challenge_from_before_is_answered_and_a_new_one_possible_after_the_block(games: Games) -> None:
    one, other = _fresh(games)
    called(games, other, "bob-of-the-blocks")
    theirs, mine = challenged(games, other, one), challenged(games, one, other)
    made = block_player(games, one.id, "bob-of-the-blocks", clock.now())
    with games.engine.connect() as db:
        states = {each.id: challenges.known(db, each.id, one.id, clock.now()).state for each in (theirs, mine)}
    assert states == {theirs.id: "declined", mine.id: "withdrawn"}
    with pytest.raises(NotFound):
        unblock_player(games, other.id, made)
    unblock_player(games, one.id, made)
    plan = Plan("new-corp-order", 2)
    sent = challenges.send(games, ChallengeRequest(other.id, one.id, plan), clock.now() + timedelta(minutes=1))
    assert challenges.accept(games, sent.id, one.id, clock.now()).state == "accepted"


def test_open_tables_of_the_other_are_not_listed_and_running_games_of_both_go_on(games: Games) -> None:
    one, other = _fresh(games)
    common = started(games, "sealed-bids", [one, other, _third(games)])
    hers = table_for(games, "sealed-bids", one, 3)

    def listed(person: Person) -> set[object]:
        with games.engine.connect() as db:
            wanted = GameFilter(open_to_me=True, ruleset="sealed-bids")
            return {row.id for row in games_known(db, person.id, wanted, 100, clock.now())}

    assert hers in listed(other)
    block_player(games, one.id, BySeat(common.game.id, 1), clock.now())
    assert hers not in listed(other) and hers in listed(carol(games))
    assert now_at(games, common.game.id).game.status == "running"


@pytest.mark.parametrize("act", [block_player, ignore_player], ids=["blocked", "ignored"])
def test_the_talk_of_one_who_is_blocked_or_ignored_is_neither_shown_nor_mailed(
    games: Games, act: Callable[..., object]
) -> None:
    one, other = _fresh(games)
    third = carol(games, f"{uuid4().hex}@example.org")
    game = started(games, "sealed-bids", [one, other, third]).game.id

    def told() -> set[str]:
        rows = text("select payload ->> 'seat' as seat from outbox where kind = 'message' and game_id = :game")
        with games.engine.connect() as db:
            return set(db.execute(rows, {"game": game}).scalars())

    act(games, one.id, BySeat(game, 1), clock.now())
    talk.say(games, game, other.id, "Can you hear me?", "api", clock.now())
    before = told()
    talk.say(games, game, one.id, "Nice day.", "api", clock.now())

    def heard(person: Person) -> list[int]:
        with games.engine.connect() as db:
            return [each["seat"] for each in talk_of(db, game, person.id, 0, 10)]

    # The one who is not heard hears all the same, and sees no difference.
    assert (heard(one), heard(other), heard(third)) == ([0], [1, 0], [1, 0])
    with games.engine.connect() as db:
        said = talk.said_in(db, game, one.id, clock.now() - timedelta(hours=1), clock.now() + timedelta(hours=1))
    assert [each.seat for each in said] == [0]
    assert (before, told()) == ({"2"}, {"1", "2"})


def test_nobody_blocks_themselves_their_bots_or_more_than_five_hundred(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = _fresh(games)
    called(games, one, "alice-of-blocks")
    bot_of(games, one, "Ann", "ann-of-blocks")
    called(games, other, "bob-once-more")
    for own in ("alice-of-blocks", "ann-of-blocks"):
        with pytest.raises(OwnAccount):
            block_player(games, one.id, own, clock.now())
        with pytest.raises(OwnAccount):
            ignore_player(games, one.id, own, clock.now())
    first, again = (block_player(games, one.id, "bob-once-more", clock.now()) for _ in range(2))
    assert first == again
    monkeypatch.setattr("service.handlers.people.MAX_BLOCKED", 1)
    assert MAX_BLOCKED == 500
    take_handle(games, carol(games).id, "carol-of-blocks", clock.now())
    with pytest.raises(TooMany):
        block_player(games, one.id, "carol-of-blocks", clock.now())


def test_a_computer_player_and_an_empty_seat_cannot_be_blocked(games: Games) -> None:
    one, other = _fresh(games)
    game = opened(games, "sealed-bids", [one, other, _third(games)])
    for seat in (3, 5):
        with pytest.raises(NotFound):
            block_player(games, one.id, BySeat(game, seat), clock.now())
    with pytest.raises(UnknownGame):
        block_player(games, one.id, BySeat(uuid4(), 0), clock.now())
