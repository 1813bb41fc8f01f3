"""A guest signs in and keeps the games: all move to the account, or nothing happens and the page says why."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from service import store
from service.handlers import guest_games, invitations, links, lobby, pace, sign_in, tokens
from service.handlers.invitations import ByMail
from service.handlers.people import Arrival, newly_met
from service.runtime import Runtime
from service.shared import clock
from service.store.access import SCOPES
from service.store.game_row import Terms
from service.store.games import Games
from service.store.tables import metadata
from tests.browsing import browser, form_on, send
from tests.builders import finished, mailed_token, now_at, started, table_for
from tests.letters import PRESSED, Page
from tests.people import Person, alice, carol, new_address
from tests.rated import at_turn, begun, given_up, rated
from tests.rest import Caller, refused
from tests.signing_in import address, link_to, player_at

__all__ = ["address"]


@pytest.fixture
def ben(app: Flask, runtime: Runtime, mailbox: Path, address: str) -> Person:
    """Ben, who signs in with the address."""
    answer = app.test_client().post(link_to(runtime, mailbox, Caller(app.test_client()), address), data=PRESSED)
    player = player_at(runtime.games, answer)
    with runtime.engine.begin() as db:
        db.execute(text("update player set name = 'Ben' where id = :id"), {"id": player.id})
    return Person(player.id, "", "Ben", address, "en")


@pytest.fixture
def guest(games: Games) -> Person:
    player, _ = newly_met(games, Arrival("en", "Guest"), clock.now())
    return Person(player, "", "Guest", None, "en")


@pytest.fixture
def program(app: Flask, games: Games, guest: Person) -> Caller:
    """A program to which the guest has given a token."""
    with games.engine.begin() as db:
        _, token = tokens.issue(db, guest.id, "program", SCOPES, None, clock.now())
    return Caller(app.test_client(), token)


@pytest.fixture
def phone(app: Flask, games: Games, guest: Person) -> FlaskClient:
    """The browser at which the guest plays."""
    return browser(app, games, guest)


def pressed(web: FlaskClient, runtime: Runtime, mailbox: Path, address: str, **button: str) -> TestResponse:
    """Ask for a link to the address, open it at the browser, and press its button."""
    path = link_to(runtime, mailbox, Caller(web.application.test_client()), address)
    return web.post(path, data={**form_on(web.get(path), path).hidden, **button})


def kept(web: FlaskClient, runtime: Runtime, mailbox: Path, address: str) -> TestResponse:
    return pressed(web, runtime, mailbox, address, keep="yes")


def seats(games: Games, player: UUID) -> set[UUID]:
    with games.engine.connect() as db:
        return set(db.execute(text("select game_id from seat where player_id = :player"), {"player": player}).scalars())


def test_solo_running_rated_invited_and_lobby_seats_move_to_an_account_that_is_there_already(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path, phone: FlaskClient, guest: Person, ben: Person
) -> None:
    # given a guest with a solo game, a rated one, a seat by an invitation, an open table of their own, and a past one
    ada = alice(games, new_address())
    solo = started(games, "new-corp-order", [guest]).game.id
    won = begun(games, [ada, guest]).game.id
    invited = table_for(games, "sealed-bids", ada, 3)
    given = invitations.invite(games, invited, ada.id, ByMail(new_address()), clock.now(), None)
    invitations.accept(games, mailed_token(games, given.id), guest.id, clock.now())
    hosted = table_for(games, "sealed-bids", guest, 3, Terms(name="Friday"))
    past = finished(games, started(games, "sealed-bids", [ada, guest, alice(games)])).game.id
    # when they sign in with Ben's address and keep the games
    answer = kept(phone, runtime, mailbox, str(ben.email))
    # then all of them are Ben's, and he can play, start and look back
    assert (answer.status_code, answer.location, player_at(games, answer).id) == (303, "/games", ben.id)
    assert seats(games, ben.id) == {solo, won, invited, hosted, past}
    assert not seats(games, guest.id)
    for game in (solo, won, invited, hosted, past):
        assert phone.get(f"/games/{game}").status_code == 200
    assert now_at(games, hosted).game.host == ben.id
    # and the rated game is rated as his
    over = given_up(games, at_turn(games, now_at(games, won), 5), ada)
    assert rated(runtime, over.game.id) is None
    with games.engine.connect() as db:
        counted = text(
            "select player_id from result_seat join result using (number) where game_id = :game order by seat"
        )
        assert db.execute(counted, {"game": won}).scalars().all() == [ada.id, ben.id]


def test_a_move_goes_on_where_the_guest_was_and_the_old_session_and_tokens_are_over(
    runtime: Runtime, games: Games, mailbox: Path, phone: FlaskClient, guest: Person, program: Caller, ben: Person
) -> None:
    position = started(games, "new-corp-order", [guest, alice(games)], **{"first-player": 0})
    assert program.get(f"/games/{position.game.id}").status_code == 200
    old = phone.get_cookie("boardroom")
    answer = kept(phone, runtime, mailbox, str(ben.email))
    # The guest had a token of their own: its end is told.
    assert (answer.status_code, "tokens, apps, webhooks" in answer.text) == (200, True)
    assert program.get("/me").status_code == 401
    elsewhere = phone.application.test_client()
    assert old is not None
    elsewhere.set_cookie("boardroom", old.value, domain="localhost")
    assert "Sign out" not in elsewhere.get("/").text
    assert now_at(games, position.game.id).seats[0].name == "Ben"
    anybody = Caller(elsewhere)
    sent = {"sign_in": link_to(runtime, mailbox, anybody, str(ben.email))[-26:]}
    mine = Caller(elsewhere, anybody.post("/sign-in/token", sent).get_json()["token"])
    table = mine.get(f"/games/{position.game.id}").get_json()
    assert table["seat"] == 0


def test_where_both_sit_at_one_table_nothing_happens_and_the_page_names_it_and_says_what_to_do(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path, phone: FlaskClient, guest: Person, ben: Person
) -> None:
    # given a solo game of the guest, and a table at which both sit
    solo = started(games, "new-corp-order", [guest]).game.id
    both = table_for(games, "sealed-bids", ben, 3, Terms(name="Friday", access="public"))
    lobby.join(games, both, guest.id, clock.now())
    # when the link is opened
    path = link_to(runtime, mailbox, Caller(app.test_client()), str(ben.email))
    page = phone.get(path)
    # then it names the table, and does not offer what cannot be
    assert "Friday" in page.text and f"/games/{both}" in page.text and "Give up one of the two seats" in page.text
    assert "keep these games" not in page.text
    # and a press all the same changes nothing: the guest stays signed in, and the link still works
    again = phone.post(path, data={"keep": "yes", **PRESSED})
    assert (again.status_code, "Friday" in again.text, "Set-Cookie" in again.headers) == (409, True, False)
    assert seats(games, guest.id) == {solo, both}
    assert phone.get(f"/games/{solo}").status_code == 200
    # until one of the seats is given up
    send(phone, f"/games/{both}", f"/games/{both}/leave")
    done = phone.post(path, data={"keep": "yes", **PRESSED})
    assert player_at(games, done).id == ben.id
    assert seats(games, ben.id) == {solo, both}


def test_a_second_seat_at_a_table_that_is_over_stays_and_that_is_told(
    runtime: Runtime, games: Games, mailbox: Path, phone: FlaskClient, guest: Person, ben: Person
) -> None:
    over = finished(games, started(games, "sealed-bids", [ben, guest, alice(games)])).game.id
    running = started(games, "new-corp-order", [guest]).game.id
    answer = kept(phone, runtime, mailbox, str(ben.email))
    assert (answer.status_code, f"/games/{over}" in answer.text, "had you twice" in answer.text) == (200, True, True)
    assert player_at(games, answer).id == ben.id
    assert seats(games, ben.id) == {over, running}
    assert [seat.name for seat in now_at(games, over).seats] == ["Ben", "", "Alice"]


def test_a_guest_who_leaves_the_games_behind_says_so(
    runtime: Runtime, games: Games, mailbox: Path, phone: FlaskClient, guest: Person, ben: Person
) -> None:
    solo = started(games, "new-corp-order", [guest]).game.id
    answer = pressed(phone, runtime, mailbox, str(ben.email))
    assert (player_at(games, answer).id, seats(games, guest.id), seats(games, ben.id)) == (ben.id, {solo}, set())


@pytest.mark.parametrize(("leave", "whose"), [({}, "ben"), ({"leave": "yes"}, "guest")])
def test_by_the_code_of_another_device_the_games_come_along_unless_they_are_to_stay(
    games: Games, phone: FlaskClient, guest: Person, ben: Person, leave: dict[str, str], whose: str
) -> None:
    solo = started(games, "new-corp-order", [guest]).game.id
    code = sign_in.give_sign_in_code(games, ben.id, clock.now())
    assert "Leave the games of" in phone.get("/sign-in").text
    send(phone, "/sign-in", "/sign-in-code", code=code, **leave)
    assert "Ben" in phone.get("/").text
    assert seats(games, {"ben": ben, "guest": guest}[whose].id) == {solo}


def test_by_the_code_of_another_device_nobody_is_signed_in_where_both_sit_at_one_table(
    games: Games, phone: FlaskClient, guest: Person, ben: Person
) -> None:
    both = table_for(games, "sealed-bids", ben, 3, Terms(name="Friday", access="public"))
    lobby.join(games, both, guest.id, clock.now())
    code = sign_in.give_sign_in_code(games, ben.id, clock.now())
    answer = send(phone, "/sign-in", "/sign-in-code", code=code)
    assert (answer.status_code, "Friday" in answer.text, "Nothing has changed" in answer.text) == (409, True, True)
    assert "Guest" in phone.get("/").text and seats(games, guest.id) == {both}
    with games.engine.connect() as db:
        living = text("select count(*) from token where player_id = :ben and revoked_at is null and label like '%code'")
        assert db.execute(living, {"ben": ben.id}).scalar_one() == 0


def test_what_hangs_on_a_seat_moves_with_it(
    runtime: Runtime, games: Games, mailbox: Path, phone: FlaskClient, guest: Person, program: Caller, ben: Person
) -> None:
    # given a guest with a note, an order, an absence, a friend, a blocked player, a bot, and the friend of Ben's
    ada, cleo = alice(games), carol(games)
    game = started(games, "new-corp-order", [ada, guest]).game.id
    assert program.put(f"/games/{game}/notes", {"text": "watch red"}).status_code in (200, 204)
    bot = program.post("/bots", {"name": "Robot"}).get_json()["id"]
    with games.engine.begin() as db:
        db.execute(
            text(
                "insert into block (id, blocker, blocked, created_at)"
                " values (gen_random_uuid(), :guest, :cleo, now()), (gen_random_uuid(), :ben, :cleo, now()),"
                " (gen_random_uuid(), :guest, :ben, now())"
            ),
            {"guest": guest.id, "cleo": cleo.id, "ben": ben.id},
        )
        db.execute(
            text(
                "insert into friendship (id, sender, recipient, state, created_at) values"
                " (gen_random_uuid(), :guest, :ada, 'accepted', now()), (gen_random_uuid(), :ada, :ben, 'open', now())"
            ),
            {"guest": guest.id, "ada": ada.id, "ben": ben.id},
        )
    until = clock.now().date().replace(day=28)
    pace.announce_absence(games, guest.id, pace.AbsencePlan(max(until, clock.now().date())), clock.now())
    # when the games move to Ben
    kept(phone, runtime, mailbox, str(ben.email))
    # then all of that is his, once
    with games.engine.connect() as db:

        def of(query: str) -> list[object]:
            return list(db.execute(text(query), {"ben": ben.id, "guest": guest.id}).scalars())

        assert of("select text from note where player_id = :ben") == ["watch red"]
        assert of("select id::text from player where owner = :ben") == [bot]
        assert of("select blocked from block where blocker = :ben") == [cleo.id]
        assert of("select state from friendship where :ben in (sender, recipient)") == ["open"]
        assert len(of("select id from absence where player_id = :ben")) == 1
        assert of("select name from player where id = :guest and deleted_at is not null") == [""]


def test_links_in_mails_to_another_address_end_and_the_account_is_asked_anew(
    runtime: Runtime, games: Games, mailbox: Path, phone: FlaskClient, guest: Person, ben: Person
) -> None:
    position = started(games, "new-corp-order", [guest, alice(games)], **{"first-player": 0})
    with games.engine.begin() as db:
        links.issue(db, position.game.id, 0, position.decision, clock.now())
    kept(phone, runtime, mailbox, str(ben.email))
    with games.engine.connect() as db:
        revoked = text("select player_id, revoked_for from action_link where game_id = :game")
        assert db.execute(revoked, {"game": position.game.id}).all() == [(ben.id, "address")]
        asked = text(
            "select count(*) from outbox where game_id = :game and kind = 'turn-mail' and dedupe_key like '%moved'"
        )
        assert db.execute(asked, {"game": position.game.id}).scalar_one() == 1


def test_a_seat_by_an_invitation_to_the_address_of_an_account_is_that_account_s(
    app: Flask, games: Games, ben: Person
) -> None:
    # given an invitation mailed to Ben, who is signed in nowhere on the phone
    ada = alice(games)
    game = table_for(games, "new-corp-order", ada, 2, Terms(start="full"))
    given = invitations.invite(games, game, ada.id, ByMail(str(ben.email).upper()), clock.now(), None)
    link = f"/join/{mailed_token(games, given.id)}"
    phone = app.test_client()
    # when he opens it and presses the one button
    page = phone.get(link)
    assert "Ben" in page.text and Page(page.text).forms[0].inputs == []
    taken = phone.post(link, data={"nonce": ""}, follow_redirects=True)
    # then the seat is his account's, and no account came into being
    assert taken.status_code == 200
    assert [seat.player_id for seat in now_at(games, game).seats] == [ada.id, ben.id]


def test_an_invitation_to_an_account_is_not_accepted_by_somebody_else(
    games: Games, ben: Person, guest: Person, program: Caller
) -> None:
    ada = alice(games)
    game = table_for(games, "sealed-bids", ada, 3)
    given = invitations.invite(games, game, ada.id, ByMail(str(ben.email)), clock.now(), None)
    answer = program.post(f"/invitations/{mailed_token(games, given.id)}/seat")
    refused(answer, 404, "unknown-invitation")
    assert not seats(games, guest.id)


def test_the_page_of_an_invitation_leads_to_signing_in_and_back(app: Flask, games: Games) -> None:
    ada = alice(games)
    game = table_for(games, "sealed-bids", ada, 3)
    given = invitations.invite(games, game, ada.id, ByMail(new_address()), clock.now(), None)
    link = f"/join/{mailed_token(games, given.id)}"
    assert any(
        re.fullmatch(rf"/sign-in\?back={re.escape(link)}", each)
        for each in Page(app.test_client().get(link).text).links
    )


def test_each_column_that_names_a_player_is_told_what_becomes_of_it_when_a_guest_moves() -> None:
    for module in iter_modules(store.__path__):
        import_module(f"service.store.{module.name}")
    naming = {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.columns
        if any(key.column.table.name == "player" for key in column.foreign_keys)
    }
    told = [set(guest_games.MOVED), guest_games.MOVED_OTHERWISE, guest_games.STAYED, guest_games.ENDED]
    assert naming == set().union(*told)
    assert sum(map(len, told)) == len(naming), "each is told once"
