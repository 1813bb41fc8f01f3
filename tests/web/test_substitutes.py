"""Seats of running games are taken over by way of the pages and mails (T-23 to T-26)."""

from __future__ import annotations

from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.handlers import links
from service.handlers.invitations import accept
from service.mail.game_blocks import board, table_of
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.web.play.guide import board_of
from tests.browsing import browser, send
from tests.builders import now_at
from tests.leaving import leave, link_to, played_out, running
from tests.letters import Letter
from tests.people import Person, alice, bob, carol, register
from workers.jobs import carry_out

ALICE, BOB, DAN = 0, 1, 2
PUBLIC, PRIVATE = Terms(access="public"), Terms()


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), register(games, "Dan", "dan@example.org", "en")]


def mailed(runtime: Runtime, mailbox: Path, game: UUID, kind: str) -> list[Letter]:
    """Carry out the rows of a kind that are due, and return the mails."""
    query = text("select id from outbox where kind = :kind and game_id = :game and state = 'pending' order by id")
    with runtime.engine.connect() as db:
        rows: list[Any] = list(db.execute(query, {"kind": kind, "game": game}).scalars())
    for row in rows:
        carry_out(runtime, row)
    arrived = [path.read_bytes() for path in sorted(mailbox.glob("*.eml"))]
    return [Letter(raw, message_from_bytes(raw, policy=policy.default)) for raw in arrived]


def test_t23_the_host_gets_a_link_at_the_table_and_a_person_without_account_plays_on(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PRIVATE), BOB)
    game, host = position.game.id, browser(app, games, people[ALICE])
    table = host.get(f"/games/{game}").text
    assert "Another person can take over such a seat." in table
    made = send(host, f"/games/{game}", f"/games/{game}/substitutes", email="")
    link = made.text.partition('<code class="secret">')[2].partition("<")[0].removeprefix("http://127.0.0.1:8000")
    stranger = browser(app, games)
    page = stranger.get(link).text
    assert "you would take over seat 2" in page
    assert board_of(table_of(position, ALICE, looking_on=True).board()) in page
    taken = stranger.post(link, data={"name": "Zoë", "language": "en", "nonce": ""})
    assert taken.status_code == 303
    after = now_at(games, game)
    assert after.seats[BOB].name == "Zoë"
    assert "Bob played seat 2 until event" in stranger.get(f"/games/{game}").text
    closed = browser(app, games).get(link)
    assert (closed.status_code, "This invitation is no longer valid" in closed.text) == (410, True)


def test_t23_the_mail_of_the_invitation_says_that_the_game_is_running(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PRIVATE), BOB)
    game, host = position.game.id, browser(app, games, people[ALICE])
    assert send(host, f"/games/{game}", f"/games/{game}/substitutes", email="eve.new@example.org").status_code == 200
    (mail,) = mailed(runtime, mailbox, game, "invitation")
    told = " ".join(mail.text.split())
    assert "The game is running: you would take over seat 2" in told
    assert "still free" not in told
    assert "Each player makes" not in told
    now = now_at(games, game)
    shown, hidden = (board(table_of(now, DAN, looking_on=on)).text for on in (True, False))
    assert " ".join(shown.split()) in told
    assert " ".join(hidden.split()) not in told
    bad = host.post(f"/games/{game}/substitutes", data={"email": "eve", "seat": "1", "form_key": _key(host, game)})
    assert bad.status_code == 422


def test_t23_a_visitor_asks_at_a_public_table_the_players_get_a_mail_and_one_agrees(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, substitute = position.game.id, carol(games)
    stranger = browser(app, games, substitute)
    assert send(stranger, f"/games/{game}", f"/games/{game}/seat-requests").status_code == 303
    assert "avez demandé la place 2" in stranger.get(f"/games/{game}").text
    mails = mailed(runtime, mailbox, game, "seat-request")
    assert sorted(mail.recipient for mail in mails) == ["alice@example.org", "dan@example.org"]
    assert all("Carol asks to take over seat 2" in " ".join(mail.text.split()) for mail in mails)
    there = browser(app, games, people[DAN])
    page = there.get(f"/games/{game}").text
    agree = page.partition(f'action="/games/{game}/seat-requests/')[2].partition('"')[0]
    assert agree.endswith("/agree")
    path = f"/games/{game}/seat-requests/{agree}"
    assert there.post(path, data={"form_key": _key(there, game)}).status_code == 303
    assert now_at(games, game).seat_of(substitute.id) == BOB
    assert there.post(path, data={"form_key": _key(there, game)}).status_code == 303


def test_t23_a_request_that_was_answered_meanwhile_is_told_by_no_mail(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, stranger, there = position.game.id, browser(app, games, carol(games)), browser(app, games, people[DAN])
    send(stranger, f"/games/{game}", f"/games/{game}/seat-requests")
    asked = there.get(f"/games/{game}").text.partition(f'action="/games/{game}/seat-requests/')[2].partition("/")[0]
    declined = there.post(f"/games/{game}/seat-requests/{asked}/decline", data={"form_key": _key(there, game)})
    assert declined.status_code == 303
    assert mailed(runtime, mailbox, game, "seat-request") == []
    again = stranger.post(f"/games/{game}/seat-requests", data={"seat": "1", "form_key": _key(stranger, game)})
    assert again.status_code == 409
    assert "ont refusé votre demande" in again.text


def test_t24_the_mailed_link_of_the_former_player_shows_nothing(app: Flask, games: Games, people: list[Person]) -> None:
    position = running(games, "sealed-bids", people, PUBLIC)
    with games.engine.begin() as db:
        token = links.issue(db, position.game.id, BOB, position.decision, clock.now())
    position = leave(games, position, BOB)
    accept(games, link_to(games, position, BOB), carol(games).id, clock.now())
    nobody = browser(app, games)
    assert nobody.get(f"/t/{token}").status_code == 404
    assert nobody.post(f"/t/{token}", data={"decision": position.decision, "notation": "hold"}).status_code == 404


def test_t25_the_page_of_a_link_says_why_somebody_cannot_take_the_seat(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, link = position.game.id, f"/join/{link_to(games, position, BOB)}"
    former, stranger = browser(app, games, people[BOB]), browser(app, games, carol(games))
    assert f"/games/{game}/seat-requests" not in former.get(f"/games/{game}").text
    refusal = former.post(link, data={"nonce": "", "form_key": _key(former, game)})
    assert (refusal.status_code, "You have left this game" in refusal.text) == (409, True)
    played_out(games, game)
    closed = stranger.get(link, headers={"Accept-Language": "en"})
    assert (closed.status_code, "The seat is not free any more" in closed.text) == (410, True)


def test_t26_the_page_of_a_game_that_is_over_says_who_has_played_its_seats(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    accept(games, link_to(games, position, BOB), carol(games).id, clock.now())
    played_out(games, position.game.id)
    page = browser(app, games, people[ALICE]).get(f"/games/{position.game.id}").text
    assert f"took seat 2 over at event {position.version + 1}; its former player had left." in page
    assert "played seat 2 until event" in page


def _key(web: FlaskClient, game: UUID) -> str:
    key: str = web.get(f"/games/{game}").text.partition('name="form_key" value="')[2].partition('"')[0]
    return key
