"""Mails about people: requests for friendship."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import capability
from service.mail.blocks import Block, Button, Content, Hyperlink, Paragraph, Rule
from service.mail.compose import Stamp, add_identity_headers, compose_message
from service.mail.context import MailContext
from service.mail.preferences import IN_DIGEST
from service.mail.sentences import player_name
from service.mail.strip_links import sender_name
from service.mail.unsubscribe import Fewer, with_headers
from service.shared import clock
from service.store import people
from service.store.outbox import OutboxRow
from service.texts.catalog import say

_FRIEND_REQUEST: Final = text("""
select r.name, r.email, r.language, s.name as sender from friendship f
  join player r on r.id = f.recipient join player s on s.id = f.sender
 where f.id = :id and f.state = 'open' and r.email is not null
""")
_UNTOLD_REQUESTS: Final = text("""
select o.id, o.payload ->> 'friendship' as friendship from outbox o
 where o.game_id is null and o.kind = 'friend-request' and o.payload ->> 'player' = :player
   and o.state = 'skipped' and o.last_error = :untold
 order by o.id
""")


@dataclass(frozen=True, slots=True)
class AskedFriend:
    """Recipient of a friend request, and the name of the asking person without links."""

    name: str
    email: str
    language: str
    sender: str


def friend_request_mail(whom: AskedFriend, link: str, settings: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `link` is the address of the request's own page."""
    language = whom.language
    blocks: tuple[Block, ...] = (
        Paragraph(say(language, "friend-mail-what")),
        Button(say(language, "friend-mail-look"), link),
        Hyperlink(say(language, "friend-decline"), f"{link}/decline"),
        Rule(),
        Hyperlink(say(language, "settings-link"), settings, small=True),
        Hyperlink(say(language, "unsubscribe-kind-challenge"), f"{link}/never", small=True),
    )
    asked = say(language, "friend-asked", name=whom.sender)
    message = compose_message(
        Address(player_name(whom.name, whom.language), addr_spec=whom.email),
        Content(language, say(language, "friend-mail-subject", name=whom.sender), asked, blocks),
    )
    return with_headers(message, Fewer(f"{link}/never", "challenge"))


def send_friend_request_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `friendship`, `player`), while the request is open.

    Each attempt carries a link of its own and the Message-ID of the row. Raises as `Mailer.send` does.
    """
    now, identity = clock.now(), UUID(row.payload["friendship"])
    with context.games.engine.begin() as db:
        whom = _open_friend_request(db, identity)
        if context.mailer is None or whom is None:
            return "skipped"
        token = capability.draw()
        people.set_friendship_link(db, identity, capability.stored(token))
    base = context.settings.base_url
    message = friend_request_mail(whom, f"{base}/f/{token}", f"{base}/settings/mail")
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, now), "challenge", identity)
    )
    return "done"


def friends_untold(db: Connection, player: UUID, language: str) -> Iterator[tuple[int, str]]:
    """Yield the outbox row and the sentence of each open request that was left to the next digest."""
    for row in db.execute(_UNTOLD_REQUESTS, {"player": str(player), "untold": IN_DIGEST}).all():
        whom = _open_friend_request(db, UUID(row.friendship))
        if whom is not None:
            yield row.id, say(language, "friend-asked", name=whom.sender)


def _open_friend_request(db: Connection, friendship: UUID) -> AskedFriend | None:
    row: Any = db.execute(_FRIEND_REQUEST, {"id": friendship}).one_or_none()
    if row is None:
        return None
    return AskedFriend(row.name, row.email, row.language, sender_name(row.sender, row.language))
