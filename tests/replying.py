"""Answering mails the way a player's mail program does, through the doors that mail servers use."""

from __future__ import annotations

import re
import smtplib
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy import text

from service.inbound.ingest import Envelope, Taken, ingest
from service.runtime import Runtime
from tests.letters import Letter, letters
from workers.queue import QUEUES
from workers.relay import Lane

NOTATION = re.compile(r"^  (bid \d+|hold) = ", re.MULTILINE)


def delivered(runtime: Runtime, mailbox: Path, game: UUID) -> dict[str, list[Letter]]:
    """Have everything carried out that is due, and take the mails about the game out of the box, by recipient.

    That is done as a relay does it, without what it does once an hour, which takes longer than all the rest.
    """
    lanes = [Lane(replace(runtime, redis=None), queue) for queue in QUEUES]
    while any(lane.drain() for lane in lanes):
        pass
    found: dict[str, list[Letter]] = {}
    for letter in letters(mailbox, game):
        found.setdefault(letter.recipient, []).append(letter)
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return found


def reply(letter: Letter, words: str, **headers: str | None) -> EmailMessage:
    """Return an answer to a mail; headers with _ for - take the place of its own, None takes one away."""
    message = EmailMessage()
    message["From"] = f"Somebody <{letter.recipient}>"
    message["To"] = str(letter.message["Reply-To"])
    message["Subject"] = f"Re: {letter.message['Subject']}"
    message["Message-ID"] = make_msgid(domain="example.org")
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        if value is not None:
            message[name.replace("_", "-")] = value
    message.set_content(words)
    return message


def post(door: str, message: EmailMessage) -> None:
    """Hand a mail to a server, by its address as INBOUND_LISTEN has it."""
    kind = smtplib.LMTP if door.startswith("lmtp") else smtplib.SMTP
    with kind(*place(door), timeout=60) as server:
        server.send_message(message)


def address_of(letter: Letter) -> str:
    """Return the address that an answer to a mail goes to."""
    return str(letter.message["Reply-To"].addresses[0].addr_spec)


def hand_in(door: str, sender: str, recipient: str, raw: bytes) -> None:
    """Hand the bytes of a mail to a server, as a mail server does."""
    kind = smtplib.LMTP if door.startswith("lmtp") else smtplib.SMTP
    with kind(*place(door), timeout=60) as server:
        server.sendmail(sender, [recipient], re.sub(rb"\r?\n", b"\r\n", raw))


def take(runtime: Runtime, message: EmailMessage, own: bool = True) -> Taken:
    """Take a mail in as a door does that has heard who it is from and for."""
    (recipient,) = message["To"].addresses
    sender = message["From"].addresses[0].addr_spec
    return ingest(runtime, Envelope(sender, recipient.addr_spec, own), message.as_bytes())


def outcomes(runtime: Runtime, game: UUID) -> list[str | None]:
    """What came of the game's mails, in the order of their arrival."""
    query = text("select outcome from inbound_mail where game_id = :game order by id")
    with runtime.engine.connect() as db:
        return list(db.execute(query, {"game": game}).scalars())


def by_reply(runtime: Runtime, game: UUID) -> int:
    """How many events of the game came about by replies."""
    query = text("select count(*) from event where game_id = :game and door = 'reply'")
    with runtime.engine.connect() as db:
        return int(db.execute(query, {"game": game}).scalar_one())


def move_in(letter: Letter) -> str:
    """Return the first action that a mail offers."""
    return NOTATION.findall(letter.text)[0]


def answers(runtime: Runtime, mailbox: Path, game: UUID, recipient: str) -> list[Letter]:
    """Return what the recipient is answered, without mails that nobody asked for."""
    found = delivered(runtime, mailbox, game).get(recipient, [])
    return [letter for letter in found if letter.message["Auto-Submitted"] == "auto-replied"]


def answer(runtime: Runtime, mailbox: Path, game: UUID, recipient: str) -> str:
    """Return the text of the one answer to the recipient."""
    (letter,) = answers(runtime, mailbox, game, recipient)
    return letter.text


def place(url: str) -> tuple[str, int]:
    """Return host and port of a server."""
    where = urlsplit(url)
    return where.hostname or "", where.port or 0


def later(runtime: Runtime, hours: int) -> None:
    """Let hours pass for what has been answered."""
    with runtime.engine.begin() as db:
        db.execute(text("update inbound_mail set answered_at = answered_at - :by"), {"by": timedelta(hours=hours)})
