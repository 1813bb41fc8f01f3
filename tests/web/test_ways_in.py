"""Every way into an account asks the same: whether the account, or its address, is blocked."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

import service
from service.handlers import sign_in_codes
from service.handlers.capability import draw, stored
from service.handlers.operators import accounts
from service.shared import clock
from service.store.games import Games
from service.web.post_guard import BUTTON_FIELD
from tests.oauth import registered as registered_app
from tests.operating import ZOE
from tests.passkeys import Authenticator, device, person, signed_in_by, site, visiting
from tests.people import Person, bob

__all__ = ["device", "person", "site"]

Enter = Callable[[], int]
_ASK = text(
    "insert into sign_in (id, email, name, language, asked_at)"
    " values (gen_random_uuid(), :email, 'x', 'en', :now) returning id"
)
_LINK = text("insert into sign_in_link (hash, sign_in_id, expires_at) values (:hash, :id, :now + interval '5 minutes')")


def link_for(games: Games, whom: Person) -> str:
    secret, now = draw(), clock.now()
    with games.engine.begin() as db:
        asked = db.execute(_ASK, {"email": whom.email, "now": now}).scalar_one()
        db.execute(_LINK, {"hash": stored(secret), "id": asked, "now": now})
    return secret


@pytest.fixture
def ways(site: Flask, games: Games, person: Person, device: Authenticator) -> dict[str, Enter]:
    """Each way in, as a function that goes it and returns the status."""
    own = {"headers": {"Origin": "http://localhost"}}
    link, mailed, code = (
        link_for(games, person),
        link_for(games, person),
        sign_in_codes.give(games, person.id, clock.now()),
    )
    app = registered_app(site, games, bob(games))
    granted = app.tokens(visiting(site, games, person))
    return {
        "passkey": lambda: signed_in_by(site.test_client(), device).status_code,
        "link": lambda: site.test_client().post(f"/sign-in/{link}", data={BUTTON_FIELD: "yes"}, **own).status_code,
        "link of a program": lambda: (
            site.test_client().post("/api/v1/sign-in/token", json={"sign_in": mailed}).status_code
        ),
        "code": lambda: site.test_client().post("/sign-in-code", data={"code": code}, **own).status_code,
        "app": lambda: app.refresh(granted["refresh_token"]).status_code,
    }


def test_no_way_leads_into_a_blocked_account_or_by_a_blocked_address(
    games: Games, person: Person, ways: dict[str, Enter]
) -> None:
    assert person.email is not None
    refused = {"passkey": 403, "link": 403, "link of a program": 403, "code": 403, "app": 400}
    accounts.block(games, person.id, ZOE, clock.now())
    assert {name: enter() for name, enter in ways.items()} == refused
    accounts.unblock(games, person.id, ZOE, clock.now())
    accounts.block_address(games, person.email, ZOE, clock.now())
    assert {name: enter() for name, enter in ways.items()} == refused
    accounts.unblock_address(games, person.email, ZOE, clock.now())
    # What was refused was not used up.
    assert {name: enter() for name, enter in ways.items()} == {
        "passkey": 303,
        "link": 303,
        "link of a program": 201,
        "code": 303,
        "app": 200,
    }


def test_sessions_begin_in_one_place() -> None:
    rooms = [path for path in Path(service.__file__).parent.rglob("*.py") if "migrations" not in path.parts]
    beginning = [path.name for path in rooms if re.search(r"TokenTerms\([^)]*, by\)|browser=True", path.read_text())]
    assert beginning == ["browsers.py"]
