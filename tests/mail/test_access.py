"""Mails about access: changes of an account, sign-in links and where their secret is not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from structlog.testing import capture_logs

from service.handlers import apps, delete_account, passkeys, people, sign_in
from service.handlers.apps import AppTerms
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser
from tests.letters import PRESSED, text_of
from tests.oauth import BACK, Client, registered
from tests.passkeys import Authenticator, device, person, site
from tests.people import Person, alice, bob, guest, new_address, register
from tests.rest import Caller
from tests.signing_in import LINK, address, link_to, row_of, token_on
from tests.signing_in import mailed as signing_in_mailed
from workers.jobs import carry_out

__all__ = ["address", "device", "person", "site"]

ROWS = text("""
select id from outbox
 where kind = 'account-changed' and payload ->> 'player' = :player and state = 'pending' order by id
""")


def mailed(runtime: Runtime, mailbox: Path, whom: Person) -> list[EmailMessage]:
    """Carry out what waits for the player; return the mails, the oldest first."""
    with runtime.engine.connect() as db:
        rows = db.execute(ROWS, {"player": str(whom.id)}).scalars().all()
    for row in rows:
        carry_out(runtime, row)
    found = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in sorted(mailbox.glob("*.eml"))]
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return [mail for mail in found if mail["List-Id"].startswith("<account.")]


def test_each_passkey_that_comes_or_goes_is_told(
    runtime: Runtime, games: Games, mailbox: Path, person: Person, device: Authenticator
) -> None:
    (mail,) = mailed(runtime, mailbox, person)
    assert (mail["To"].addresses[0].addr_spec, mail["Subject"]) == (person.email, "Your account has a new passkey")
    said = " ".join(text_of(mail).split())
    assert "If it was not you: remove the passkey there" in said and "/settings/passkeys" in said
    assert "Laptop" not in said
    with games.engine.connect() as db:
        its_id = db.execute(text("select id from passkey where player_id = :id"), {"id": person.id}).scalar_one()
    passkeys.rename(games, person.id, its_id, "Other")
    passkeys.remove(games, person.id, its_id, clock.now())
    (mail,) = mailed(runtime, mailbox, person)
    assert mail["Subject"] == "A passkey of your account was removed"


@pytest.mark.parametrize(
    ("language", "subject"),
    [("en", "Boards may act for you"), ("de", "Boards darf für dich handeln"), ("fr", "Boards peut agir pour vous")],
)
def test_an_app_is_told_of_the_first_time_that_it_is_let(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path, language: str, subject: str
) -> None:
    reader = register(games, "Alice", new_address(), language)
    client, web = registered(app, games, bob(games)), browser(app, games, reader)
    client.granted(web, "deny")
    assert mailed(runtime, mailbox, reader) == []
    client.granted(web)
    (mail,) = mailed(runtime, mailbox, reader)
    assert (mail["Subject"], mail["Content-Language"]) == (subject, language)
    assert "/settings/apps" in text_of(mail)
    client.granted(web, scope="games:create")
    assert mailed(runtime, mailbox, reader) == []


def test_an_app_that_was_taken_back_meanwhile_is_not_told_of_and_its_name_makes_no_link(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    reader, owner = alice(games, new_address()), bob(games)
    made = apps.register(games, owner.id, AppTerms("www.evil.example", [BACK], False), clock.now())
    web, client = browser(app, games, reader), Client(app, str(made.id))
    client.granted(web)
    with games.engine.connect() as db:
        granted: UUID = db.execute(text("select id from app_grant where app_id = :id"), {"id": made.id}).scalar_one()
    apps.revoke(games, reader.id, granted)
    assert mailed(runtime, mailbox, reader) == []
    client.granted(web)
    (mail,) = mailed(runtime, mailbox, reader)
    assert "www.evil.example" not in mail.as_string()


def test_whatever_a_token_makes_that_lasts_is_told_as_well(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path, person: Person
) -> None:
    api = Caller(app.test_client(), person.token)
    board = {"name": "Mine", "redirect_uris": ["https://mine.example/back"], "confidential": False}
    bot = api.post("/bots", {"name": "Robot"}).get_json()["id"]
    token = {"label": "laptop", "scopes": ["games:read"]}
    made = {
        "A token": api.post("/tokens", token),
        "Of a bot": api.post(f"/bots/{bot}/tokens", token),
        "An app": api.post("/apps", board),
        "A webhook": api.post("/webhooks", {"url": "https://hooks.example.org/x", "events": ["game.event"]}),
        "A channel": api.post("/me/channels", {"kind": "ntfy", "url": "https://ntfy.sh/x", "messages": ["turn"]}),
        "A calendar": api.post("/me/calendar"),
    }
    assert {name: answer.status_code for name, answer in made.items()} == dict.fromkeys(made, 201)
    assert [api.get("/me/export").status_code for _ in range(2)] == [200, 200]
    assert sorted(mail["Subject"] for mail in mailed(runtime, mailbox, person)) == [
        "Your account has a new bot",
        "Your account has a new channel",
        "Your account has a new or changed app",
        "Your account has a new or changed webhook",
        "Your account has a new token",
        "Your account has a new token",
        "Your calendar has a new address",
        "Your data were downloaded",
    ]


def test_a_code_is_told_of_when_another_device_has_used_it(
    runtime: Runtime, games: Games, mailbox: Path, person: Person
) -> None:
    code = sign_in.give_sign_in_code(games, person.id, clock.now())
    assert mailed(runtime, mailbox, person) == []
    assert sign_in.enter_sign_in_code(games, code, clock.now()) is not None
    (mail,) = mailed(runtime, mailbox, person)
    assert mail["Subject"] == "Another device was signed in by a code"
    assert code not in mail.as_string()


def test_a_deletion_is_told_and_the_address_goes_with_the_mail(
    runtime: Runtime, games: Games, mailbox: Path, person: Person
) -> None:
    delete_account.delete_account(games, person.id, "web", clock.now())
    (mail,) = mailed(runtime, mailbox, person)
    assert (mail["To"].addresses[0].addr_spec, mail["Subject"]) == (person.email, "Your account was deleted")
    with games.engine.connect() as db:
        kept = db.execute(text("select count(*) from outbox where payload::text like :it"), {"it": f"%{person.email}%"})
        assert kept.scalar_one() == 0


def test_a_guest_who_gives_an_address_is_told_what_was_made_before(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    email = new_address()
    with_token = register(games, "Bob", None, "en")
    with games.engine.begin() as db:
        whose, _ = people.meet(db, people.Arrival("en", "Alice"), clock.now())
        sign_in._tied(db, email, with_token.id, clock.now())
        sign_in._tied(db, new_address(), whose, clock.now())
    (mail,) = mailed(runtime, mailbox, with_token)
    assert mail["Subject"] == "Your account belongs to this address now"
    assert mailed(runtime, mailbox, replace(with_token, id=whose)) == []


def test_an_address_that_nobody_has_confirmed_is_asked_first(
    app: Flask, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    unknown = guest(games, new_address())
    registered(app, games, bob(games)).granted(browser(app, games, unknown))
    assert mailed(runtime, mailbox, unknown) == []


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def test_the_mail_repeats_nothing_of_whoever_asked_and_speaks_the_language_of_the_account(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    api.post("/sign-in", {"email": address, "name": "Buy at evil.example", "language": "de"})
    body = signing_in_mailed(runtime, mailbox, address)
    assert "evil.example" not in body
    assert "Dein Link zum Anmelden" in body
    web.post(LINK.findall(body)[0], data=PRESSED)
    api.post("/sign-in", {"email": address, "language": "fr"})
    assert "Dein Link zum Anmelden" in signing_in_mailed(runtime, mailbox, address)


def test_no_secret_is_stored(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str, games: Games
) -> None:
    path = link_to(runtime, mailbox, api, address)
    token = token_on(web.post(path, data=PRESSED))
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
    runtime: Runtime,
    mailbox: Path,
    api: Caller,
    web: FlaskClient,
    address: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = link_to(runtime, mailbox, api, address)
    caplog.clear()
    capfd.readouterr()
    with caplog.at_level(logging.DEBUG):
        web.get(path)
        token = token_on(web.post(path, data=PRESSED))
        api.post("/sign-in/token", {"sign_in": path[-26:]})
        Caller(api.client, token).get("/me")
    logged = caplog.text + capfd.readouterr().err
    assert "/sign-in/" in logged
    assert not [secret for secret in (path[-26:], token, address) if secret in logged]


def test_each_try_to_send_has_a_link_of_its_own_and_the_request_is_still_good_for_one_token(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    api.post("/sign-in", {"email": address})
    with runtime.engine.connect() as db:
        asked = db.execute(text("select id from sign_in where email = :email"), {"email": address}).scalar_one()
    with runtime.engine.begin() as db:
        first, second = (sign_in.prepare(db, asked, clock.now()) for _ in range(2))
    assert first and second and first.secret != second.secret
    assert web.post(f"/sign-in/{first.secret}", data=PRESSED).status_code == 303
    assert web.get(f"/sign-in/{second.secret}").status_code == 410


def test_a_request_that_nobody_remembers_is_not_mailed(runtime: Runtime, api: Caller, address: str) -> None:
    api.post("/sign-in", {"email": address})
    row = row_of(runtime.games, address)
    sign_in.ask(runtime.games, f"not.{address}", "Zoe", "en", clock.now() + timedelta(days=2))
    carry_out(runtime, row)
    with runtime.engine.connect() as db:
        assert db.execute(text("select state from outbox where id = :id"), {"id": row}).scalar_one() == "skipped"
