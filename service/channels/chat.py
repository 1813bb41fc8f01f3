"""Messages by way of apprise: Discord, Slack, Matrix, Telegram, ntfy.

The modules of apprise call the functions of `requests`. Here they get others in their place, which belong to the
session of the message that is being sent; outside of one there is no session, and nothing is called.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Final

import apprise.plugins.discord
import apprise.plugins.matrix.base
import apprise.plugins.ntfy
import apprise.plugins.slack
import apprise.plugins.telegram
import requests
from apprise import AppriseAsset, NotifyType, PersistentStoreMode
from apprise.plugins.base import NotifyBase

from service.channels.kinds import ChannelKind
from service.channels.message import Message
from service.channels.transport import GuardedSession
from service.channels.where import Where

MODULES: Final = (
    apprise.plugins.discord,
    apprise.plugins.matrix.base,
    apprise.plugins.ntfy,
    apprise.plugins.slack,
    apprise.plugins.telegram,
)
_CALLS: Final = frozenset({"get", "post", "put", "request"})
_VALUES: Final = frozenset({"RequestException", "TooManyRedirects", "codes"})
_session: ContextVar[GuardedSession] = ContextVar("session")


class _Requests:
    """Stands in for the module `requests`: its calls are those of the session, and it has no others."""

    def __getattr__(self, name: str) -> Any:
        """Return a call of the session, or a value of the module; LookupError without a session."""
        if name in _CALLS:
            return getattr(_session.get(), name)
        if name in _VALUES:
            return getattr(requests, name)
        raise AttributeError(name)


class _AtOnce:
    """A plugin that never waits: how long is often the word of somebody else's server."""

    def throttle(self, last_io: Any = None, wait: Any = None) -> None:
        """Do not wait."""


for _module in MODULES:
    vars(_module)["requests"] = _Requests()
# What it logs has addresses and answers in it.
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
    """Send a message by the session; return whether the service that the channel leads to has taken it."""
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
