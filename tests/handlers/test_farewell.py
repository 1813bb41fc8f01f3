"""Delete the account of a player: running games are given up, and nobody waits for the player."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import delete_account, lobby
from service.handlers.authentication import authenticate
from service.handlers.invitations import accept_at_the_door, rematch
from service.handlers.people import Arrival, create_bot
from service.handlers.play import Move, play
from service.handlers.refusals import InvitationOver, NotYourTurn, Unavailable
from service.mail.compose import text_part
from service.mail.game_blocks import MailLinks
from service.mail.play import game_over_mail
from service.record.verify import verify
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.games import Games, Position
from service.store.lobby import add_invitation_link
from service.views.history import latest_recap
from tests.audit.test_inspect import verified
from tests.browsing import browser, send
from tests.builders import (
    act,
    ending_on_resignation,
    finished,
    first_legal,
    now_at,
    opened,
    sealed_bids,
    started,
    table_for,
)
from tests.games.sealed_bids.actions import Hold
from tests.handlers.test_resign import pending
from tests.handlers.test_table_races import at_once
from tests.people import Person, alice, bob, carol
from tests.record.records import RULESETS
from tests.rest import Caller
from workers.jobs import carry_out

TOKENS = ("farewell" * 3 + "aa", "farewell" * 3 + "bb")
Given = tuple[int | None, str, str, int]
"""Event that gives a game up: seat, name, door, decision."""


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def left(games: Games, person: Person) -> None:
    delete_account.delete_account(games, person.id, "api", clock.now())


def log(games: Games, position: Position) -> list[events.Recorded]:
    with games.engine.connect() as db:
        return events.read(db, position.codec, position.game.id)


def given_up(games: Games, game: UUID) -> list[Given]:
    whole = log(games, now_at(games, game))
    return [(each.seat, each.name, each.door, each.decision) for each in whole if each.name == "seat-resigned"]


def gone_at(games: Games, game: UUID) -> list[int]:
    """The seats of those who are gone."""
    query = text(
        "select seat from seat join player p on p.id = player_id where game_id = :game and p.deleted_at is not null"
    )
    with games.engine.connect() as db:
        return list(db.execute(query, {"game": game}).scalars())


def robot(api: Caller, owner: Person, name: str) -> Person:
    made = api.by(owner).post("/bots", {"name": name}).get_json()
    return Person(UUID(made["id"]), made["token"], name, None, "en")


def test_a_running_game_goes_on_without_them_to_its_end(
    runtime: Runtime, api: Caller, games: Games, people: list[Person]
) -> None:
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    game = position.game.id
    assert api.by(people[0]).delete("/me", {"confirm": "Alice"}).status_code == 204
    assert given_up(games, game) == [(0, "seat-resigned", "api", position.decision)]
    position = now_at(games, game)
    assert (position.game.status, position.resigned, position.awaited) == ("running", (0,), frozenset())
    while position.decision < 20:
        for row in pending(games, position, "automaton"):
            carry_out(runtime, row.id)
        position = now_at(games, game)
        for seat in position.awaited:
            position = act(games, position, seat, first_legal(position, seat)).position
    moved = {(each.seat, each.door) for each in log(games, position) if each.action}
    assert moved == {(0, "worker"), (1, "api"), (2, "api")}
    api.by(people[1]).post(f"/games/{game}/resignation", {"confirm": True})
    assert now_at(games, game).outcome == {"winners": [2], "scores": None, "reason": "resignation"}
    verified(games, now_at(games, game))


def test_a_game_for_two_is_won_by_the_other_and_its_sealed_record_holds(
    runtime: Runtime, api: Caller, games: Games, people: list[Person]
) -> None:
    position = started(games, "new-corp-order", people[:2])
    left(games, people[0])
    position = now_at(games, position.game.id)
    assert position.game.status == "finished"
    assert position.outcome == {"winners": [1], "scores": None, "reason": "resignation"}
    (row,) = pending(games, position, "seal")
    carry_out(runtime, row.id)
    record = api.by(people[1]).get(f"/games/{position.game.id}/record").data
    assert [finding.holds for finding in verify(record, RULESETS).findings] == [True] * 5
    assert "Alice" not in record.decode()
    (last,) = (
        api.by(people[1]).get(f"/games/{position.game.id}/events?after={position.version - 1}").get_json()["items"]
    )
    assert (last["actor"], last["text"]) == (0, "ein früherer Spieler gibt auf, und die Partie ist zu Ende.")


def test_the_others_are_told_by_mail_and_webhook_and_whoever_went_is_not(games: Games, people: list[Person]) -> None:
    position = started(games, "new-corp-order", people[:2])
    with games.engine.begin() as db:
        db.execute(text("update player set watching = true where id = :id"), {"id": people[1].id})
    left(games, people[0])
    position = now_at(games, position.game.id)
    assert [row.payload for row in pending(games, position, "game-over")] == [{"seat": 1}]
    (hook,) = pending(games, position, "webhooks")
    assert (hook.payload["version"], hook.payload["outcome"]["winners"]) == (position.version, [1])
    with games.engine.connect() as db:
        way = MailLinks("http://127.0.0.1:8000", position.game.id)
        told = text_part(game_over_mail(position, 1, latest_recap(db, position, 1, "de"), way))
    assert "* ein früherer Spieler gibt auf, und die Partie ist zu Ende." in told
    assert "Alice" not in told


def test_where_the_table_says_so_the_game_ends(games: Games) -> None:
    position = ending_on_resignation(games, sealed_bids(games))
    delete_account.delete_account(games, position.seats[1].player_id, "api", clock.now())
    assert now_at(games, position.game.id).outcome == {"winners": [0, 2], "scores": None, "reason": "resignation"}


def test_it_goes_through_the_door_of_the_site_as_well(app: Flask, games: Games, people: list[Person]) -> None:
    game = started(games, "sealed-bids", people).game.id
    web = browser(app, games, people[0])
    assert "resign from running games" in web.get("/settings").text
    send(web, "/settings", "/settings/delete", confirm="Alice")
    assert given_up(games, game) == [(0, "seat-resigned", "web", 1)]


def test_a_bot_that_is_deleted_gives_up_and_so_do_all_with_their_owner(
    api: Caller, games: Games, people: list[Person]
) -> None:
    owner, one, two = people[0], robot(api, people[0], "One"), robot(api, people[0], "Two")
    game = started(games, "sealed-bids", [owner, people[1], one, two]).game.id
    other = started(games, "sealed-bids", [people[1], two, people[2]]).game.id
    assert api.by(owner).delete(f"/bots/{one.id}").status_code == 204
    assert given_up(games, game) == [(2, "seat-resigned", "api", 1)]
    left(games, owner)
    assert given_up(games, game)[1:] == [(seat, "seat-resigned", "api", 1) for seat in (3, 0)]
    assert now_at(games, game).outcome == {"winners": [1], "scores": None, "reason": "resignation"}
    assert (given_up(games, other), now_at(games, other).game.status) == ([(1, "seat-resigned", "api", 1)], "running")
    verified(games, now_at(games, game))


def test_what_was_given_up_before_and_what_is_over_stays_as_it_is(games: Games, people: list[Person]) -> None:
    over = finished(games, started(games, "sealed-bids", people))
    first = started(games, "sealed-bids", people)
    for _ in range(2):
        left(games, people[0])
    assert given_up(games, first.game.id) == [(0, "seat-resigned", "api", 1)]
    assert now_at(games, over.game.id).version == over.version


def test_every_process_sees_it_and_those_who_wait_are_woken(games: Games, people: list[Person]) -> None:
    heard: list[str] = []
    here, there = (Games(games.engine, games.rulesets, tell) for tell in (heard.append, lambda _: None))
    begun = [started(games, "sealed-bids", people).game.id for _ in range(2)]
    for shelf in (here, there):
        assert all(now_at(shelf, game).resigned == () for game in begun)
    left(here, people[1])
    for shelf in (here, there):
        assert all(now_at(shelf, game).resigned == (1,) for game in begun)
    assert heard == [f"{game} {now_at(games, game).version}" for game in sorted(begun)]


def test_two_who_go_at_once_give_all_their_games_up_once(games: Games, people: list[Person]) -> None:
    begun = [started(games, "sealed-bids", people).game.id for _ in range(3)]
    leaving = [people[0], people[1], people[1]]
    ends = at_once(games, begun[1], *(lambda who=who: left(games, who) for who in leaving))
    assert ends == ["done"] * 3
    for game in begun:
        assert sorted(seat for seat, *_ in given_up(games, game)) == [0, 1]
        assert now_at(games, game).outcome == {"winners": [2], "scores": None, "reason": "resignation"}
        verified(games, now_at(games, game))


def test_a_move_at_the_same_moment_counts_whole_or_not_at_all(games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)

    def move() -> None:
        with suppress(NotYourTurn):
            play(games, Move(position.game.id, 0, position.decision, Hold(), "link"))

    ends = at_once(games, position.game.id, move, lambda: left(games, people[0]))
    assert ends == ["done"] * 2
    after = now_at(games, position.game.id)
    acted = [each for each in log(games, after) if each.action]
    assert (after.resigned, after.to_act) == ((0,), {1, 2} if acted else {0, 1, 2})


def test_a_game_begun_at_the_same_moment_is_given_up_or_begins_without_them(games: Games, people: list[Person]) -> None:
    game = opened(games, "sealed-bids", people)
    at_once(
        games,
        game,
        lambda: lobby.start(games, game, people[0].id, clock.now()),
        lambda: left(games, people[1]),
    )
    position = now_at(games, game)
    if position.game.status == "running":
        assert (position.resigned, gone_at(games, game)) == ((1,), [1])
    else:
        assert (position.game.status, gone_at(games, game)) == ("open", [])


def test_a_seat_taken_just_before_is_free_again(games: Games, people: list[Person]) -> None:
    game = table_for(games, "sealed-bids", people[0], 3)
    with ThreadPoolExecutor(1) as threads:
        with games.engine.begin() as db, games.engine.connect() as watch:
            lobby.take_seat(db, games, games.lock(db, game), lobby.Newcomer(people[1].id), clock.now())
            leaving = threads.submit(left, games, people[1])
            waiting = text("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from player%'")
            deadline = monotonic() + 60
            while watch.execute(waiting).first() is None:
                assert monotonic() < deadline, "nobody waits"
                watch.rollback()
        leaving.result()
    assert [seat.player_id for seat in now_at(games, game).seats] == [people[0].id]


def test_whoever_has_gone_takes_no_seat_and_gets_no_bot_any_more(games: Games, people: list[Person]) -> None:
    game = table_for(games, "sealed-bids", people[0], 3)
    identity = authenticate(games, people[1].token)
    assert identity
    left(games, people[1])
    with pytest.raises(Unavailable):
        lobby.join(games, game, people[1].id, clock.now())
    with pytest.raises(Unavailable):
        create_bot(games, identity, "Robot", clock.now())
    assert gone_at(games, game) == []


def test_nobody_sits_down_for_them_by_an_invitation_of_theirs(games: Games, people: list[Person]) -> None:
    over = finished(games, started(games, "sealed-bids", people))
    again = rematch(games, over.game.id, people[0].id, clock.now()).game.id
    query = text("select id from invitation where game_id = :game and player_id = :player")
    with games.engine.begin() as db:
        for person, token in zip(people[1:], TOKENS, strict=True):
            invitation = db.execute(query, {"game": again, "player": person.id}).scalar_one()
            add_invitation_link(db, invitation, token)
    left(games, people[1])
    with pytest.raises(InvitationOver):
        accept_at_the_door(games, TOKENS[0], Arrival("de", "Bob"), clock.now())
    _, seat, secret = accept_at_the_door(games, TOKENS[1], Arrival("fr", "Carol"), clock.now())
    assert (seat, secret, gone_at(games, again)) == (1, None, [])
