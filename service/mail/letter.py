"""What all mails have in common: plain text, and headers that say from whom, to whom, and which mail it is."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from textwrap import wrap
from typing import Final

from service.mail.policy import POLICY

WIDTH: Final = 72


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a mail is known by: the outbox row it came from, the sender's address, the time."""

    row: int
    sender: str
    at: datetime


def letter(recipient: Address, subject: str, parts: Sequence[str], language: str) -> EmailMessage:
    """Return a mail of paragraphs, still without a stamp."""
    message = EmailMessage(policy=POLICY)
    message["To"] = recipient
    message["Subject"] = subject
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    # Quoted-printable passes through every server, and leaves the link whole.
    message.set_content("\n\n".join(parts) + "\n", charset="utf-8", cte="quoted-printable")
    # Last, because setting the content drops every header that begins with "Content-".
    message["Content-Language"] = language
    return message


def sealed(message: EmailMessage, stamp: Stamp, about: object) -> EmailMessage:
    """Return the message with its sender, date and Message-ID.

    The id follows from the outbox row and what the row is about, so another attempt carries the same one.
    """
    name, sender = parseaddr(stamp.sender)
    message["From"] = Address(name or "Boardroom", addr_spec=sender)
    message["Date"] = format_datetime(stamp.at)
    message["Message-ID"] = f"<o{digest(stamp.row, about)}@{domain(stamp)}>"
    return message


def domain(stamp: Stamp) -> str:
    """Return the place of the sender's address, in which ids of mails are ours to give."""
    return parseaddr(stamp.sender)[1].rpartition("@")[2]


def digest(*parts: object) -> str:
    """Return 24 letters that follow from the parts and do not tell them."""
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()[:24]


def wrapped(text: str, lead: str = "", indent: str = "") -> str:
    """Return the text in lines of at most 72 columns; words that are longer stay whole."""
    lines = wrap(
        text, WIDTH, initial_indent=lead, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)
