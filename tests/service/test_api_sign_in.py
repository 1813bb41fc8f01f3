"""Signing in by mail: asked for by anybody, one press of a button, one token."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from structlog.testing import capture_logs

from service import clock
from service.app import create_app
from service.handlers import sign_in
from service.runtime import Runtime
from service.store.games import Games
from tests.letters import Page
from tests.rest import Caller, refused
from workers.jobs import carry_out

LINK = re.compile(r"^http://127\.0\.0\.1:8000(/sign-in/[a-z2-7]{26})$", re.MULTILINE)


@pytest.fixture
def address() -> str:
    """A mail address that nobody has used."""
    return f"zoe.{uuid4().hex[:12]}@example.org"


@pytest.fixture(scope="module")
def app(runtime: Runtime) -> Flask:
    """The web application."""
    return create_app(runtime)


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def row_of(games: Games, email: str) -> int:
    """The outbox row of the newest request for the address."""
    query = text(
        "select o.id from outbox o join sign_in s on o.payload ->> 'sign_in' = s.id::text"
        " where s.email = :email order by o.id desc limit 1"
    )
    with games.engine.connect() as db:
        return int(db.execute(query, {"email": email}).scalar_one())


def mailed(runtime: Runtime, mailbox: Path, email: str) -> str:
    """Let the worker send what was asked for, and return the text of the mail."""
    for path in mailbox.glob("*.eml"):
        path.unlink()
    carry_out(runtime, row_of(runtime.games, email.lower()))
    (path,) = mailbox.glob("*.eml")
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert message["To"].addresses[0].addr_spec == email.lower()
    body: str = message.get_content()
    return body.replace("\r\n", "\n")


def link_to(runtime: Runtime, mailbox: Path, api: Caller, email: str, **more: str) -> str:
    """Ask for a link, and return its path as it stands in the mail."""
    assert api.post("/sign-in", {"email": email, **more}).status_code == 202
    (path,) = LINK.findall(mailed(runtime, mailbox, email))
    return str(path)


def counts(games: Games) -> tuple[int, ...]:
    """All that signing in could change."""
    tables = ("player", "token", "sign_in", "sign_in_link", "outbox")
    with games.engine.connect() as db:
        return tuple(db.execute(text(f"select count(*) from {table}")).scalar_one() for table in tables)


def token_on(page: str) -> str:
    """The token that the page shows."""
    found = re.search(r"<pre[^>]*>(brd_\w{36})</pre>", page)
    assert found, page
    return found[1]


def test_the_answer_is_the_same_for_an_address_that_is_known_and_one_that_is_not(
    runtime: Runtime, mailbox: Path, api: Caller, address: str
) -> None:
    api.client.post(link_to(runtime, mailbox, api, address))
    known, unknown = (api.post("/sign-in", {"email": each}) for each in (address, f"not.{address}"))
    assert (known.status_code, known.data) == (unknown.status_code, unknown.data) == (202, b'{"valid_minutes":15}')
    for answer in (known, unknown):
        del answer.headers["X-Request-Id"]
    assert known.headers == unknown.headers


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
    assert "script" not in page.tags


def test_the_button_makes_the_account_and_shows_a_token_that_works_at_once(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address.upper(), name="Zoë", language="fr")
    assert address in web.get(path).text
    shown = web.post(path)
    assert shown.status_code == 200
    assert "Vous êtes connecté" in shown.text
    me = Caller(api.client, token_on(shown.text)).get("/me").json
    assert me
    assert (me["name"], me["email"], me["email_verified"], me["language"]) == ("Zoë", address, True, "fr")
    assert me["token"]["scopes"] == [
        "games:read",
        "games:play",
        "games:create",
        "profile:read",
        "profile:write",
        "webhooks:manage",
    ]


def test_signing_in_again_leads_to_the_same_account_and_another_token(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    first = token_on(web.post(link_to(runtime, mailbox, api, address, name="Zoe", language="de")).text)
    again = link_to(runtime, mailbox, api, address.capitalize(), name="Mallory", language="fr")
    assert "Anmelden" in web.get(again).text
    second = token_on(web.post(again).text)
    one, other = (Caller(api.client, token).get("/me").json for token in (first, second))
    assert one and other
    assert first != second
    assert (one["id"], one["name"]) == (other["id"], "Zoe")


def test_a_link_works_once(runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str) -> None:
    path = link_to(runtime, mailbox, api, address)
    assert web.post(path).status_code == 200
    for answer in (web.get(path), web.post(path)):
        assert answer.status_code == 410
        assert "works once" in answer.text
    refused(api.post("/sign-in/token", {"sign_in": path[-26:]}), 404, "unknown-sign-in")


def test_of_eight_presses_at_the_same_time_exactly_one_gets_a_token(
    runtime: Runtime, mailbox: Path, api: Caller, app: Flask, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address)
    before = counts(runtime.games)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: app.test_client(use_cookies=False).post(path), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [410] * 7
    assert [after - was for after, was in zip(counts(runtime.games), before, strict=True)] == [1, 1, -1, -1, 0]


def test_two_requests_of_a_new_address_used_at_the_same_time_make_one_account(
    runtime: Runtime, mailbox: Path, api: Caller, app: Flask, address: str
) -> None:
    paths = [link_to(runtime, mailbox, api, address) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda path: app.test_client(use_cookies=False).post(path).text, paths))
    ids = {Caller(api.client, token_on(page)).get("/me").get_json()["id"] for page in pages}
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
    assert not sign_in.use(runtime.games, secret, now + timedelta(minutes=16))
    assert sign_in.use(runtime.games, secret, now)


@pytest.mark.parametrize("secret", ["a" * 26, "a", "é" * 26, "a" * 5000, "%00"])
def test_a_link_that_nobody_sent_leads_nowhere(api: Caller, web: FlaskClient, secret: str) -> None:
    assert web.get(f"/sign-in/{secret}").status_code == 410
    assert web.post(f"/sign-in/{secret}").status_code == 410
    assert api.post("/sign-in/token", {"sign_in": secret}).status_code in (404, 422)


def test_a_guest_with_the_same_address_is_somebody_else(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    guest = api.post("/players", {"name": "Mallory", "email": address}).get_json()
    assert guest["email_verified"] is False
    token = token_on(web.post(link_to(runtime, mailbox, api, address)).text)
    me = Caller(api.client, token).get("/me").get_json()
    assert me["id"] != guest["id"]
    assert (me["email"], me["email_verified"], me["name"]) == (address, True, "New player")


def test_the_mail_repeats_nothing_of_whoever_asked_and_speaks_the_language_of_the_account(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    api.post("/sign-in", {"email": address, "name": "Buy at evil.example", "language": "de"})
    body = mailed(runtime, mailbox, address)
    assert "evil.example" not in body
    assert "Anmelden öffne" in body
    web.post(LINK.findall(body)[0])
    api.post("/sign-in", {"email": address, "language": "fr"})
    assert "Anmelden öffne" in mailed(runtime, mailbox, address)


def test_no_secret_is_stored(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str, games: Games
) -> None:
    path = link_to(runtime, mailbox, api, address)
    token = token_on(web.post(path).text)
    second = link_to(runtime, mailbox, api, address)
    with games.engine.connect() as db:
        tables = db.execute(text("select tablename from pg_tables where schemaname = 'public'")).scalars().all()
        for table in tables:
            rows = db.execute(text(f"select t::text from {table} t")).scalars()
            assert not [row for row in rows for secret in (token, path[-26:], second[-26:]) if secret in row], table


@pytest.fixture
def spoken() -> Iterator[list[Any]]:
    """The lines that workers log."""
    structlog.reset_defaults()
    with capture_logs() as lines:
        yield lines


def test_the_link_is_in_the_log_where_mails_stay_on_the_machine_and_nowhere_else(
    runtime: Runtime, mailbox: Path, api: Caller, address: str, spoken: list[Any]
) -> None:
    path = link_to(runtime, mailbox, api, address)
    assert [line["url"] for line in spoken] == [f"http://127.0.0.1:8000{path}"]
    spoken.clear()
    elsewhere = replace(runtime, settings=replace(runtime.settings, mailbox=None))
    link_to(elsewhere, mailbox, api, address)
    assert spoken == []


def test_neither_link_nor_token_is_in_the_log_of_the_web_server(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = link_to(runtime, mailbox, api, address)
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        web.get(path)
        token = token_on(web.post(path).text)
        api.post("/sign-in/token", {"sign_in": path[-26:]})
        Caller(api.client, token).get("/me")
    assert not [secret for secret in (path[-26:], token, address) if secret in caplog.text]


def test_each_try_to_send_has_a_link_of_its_own_and_the_request_is_still_good_for_one_token(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    api.post("/sign-in", {"email": address})
    with runtime.engine.connect() as db:
        asked = db.execute(text("select id from sign_in where email = :email"), {"email": address}).scalar_one()
    with runtime.engine.begin() as db:
        first, second = (sign_in.prepare(db, asked, clock.now()) for _ in range(2))
    assert first and second and first.secret != second.secret
    assert web.post(f"/sign-in/{first.secret}").status_code == 200
    assert web.get(f"/sign-in/{second.secret}").status_code == 410


def test_a_request_that_nobody_remembers_is_not_mailed(runtime: Runtime, api: Caller, address: str) -> None:
    api.post("/sign-in", {"email": address})
    row = row_of(runtime.games, address)
    sign_in.ask(runtime.games, f"not.{address}", "Zoe", "en", clock.now() + timedelta(days=2))
    carry_out(runtime, row)
    with runtime.engine.connect() as db:
        assert db.execute(text("select state from outbox where id = :id"), {"id": row}).scalar_one() == "skipped"


def test_every_page_keeps_the_link_and_the_token_from_leaking(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    path = link_to(runtime, mailbox, api, address)
    for answer in (web.get(path), web.post(path), web.post(path)):
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("origin", [None, "null"])
def test_a_press_is_accepted_whatever_origin_the_browser_tells(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str, origin: str | None
) -> None:
    path = link_to(runtime, mailbox, api, address)
    assert web.post(path, headers={} if origin is None else {"Origin": origin}).status_code == 200


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
