"""What operators have blocked: addresses, as digests, and accounts, by a column of the player."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.suppression import OF_PLAYER, digest

_OF_ADDRESS = text("select reason from blocked_address where address_hash = :hash")
_BLOCK_ADDRESS = text("""
insert into blocked_address (address_hash, reason, blocked_at) values (:hash, :reason, :now)
on conflict (address_hash) do update set reason = excluded.reason, blocked_at = excluded.blocked_at
""")
_UNBLOCK_ADDRESS = text("delete from blocked_address where address_hash = :hash")
_BLOCK_PLAYER = text("update player set blocked = :reason where id = :player")
_OF_PLAYER = text("select blocked from player where id = :player")
_OF_ACCOUNT = text("""
select coalesce(p.blocked, o.blocked, (select reason from blocked_address where address_hash = address_digest(p.email)))
  from player p left join player o on o.id = p.owner where p.id = :player
""")
UNREAD = f"(blocked is not null or exists (select from blocked_address where address_hash = {OF_PLAYER}))"
"""Whether no mail goes to a player, in SQL with the columns of `player`."""


def of_address(db: Connection, address: str) -> str | None:
    """Return why an address is blocked, None if it is not."""
    reason: str | None = db.execute(_OF_ADDRESS, {"hash": digest(address)}).scalar()
    return reason


def of_account(db: Connection, player: UUID) -> str | None:
    """Return why nobody may act for an account: it is blocked, or its bot's owner, or its address; None if none is."""
    reason: str | None = db.execute(_OF_ACCOUNT, {"player": player}).scalar()
    return reason


def of_player(db: Connection, player: UUID) -> str | None:
    """Return why an account is blocked, None if it is not."""
    reason: str | None = db.execute(_OF_PLAYER, {"player": player}).scalar()
    return reason


def block_address(db: Connection, address: str, reason: str, now: datetime) -> None:
    """Block an address."""
    db.execute(_BLOCK_ADDRESS, {"hash": digest(address), "reason": reason, "now": now})


def unblock_address(db: Connection, address: str) -> bool:
    """Unblock an address; return whether it was blocked."""
    return db.execute(_UNBLOCK_ADDRESS, {"hash": digest(address)}).rowcount == 1


def block_player(db: Connection, player: UUID, reason: str | None) -> None:
    """Block an account for a reason, or unblock it without one."""
    db.execute(_BLOCK_PLAYER, {"player": player, "reason": reason})
