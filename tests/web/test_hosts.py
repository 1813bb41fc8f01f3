"""Under which addresses there are pages, and who is shown the mails that the mail sink has caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.mail.access import send_sign_in_mail
from service.runtime import Runtime
from service.store import outbox
from tests.rest import Caller
from tests.signing_in import address, row_of

assert address, "pytest finds fixtures by their names"

PUBLIC = {"base_url": "https://games.example", "host": "0.0.0.0"}
LOOPBACK = ("localhost", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:81", "LOCALHOST:9")
ELSEWHERE = (
    "evil.example",
    "evil.example:8000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "10.0.0.7",
    "[::2]",
    # No names at all: a label may be neither empty nor longer than 63 characters.
    "evil..example",
    f"{'e' * 64}.example",
)
Web = Callable[..., FlaskClient]


@pytest.fixture(scope="module")
def web(runtime: Runtime) -> Web:
    """Makes a browser at a service with these settings."""
    made: dict[str, Flask] = {}

    def make(**changed: Any) -> FlaskClient:
        name = str(changed)
        if name not in made:
            made[name] = create_app(replace(runtime, settings=replace(runtime.settings, **changed)))
        return made[name].test_client()

    return make


@pytest.mark.parametrize("path", ["/", "/mailbox", "/sign-in", "/games/open", "/t/none"])
def test_pages_are_under_the_services_own_address_and_on_loopback_those_of_loopback(web: Web, path: str) -> None:
    local, public = web(), web(**PUBLIC)
    for host in LOOPBACK:
        assert local.get(path, headers={"Host": host}).status_code != 421
        assert public.get(path, headers={"Host": host}).status_code == 421
    for host in ("games.example", "Games.Example:443", "games.example."):
        assert public.get(path, headers={"Host": host}).status_code != 421
    for host in ELSEWHERE:
        answers = [each.get(path, headers={"Host": host, "Accept-Language": "de"}) for each in (local, public)]
        assert [answer.status_code for answer in answers] == [421, 421]
        assert "Andere Adresse" in answers[1].text
        assert 'href="https://games.example/"' in answers[1].text
        assert all("Set-Cookie" not in answer.headers for answer in answers)


def test_a_form_that_is_sent_to_another_address_changes_nothing(web: Web) -> None:
    sent = {"language": "de", "back": "/"}
    assert web().post("/language", data=sent, headers={"Host": "evil.example"}).status_code == 421
    assert web().post("/language", data=sent).status_code == 303


@pytest.mark.parametrize("host", [*LOOPBACK, *ELSEWHERE, "games.example"])
def test_probes_the_api_and_what_pages_look_like_are_under_every_address(web: Web, host: str) -> None:
    for client in (web(), web(**PUBLIC)):
        for path in ("/livez", "/readyz", "/metrics", "/api/v1/rulesets", "/look/style.css"):
            assert client.get(path, headers={"Host": host}, buffered=True).status_code == 200


def test_the_mails_are_shown_at_this_machine_alone(web: Web, mailbox: Path) -> None:
    (mailbox / "1.eml").write_text("Subject: Hello\n\nhttp://127.0.0.1:8000/sign-in/secret\n")

    def shown(client: FlaskClient, peer: str, host: str = "127.0.0.1:8000", **headers: str) -> bool:
        told = {"Host": host, **headers}
        paths = ("/mailbox", "/mailbox/1.eml", "/")
        *answers, start = (client.get(each, headers=told, environ_base={"REMOTE_ADDR": peer}) for each in paths)
        (status,) = {answer.status_code for answer in answers}
        assert ("/mailbox" in start.text) == (status == 200)
        return status == 200

    for peer in ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"):
        assert shown(web(), peer)
        assert shown(web(), peer, "localhost")
        assert not shown(web(), peer, "evil.example")
        assert not shown(web(), peer, **{"X-Forwarded-For": "127.0.0.1"})
        assert not shown(web(**PUBLIC, local_mail=True), peer, "games.example")
        assert not shown(web(proxies=1), peer, **{"X-Forwarded-For": "192.0.2.2"})
        assert shown(web(proxies=1), peer, **{"X-Forwarded-For": "::1"})
    for peer in ("192.0.2.2", "10.0.0.7", "::2", "", "unknown"):
        assert not shown(web(), peer)
        assert not shown(web(proxies=1), "127.0.0.1", **{"X-Forwarded-For": peer or "-"})
    own = {**PUBLIC, "base_url": "http://127.0.0.1:8000", "local_mail": True}
    assert shown(web(**own), "127.0.0.1")
    assert not shown(web(**own), "192.0.2.2")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, True),
        ({"host": "0.0.0.0", "local_mail": True}, False),
        ({"base_url": "https://games.example"}, False),
        ({"proxies": 1}, False),
        ({"mailbox": None}, False),
    ],
)
def test_a_log_holds_a_link_that_signs_in_only_where_nobody_else_can_use_it(
    api: Caller, runtime: Runtime, mailbox: Path, address: str, changed: dict[str, Any], told: bool
) -> None:
    api.post("/sign-in", {"email": address})
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_of(runtime.games, address))
    assert row is not None
    house = replace(runtime, settings=replace(runtime.settings, **changed))
    with structlog.testing.capture_logs() as lines:
        assert send_sign_in_mail(house, row) == "done"
    assert any("/sign-in/" in str(line) for line in lines) == told


def test_where_the_address_is_of_https_every_answer_asks_for_it(web: Web) -> None:
    paths = ("/", "/nowhere", "/api/v1/rulesets", "/api/v1/me", "/livez", "/look/style.css")
    for path in paths:
        answer = web(base_url="https://localhost").get(path, buffered=True)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert "Strict-Transport-Security" not in web().get(path, buffered=True).headers
