"""What a mail to sign in says, and where its secret is and is not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from structlog.testing import capture_logs

from service.handlers import sign_in
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.letters import PRESSED
from tests.rest import Caller
from tests.signing_in import LINK, address, link_to, mailed, row_of, token_on
from workers.jobs import carry_out

__all__ = ["address"]


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def test_the_mail_repeats_nothing_of_whoever_asked_and_speaks_the_language_of_the_account(
    runtime: Runtime, mailbox: Path, api: Caller, web: FlaskClient, address: str
) -> None:
    api.post("/sign-in", {"email": address, "name": "Buy at evil.example", "language": "de"})
    body = mailed(runtime, mailbox, address)
    assert "evil.example" not in body
    assert "Dein Link zum Anmelden" in body
    web.post(LINK.findall(body)[0], data=PRESSED)
    api.post("/sign-in", {"email": address, "language": "fr"})
    assert "Dein Link zum Anmelden" in mailed(runtime, mailbox, address)


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
