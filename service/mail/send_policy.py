"""Decide whether a mail may go to its address. Every mail passes here before it is sent (`service.store.mail`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import consent as asking
from service.handlers import reply_addresses, sign_in
from service.store import lobby, mail, operation
from service.store.mail import is_address_of_another
from service.store.outbox import OutboxRow

_PLAYER: Final = (
    f"select p.id, p.email, p.email_confirmed as confirmed, {operation.IS_MAIL_BLOCKED} as blocked from player p"  # noqa: S608 - constants
)
_BY_ID: Final = text(f"{_PLAYER} where p.id = :player and p.email is not null")
_BY_SEAT: Final = text(
    f"{_PLAYER} join seat s on s.player_id = p.id where s.game_id = :game and s.seat = :seat and p.email is not null"
)


SendRule = Callable[[Connection, OutboxRow, datetime], bool]
"""Decision whether the mail of a row may go out now, taken anew at each attempt."""


def to_player(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the player's address is confirmed; if not, post the mail that asks for confirmation."""
    found = _player_of(db, row)
    # Without an address there is no mail, as its sender finds out.
    if found is None or (found.confirmed and not found.blocked):
        return True
    if found.blocked:
        return False
    asking.ask(db, found.id, found.email, now)
    return False


def to_ask(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the row is the one mail that asks an unconfirmed address."""
    found = _player_of(db, row)
    if found is None or found.confirmed or found.blocked or mail.are_mails_refused(db, found.email):
        return False
    return mail.claim_consent_mail(db, found.email, row.dedupe_key, now)


def to_reply_address(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the row is the one mail that asks an address of no other player's account."""
    asked = reply_addresses.asked(db, UUID(row.payload["address"]))
    if asked is None:
        return True
    if mail.are_mails_refused(db, asked.email) or operation.address_block_reason(db, asked.email) is not None:
        return False
    if is_address_of_another(db, asked.email, asked.player):
        return False
    return mail.claim_consent_mail(db, asked.email, f"reply-address:{asked.player}", now)


def to_invited(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the address is confirmed or gets its one mail; players are invited at confirmed addresses only."""
    invitation = UUID(row.payload["invitation"])
    address = lobby.guest_of(db, invitation).address
    if (
        address is None
        or mail.are_mails_refused(db, address)
        or operation.address_block_reason(db, address) is not None
    ):
        return False
    if lobby.read_invitation(db, invitation).email is None:
        return lobby.is_invited_address_confirmed(db, invitation)
    return mail.is_address_confirmed(db, address) or mail.claim_consent_mail(db, address, row.dedupe_key, now)


def to_sign_in(db: Connection, row: OutboxRow, _: datetime) -> bool:
    """Return whether the address wants sign-in mails or is within the quota of the day."""
    return sign_in.may_be_mailed(db, UUID(row.payload["sign_in"]))


def always(_: Connection, __: OutboxRow, ___: datetime) -> bool:
    """Allow answers to mails from the address, and mails to the operator of the service."""
    return True


def is_blocked(db: Connection, row: OutboxRow) -> bool:
    """Return whether the mail may not go because an operator has blocked its player or their address."""
    if "player" not in row.payload and "seat" not in row.payload:
        return False
    found = _player_of(db, row)
    return found is not None and bool(found.blocked)


def _player_of(db: Connection, row: OutboxRow) -> Any:
    if "player" in row.payload:
        return db.execute(_BY_ID, {"player": UUID(row.payload["player"])}).one_or_none()
    return db.execute(_BY_SEAT, {"game": row.game_id, "seat": row.payload["seat"]}).one_or_none()
