"""Web Push: an encrypted message to a browser, by the push service that the browser has chosen (RFC 8030, RFC 8291)."""

from __future__ import annotations

from email.utils import parseaddr
from hashlib import sha256
from typing import Final

import msgspec
from py_vapid import Vapid
from pywebpush import WebPushException, webpush
from requests import RequestException

from service.channels.message import Message
from service.channels.transport import GuardedSession
from service.channels.vapid import private_key
from service.channels.where import Where

TTL: Final = 24 * 3600
"""Seconds for which a push service keeps a message for a browser that is not there."""


def push(where: Where, message: Message, session: GuardedSession, key: str, sender: str) -> bool:
    """Send a message to a subscription; return whether its push service has taken it.

    `sender` is the address of the service, for the push service to complain to. A later message with the same tag
    takes the place of one that was not delivered yet (RFC 8030, section 5.4).
    """
    shown = {"title": message.title, "body": message.text, "url": message.url, "tag": message.tag}
    topic = sha256(message.tag.encode()).hexdigest()[:32]
    try:
        webpush(
            {"endpoint": where.url, "keys": {"p256dh": where.p256dh, "auth": where.auth}},
            msgspec.json.encode(shown).decode(),
            vapid_private_key=Vapid(private_key(key)),
            vapid_claims={"sub": f"mailto:{parseaddr(sender)[1]}"},
            ttl=TTL,
            headers={"Topic": topic, "Urgency": "normal"},
            requests_session=session,
        )
    except (WebPushException, RequestException):
        return False
    return True
