"""What programs and people look for below /.well-known."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from flask import Flask

from service.app import create_app
from service.runtime import Runtime
from service.shared import clock
from tests.rest import Caller, refused

CONTACT = "security@example.org"
RESOURCE = "/.well-known/oauth-protected-resource"


@pytest.fixture(scope="module")
def house(runtime: Runtime) -> Flask:
    """A service that names somebody to write to."""
    return create_app(replace(runtime, settings=replace(runtime.settings, security_email=CONTACT, redis_url=None)))


def test_security_txt_says_whom_to_write_to_and_until_when(house: Flask) -> None:
    answer = house.test_client().get("/.well-known/security.txt")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    told = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert told["Contact"] == f"mailto:{CONTACT}"
    assert told["Canonical"].endswith("/.well-known/security.txt")
    left = datetime.fromisoformat(told["Expires"]) - clock.now()
    assert timedelta(days=100) < left < timedelta(days=365)


def test_without_a_contact_there_is_no_security_txt(api: Caller) -> None:
    refused(api.client.get("/.well-known/security.txt"), 404, "not-found")


def test_a_program_without_a_token_finds_who_gives_one(api: Caller, runtime: Runtime) -> None:
    base = runtime.settings.base_url
    challenge = api.get("/me").headers["WWW-Authenticate"]
    assert f'resource_metadata="{base}{RESOURCE}/api/v1"' in challenge
    told = api.client.get(f"{RESOURCE}/api/v1").get_json()
    assert (told["resource"], told["authorization_servers"]) == (f"{base}/api/v1", [base])
    assert api.client.get(RESOURCE).get_json()["resource"] == base
    server = api.client.get("/.well-known/oauth-authorization-server").get_json()
    assert told["scopes_supported"] == server["scopes_supported"]
