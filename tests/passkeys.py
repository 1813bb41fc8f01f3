"""Passkeys in tests: an authenticator in software (W3C Web Authentication, section 6), and those who use it."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

import pytest
from cbor2 import dumps
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from werkzeug.test import TestResponse

from service.app import create_app
from service.handlers import operators
from service.handlers.sessions import let_in
from service.runtime import Runtime
from service.shared import clock
from service.store.access import Session
from service.store.games import Games
from tests.browsing import form_on
from tests.operating import ZOE, verified
from tests.people import Person, new_address, register

ORIGIN: Final = "http://localhost:8000"
SETTINGS: Final = "/settings/passkeys"
PRESENT, VERIFIED, MADE = 0x01, 0x04, 0x40
"""Flags of the authenticator's data: the user is there, was verified, and a credential was made."""


@dataclass
class Authenticator:
    """Holds one passkey. The fields say what an honest one says; tests change them to what a forger would."""

    origin: str = ORIGIN
    rp_id: str = "localhost"
    flags: int = PRESENT | VERIFIED
    count: int = 0
    counts: bool = True
    user: bytes | None = None
    cross: bool = False
    top: str | None = None
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def create(self, options: dict[str, Any]) -> str:
        """Make the passkey; return the answer of `navigator.credentials.create` as JSON."""
        self.user = base64url_to_bytes(options["user"]["id"])
        credential = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self._public()
        statement = {"fmt": "none", "attStmt": {}, "authData": self._data(self.flags | MADE) + credential}
        made = {"attestationObject": bytes_to_base64url(dumps(statement)), "transports": ["internal"]}
        return self._answer({**made, "clientDataJSON": self._client("webauthn.create", options)})

    def get(self, options: dict[str, Any]) -> str:
        """Sign the challenge; return the answer of `navigator.credentials.get` as JSON."""
        self.count += self.counts
        client, data = self._client("webauthn.get", options), self._data(self.flags)
        signed = data + sha256(base64url_to_bytes(client)).digest()
        signature = self.key.sign(signed, ec.ECDSA(SHA256()))
        user = {} if self.user is None else {"userHandle": bytes_to_base64url(self.user)}
        parts = {"authenticatorData": bytes_to_base64url(data), "signature": bytes_to_base64url(signature)}
        return self._answer({**user, **parts, "clientDataJSON": client})

    def _data(self, flags: int) -> bytes:
        return sha256(self.rp_id.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, options: dict[str, Any]) -> str:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": self.cross}
        said |= {} if self.top is None else {"topOrigin": self.top}
        return bytes_to_base64url(json.dumps(said).encode())

    def _public(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        # RFC 9053, sections 2.1 and 7.1.1: EC2, ES256, P-256, and the two coordinates.
        return dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})

    def _answer(self, response: dict[str, Any]) -> str:
        name = bytes_to_base64url(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def visiting(app: Flask, games: Games, person: Person, how: Session = "mail") -> FlaskClient:
    """A browser at which the person has just signed in; by a mailed link unless told else."""
    client = app.test_client()
    with games.engine.begin() as db:
        client.set_cookie("boardroom", let_in(db, person.id, clock.now(), how), domain="localhost")
    return client


def challenged(web: FlaskClient, path: str, **fields: str) -> dict[str, Any]:
    """The options that the server gives to the script of a page."""
    answer = web.post(f"{path}/challenge", data=fields)
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.get_json()
    return options


def registered(web: FlaskClient, device: Authenticator, name: str = "Laptop") -> TestResponse:
    """Make a passkey on the page of the settings."""
    hidden = {"form_key": form_on(web.get(SETTINGS), SETTINGS).hidden["form_key"]}
    answer = device.create(challenged(web, SETTINGS, **hidden))
    return web.post(SETTINGS, data={**hidden, "name": name, "credential": answer})


def signed_in_by(web: FlaskClient, device: Authenticator, **fields: str) -> TestResponse:
    """Sign in by a passkey on the page for it, at a browser where nobody is signed in."""
    answer = device.get(challenged(web, "/sign-in/passkey"))
    return web.post("/sign-in/passkey", data={"credential": answer, **fields})


@pytest.fixture(scope="module")
def site(runtime: Runtime) -> Flask:
    """The site under an address for which browsers make passkeys."""
    return create_app(replace(runtime, settings=replace(runtime.settings, base_url=ORIGIN)))


@pytest.fixture
def person(games: Games) -> Person:
    return verified(games, register(games, "Alice", new_address(), "en"))


@pytest.fixture
def zoe(games: Games) -> Person:
    """An account with the role."""
    zoe = verified(games, register(games, "Zoë", new_address(), "en"))
    operators.add_operator(games, zoe.id, ZOE, clock.now())
    return zoe


@pytest.fixture
def device(site: Flask, games: Games, person: Person) -> Authenticator:
    """A device with a passkey of Alice's."""
    device = Authenticator()
    assert registered(visiting(site, games, person), device).status_code == 303
    return device


def kept(games: Games, person: Person) -> list[Any]:
    with games.engine.connect() as db:
        query = text(
            "select name, sign_count, last_used_at, copied_at from passkey where player_id = :id order by name"
        )
        return list(db.execute(query, {"id": person.id}))
