"""Whether a mail may go to its address. Every mail passes here before it is sent (`service.store.consent`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import consent as asking
from service.handlers import sign_in
from service.store import consent, invitations
from service.store.outbox import OutboxRow

_PLAYER: Final = "select p.id, p.email, p.email_confirmed as confirmed from player p"
_BY_ID: Final = text(f"{_PLAYER} where p.id = :player and p.email is not null")
_BY_SEAT: Final = text(
    f"{_PLAYER} join seat s on s.player_id = p.id where s.game_id = :game and s.seat = :seat and p.email is not null"
)


def opens(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the mail of a row may be sent. An address that was never asked for its consent is asked now.

    Each attempt decides anew, by the consent as it stands then.
    """
    return RULES[row.kind](db, row, now)


def _player(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the player's address is confirmed."""
    found = _player_of(db, row)
    # Without an address there is no mail: the function that sends it finds out.
    if found is None or found.confirmed:
        return True
    asking.ask(db, found.id, found.email, now)
    return False


def _request(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the address still has to be asked, and this is the only mail that asks it."""
    found = _player_of(db, row)
    if found is None or found.confirmed or consent.is_refused(db, found.email):
        return False
    return consent.claim(db, found.email, row.dedupe_key, now)


def _invitation(db: Connection, row: OutboxRow, now: datetime) -> bool:
    """Return whether the address is confirmed, or this is its only mail.

    Players are invited at confirmed addresses only.
    """
    invitation = UUID(row.payload["invitation"])
    address = invitations.guest_of(db, invitation).address
    if address is None or consent.is_refused(db, address):
        return False
    if invitations.read(db, invitation).email is None:
        return invitations.is_to_confirmed(db, invitation)
    return consent.is_confirmed(db, address) or consent.claim(db, address, row.dedupe_key, now)


def _sign_in(db: Connection, row: OutboxRow, _: datetime) -> bool:
    """Return whether the address has had fewer than its few a day, or is confirmed."""
    return sign_in.may_be_mailed(db, UUID(row.payload["sign_in"]))


def _answer(_: Connection, __: OutboxRow, ___: datetime) -> bool:
    """Return True: the mail answers one from the address, or goes to the operator."""
    return True


RULES: Final[Mapping[str, Callable[[Connection, OutboxRow, datetime], bool]]] = {
    "turn-mail": _player,
    "started": _player,
    "game-over": _player,
    "problem": _player,
    "message": _player,
    "digest": _player,
    "trial": _player,
    "confirmation": _request,
    "invitation": _invitation,
    "sign-in": _sign_in,
    "reply": _answer,
    "canary": _answer,
}
"""The rule for each kind of outbox row."""


def _player_of(db: Connection, row: OutboxRow) -> Any:
    if "player" in row.payload:
        return db.execute(_BY_ID, {"player": UUID(row.payload["player"])}).one_or_none()
    return db.execute(_BY_SEAT, {"game": row.game_id, "seat": row.payload["seat"]}).one_or_none()
