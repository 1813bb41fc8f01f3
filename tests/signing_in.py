"""Signing in the way a person does: asking, reading the mail, opening its link, pressing the button."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.handlers.sessions import recognise
from service.runtime import Runtime
from service.store.access import PlayerRow
from service.store.games import Games
from tests.letters import text_of
from tests.rest import Caller
from workers.jobs import carry_out

LINK = re.compile(r"^http://127\.0\.0\.1:8000(/sign-in/[a-z2-7]{26})$", re.MULTILINE)


@pytest.fixture
def address() -> str:
    """A mail address that nobody has used."""
    return f"zoe.{uuid4().hex[:12]}@example.org"


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
    return text_of(message)


def link_to(runtime: Runtime, mailbox: Path, api: Caller, email: str, **more: str) -> str:
    """Ask for a link, and return its path as it stands in the mail."""
    assert api.post("/sign-in", {"email": email, **more}).status_code == 202
    (path,) = LINK.findall(mailed(runtime, mailbox, email))
    return str(path)


def player_at(games: Games, answer: TestResponse) -> PlayerRow:
    """Return the player signed in at the browser that gets the answer."""
    browser = recognise(games, token_on(answer))
    assert browser is not None
    return browser.player


def token_on(answer: TestResponse) -> str:
    """The token that the browser is to keep."""
    (cookie,) = [each for each in answer.headers.getlist("Set-Cookie") if each.startswith("boardroom=")]
    found = re.match(r"boardroom=(brd_\w{36}); ", cookie)
    assert found, cookie
    return found[1]
