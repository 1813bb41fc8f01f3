"""Apps of other people in tests: registered by somebody, granted on the page for it, and given tokens."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.handlers import apps
from service.handlers.apps import AppTerms
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser
from tests.letters import Page
from tests.people import Person, alice, bob

BACK: Final = "https://board.example/back?from=boardroom"
ISSUER: Final = "http://127.0.0.1:8000"
VERIFIER: Final = "v" * 43


@dataclass
class Client:
    """An app that keeps to the rules; tests change its fields to what a forger would send."""

    app: Flask
    id: str
    secret: str | None = None
    asks: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill in what an honest app asks for."""
        honest = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": BACK,
            "scope": "games:read games:play",
            "state": 'of "this" visit & no other',
            "code_challenge": create_s256_code_challenge(VERIFIER),
            "code_challenge_method": "S256",
        }
        self.asks = {**honest, **self.asks}

    def address(self, **changed: str | None) -> str:
        """The address to which the app sends its visitor, with some parameters changed or, with None, left out."""
        asked = {name: value for name, value in {**self.asks, **changed}.items() if value is not None}
        return f"/oauth/authorize?{urlencode(asked)}"

    def granted(self, web: FlaskClient, answer: str = "allow", **changed: str | None) -> dict[str, str]:
        """What comes back to the app when its visitor has pressed the button of the page."""
        location = self.answered(web, answer, **changed).location
        assert location.startswith(f"{BACK}&")
        return dict(parse_qsl(urlsplit(location).query))

    def answered(self, web: FlaskClient, answer: str = "allow", **changed: str | None) -> TestResponse:
        """The answer to the button of the page."""
        shown = web.get(self.address(**changed))
        assert shown.status_code == 200, shown.text
        (form,) = [each for each in Page(shown.text).forms if each.action == "/oauth/authorize"]
        return web.post(form.action, data={**form.hidden, "answer": answer})

    def exchange(self, code: str, **changed: str | None) -> TestResponse:
        """The answer to a code."""
        asked = {"code": code, "redirect_uri": BACK, "code_verifier": VERIFIER, **changed}
        return self.ask("/oauth/token", grant_type="authorization_code", **asked)

    def refresh(self, refresh_token: str, **changed: str | None) -> TestResponse:
        """The answer to a refresh token."""
        return self.ask("/oauth/token", grant_type="refresh_token", refresh_token=refresh_token, **changed)

    def revoke(self, token: str, **changed: str | None) -> TestResponse:
        """The answer to a token that is given back."""
        return self.ask("/oauth/revoke", token=token, **changed)

    def ask(self, path: str, **sent: str | None) -> TestResponse:
        """The answer to a form, which says who the app is."""
        headers = {}
        if self.secret is None:
            sent = {"client_id": self.id, **sent}
        else:
            headers = {"Authorization": f"Basic {b64encode(f'{self.id}:{self.secret}'.encode()).decode()}"}
        form = {name: value for name, value in sent.items() if value is not None}
        return self.app.test_client().post(path, data=form, headers=headers)

    def tokens(self, web: FlaskClient, **changed: str | None) -> dict[str, Any]:
        """The tokens that the app gets when its visitor allows it."""
        answer = self.exchange(self.granted(web, **changed)["code"])
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.get_json()
        return body


def registered(
    app: Flask, games: Games, owner: Person, name: str = "Boards", *, confidential: bool = False, back: str = BACK
) -> Client:
    """An app that somebody has registered."""
    made = apps.register(games, owner.id, AppTerms(name, [back], confidential), clock.now())
    return Client(app, str(made.id), made.secret)


def reads(app: Flask, token: str) -> int:
    """The status of a request of the API with the token."""
    return app.test_client().get("/api/v1/games", headers={"Authorization": f"Bearer {token}"}).status_code


def digest(text: str) -> bytes:
    """The SHA-256 as which a token is stored."""
    return sha256(text.encode()).digest()


@pytest.fixture
def person(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def web(app: Flask, games: Games, person: Person) -> FlaskClient:
    """Alice's browser."""
    return browser(app, games, person)


@pytest.fixture
def client(app: Flask, games: Games) -> Client:
    """An app of Bob's that can keep no secret."""
    return registered(app, games, bob(games))


def error_of(answer: TestResponse) -> str:
    """The error of an answer, which has the form of RFC 6749, section 5.2."""
    body = answer.get_json()
    assert set(body) <= {"error", "error_description"}
    return str(body["error"])
