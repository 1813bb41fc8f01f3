"""Playing by answering mails, through the doors that mail servers use, as workers carry it out."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.runtime import Runtime
from tests.builders import now_at, sealed_bids
from tests.letters import letters, Letter
from workers.inbox import Inbox
from workers.relay import Relay


@pytest.fixture
def relay(runtime: Runtime) -> Relay:
    return Relay(replace(runtime, redis=None))


def delivered(relay, mailbox, game):
    while relay.drain():
        pass
    found = letters(mailbox, game)
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return found


def reply(letter: Letter, text: str, **headers: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = f"Somebody <{letter.recipient}>"
    message["To"] = str(letter.message["Reply-To"])
    message["Subject"] = "Re: " + letter.message["Subject"]
    message["Message-ID"] = f"<{abs(hash((letter.recipient, text)))}@example.org>"
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        if value:
            message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


@pytest.mark.parametrize("scheme", ["smtp", "lmtp"])
def test_a_reply_plays(runtime: Runtime, relay: Relay, mailbox: Path, scheme: str) -> None:
    game = sealed_bids(runtime.games).game.id
    mails = delivered(relay, mailbox, game)
    with Inbox(runtime, f"{scheme}://127.0.0.1:0") as inbox:
        where = urlsplit(inbox.url)
        with (smtplib.LMTP if scheme == "lmtp" else smtplib.SMTP)(where.hostname, where.port) as door:
            for letter in mails:
                door.send_message(reply(letter, "bid 7\n"))
    answers = delivered(relay, mailbox, game)
    for each in answers:
        print(each.recipient, each.message["Auto-Submitted"], each.message.get_body(("plain",)).get_content())
    assert now_at(runtime.games, game).version > 5

