"""What all mails have in common: their two parts, and headers that say from whom, to whom, and which mail it is."""

from __future__ import annotations

import hashlib
from binascii import b2a_qp
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from typing import Final, Literal

from service.mail.blocks import Board, Content
from service.mail.markup import html_part
from service.mail.picture import png
from service.mail.plain import text_part
from service.mail.policy import POLICY, unbroken

Kind = Literal[
    "turn",
    "started",
    "over",
    "message",
    "problem",
    "invitation",
    "confirmation",
    "sign-in",
    "trial",
    "receipt",
    "digest",
    "canary",
]
"""What a mail is about; a player's mail program can sort by it (List-Id), and a mailbox provider counts by it."""

_ENCODING: Final = "quoted-printable"
"""It passes through every server, and leaves the links whole."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a mail is known by: the outbox row it came from, the sender's address, the time."""

    row: int
    sender: str
    at: datetime


def letter(recipient: Address, content: Content, replies: bool = False) -> EmailMessage:
    """Return a mail, text and HTML of the same content with the pictures in it, still without a stamp.

    It `replies` if it answers a mail that its recipient has written.
    """
    message = EmailMessage(policy=POLICY)
    message["To"] = recipient
    message["Subject"] = unbroken(content.subject.replace("\N{NO-BREAK SPACE}", " "))
    message["Auto-Submitted"] = "auto-replied" if replies else "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    message.set_content("", cte=_ENCODING)
    message.set_payload(_encoded(text_part(content)))
    places = {block.svg: f"{digest(block.svg)}@boardroom" for block in content.blocks if isinstance(block, Board)}
    html = html_part(content, {svg: f"cid:{place}" for svg, place in places.items()})
    message.add_alternative("", subtype="html", cte=_ENCODING)
    *_, part = message.iter_parts()
    part.set_payload(_encoded(html))
    for svg, place in places.items():
        # Inline, and beside the HTML alone: elsewhere mail programs show it as an attachment.
        part.add_related(png(svg), "image", "png", cid=f"<{place}>", disposition="inline")
    # Last, because setting the content drops every header that begins with "Content-".
    message["Content-Language"] = content.language
    return message


def sealed(message: EmailMessage, stamp: Stamp, kind: Kind, about: object) -> EmailMessage:
    """Return the message with its sender, date and Message-ID, and what mailbox providers sort and count it by.

    The id follows from the outbox row and what the row is about, so another attempt carries the same one.
    """
    name, sender = parseaddr(stamp.sender)
    place = domain(stamp)
    message["From"] = Address(name or "Boardroom", addr_spec=sender)
    message["Date"] = format_datetime(stamp.at)
    message["Message-ID"] = f"<o{digest(stamp.row, about)}@{place}>"
    message["List-Id"] = f"<{kind}.{place}>"
    message["Feedback-ID"] = f"{kind}:{digest(about)[:8]}:mail:boardroom"
    for number, part in enumerate(each for each in message.walk() if each.is_multipart()):
        # What follows from the row makes another attempt the same mail; what is drawn at random would not.
        part.set_boundary(f"=_{number}{digest(stamp.row, about)}")
    return message


def _encoded(words: str) -> str:
    # As the standard content manager would, but by the library's faster way.
    return b2a_qp(words.encode(), istext=True).decode("ascii")


def domain(stamp: Stamp) -> str:
    """Return the place of the sender's address, in which ids of mails are ours to give."""
    return parseaddr(stamp.sender)[1].rpartition("@")[2]


def digest(*parts: object) -> str:
    """Return 24 letters that follow from the parts and do not tell them."""
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()[:24]
