"""Invitations and challenges: looking at a link changes nothing, one press takes a seat or answers."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.handlers import challenges, invitations, lobby
from service.handlers.challenges import make_ready
from service.handlers.invitations import ByLink, ByMail
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import Challenge, invitation_token
from service.views.account import account_row
from tests.browsing import browser, send
from tests.builders import mailed_token, now_at, table_for
from tests.challenged import bot_of, challenged
from tests.letters import Page, text_of
from tests.people import Person, alice, bob, carol
from tests.rest import refused
from workers.jobs import carry_out

TOKEN = re.compile(r"brd_[A-Za-z0-9]{36}")


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


@pytest.fixture
def host(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def game(games: Games, host: Person) -> UUID:
    return table_for(games, "sealed-bids", host, 3, Terms(name="<b>Friday</b>"))


@pytest.fixture
def link(games: Games, host: Person, game: UUID) -> str:
    """The path of a link that invites to the game."""
    given = invitations.invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    return f"/join/{invitation_token(given.id, 'secret')}"


def facts(games: Games, game: UUID) -> tuple[Any, ...]:
    """All that a visit could change."""
    query = text(
        "select (select count(*) from seat where game_id = :game), (select count(*) from player),"
        " (select count(*) from invitation_link), (select count(*) from mail_refusal), (select count(*) from outbox)"
    )
    with games.engine.connect() as db:
        return tuple(db.execute(query, {"game": game}).one())


def sit(web: FlaskClient, link: str, **form: str) -> TestResponse:
    return web.post(link, data={"name": "Zoë", "language": "fr", **form})


def test_looking_shows_the_table_and_who_sits_there_and_changes_nothing(
    web: FlaskClient, games: Games, game: UUID, link: str
) -> None:
    before = facts(games, game)
    for _ in range(10):
        for method in ("GET", "HEAD", "OPTIONS"):
            web.open(link, method=method)
            web.open(f"{link}/never", method=method)
    page = web.get(link)
    assert page.status_code == 200
    assert "Sealed Bids" in page.text
    assert "&lt;b&gt;Friday&lt;/b&gt;" in page.text
    assert "<li><bdi>Alice</bdi></li>" in page.text
    assert "/api/" not in page.text
    assert (page.headers["Referrer-Policy"], page.headers["Cache-Control"]) == ("same-origin", "no-store")
    assert page.headers["X-Robots-Tag"] == "noindex"
    (form,) = Page(page.text).forms
    assert (form.action, form.inputs) == (link, ["name"])
    (script,) = re.findall("<script.*?>", page.text)
    assert "/chance.js" in script and 'referrerpolicy="no-referrer"' in script
    assert facts(games, game) == before


def test_a_press_makes_a_player_and_takes_a_seat_and_a_browser_without_cookies_is_told(
    web: FlaskClient, games: Games, game: UUID, link: str
) -> None:
    taken = sit(web, link)
    assert (taken.status_code, taken.location) == (303, f"{link}?seat=2")
    told = web.get(str(taken.location), headers={"Accept-Language": "fr"})
    assert "Votre place porte le numéro 2" in told.text and "ne garde pas de cookies" in told.text
    assert not TOKEN.search(told.text)
    seat = now_at(games, game).seats[1]
    assert (seat.name, seat.language, seat.email) == ("Zoë", "fr", None)
    assert "<li><bdi>Zoë</bdi></li>" in web.get(link).text
    assert "Votre place" not in web.get(f"{link}?seat=3", headers={"Accept-Language": "fr"}).text


def test_from_the_mail_it_is_one_press_to_the_table_and_turn_mails_go_where_the_mail_went(
    app: Flask, games: Games, host: Person, game: UUID
) -> None:
    given = invitations.invite(games, game, host.id, ByMail("zoe@join.example"), clock.now(), None)
    link = f"/join/{mailed_token(games, given.id)}"
    web = app.test_client()
    assert "goes to the address that got this invitation" in web.get(link).text
    answer = web.post(link, data={"name": "Zoë", "language": "en"}, follow_redirects=True)
    assert (answer.request.path, answer.status_code) == (f"/games/{game}", 200)
    assert "zoe@join.example" in web.get("/sign-in").text, "so that the account can be kept by one press more"
    assert [row.email for row in now_at(games, game).seats] == ["alice@example.org", "zoe@join.example"]
    sit(app.test_client(), link, name="Passed on")
    assert now_at(games, game).seats[2].email is None, "who gets the mail from somebody else gets none of their mails"


@pytest.mark.parametrize(
    "form",
    [{"name": ""}, {"name": " "}, {"name": "a" * 61}, {"name": "a\r\nb"}, {"name": "a\x00"}, {"language": "klingon"}],
)
def test_an_odd_name_takes_no_seat(form: dict[str, str], web: FlaskClient, games: Games, game: UUID, link: str) -> None:
    before = facts(games, game)
    answer = sit(web, link, **form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert web.post(link).status_code == 400
    assert web.post(link, json={"name": "Zoë"}).status_code == 400
    assert facts(games, game) == before


def test_a_full_table_takes_nobody_until_somebody_leaves(web: FlaskClient, games: Games, game: UUID, link: str) -> None:
    for name in ("Bob", "Carol"):
        sit(web, link, name=name)
    before = facts(games, game)
    assert Page(web.get(link).text).forms == []
    late = sit(web, link, name="Late")
    assert (late.status_code, facts(games, game)) == (409, before)
    assert "All seats are taken" in late.text
    lobby.leave_table(games, game, now_at(games, game).seats[1].player_id)
    assert sit(web, link, name="Late").status_code == 303


def test_a_link_that_was_taken_back_says_so_and_shows_nothing_of_the_game(
    web: FlaskClient, games: Games, game: UUID, link: str
) -> None:
    with games.engine.begin() as db:
        db.execute(text("update invitation set revoked_at = now() where game_id = :game"), {"game": game})
    before = facts(games, game)
    for answer, status in ((web.get(link), 410), (sit(web, link), 410)):
        assert answer.status_code == status
        assert "withdrawn" in answer.text
        assert "Alice" not in answer.text
        assert "Friday" not in answer.text
    assert facts(games, game) == before


def test_a_link_to_a_game_that_was_called_off_says_so(web: FlaskClient, games: Games, host: Person) -> None:
    other = table_for(games, "sealed-bids", host, 3)
    given = invitations.invite(games, other, host.id, ByLink("secret"), clock.now(), None)
    lobby.cancel_game(games, other, host.id)
    off = f"/join/{invitation_token(given.id, 'secret')}"
    assert "cancelled" in web.get(off).text
    assert (web.get(off).status_code, sit(web, off).status_code) == (410, 409)


@pytest.mark.parametrize("token", ["a", "a" * 26, "a" * 5000, "%00", "é" * 26, "..%2f"])
def test_a_link_that_nobody_gave_leads_nowhere(token: str, web: FlaskClient) -> None:
    for path in (f"/join/{token}", f"/join/{token}/never"):
        assert web.get(path).status_code == 404
        assert web.post(path, data={"name": "Zoë"}).status_code == 404


def test_only_a_mailed_link_can_stop_mails(web: FlaskClient, games: Games, game: UUID, link: str) -> None:
    before = facts(games, game)
    assert web.get(f"{link}/never").status_code == 404
    assert web.post(f"{link}/never").status_code == 404
    refused(web.post(f"/api/v1/invitations/{link.removeprefix('/join/')}/refusal"), 404, "unknown-invitation")
    assert facts(games, game) == before


def test_the_page_speaks_the_language_of_its_visitor(web: FlaskClient, link: str) -> None:
    for language, words in (("de", "Platz nehmen"), ("fr", "Prendre place"), ("xx", "Take a seat")):
        page = web.get(link, headers={"Accept-Language": language})
        assert words in page.text


def test_whoever_is_new_is_signed_in_with_the_seat(app: Flask, game: UUID, link: str) -> None:
    web = app.test_client()
    taken = sit(web, link)
    assert web.get(str(taken.location)).location == f"/games/{game}"
    assert "Zoë" in web.get(f"/games/{game}").text
    assert "Set-Cookie" not in app.test_client().get(link).headers


def test_whoever_has_signed_in_sits_down_as_who_they_are(app: Flask, games: Games, game: UUID, link: str) -> None:
    person = bob(games)
    web = browser(app, games, person)
    assert "angemeldet" in web.get(link, headers={"Accept-Language": "de"}).text
    assert web.post(link, data={"nonce": ""}).status_code == 422
    (form,) = (each for each in Page(web.get(link).text).forms if each.action == link)
    assert send(web, link, link).location == f"/games/{game}"
    assert [seat.player_id for seat in now_at(games, game).seats][1] == person.id
    assert web.get(link).location == f"/games/{game}", "the link leads to the table from now on"
    again = web.post(link, data=form.hidden)
    assert (again.status_code, "You have a seat already" in again.text) == (409, True)


def test_another_site_cannot_make_a_browser_sit_down(web: FlaskClient, games: Games, game: UUID, link: str) -> None:
    before = facts(games, game)
    answer = web.post(link, data={"name": "Zoë", "language": "fr"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, facts(games, game)) == (403, before)


# Challenges on the site and by mail: a link shows, a button plays; and the page of the bots.


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


def mailed(runtime: Runtime, mailbox: Path, sent: Challenge) -> list[EmailMessage]:
    """Carry out the row of the mail about the challenge, and return the mails that have arrived."""
    query = text("select id from outbox where dedupe_key = :key")
    with runtime.engine.connect() as db:
        row = db.execute(query, {"key": f"challenge:{sent.id}"}).scalar_one()
    carry_out(runtime, row)
    found = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mailbox.glob("*.eml")]
    return [mail for mail in found if mail["List-Id"].startswith("<challenge.")]


def link_of(mail: EmailMessage) -> str:
    found = re.search(r"https?://\S+/c/[a-z2-7]{26}\b", text_of(mail))
    assert found
    return urlsplit(found[0]).path


def state_of(games: Games, sent: Challenge) -> Any:
    with games.engine.connect() as db:
        return challenges.known(db, sent.id, sent.sender, clock.now())


def test_the_link_of_a_mail_shows_the_challenge_and_a_button_accepts_it(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    sent = challenged(games, people[0], people[1])
    (mail,) = mailed(runtime, mailbox, sent)
    assert (mail["To"].addresses[0].addr_spec, "Alice" in mail["Subject"]) == (people[1].email, True)
    link, web = link_of(mail), browser(app, games)
    assert "Alice" in web.get(f"{link}/decline").text
    assert web.post(f"{link}/accept").status_code == 400
    assert state_of(games, sent).state == "open"
    assert web.post(f"{link}/accept", data={"press": "yes"}).status_code == 200
    accepted = state_of(games, sent)
    assert now_at(games, accepted.game).game.status == "running"
    assert str(accepted.game) in web.get(link).text
    assert web.post(f"{link}/decline", data={"press": "yes"}).status_code == 409
    assert web.get(f"/c/{'a' * 26}").status_code == 404


def test_a_challenge_that_is_declined_leads_on_to_the_start_page(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    (mail,) = mailed(runtime, mailbox, challenged(games, people[0], people[1]))
    link, web = link_of(mail), browser(app, games)
    on = '<a class="button" href="/">'
    assert on not in web.get(link).text
    assert on in web.post(f"{link}/decline", data={"press": "yes"}).text


def test_no_more_mails_come_after_one_click_and_none_about_what_is_over(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    first = challenged(games, people[0], people[1])
    (mail,) = mailed(runtime, mailbox, first)
    stop = urlsplit(mail["List-Unsubscribe"].strip("<>")).path
    assert browser(app, games).post(stop, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    again = carol(games)
    assert len(mailed(runtime, mailbox, challenged(games, again, people[1]))) == 1
    withdrawn = challenged(games, people[1], people[0])
    challenges.withdraw(games, withdrawn.id, people[1].id, clock.now())
    assert len(mailed(runtime, mailbox, withdrawn)) == 1


def test_my_games_list_challenges_which_are_answered_there(app: Flask, games: Games, people: list[Person]) -> None:
    sent, got = challenged(games, people[0], people[1]), challenged(games, people[1], people[0])
    web = browser(app, games, people[0])
    listed = web.get("/games").text
    assert f"/challenges/{sent.id}" in listed and f"/challenges/{got.id}" in listed
    withdrawn = send(web, f"/challenges/{sent.id}", f"/challenges/{sent.id}/withdraw")
    assert (withdrawn.status_code, state_of(games, sent).state) == (303, "withdrawn")
    accepted = send(web, f"/challenges/{got.id}", f"/challenges/{got.id}/accept")
    assert accepted.headers["Location"] == f"/games/{state_of(games, got).game}"
    assert browser(app, games, carol(games)).get(f"/challenges/{got.id}").status_code == 404
    assert f"/challenges/{got.id}" not in web.get("/games").text


def test_each_side_of_a_challenge_reads_of_the_other(app: Flask, games: Games, people: list[Person]) -> None:
    sent = challenged(games, people[0], people[1])
    for person, heading in zip(
        people, ("You challenge Bob to a game of ", "Alice fordert dich zu einer Partie "), strict=True
    ):
        page = browser(app, games, person).get(f"/challenges/{sent.id}").text
        assert re.sub("[\u2068\u2069]", "", page).count(f"<h1>{heading}") == 1


def test_a_bot_that_is_ready_is_challenged_with_a_button(app: Flask, games: Games, people: list[Person]) -> None:
    bot = bot_of(games, people[1], "Robot", "robot-one")
    with games.engine.connect() as db:
        row = account_row(db, bot.id)
    make_ready(games, row, ("new-corp-order",), (2,), clock.now())
    assert "Robot" in browser(app, games).get("/bots").text
    web = browser(app, games, people[0])
    assert send(web, "/bots", "/bots").status_code == 303
    refused = send(web, "/bots", "/bots")
    assert (refused.status_code, 'role="alert"' in refused.text) == (409, True)
    with games.engine.connect() as db:
        (asked,) = db.execute(text("select sender from challenge where recipient = :bot"), {"bot": bot.id}).scalars()
    assert asked == people[0].id
