"""What all mails have in common: a text part, an HTML part, and the headers that address and identify them."""

from __future__ import annotations

import hashlib
from binascii import b2a_qp
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from typing import Final

from service.mail.blocks import BoardPicture, Content
from service.mail.plain import text_part
from service.mail.policy import POLICY, unbroken

Kind = str
"""What a mail is about; a player's mail program can sort by it (List-Id), and a mailbox provider counts by it."""

_ENCODING: Final = "quoted-printable"
"""It passes every server unchanged, and does not break links."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What identifies a mail: its outbox row, the sender's address, the time."""

    row: int
    sender: str
    at: datetime


@lru_cache(maxsize=128)
def drawn(svg: str) -> bytes:
    """Return a picture as PNG.

    Drawing takes most of the time of a mail; a picture is drawn once for all readers to whom it shows the same.
    """
    # Imported late, as in `letter`.
    from service.mail.picture import png

    return png(svg)


def letter(recipient: Address, content: Content, replies: bool = False) -> EmailMessage:
    """Return a mail with text, HTML and pictures, without sender, date and Message-ID (`sealed` adds them).

    `replies` says that it answers a mail from its recipient.
    """
    message = EmailMessage(policy=POLICY)
    message["To"] = recipient
    message["Subject"] = unbroken(content.subject.replace("\N{NO-BREAK SPACE}", " "))
    message["Auto-Submitted"] = "auto-replied" if replies else "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    message.set_content("", cte=_ENCODING)
    message.set_payload(_encoded(text_part(content)))
    places = {
        block.svg: f"{digest(block.svg)}@boardroom" for block in content.blocks if isinstance(block, BoardPicture)
    }
    # Imported late: relay, courier and inbox write no mails as long as there are workers.
    from service.mail.markup import html_part

    html = html_part(content, {svg: f"cid:{place}" for svg, place in places.items()})
    message.add_alternative("", subtype="html", cte=_ENCODING)
    *_, part = message.iter_parts()
    part.set_payload(_encoded(html))
    for svg, place in places.items():
        # Inline, and related to the HTML part: otherwise mail programs show it as an attachment.
        part.add_related(drawn(svg), "image", "png", cid=f"<{place}>", disposition="inline")
    # Last, because setting the content removes every header that begins with "Content-".
    message["Content-Language"] = content.language
    return message


def sealed(message: EmailMessage, stamp: Stamp, kind: Kind, about: object) -> EmailMessage:
    """Return the message with its sender, date, Message-ID, List-Id and Feedback-ID.

    The Message-ID follows from the outbox row and what the row is about, so a second attempt has the same one.
    """
    name, sender = parseaddr(stamp.sender)
    place = domain(stamp)
    message["From"] = Address(name or "Boardroom", addr_spec=sender)
    message["Date"] = format_datetime(stamp.at)
    message["Message-ID"] = f"<o{digest(stamp.row, about)}@{place}>"
    message["List-Id"] = f"<{kind}.{place}>"
    message["Feedback-ID"] = f"{kind}:{digest(about)[:8]}:mail:boardroom"
    for number, part in enumerate(each for each in message.walk() if each.is_multipart()):
        # Derived from the row, so that a second attempt is the same mail; random boundaries would differ.
        part.set_boundary(f"=_{number}{digest(stamp.row, about)}")
    return message


def _encoded(words: str) -> str:
    # The same bytes as the standard content manager writes, by a faster function.
    return b2a_qp(words.encode(), istext=True).decode("ascii")


def domain(stamp: Stamp) -> str:
    """Return the domain of the sender's address, in which Message-IDs are ours to assign."""
    return parseaddr(stamp.sender)[1].rpartition("@")[2]


def digest(*parts: object) -> str:
    """Return 24 hexadecimal digits of a hash of the parts."""
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()[:24]
