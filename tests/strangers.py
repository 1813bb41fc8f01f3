"""People who never asked for mails, those who make mails go to them, and what arrives."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.app import create_app
from service.runtime import Runtime
from service.store.quotas import Budget, spend
from tests.letters import Letter
from tests.mail_corpus import arrived
from tests.people import Person
from tests.rest import Caller
from tests.workers.solo import hurry
from workers.relay import Relay

EVIL = "Your account is locked. Log in at https://evil.example/login"
Deliver = Callable[[], list[Letter]]
LINK = re.compile(r"http://127\.0\.0\.1:8000(/(?:confirm|join|sign-in)/[a-z2-7]{26})$", re.MULTILINE)


@pytest.fixture
def stranger() -> str:
    """An address of somebody who has never heard of us."""
    return f"{uuid4().hex[:12]}@stranger.example"


@pytest.fixture
def limited(runtime: Runtime) -> Flask:
    """The web server as it limits people, from a network address of its own."""
    return create_app(replace(runtime, settings=replace(runtime.settings, rate_limits=1.0)))


@pytest.fixture
def network() -> str:
    """A network address of this test alone."""
    return f"2001:db8:{uuid4().hex[:4]}:{uuid4().hex[:4]}::1"


@pytest.fixture
def caller(limited: Flask, network: str) -> Caller:
    return calling(limited, network)


@pytest.fixture
def deliver(runtime: Runtime, mailbox: Path) -> Deliver:
    """Carry out all that is due, without waiting, and return the mails that have arrived so far."""

    def send() -> list[Letter]:
        relay = Relay(replace(runtime, redis=None))
        for _ in range(2):
            hurry(runtime)
            while relay.drain():
                pass
        return arrived(mailbox)

    return send


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    return app.test_client(use_cookies=False)


def to(mails: list[Letter], address: str) -> list[Letter]:
    return [mail for mail in mails if mail.recipient == address]


def link_in(mail: Letter) -> str:
    (path,) = LINK.findall(mail.text)
    return str(path)


def spent(runtime: Runtime, budget: Budget, person: Person, mails: int, now: datetime) -> None:
    """Spend some of the person's budget."""
    with runtime.engine.begin() as db:
        spend(db, budget, person.id, mails, now)


def calling(limited: Flask, network: str) -> Caller:
    """The limited API, called from the network address."""
    client = limited.test_client(use_cookies=False)
    client.environ_base["REMOTE_ADDR"] = network
    return Caller(client)


def daily_mails(runtime: Runtime, deliver: Deliver) -> list[Letter]:
    """Have the digests sent as if their hour had come."""
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set not_before = now(), due_at = now() where kind = 'digest'"))
    return deliver()
