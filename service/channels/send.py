"""Sends one message to one channel."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from service.channels.chat import chat
from service.channels.message import Message
from service.channels.push import push
from service.channels.transport import GuardedSession
from service.channels.where import Where
from service.webhooks.call import Caller


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends: `push_key` signs Web Push (None: there is none), `address` is the sender of the mails."""

    push_key: str | None
    address: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of an attempt: whether the message was taken, the last status, or why there was none.

    `wait` is how long the service asks to be left alone.
    """

    taken: bool
    code: int | None
    error: str | None
    wait: timedelta = timedelta()


def send(where: Where, message: Message, caller: Caller, sender: Sender) -> Sent:
    """Send a message by calls of the caller, each to a checked address; nothing is raised for what goes wrong there."""
    session = GuardedSession(caller)
    if where.kind != "web-push":
        taken = chat(where, message, session)
    elif sender.push_key is None:
        return Sent(False, None, "no-secret")
    else:
        taken = push(where, message, session, sender.push_key, sender.address)
    error = None if taken else session.failure or "not-taken"
    return Sent(taken, session.status, error, session.wait)
