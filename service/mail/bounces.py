"""Mails that come back: each leaves under a sender's address of its own, and what arrives there is understood.

That address (VERP) is `b+<base32>@<bounce domain>`: the digest of the recipient's address and the hour of sending,
signed. It needs no row, and nobody can make one up to have somebody else's mails stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import Message
from email.utils import parseaddr
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import text

from service.handlers.mail_wishes import want_nothing
from service.mail import returned
from service.mail.house import MailContext
from service.mail.outcomes import Meaning, meaning, status_in
from service.mail.signing import opened, signed
from service.settings import Settings
from service.shared import clock
from service.store import suppression
from service.store.games import Games

PURPOSE: Final = "bounce"
LARGEST: Final = 1024 * 1024
PATIENCE: Final = timedelta(days=14)
"""For how long a mail may come back; servers give up after five days."""
COMPLAINT: Final = "complaint"
_LOCAL: Final = re.compile(r"b\+[a-z2-7]{20,62}", re.IGNORECASE)
_HOUR: Final = 3600
_DELIVERY: Final = "message/delivery-status"
_FEEDBACK: Final = "message/feedback-report"
_PLAYERS: Final = text(f"select id from player where {suppression.OF_PLAYER} = :hash")  # noqa: S608 - constants
log = structlog.get_logger()


def domain(settings: Settings) -> str:
    """Return the domain that bounces go to."""
    return settings.bounce_domain or domain_of(settings.mail_from)


def domain_of(sender: str) -> str:
    """Return the domain of a sender, an address with or without a name."""
    return parseaddr(sender)[1].rpartition("@")[2]


def returns(settings: Settings) -> Callable[[str], str] | None:
    """Return what gives the envelope sender of a mail to an address; None where there is no key to sign it."""
    if not settings.mail_keys:
        return None
    return lambda address: sender(settings, address, clock.now())


def sender(settings: Settings, address: str, now: datetime) -> str:
    """Return the envelope sender of a mail to an address; its local part has at most 64 octets."""
    hours = int(now.timestamp()) // _HOUR
    return (
        f"b+{signed(settings.mail_keys, PURPOSE, suppression.digest(address) + hours.to_bytes(3))}@{domain(settings)}"
    )


def is_ours(recipient: str) -> bool:
    """Return whether a mail to this address is one that comes back, by the form of the address."""
    return _LOCAL.fullmatch(recipient.rpartition("@")[0]) is not None


def take(house: MailContext, recipient: str, raw: bytes) -> str | None:
    """Note what a mail to one of our bounce addresses says; return it as a word for the log, None for nothing.

    Whatever it is, it is taken and never answered: an answer to a bounce may bounce, too.
    """
    now = clock.now()
    address_hash = _addressed(house.settings, recipient, now)
    if address_hash is None:
        return None
    if is_complaint(raw):
        _complained(house.games, address_hash, now)
        return COMPLAINT
    said = read(raw)
    if said is None:
        return None
    what, status = said
    if what.outcome == "policy":
        log.error("mails are refused", status=status)
    if what.cause is not None:
        with house.games.engine.begin() as db:
            suppression.note(db, address_hash, what.cause, status, now)
    return what.cause or what.outcome


def read(raw: bytes) -> tuple[Meaning, str] | None:
    """Return what a mail that came back says of its recipient, and the status; None if it has not come back.

    It is a delivery status notification (RFC 3464), or says so in words. Only failures count: a mail that is delayed
    may still arrive, and somebody on holiday has got it.
    """
    # The older policy reads what the newer one finds too broken to look at.
    message = message_from_bytes(raw[:LARGEST], policy=policy.compat32)
    reported = [block for block in _blocks(message, _DELIVERY) if block.get("Action")]
    if not reported:
        return None if any(_blocks(message, _FEEDBACK)) else returned.failure(message)
    for block in reported:
        if str(block.get("Action", "")).strip().lower() != "failed":
            continue
        # Some say 5.0.0, and only the answer that they quote says what it was.
        status = status_in(str(block.get("Status", "")))
        quoted = status_in(str(block.get("Diagnostic-Code", "")))
        best = quoted if quoted.startswith(status[:2] or quoted[:2]) and not quoted.endswith(".0.0") else status
        if best[:1] in ("4", "5"):
            return meaning(best), best
    return None


def is_complaint(raw: bytes) -> bool:
    """Return whether the mail is a report (RFC 5965) that its recipient has called one of ours unwanted."""
    return any(
        str(block.get("Feedback-Type", "")).strip().lower() in ("abuse", "opt-out", "opt-out-list")
        for block in _blocks(message_from_bytes(raw[:LARGEST], policy=policy.compat32), _FEEDBACK)
    )


def _blocks(message: Message, kind: str) -> Iterator[Message]:
    """Yield the blocks of fields in the parts of a kind; of anything but a report none."""
    if message.get_content_type() != "multipart/report":
        return
    for part in message.walk():
        if part.get_content_type() == kind:
            payload = part.get_payload()
            if isinstance(payload, list):
                yield from (block for block in payload if isinstance(block, Message))
            else:
                yield message_from_bytes(str(payload).lstrip().encode("utf-8", "surrogateescape"))


def _addressed(settings: Settings, recipient: str, now: datetime) -> bytes | None:
    local = recipient.rpartition("@")[0]
    data = opened(settings.mail_keys, PURPOSE, local[2:]) if _LOCAL.fullmatch(local) else None
    if data is None or len(data) != suppression.HASH + 3:
        return None
    age = now - datetime.fromtimestamp(int.from_bytes(data[suppression.HASH :]) * _HOUR, now.tzinfo)
    return data[: suppression.HASH] if age <= PATIENCE else None


def _complained(games: Games, address_hash: bytes, now: datetime) -> None:
    with games.engine.begin() as db:
        players: list[UUID] = list(db.execute(_PLAYERS, {"hash": address_hash}).scalars())
        for player in players:
            want_nothing(db, player)
    log.warning("somebody has called our mails unwanted", players=len(players))
