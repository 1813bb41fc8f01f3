"""Takes incoming mails in, by whichever protocol they arrive: stored first, and read by a worker afterwards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from service.handlers import links
from service.handlers.capability import stored
from service.handlers.transaction import transaction
from service.inbound.attachments import without_attachments
from service.inbound.headers import read
from service.mail import envelope_sender, signing
from service.mail.context import MailContext
from service.messages.keys import Vault
from service.shared import clock
from service.store import mail, notices, outbox
from service.store.mail import StoredMail

Taken = Literal["stored", "known", "bounce", "unknown-address", "too-large"]

LARGEST: Final = 10 * 1024 * 1024
"""How many bytes a mail may have, pictures and attachments included, of which nothing is kept."""
_REPLY: Final = re.compile(r"z\+([a-z2-7]{26})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Envelope:
    """The envelope of a mail: the address for bounces, the recipient; `own` if it never left this machine."""

    sender: str
    recipient: str
    own: bool = False


def has_form(recipient: str) -> bool:
    """Return whether an address has the form of ours: of a reply, or of a bounce."""
    return _token(recipient) is not None or envelope_sender.is_bounce_address(recipient)


def knows(context: MailContext, recipient: str) -> bool:
    """Return whether mails to the address are taken in, because the service has issued it; Unavailable."""
    token = _token(recipient)
    if token is None:
        return envelope_sender.is_bounce_address(recipient) and _is_signed(context, recipient)
    with transaction(context.games.engine) as db:
        return links.resolve(db, token) is not None


def ingest(context: MailContext, envelope: Envelope, raw: bytes) -> Taken:
    """Take a mail in for one recipient, once however often it comes; Unavailable, and then it has to come again.

    With `stored` it is in the database, sealed, and a worker will answer it.
    """
    if envelope_sender.is_bounce_address(envelope.recipient):
        envelope_sender.record_bounce(context, envelope.recipient, raw, envelope.sender)
        return "bounce"
    if len(raw) > LARGEST:
        return "too-large"
    token = _token(envelope.recipient)
    digest = None if token is None else stored(token)
    if token is None or digest is None:
        return "unknown-address"
    with transaction(context.games.engine) as db:
        link = links.resolve(db, token)
        if link is None:
            return "unknown-address"
        mail.hold_lapses(db, link.game_id)
        arrival = StoredMail(
            digest=sha256(digest + _identity(raw)).digest(),
            link=digest,
            player=link.player_id,
            game=link.game_id,
            sealed=Vault(context.settings.mail_keys).seal(_delivered(envelope, without_attachments(raw))),
            own=envelope.own,
            at=clock.now(),
        )
        kept = mail.keep_inbound(db, arrival)
        if kept is None:
            return "known"
        outbox.post(db, link.game_id, [notices.reply(kept)])
    context.games.wake()
    return "stored"


def opened(context: MailContext, sealed: bytes) -> bytes:
    """Return the bytes of a mail as it was delivered, its envelope's sender on top as Return-Path."""
    return Vault(context.settings.mail_keys).open(sealed).encode("latin-1")


def _token(recipient: str) -> str | None:
    found = _REPLY.fullmatch(recipient.rpartition("@")[0])
    return found[1].lower() if found else None


def _is_signed(context: MailContext, recipient: str) -> bool:
    local = recipient.rpartition("@")[0]
    return signing.opened(context.settings.mail_keys, envelope_sender.PURPOSE, local[2:]) is not None


def _identity(raw: bytes) -> bytes:
    named = read(raw).header("message-id")
    return named.encode("utf-8", "surrogateescape") if named else sha256(raw).digest()


def _delivered(envelope: Envelope, raw: bytes) -> str:
    sender = "".join(each for each in envelope.sender if each.isprintable() and each not in "<>")
    # Bytes as letters, one for one: a vault seals text.
    return f"Return-Path: <{sender.encode('ascii', 'replace').decode()}>\r\n{raw.decode('latin-1')}"
