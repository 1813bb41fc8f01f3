"""Envelope senders of mails (VERP), and the record of bounces that arrive there.

An envelope sender is `b+<base32>@<bounce domain>`: the digest of the recipient's address and the hour of sending,
signed. The address needs no database row and cannot be forged to stop the mails of another player.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import text

from service.handlers.mail_preferences import want_nothing
from service.mail.bounces import MAX_REPORT_BYTES, read_report
from service.mail.context import MailContext
from service.mail.signing import opened, signed
from service.settings import Settings
from service.shared import clock
from service.shared.limited_process import BeyondLimits, call_limited
from service.store import mail
from service.store.games import Games

PURPOSE: Final = "bounce"
BOUNCE_VALIDITY: Final = timedelta(days=14)
"""Time after sending in which a bounce is accepted. Mail servers give up after five days."""
COMPLAINT: Final = "complaint"
_LOCAL_PART: Final = re.compile(r"b\+[a-z2-7]{20,62}", re.IGNORECASE)
_HOUR_S: Final = 3600
_PLAYERS: Final = text(f"select id from player where {mail.SUPPRESSION_OF_PLAYER} = :hash")  # noqa: S608 - constants
log = structlog.get_logger()


def bounce_domain(settings: Settings) -> str:
    """Return the domain of bounce addresses."""
    return settings.bounce_domain or domain_of_sender(settings.mail_from)


def domain_of_sender(sender: str) -> str:
    """Return the domain of a sender, an address with or without a name."""
    return parseaddr(sender)[1].rpartition("@")[2]


def envelope_sender(settings: Settings) -> Callable[[str], str] | None:
    """Return a function from a recipient to the envelope sender; None without a key to sign with."""
    if not settings.mail_keys:
        return None
    return lambda address: bounce_address(settings, address, clock.now())


def bounce_address(settings: Settings, address: str, now: datetime) -> str:
    """Return the envelope sender of a mail to an address; its local part has at most 64 octets."""
    hours = int(now.timestamp()) // _HOUR_S
    token = signed(settings.mail_keys, PURPOSE, mail.suppression_digest(address) + hours.to_bytes(3))
    return f"b+{token}@{bounce_domain(settings)}"


def is_bounce_address(recipient: str) -> bool:
    """Return whether an address has the form of a bounce address."""
    return _LOCAL_PART.fullmatch(recipient.rpartition("@")[0]) is not None


def record_bounce(context: MailContext, recipient: str, raw: bytes, returned_to: str = "") -> str | None:
    """Record the outcome of a mail to a bounce address; return a word for the log, None for any other mail.

    `returned_to` is the sender in the envelope; bounces have none. Every mail is accepted and none is answered, since
    an answer to a bounce may bounce, too.
    """
    now = clock.now()
    address_hash = _address_hash(context.settings, recipient, now)
    if address_hash is None:
        return None
    try:
        # As a server does that delivers the mail (RFC 5321, 4.4).
        path = b"Return-Path: <%s>\r\n" % (b"somebody" if returned_to.strip("<> ") else b"")
        complaint, failure = call_limited(read_report, path + raw[:MAX_REPORT_BYTES])
    except BeyondLimits as beyond:
        log.warning("a bounce cannot be read", why=str(beyond))
        return None
    if complaint:
        _note_complaint(context.games, address_hash, now)
        return COMPLAINT
    if failure is None:
        return None
    meaning, status = failure
    if meaning.outcome == "policy":
        log.error("mails are refused", status=status)
    if meaning.cause is not None:
        with context.games.engine.begin() as db:
            mail.note_suppression(db, address_hash, meaning.cause, status, now)
    return meaning.cause or meaning.outcome


def _address_hash(settings: Settings, recipient: str, now: datetime) -> bytes | None:
    local = recipient.rpartition("@")[0]
    data = opened(settings.mail_keys, PURPOSE, local[2:]) if _LOCAL_PART.fullmatch(local) else None
    if data is None or len(data) != mail.SUPPRESSION_HASH + 3:
        return None
    age = now - datetime.fromtimestamp(int.from_bytes(data[mail.SUPPRESSION_HASH :]) * _HOUR_S, now.tzinfo)
    return data[: mail.SUPPRESSION_HASH] if age <= BOUNCE_VALIDITY else None


def _note_complaint(games: Games, address_hash: bytes, now: datetime) -> None:
    with games.engine.begin() as db:
        players: list[UUID] = list(db.execute(_PLAYERS, {"hash": address_hash}).scalars())
        for player in players:
            want_nothing(db, player)
    log.warning("somebody has called our mails unwanted", players=len(players))
