"""The start page, and the mailbox of the local mail sink."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.handlers import lobby
from service.handlers.players import change
from service.handlers.resign import resign
from service.mail.play import send_turn_mail
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, RulesNotInstalled
from tests.browsing import browser
from tests.builders import act, now_at, sealed_bids, table_for
from tests.dropping import Drop, with_dropping
from tests.letters import Page, letters, turn_mails
from tests.people import alice, bob, carol
from tests.rest import Caller


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser."""
    return app.test_client()


def test_the_start_page_says_what_this_is_and_where_to_go(web: FlaskClient) -> None:
    page = web.get("/")
    assert page.status_code == 200
    assert "One move. Then life goes on." in page.text
    assert "Sealed Bids" in page.text
    links = Page(page.text).links
    assert {"/sign-in", "/api/docs", "/mailbox"} < set(links)
    assert all(web.get(link).status_code == 200 for link in links if link.startswith("/"))


def test_the_start_page_shows_the_newest_public_game_whose_rules_are_installed(runtime: Runtime) -> None:
    games, people = runtime.games, [alice(runtime.games), bob(runtime.games), carol(runtime.games)]

    def public(ruleset: str) -> UUID:
        game = table_for(games, ruleset, people[0], 3, Terms(access="public"))
        for guest in people[1:]:
            lobby.join(games, game, guest.id, clock.now())
        return lobby.start(games, game, people[0].id, clock.now()).game.id

    public("sealed-bids")
    newer = public("new-corp-order")
    without = {"sealed-bids": games.rulesets["sealed-bids"]}
    page = create_app(replace(runtime, games=Games(runtime.engine, without))).test_client().get("/")
    assert page.status_code == 200
    assert f"/games/{newer}" not in page.text
    (shown,) = set(re.findall(r'href="/games/([0-9a-f-]{36})"', page.text))
    assert now_at(games, UUID(shown)).game.ruleset == "sealed-bids"


@pytest.mark.parametrize(
    ("steps", "why"),
    [(0, "revision 2 of the rules of sealed-bids is not installed"), (1, "know no event card-dropped")],
)
def test_a_game_by_rules_of_a_later_release_is_told_of_and_does_not_break_the_start_page(
    runtime: Runtime, app: Flask, api: Caller, steps: int, why: str
) -> None:
    games, web = with_dropping(runtime).games, app.test_client()
    people = [alice(games), bob(games), carol(games)]
    game = table_for(games, "sealed-bids", people[0], 3, Terms(access="public"))
    for guest in people[1:]:
        lobby.join(games, game, guest.id, clock.now())
    begun = lobby.start(games, game, people[0].id, clock.now())
    for card in begun.state.hands[0][:steps]:
        act(games, begun, 0, Drop(card=card))
    page = web.get("/")
    assert page.status_code == 200
    assert f"/games/{game}" not in page.text
    with runtime.engine.connect() as db, pytest.raises(RulesNotInstalled, match=why):
        runtime.games.open(db, game)
    answers = web.get(f"/games/{game}"), api.by(people[0]).get(f"/games/{game}")
    assert [(each.status_code, each.headers["Retry-After"]) for each in answers] == [(503, "2")] * 2
    assert "not installed on this server" in answers[1].json["detail"]
    for person in people[1:]:
        resign(games, game, person.id, "web", clock.now())


@pytest.mark.parametrize(
    ("asked", "words"), [("de", "Dann geht das Leben weiter."), ("fr;q=0.9,eo", "Puis la vie continue.")]
)
def test_the_start_page_speaks_the_visitors_language(web: FlaskClient, asked: str, words: str) -> None:
    assert words in web.get("/", headers={"Accept-Language": asked}).text


def test_without_a_mailbox_there_is_no_page_for_it(runtime: Runtime) -> None:
    web = create_app(replace(runtime, settings=replace(runtime.settings, mailbox=None))).test_client()
    assert "/mailbox" not in Page(web.get("/").text).links
    assert web.get("/mailbox").status_code == 404
    assert web.get("/mailbox/1.eml").status_code == 404


def test_the_mailbox_lists_the_newest_mails_first(web: FlaskClient, mailbox: Path) -> None:
    assert "No mail has been sent yet." in web.get("/mailbox").text
    for number in range(3):
        (mailbox / f"{number}.eml").write_text(f"To: bob@example.org\nSubject: mail <{number}>\n\nhello\n")
    page = web.get("/mailbox").text
    assert Page(page).links == ["/mailbox/2.eml", "/mailbox/1.eml", "/mailbox/0.eml"]
    assert "mail &lt;2&gt;" in page


@pytest.mark.parametrize(
    ("asked", "shown"),
    [("de", "22.11.2026, 10:05"), ("fr", "22 nov. 2026, 10:05"), ("en", "22 Nov 2026, 10:05")],
)
def test_the_mailbox_tells_when_a_mail_was_sent_as_its_reader_writes_it(
    web: FlaskClient, mailbox: Path, asked: str, shown: str
) -> None:
    (mailbox / "1.eml").write_text("To: bob@example.org\nDate: Sun, 22 Nov 2026 11:05:09 +0100\n\nhello\n")
    for path in ("/mailbox", "/mailbox/1.eml"):
        assert f">{shown}</time>" in web.get(path, headers={"Accept-Language": asked}).text


def test_the_mailbox_tells_it_in_the_time_zone_of_whoever_has_signed_in(
    app: Flask, games: Games, mailbox: Path
) -> None:
    reader = bob(games)
    change(games, reader.id, {"time_zone": "Asia/Tokyo"}, clock.now())
    (mailbox / "1.eml").write_text("To: bob@example.org\nDate: Sun, 22 Nov 2026 11:05:09 +0100\n\nhello\n")
    (mailbox / "2.eml").write_text("To: bob@example.org\nDate: at noon\n\nhello\n")
    page = browser(app, games, reader).get("/mailbox").text
    assert page.count("<time") == 1
    assert ">22.11.2026, 19:05</time>" in page


def test_a_mail_in_the_mailbox_shows_its_text_and_leads_to_its_page(
    web: FlaskClient, mailbox: Path, runtime: Runtime
) -> None:
    position = sealed_bids(runtime.games)
    send_turn_mail(runtime, turn_mails(runtime.games, position)[0])
    (letter,) = letters(mailbox, position.game.id)
    (name,) = (path.name for path in mailbox.iterdir())
    page = web.get(f"/mailbox/{name}").text
    assert letter.text.splitlines()[0] in page
    first, *others = Page(page).links
    assert first == "/mailbox"
    assert letter.link in others
    assert all(each.startswith("http://127.0.0.1:8000/") for each in others)
    assert web.get(letter.path).status_code == 200


@pytest.mark.parametrize("name", ["no.eml", "..%2Fsecret.eml", "../secret.eml", "%00.eml", ".eml"])
def test_no_name_leads_out_of_the_mailbox(web: FlaskClient, mailbox: Path, name: str) -> None:
    secret = mailbox.parent / "secret.eml"
    secret.write_text("Subject: secret\n\nsecret\n")
    response = web.get(f"/mailbox/{name}")
    assert response.status_code == 404
    assert "secret" not in response.text


def test_a_mail_cannot_bring_markup_into_the_page(web: FlaskClient, mailbox: Path) -> None:
    body = '<script>alert(1)</script> http://example.org/"onclick="x <http://example.org/a>'
    (mailbox / "1.eml").write_text(f"Subject: <b>\n\n{body}\n")
    page = web.get("/mailbox/1.eml").text
    assert "<script" not in page
    assert "<b>" not in page
    assert Page(page).links == ["/mailbox", "http://example.org/", "http://example.org/a"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_while_the_database_is_away_a_link_asks_to_come_back_later(settings: Settings, method: str) -> None:
    away = Runtime.build(
        replace(settings, database_url="postgresql+psycopg://nobody@/none?host=/nowhere", redis_url=None)
    )
    page = create_app(away).test_client().open("/t/" + "a" * 26, method=method)
    assert page.status_code == 503
    assert "again" in page.text


def test_a_mail_is_shown_as_its_reader_sees_it(web: FlaskClient, mailbox: Path, runtime: Runtime) -> None:
    position = sealed_bids(runtime.games)
    send_turn_mail(runtime, turn_mails(runtime.games, position)[0])
    (letter,) = letters(mailbox, position.game.id)
    (name,) = (path.name for path in mailbox.iterdir())
    assert f'src="/mailbox/{name}/html"' in web.get(f"/mailbox/{name}").text
    shown = web.get(f"/mailbox/{name}/html")
    assert letter.link in Page(shown.text).links
    assert 'src="data:image/png;base64,' in shown.text and "cid:" not in shown.text
    assert "sandbox" in shown.headers["Content-Security-Policy"]
    assert "script-src" not in shown.headers["Content-Security-Policy"]
    assert shown.headers["X-Frame-Options"] == "SAMEORIGIN"


def test_a_mail_without_html_is_shown_as_text_alone(web: FlaskClient, mailbox: Path) -> None:
    (mailbox / "1.eml").write_text("To: bob@example.org\nSubject: hello\n\nhello\n")
    assert "<iframe" not in web.get("/mailbox/1.eml").text
    assert web.get("/mailbox/1.eml/html").status_code == 404
    assert web.get("/mailbox/2.eml/html").status_code == 404
