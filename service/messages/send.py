"""Send a message to a channel: chats by apprise, browsers by Web Push (RFC 8030, RFC 8291).

The modules of apprise call functions of `requests`. Here these are replaced by functions of the session of the message
being sent; outside a message there is no session, and nothing is called.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from hashlib import sha256
from io import BytesIO
from time import monotonic
from typing import Any, Final

import apprise.plugins.discord
import apprise.plugins.matrix.base
import apprise.plugins.ntfy
import apprise.plugins.slack
import apprise.plugins.telegram
import msgspec
import requests
from apprise import AppriseAsset, NotifyType, PersistentStoreMode
from apprise.plugins.base import NotifyBase
from py_vapid import Vapid
from pywebpush import WebPushException, webpush
from requests import ConnectionError as NoAnswer
from requests import PreparedRequest, RequestException, Response, Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse

from service.messages.calls import CALL_TIMEOUT_S, Caller, CallFailed, asked_wait
from service.messages.channels import ChannelKind, Message, Where
from service.messages.keys import private_key
from service.shared import clock

USER_AGENT: Final = "Boardroom-Channels/1"
"""User-Agent of calls whose library sets none."""
MAX_CALLS: Final = 8
"""Maximum calls for a message; Matrix takes three."""
_OURS: Final = frozenset({"host", "connection", "content-length", "transfer-encoding", "accept-encoding"})
"""Headers that the Caller sets itself, or that would bring a response in a form that it does not read."""
MODULES: Final = (
    apprise.plugins.discord,
    apprise.plugins.matrix.base,
    apprise.plugins.ntfy,
    apprise.plugins.slack,
    apprise.plugins.telegram,
)
_CALLS: Final = frozenset({"get", "post", "put", "request"})
_VALUES: Final = frozenset({"RequestException", "TooManyRedirects", "codes"})
PUSH_TTL_S: Final = 24 * 3600
"""Seconds for which a push service keeps a message for an absent browser."""


class GuardedSession(Session):
    """Session of `requests` for one message, whose calls go by the Caller to public addresses only.

    It follows no redirects, uses no proxies, cookie files or passwords of the environment, and ends after
    CALL_TIMEOUT_S and after MAX_CALLS. `status` is that of the last response, None if the last call had none; `failure`
    then says why. `wait` is the Retry-After of the last response.
    """

    def __init__(self, caller: Caller) -> None:
        super().__init__()
        self.trust_env = False
        self.headers["User-Agent"] = USER_AGENT
        self.wait = timedelta()
        self.status: int | None = None
        self.failure: str | None = None
        self.adapters.clear()
        self.mount("https://", _Guarded(self, caller))
        self.mount("http://", _Guarded(self, caller))

    def request(self, method: Any, url: Any, *more: Any, **options: Any) -> Response:
        """Send a request, as `requests` does, without following redirects."""
        return super().request(method, url, *more, **{**options, "allow_redirects": False})


class _Guarded(HTTPAdapter):
    def __init__(self, session: GuardedSession, caller: Caller) -> None:
        super().__init__()
        self._session = session
        self._caller = caller
        self._end = monotonic() + CALL_TIMEOUT_S
        self._left = MAX_CALLS

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """Send the request by the Caller; requests.ConnectionError without the address."""
        self._session.status, self._session.failure = None, None
        try:
            return self._sent(request)
        except CallFailed as failed:
            self._session.failure = failed.reason
            # Drop the cause, which may name the address.
            raise NoAnswer(failed.reason) from None

    def _sent(self, request: PreparedRequest) -> Response:
        self._left -= 1
        if self._left < 0:
            raise CallFailed("too-many-calls")
        seconds = self._end - monotonic()
        if seconds <= 0:
            raise CallFailed("timeout")
        headers = {name: str(value) for name, value in request.headers.items() if name.lower() not in _OURS}
        body = request.body or b""
        assert isinstance(body, str | bytes)  # noqa: S101 # for the type checker: no service is sent a stream
        data = body.encode() if isinstance(body, str) else body
        answered = self._caller.exchange(request.method or "", request.url or "", headers, data, seconds)
        self._session.status = answered.status
        self._session.wait = asked_wait(answered.status, answered.headers, clock.now())
        plain = {name: value for name, value in answered.headers.items() if name.lower() != "content-encoding"}
        raw = HTTPResponse(BytesIO(answered.body), plain, answered.status, preload_content=False)
        return self.build_response(request, raw)


_session: ContextVar[GuardedSession] = ContextVar("session")


class _Requests:
    """Replacement of the module `requests`: its calls are the session's, and it has no others."""

    def __getattr__(self, name: str) -> Any:
        """Return a call of the session, or a value of the module; LookupError without a session."""
        if name in _CALLS:
            return getattr(_session.get(), name)
        if name in _VALUES:
            return getattr(requests, name)
        raise AttributeError(name)


class _AtOnce:
    """Mixin for a plugin that never waits: another server often sets the wait."""

    def throttle(self, last_io: Any = None, wait: Any = None) -> None:
        """Do not wait."""


for _module in MODULES:
    vars(_module)["requests"] = _Requests()
# Its log lines hold addresses and responses.
logging.getLogger("apprise").disabled = True


def _discord(where: Where, url: str) -> Mapping[str, Any]:
    identity, token = where.parts()
    return {"webhook_id": identity, "webhook_token": token, "avatar": False}


def _slack(where: Where, url: str) -> Mapping[str, Any]:
    return {**dict(zip(("token_a", "token_b", "token_c"), where.parts(), strict=True)), "include_image": False}


def _matrix(where: Where, url: str) -> Mapping[str, Any]:
    more = {"targets": [where.room], "discovery": False, "e2ee": False, "include_image": False}
    return {**_server(where), **more, "password": where.token}


def _ntfy(where: Where, url: str) -> Mapping[str, Any]:
    topic = where.target(insecure=True).path.removeprefix("/")
    signed = {"auth": "token", "token": where.token} if where.token else {}
    return {**_server(where), **signed, "mode": "private", "targets": [topic], "click": url, "include_image": False}


def _telegram(where: Where, url: str) -> Mapping[str, Any]:
    return {"bot_token": where.token, "targets": [where.room], "detect_owner": False}


def _server(where: Where) -> dict[str, Any]:
    there = where.target(insecure=True)
    return {"host": there.host, "port": there.port, "secure": there.scheme == "https"}


_PLUGINS: Final[Mapping[ChannelKind, tuple[type[NotifyBase], Callable[[Where, str], Mapping[str, Any]]]]] = {
    "discord": (apprise.plugins.discord.NotifyDiscord, _discord),
    "slack": (apprise.plugins.slack.NotifySlack, _slack),
    "matrix": (apprise.plugins.matrix.base.NotifyMatrix, _matrix),
    "telegram": (apprise.plugins.telegram.NotifyTelegram, _telegram),
    "ntfy": (apprise.plugins.ntfy.NotifyNtfy, _ntfy),
}


def chat(where: Where, message: Message, session: GuardedSession) -> bool:
    """Send a message by the session; return whether the channel's service has accepted it."""
    plugin, options = _PLUGINS[where.kind]
    asset = AppriseAsset(
        app_id="Boardroom",
        app_desc="Boardroom",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        http_redirects=False,
        storage_mode=PersistentStoreMode.MEMORY,
    )
    at_once = type(plugin.__name__, (_AtOnce, plugin), {})
    token = _session.set(session)
    try:
        sender = at_once(asset=asset, **options(where, message.url))
        text = f"{message.text}\n{message.url}"
        return bool(sender.notify(body=text, title=message.title, notify_type=NotifyType.INFO))
    finally:
        _session.reset(token)


def push(where: Where, message: Message, session: GuardedSession, key: str, sender: str) -> bool:
    """Send a message to a subscription; return whether its push service has accepted it.

    `sender` is the contact address for the push service. A later message with the same tag replaces an undelivered one
    (RFC 8030, section 5.4).
    """
    shown = {"title": message.title, "body": message.text, "url": message.url, "tag": message.tag}
    topic = sha256(message.tag.encode()).hexdigest()[:32]
    try:
        webpush(
            {"endpoint": where.url, "keys": {"p256dh": where.p256dh, "auth": where.auth}},
            msgspec.json.encode(shown).decode(),
            vapid_private_key=Vapid(private_key(key)),
            vapid_claims={"sub": f"mailto:{parseaddr(sender)[1]}"},
            ttl=PUSH_TTL_S,
            headers={"Topic": topic, "Urgency": "normal"},
            requests_session=session,
        )
    except (WebPushException, RequestException):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Sender:
    """Sender: `push_key` signs Web Push (None: no key), `address` is the sender of the mails."""

    push_key: str | None
    address: str


@dataclass(frozen=True, slots=True)
class Sent:
    """Result of an attempt: whether the message was accepted, the last status, or the reason for having none.

    `wait` is the Retry-After of the service.
    """

    taken: bool
    code: int | None
    error: str | None
    wait: timedelta = timedelta()


def send(where: Where, message: Message, caller: Caller, sender: Sender) -> Sent:
    """Send a message by calls of the caller, each to a checked address; failures are returned, not raised."""
    session = GuardedSession(caller)
    if where.kind != "web-push":
        taken = chat(where, message, session)
    elif sender.push_key is None:
        return Sent(False, None, "no-secret")
    else:
        taken = push(where, message, session, sender.push_key, sender.address)
    error = None if taken else session.failure or "not-taken"
    return Sent(taken, session.status, error, session.wait)
