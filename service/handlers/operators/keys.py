"""Keys: what is stored under an older one is sealed anew, and the new key of seals takes over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from cryptography.fernet import InvalidToken
from sqlalchemy import Connection, text

from service.handlers.transaction import transaction
from service.messages.keys import Vault
from service.record.seal import Signer
from service.shared import clock
from service.store import proof
from service.store.games import Games
from service.store.operation import Operator, note_operator_act

Sealed = Literal["webhooks", "mail"]
_COLUMNS: Final = {
    "webhooks": (("webhook_secret", "id"), ("channel_secret", "channel_id")),
    "mail": (("inbound_mail", "id"),),
}
"""The tables with a column `sealed`, each with its key, by the keys of the settings that seal them."""


def seal_anew(games: Games, what: Sealed, keys: Sequence[str], by: Operator, now: datetime) -> tuple[int, int]:
    """Seal what is stored with the first of the keys; return how much, and how much no key opens (it stays).

    Afterwards nothing stored needs the other keys any more.
    """
    vault = Vault(keys)
    done = lost = 0
    with transaction(games.engine) as db:
        for table, column in _COLUMNS[what]:
            more, unread = _of_table(db, vault, table, column)
            done, lost = done + more, lost + unread
        note_operator_act(db, by, "keys-rotated", "keys", what, now, sealed=done, lost=lost)
    return done, lost


def _of_table(db: Connection, vault: Vault, table: str, column: str) -> tuple[int, int]:
    rows = db.execute(text(f"select {column} as id, sealed from {table} for update")).all()  # noqa: S608 - constants
    change = text(f"update {table} set sealed = :sealed where {column} = :id")  # noqa: S608 - constants
    lost = 0
    for row in rows:
        try:
            db.execute(change, {"id": row.id, "sealed": vault.seal(vault.open(bytes(row.sealed)))})
        except InvalidToken:
            lost += 1
    return len(rows) - lost, lost


def use_seal_key(games: Games, signer: Signer, by: Operator, now: datetime) -> None:
    """Let the key of the settings seal from now on, and end the one before; KeyEnded if it was followed by another."""
    with transaction(games.engine) as db:
        proof.use_key(db, signer.id, signer.public, clock.now)
        note_operator_act(db, by, "keys-rotated", "keys", "seal", now, key=signer.id)
