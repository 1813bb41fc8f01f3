"""Signing in by mail: asked for by anybody, one press of a button, one token."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, text

from service.handlers import sign_in
from service.handlers.people import Arrival
from service.runtime import Runtime
from service.shared import clock
from service.store.fast_path import hand_of
from service.store.games import Games
from tests.letters import PRESSED, Page
from tests.rest import Caller, refused
from tests.signing_in import address, link_to, player_at, token_on

__all__ = ["address"]


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def counts(games: Games) -> tuple[int, ...]:
    """All that signing in could change."""
    tables = ("player", "token", "sign_in", "sign_in_link", "outbox")
    with games.engine.connect() as db:
        return tuple(db.execute(text(f"select count(*) from {table}")).scalar_one() for table in tables)


def test_the_answer_is_the_same_for_an_address_that_is_known_and_one_that_is_not(
    runtime: Runtime, mailbox: Path, api: Caller, address: str
) -> None:
    api.client.post(link_to(runtime, mailbox, api, address), data=PRESSED)
    known, unknown = (api.post("/sign-in", {"email": each}) for each in (address, f"not.{address}"))
    assert (known.status_code, known.data) == (unknown.status_code, unknown.data) == (202, b'{"valid_minutes":15}')
    for answer in (known, unknown):
        del answer.headers["X-Request-Id"]
    assert known.headers == unknown.headers


def test_an_address_that_is_known_makes_no_more_work_than_one_that_is_not(
    runtime: Runtime, mailbox: Path, api: Caller, address: str
) -> None:
    api.client.post(link_to(runtime, mailbox, api, address), data=PRESSED)
    said: dict[str, list[str]] = {}
    for email in (address, f"not.{address}"):
        statements = said.setdefault(email, [])

        def listen(*call: Any, into: list[str] = statements) -> None:
            into.append(call[2])

        event.listen(hand_of(runtime.engine).engine, "before_cursor_execute", listen)
        api.post("/sign-in", {"email": email})
        event.remove(hand_of(runtime.engine).engine, "before_cursor_execute", listen)
    known, unknown = said.values()
    assert known == unknown != []


def test_asking_makes_no_account(games: Games, api: Caller, address: str) -> None:
    before = counts(games)
    api.post("/sign-in", {"email": address})
    assert counts(games)[:2] == before[:2]


def test_looking_at_the_page_often_and_in_every_way_changes_nothing(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address)
    before = counts(runtime.games)
    for _ in range(25):
        assert web.get(path).status_code == 200
        assert web.head(path).status_code == 200
        web.options(path)
        assert web.put(path).status_code == 405
    assert counts(runtime.games) == before
    page = Page(web.get(path).text)
    assert [form.action for form in page.forms] == [path]
    assert page.tags.count("script") == 1, "the one that says the time zone of the browser when the form is sent"


def test_the_button_makes_the_account_and_signs_the_browser_in(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address.upper(), name="Zoë", language="fr")
    assert address in web.get(path).text
    entered = web.post(path, data=PRESSED)
    assert (entered.status_code, entered.location) == (303, "/games")
    assert "brd_" not in entered.text
    me = player_at(runtime.games, entered)
    assert (me.name, me.email, me.email_verified, me.language) == ("Zoë", address, True, "fr")


def test_signing_in_again_leads_to_the_same_account_and_another_token(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    first = web.post(link_to(runtime, mailbox, api, address, name="Zoe", language="de"), data=PRESSED)
    again = link_to(runtime, mailbox, api, address.capitalize(), name="Mallory", language="fr")
    assert "Anmelden" in web.get(again).text
    second = web.post(again, data=PRESSED)
    one, other = (player_at(runtime.games, answer) for answer in (first, second))
    assert token_on(first) != token_on(second)
    assert (one.id, one.name) == (other.id, "Zoe")


def test_a_link_works_once(runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str) -> None:
    path = link_to(runtime, mailbox, api, address)
    assert web.post(path, data=PRESSED).status_code == 303
    for answer in (web.get(path), web.post(path, data=PRESSED)):
        assert answer.status_code == 410
        assert "works once" in answer.text
    refused(api.post("/sign-in/token", {"sign_in": path[-26:]}), 404, "unknown-sign-in")


def test_of_eight_presses_at_the_same_time_exactly_one_gets_a_token(
    runtime: Runtime, mailbox: Path, api: Caller, app: Flask, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address)
    before = counts(runtime.games)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: app.test_client(use_cookies=False).post(path, data=PRESSED), range(8)))
    assert sorted(answer.status_code for answer in answers) == [303] + [410] * 7
    assert [after - was for after, was in zip(counts(runtime.games), before, strict=True)] == [1, 1, -1, -1, 0]


def test_two_requests_of_a_new_address_used_at_the_same_time_make_one_account(
    runtime: Runtime, mailbox: Path, api: Caller, app: Flask, address: str
) -> None:
    paths = [link_to(runtime, mailbox, api, address) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda path: app.test_client(use_cookies=False).post(path, data=PRESSED), paths))
    ids = {player_at(runtime.games, page).id for page in pages}
    assert len(ids) == 1


def test_a_client_without_a_browser_uses_the_link_itself(
    runtime: Runtime, mailbox: Path, api: Caller, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address)
    made = api.post("/sign-in/token", {"sign_in": path[-26:].upper()})
    assert made.status_code == 201
    assert made.json
    assert Caller(api.client, made.json["token"]).get("/me").status_code == 200
    assert made.json["hint"] == f"brd_…{made.json['token'][-4:]}"


def test_a_link_works_for_fifteen_minutes(runtime: Runtime, mailbox: Path, api: Caller, address: str) -> None:
    secret = link_to(runtime, mailbox, api, address)[-26:]
    now = clock.now()
    with runtime.engine.connect() as db:
        assert sign_in.find(db, secret, now + timedelta(minutes=14))
        assert not sign_in.find(db, secret, now + timedelta(minutes=16))
    assert not sign_in.use(runtime.games, secret, Arrival("en"), now + timedelta(minutes=16))
    assert sign_in.use(runtime.games, secret, Arrival("en"), now)


@pytest.mark.parametrize("secret", ["a" * 26, "a", "é" * 26, "a" * 5000, "%00"])
def test_a_link_that_nobody_sent_leads_nowhere(api: Caller, web: FlaskClient, secret: str) -> None:
    assert web.get(f"/sign-in/{secret}").status_code == 410
    assert web.post(f"/sign-in/{secret}", data=PRESSED).status_code == 410
    assert api.post("/sign-in/token", {"sign_in": secret}).status_code in (404, 422)


def test_a_guest_with_the_same_address_is_somebody_else(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    guest = api.post("/players", {"name": "Mallory", "email": address}).get_json()
    assert guest["email_verified"] is False
    me = player_at(runtime.games, web.post(link_to(runtime, mailbox, api, address), data=PRESSED))
    assert str(me.id) != guest["id"]
    assert (me.email, me.email_verified, me.name) == (address, True, "New player")


def test_every_page_keeps_the_link_and_the_token_from_leaking(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address)
    looked, pressed, again = web.get(path), web.post(path, data=PRESSED), web.post(path, data=PRESSED)
    assert ["Set-Cookie" in answer.headers for answer in (looked, pressed, again)] == [False, True, False]
    assert all(part in pressed.headers["Set-Cookie"] for part in ("HttpOnly", "SameSite=Lax", "Path=/"))
    for answer in (looked, pressed, again):
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("origin", [None, "null"])
def test_a_press_is_accepted_whatever_origin_the_browser_tells(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str, origin: str | None
) -> None:
    path = link_to(runtime, mailbox, api, address)
    assert web.post(path, data=PRESSED, headers={} if origin is None else {"Origin": origin}).status_code == 303


@pytest.mark.parametrize(
    "told", [{"Origin": "https://elsewhere.example"}, {"Origin": "null", "Sec-Fetch-Site": "cross-site"}]
)
def test_another_site_cannot_sign_a_browser_in(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str, told: dict[str, str]
) -> None:
    path = link_to(runtime, mailbox, api, address)
    answer = web.post(path, data=PRESSED, headers=told)
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)
    assert web.post(path, data=PRESSED).status_code == 303


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"email": "zoe"},
        {"email": "zoe@example.org\r\nBcc: x@example.org"},
        {"email": "z@example.org, y@example.org"},
        {"email": "zoe@example.org", "verified": True},
        {"email": "zoe@example.org", "name": "a\nb"},
        {"email": None},
    ],
)
def test_an_odd_request_changes_nothing(games: Games, api: Caller, body: dict[str, Any]) -> None:
    before = counts(games)
    refused(api.post("/sign-in", body), 422, "validation")
    assert counts(games) == before
