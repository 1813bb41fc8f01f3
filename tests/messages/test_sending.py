"""T-41: a message goes to each kind of channel, by guarded calls alone, and nothing of a channel's secrets is told."""

from __future__ import annotations

import ast
import inspect
import json
import logging
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
import requests

from service.messages.calls import Caller
from service.messages.channels import CHANNELS, BadWhere, Message, Where
from service.messages.keys import new_key, private_key, public_key
from service.messages.send import MAX_CALLS, MODULES, GuardedSession, Sender, Sent, send
from tests.listener import Listener, Reply
from tests.messages.services import WHERES, Browser, Services

HELLO = Message("It is your move", "Sealed Bids (#abc123)", "https://games.example.org/games/1/open", "1-turn")
KEY = new_key()
SENDER = Sender(KEY, "Boardroom <boardroom@example.org>")
KINDS = pytest.mark.parametrize("kind", CHANNELS)


@pytest.fixture
def browser(there: Services) -> Browser:
    there.browser = Browser()
    return there.browser


def where(kind: str, browser: Browser) -> Where:
    return browser.where() if kind == "web-push" else WHERES[kind]


def secrets_of(where: Where) -> Iterator[str]:
    """Yield the parts that nobody may learn."""
    yield from filter(None, (where.token, where.auth, where.p256dh))
    yield from (part for part in where.url.split("/")[3:] if len(part) > 8 and part not in ("webhooks", "services"))


@KINDS
def test_t41_each_service_takes_the_message_with_its_link(
    there: Services, caller: Caller, browser: Browser, kind: str
) -> None:
    whereto = where(kind, browser)
    whereto.check()
    assert send(whereto, HELLO, caller, SENDER).taken
    ((service, text),) = there.said
    assert service == kind
    assert all(part in text for part in (HELLO.title, HELLO.text, HELLO.url))


@KINDS
@pytest.mark.parametrize("status", [301, 400, 401, 404, 410, 429, 500])
def test_t41_what_a_service_refuses_was_not_taken(
    there: Services, caller: Caller, browser: Browser, kind: str, status: int
) -> None:
    there.status = status
    begun = monotonic()
    assert send(where(kind, browser), HELLO, caller, SENDER) == Sent(False, status, "not-taken")
    assert monotonic() - begun < 30
    assert there.said == []
    assert len(there.received) <= MAX_CALLS


@KINDS
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"])
def test_t41_a_name_that_leads_inside_is_not_called(there: Services, browser: Browser, kind: str, address: str) -> None:
    inside = Caller(lookup=lambda host, port: [address])
    assert send(where(kind, browser), HELLO, inside, SENDER) == Sent(False, None, "address-refused")
    assert there.connections == 0


@KINDS
def test_t41_one_address_inside_among_others_is_enough_to_refuse_the_name(kind: str) -> None:
    inside = Caller(lookup=lambda host, port: ["93.184.215.14", "127.0.0.1"])
    assert send(where(kind, Browser()), HELLO, inside, SENDER).error == "address-refused"


def test_t41_the_very_loopback_is_not_called_by_its_name(there: Services) -> None:
    # No lookup of the test's: the resolver of this machine says where localhost leads.
    to_itself = Where(kind="ntfy", url=f"https://localhost:{there.server_port}/topic")
    assert send(to_itself, HELLO, Caller(), SENDER).error == "address-refused"
    by_number = Where(kind="ntfy", url=f"https://127.0.0.1:{there.server_port}/topic")
    assert send(by_number, HELLO, Caller(), SENDER).error == "address-refused"
    assert there.connections == 0


@pytest.mark.parametrize("kind", ["matrix", "ntfy", "web-push"])
def test_t41_nobody_is_followed_inside(there: Services, caller: Caller, browser: Browser, kind: str) -> None:
    with Listener() as inside:
        there.answer = lambda received: Reply(302, {"Location": inside.url})  # type: ignore[method-assign]
        assert not send(where(kind, browser), HELLO, caller, SENDER).taken
        assert inside.connections == 0


def test_t41_the_proxy_of_the_environment_is_not_used(
    there: Services, caller: Caller, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Listener() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert all(send(where(kind, browser), HELLO, caller, SENDER).taken for kind in CHANNELS)
        assert proxy.connections == 0


def test_t41_no_password_of_the_machine_is_sent_along(
    there: Services, caller: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = tmp_path / "netrc"
    known.write_text("machine ntfy.example.org login operator password hush\n")
    monkeypatch.setenv("NETRC", str(known))
    assert send(WHERES["ntfy"], HELLO, caller, SENDER).taken
    assert there.received[0].headers["authorization"] == "Bearer tk_secret"


def test_t41_a_homeserver_cannot_make_the_courier_wait(there: Services, caller: Caller) -> None:
    slow = Reply(429, {"Content-Type": "application/json"}, json.dumps({"retry_after_ms": 3_600_000}).encode())
    there.answer = lambda received: slow  # type: ignore[method-assign]
    begun = monotonic()
    assert not send(WHERES["matrix"], HELLO, caller, SENDER).taken
    assert monotonic() - begun < 30


def test_t41_apprise_has_no_other_way_out_than_the_session() -> None:
    for module in MODULES:
        imported = {
            name.split(".")[0]
            for node in ast.walk(ast.parse(inspect.getsource(module)))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        }
        assert not imported & {"socket", "urllib3", "http", "httpx", "aiohttp", "smtplib", "ssl", "subprocess"}
        assert module.requests is not requests  # type: ignore[attr-defined]
        with pytest.raises(LookupError):
            module.requests.post("https://example.org")  # type: ignore[attr-defined]
        with pytest.raises(AttributeError):
            _ = module.requests.Session  # type: ignore[attr-defined]


def test_t41_a_session_ends_after_so_many_calls(there: Services, caller: Caller) -> None:
    session = GuardedSession(caller)
    for _ in range(MAX_CALLS):
        assert session.get(
            "https://matrix.example.org/account/whoami", headers={"Authorization": "Bearer syt_secret_token"}
        )
    with pytest.raises(requests.ConnectionError):
        session.get("https://matrix.example.org/account/whoami")
    assert session.failure == "too-many-calls"


@KINDS
def test_t41_no_log_and_no_error_holds_a_secret_of_the_channel(
    there: Services,
    caller: Caller,
    browser: Browser,
    kind: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    whereto = where(kind, browser)
    hidden = list(secrets_of(whereto))
    assert hidden
    caplog.set_level(logging.DEBUG)
    outcomes = [send(whereto, HELLO, caller, SENDER)]
    there.status = 500
    outcomes += [send(whereto, HELLO, caller, SENDER), send(whereto, HELLO, Caller(lookup=_nowhere), SENDER)]
    told = "".join((caplog.text, *capfd.readouterr(), repr(outcomes), repr(whereto)))
    assert not [secret for secret in hidden if secret in told]


def _nowhere(host: str, port: int) -> list[str]:
    raise OSError(f"no {host}")


def test_t41_a_push_is_signed_with_the_key_that_browsers_were_given(
    there: Services, caller: Caller, browser: Browser
) -> None:
    assert send(browser.where(), HELLO, caller, SENDER).taken
    (got,) = there.received
    scheme, _, parameters = got.headers["authorization"].partition(" ")
    values = dict(each.strip().split("=", 1) for each in parameters.split(","))
    assert (scheme, values["k"]) == ("vapid", public_key(KEY))
    claims = json.loads(urlsafe_b64decode(values["t"].split(".")[1] + "=="))
    assert (claims["aud"], claims["sub"]) == ("https://push.example.org", "mailto:boardroom@example.org")
    assert (got.headers["ttl"], got.headers["urgency"]) == ("86400", "normal")
    assert len(got.headers["topic"]) <= 32
    assert HELLO.text.encode() not in got.body


def test_t41_without_a_key_nothing_is_pushed(there: Services, caller: Caller, browser: Browser) -> None:
    assert send(browser.where(), HELLO, caller, Sender(None, SENDER.address)) == Sent(False, None, "no-secret")
    assert there.connections == 0


def test_t41_any_32_bytes_are_a_key() -> None:
    for raw in ("A" * 43 + "=", "_" * 43 + "="):
        assert private_key(raw).curve.name == "secp256r1"
    with pytest.raises(ValueError, match="32 bytes"):
        private_key("c2hvcnQ=")


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (
            Where(
                kind="discord", url="https://discord.com.example.org/api/webhooks/1234567890/abcdefghijklmnopqrstuvwx"
            ),
            "url",
        ),
        (Where(kind="slack", url="https://hooks.slack.com/services/T0/B0/x"), "url"),
        (Where(kind="telegram", token="secret", room="1"), "token"),
        (Where(kind="telegram", token=WHERES["telegram"].token, room="../x"), "room"),
        (Where(kind="matrix", url="http://matrix.example.org", token="syt_t", room="!a:b"), "url"),
        (Where(kind="matrix", url="https://user@matrix.example.org", token="syt_t", room="!a:b"), "url"),
        (Where(kind="matrix", url="https://matrix.example.org/x", token="syt_t", room="!a:b"), "url"),
        (Where(kind="matrix", url="https://matrix.example.org", token="syt_t\r\nX: 1", room="!a:b"), "token"),
        (Where(kind="ntfy", url="https://10.0.0.1/topic"), "url"),
        (Where(kind="ntfy", url="https://ntfy.sh:22/topic"), "url"),
        (Where(kind="ntfy", url="https://ntfy.sh/a/b"), "url"),
        (Where(kind="web-push", url="https://push.example.org/x", p256dh="AAAA", auth="AAAA"), "p256dh"),
        (Where(kind="web-push", url="https://127.0.0.1/x"), "url"),
    ],
)
def test_t41_what_is_no_channel_is_refused_before_anything_is_called(bad: Where, field: str) -> None:
    with pytest.raises(BadWhere) as refused:
        bad.check()
    assert refused.value.field == field
    assert not [secret for secret in (bad.token, bad.url) if secret and secret in str(refused.value)]
