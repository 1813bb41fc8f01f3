"""MIME messages of mails: text part, HTML part, pictures, and the headers that address, thread and identify them."""

from __future__ import annotations

import hashlib
from binascii import b2a_qp
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from service.mail.blocks import (
    Aside,
    Block,
    BoardPicture,
    Bullets,
    Button,
    Content,
    Due,
    Grid,
    Happened,
    Heading,
    Hyperlink,
    Links,
    Offers,
    Paragraph,
    Quote,
    Rule,
    Small,
)
from service.mail.header_policy import POLICY, join_encoded_words
from service.mail.sentences import player_name
from service.mail.subject_line import numbered_subject
from service.mail.unsubscribe import Fewer, with_headers
from service.rules.bidi import columns, short
from service.rules.typography import LINE_COLUMNS, break_lines
from service.store.game_row import SeatRow
from service.store.games import Position

Kind = str
"""Kind of a mail: mail programs sort by it (List-Id), mailbox providers count by it (Feedback-ID)."""

_ENCODING: Final = "quoted-printable"
"""Encoding that passes every server unchanged and breaks no links."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Identity of a mail: its outbox row, the sender's address, the time."""

    row: int
    sender: str
    at: datetime


@lru_cache(maxsize=128)
def board_png(svg: str) -> bytes:
    """Return a picture as PNG.

    Drawing takes most of the time of a mail; a picture is drawn once for all readers to whom it shows the same.
    """
    # Imported late, as in `compose_message`.
    from service.mail.picture import png

    return png(svg)


def compose_message(recipient: Address, content: Content, replies: bool = False) -> EmailMessage:
    """Return a mail with text, HTML and pictures; `add_identity_headers` adds sender, date and Message-ID.

    `replies` says that it answers a mail from its recipient.
    """
    message = EmailMessage(policy=POLICY)
    message["To"] = recipient
    message["Subject"] = join_encoded_words(content.subject.replace("\N{NO-BREAK SPACE}", " "))
    message["Auto-Submitted"] = "auto-replied" if replies else "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    message.set_content("", cte=_ENCODING)
    message.set_payload(_quoted_printable(text_part(content)))
    places = {
        block.svg: f"{short_hash(block.svg)}@boardroom" for block in content.blocks if isinstance(block, BoardPicture)
    }
    # Imported late: relay, courier and inbox write no mails as long as there are workers.
    from service.mail.html_part import html_part

    html = html_part(content, {svg: f"cid:{place}" for svg, place in places.items()})
    message.add_alternative("", subtype="html", cte=_ENCODING)
    *_, part = message.iter_parts()
    part.set_payload(_quoted_printable(html))
    for svg, place in places.items():
        # Inline, and related to the HTML part: otherwise mail programs show it as an attachment.
        part.add_related(board_png(svg), "image", "png", cid=f"<{place}>", disposition="inline")
    # Last, because setting the content removes every header that begins with "Content-".
    message["Content-Language"] = content.language
    return message


def add_identity_headers(message: EmailMessage, stamp: Stamp, kind: Kind, about: object) -> EmailMessage:
    """Return the message with its sender, date, Message-ID, List-Id and Feedback-ID.

    The Message-ID follows from the outbox row and what the row is about, so a second attempt has the same one.
    """
    name, sender = parseaddr(stamp.sender)
    place = sender_domain(stamp)
    message["From"] = Address(name or "Boardroom", addr_spec=sender)
    message["Date"] = format_datetime(stamp.at)
    message["Message-ID"] = f"<o{short_hash(stamp.row, about)}@{place}>"
    message["List-Id"] = f"<{kind}.{place}>"
    message["Feedback-ID"] = f"{kind}:{short_hash(about)[:8]}:mail:boardroom"
    for number, part in enumerate(each for each in message.walk() if each.is_multipart()):
        # Derived from the row, so that a second attempt is the same mail; random boundaries would differ.
        part.set_boundary(f"=_{number}{short_hash(stamp.row, about)}")
    return message


def _quoted_printable(words: str) -> str:
    # The same bytes as the standard content manager writes, by a faster function.
    return b2a_qp(words.encode(), istext=True).decode("ascii")


def sender_domain(stamp: Stamp) -> str:
    """Return the domain of the sender's address, in which Message-IDs are ours to assign."""
    return parseaddr(stamp.sender)[1].rpartition("@")[2]


def short_hash(*parts: object) -> str:
    """Return 24 hexadecimal digits of a hash of the parts."""
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()[:24]


# The plain text of a mail. No line can be mistaken for a command in a reply that quotes it: a notation is followed by
# its meaning, each line of a remark begins with a bar, and no paragraph ends in a line of a single word.


def text_part(content: Content) -> str:
    """Return the mail as text, in lines of at most 72 columns; each address has a line of its own."""
    return "\n".join(_spaced((Paragraph(content.summary), *content.blocks))) + "\n"


def _spaced(blocks: Sequence[Block]) -> Iterable[str]:
    """Yield the texts of the blocks, with an empty line between two blocks unless the first is a heading."""
    written = [(block, _WRITE[type(block)](block)) for block in blocks]
    # A board that no text shows is a picture alone.
    shown = [(block, text) for block, text in written if text]
    for number, (_, text) in enumerate(shown):
        if number and not isinstance(shown[number - 1][0], Heading):
            yield ""
        yield text


def _wrapped(text: str, first: str = "", rest: str = "") -> str:
    return "\n".join(break_lines(text, first, rest))


def _heading(block: Heading) -> str:
    title = _wrapped(block.text)
    return f"{title}\n{'-' * max(map(len, title.splitlines()), default=0)}"


def _link(block: Button | Hyperlink) -> str:
    return f"{_wrapped(block.label)}\n{block.url}"


def _links(block: Links) -> str:
    return "\n\n".join(_link(link) for link in block.items)


def _offers(block: Offers) -> str:
    lines = []
    for offer in block.items:
        told = " ".join(filter(None, (offer.text, offer.outcome)))
        lines += [_wrapped(f"{offer.notation} = {told}", "  ", "    "), f"  {offer.url}"]
    return "\n".join(lines)


def _happened(block: Happened) -> str:
    numbers = ("" if each.number is None else f"({each.number}) " for each in block.items)
    told = [f"{number}{each.text}" for number, each in zip(numbers, block.items, strict=True)]
    return "\n".join(_wrapped(each, "* ", "    ") for each in (*told, *filter(None, (block.more,))))


def _quote(block: Quote) -> str:
    said = [_wrapped(line, "| ", "| ") for line in block.words.splitlines() if line.strip()]
    return "\n".join([_wrapped(block.head), *said])


def _grid(block: Grid) -> str:
    rows = [block.header, *block.rows]
    wide = [max(len(row[column]) for row in rows) for column in range(1, len(block.header))]
    most = LINE_COLUMNS - sum(wide) - 2 * len(wide)
    first = min(most, max(columns(row[0]) for row in rows))
    return "\n".join(
        short(row[0], most)
        + " " * (first - min(most, columns(row[0])))
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], wide, strict=True))
        for row in rows
    )


_WRITE: Final[dict[type[Any], Callable[[Any], str]]] = {
    Heading: _heading,
    Paragraph: lambda block: _wrapped(block.text),
    Small: lambda block: _wrapped(block.text),
    Bullets: lambda block: "\n".join(_wrapped(item, "* ", "    ") for item in block.items),
    Button: _link,
    Hyperlink: _link,
    Links: _links,
    Offers: _offers,
    Happened: _happened,
    Due: lambda block: _wrapped(block.text),
    Aside: lambda block: _wrapped(block.text),
    BoardPicture: lambda block: block.text,
    Quote: _quote,
    Grid: _grid,
    Rule: lambda _: "-" * LINE_COLUMNS,
}


MAX_SUMMARY_LENGTH: Final = 120


@dataclass(frozen=True, slots=True)
class Addressee:
    """Recipient of a mail of a game, with the address for replies and the link for fewer mails, if any.

    The mail is in a thread of its own (`apart`) if the recipient has chosen so.
    """

    game: UUID
    row: SeatRow
    reply_to: str | None = None
    fewer: Fewer | None = None
    apart: bool = False


def address_game_mail(
    content: Content, kind: Kind, whom: Addressee, stamp: Stamp, replies: bool = False
) -> EmailMessage:
    """Return a mail of a game with all its headers: recipient, sender, thread, and the address for replies.

    All mails of a game to a player refer to the same root, which is never sent: mail programs thread by it. Mails that
    stand apart refer to nothing. `replies` says that the mail answers one from the player.
    """
    if whom.row.email is None:
        raise ValueError("a seat without an address cannot be written to")
    if whom.apart:
        content = replace(content, subject=content.apart or content.subject)
    message = compose_message(
        Address(player_name(whom.row.name, whom.row.language), addr_spec=whom.row.email), content, replies
    )
    if not whom.apart:
        root = f"<g{short_hash(whom.game, whom.row.player_id)}@{sender_domain(stamp)}>"
        message["In-Reply-To"] = root
        message["References"] = root
    if whom.reply_to is not None:
        message["Reply-To"] = Address("Boardroom", addr_spec=whom.reply_to)
    return add_identity_headers(with_headers(message, whom.fewer), stamp, kind, whom.game)


def game_content(
    position: Position, seat: int, summary: str, blocks: Iterable[Block], own: str, apart: str | None = None
) -> Content:
    """Return the content of a mail of a game; `apart` is another subject for a reader who wants no threads."""
    language = position.seats[seat].language
    shown = summary if len(summary) <= MAX_SUMMARY_LENGTH else f"{summary[: MAX_SUMMARY_LENGTH - 2].rstrip()} …"
    return Content(language, own, shown, tuple(blocks), apart or own)


def numbered_content(
    position: Position, seat: int, summary: str, blocks: Iterable[Block], own: str, number: int
) -> Content:
    """Return `game_content` of a mail whose subject may come again; `number` tells such mails apart."""
    apart = numbered_subject(own, number, position.seats[seat].language)
    return game_content(position, seat, summary, blocks, own, apart)


@dataclass(frozen=True, slots=True)
class MailReader:
    """Recipient of a mail that is not about a single game, and the link for fewer mails."""

    name: str
    email: str
    language: str
    time_zone: str
    fewer: Fewer | None = None
