"""Ingest incoming mails of any protocol: store first; a worker reads them later."""

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
"""Maximum bytes of a mail, including pictures and attachments, which are not stored."""
_REPLY: Final = re.compile(r"z\+([a-z2-7]{26})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Envelope:
    """Envelope of a mail: the address for bounces, the recipient; `own` if the mail never left this machine."""

    sender: str
    recipient: str
    own: bool = False


def has_form(recipient: str) -> bool:
    """Return whether an address has the form of our reply or bounce addresses."""
    return _token(recipient) is not None or envelope_sender.is_bounce_address(recipient)


def knows(context: MailContext, recipient: str) -> bool:
    """Return whether the service has issued the address, so that mails to it are accepted; Unavailable."""
    token = _token(recipient)
    if token is None:
        return envelope_sender.is_bounce_address(recipient) and _is_signed(context, recipient)
    with transaction(context.games.engine) as db:
        return links.resolve(db, token) is not None


def ingest(context: MailContext, envelope: Envelope, raw: bytes) -> Taken:
    """Ingest a mail for a recipient, idempotently; after Unavailable it has to be delivered again.

    After `stored` the mail is in the database, sealed, and a worker will answer it.
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
    """Return the bytes of a mail as delivered, with the envelope sender on top as Return-Path."""
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
    # Map bytes to characters one to one: a vault seals text.
    return f"Return-Path: <{sender.encode('ascii', 'replace').decode()}>\r\n{raw.decode('latin-1')}"
