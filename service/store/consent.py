"""Whether the reader of an address wants our mails: asked for in one mail, given by a press, refused for ever.

Who may be written to, by how the address came here ("confirmed" is `player.email_confirmed`, for that player alone):

| Case | What goes there |
|---|---|
| Guest made with an address (POST /players) | One mail that asks; all else waits for the press. |
| Address added in the settings, signing in with one | The link to sign in; its use confirms. |
| Invitation by mail, address confirmed by nobody | The invitation, without words of the host, is the one mail. |
| Seat taken by the link of that mail | Confirmed for the player who sits down with the address. |
| Invitation by mail, address confirmed by somebody | The invitation, with the host's words. |
| The same address on another account | Confirmed for that account by a press of its own, or not at all. |
| Sign-in mail to an address without an account | Three a day, one after a refusal; it repeats no words of the asker. |
| Rematch | Invitations to those whose address is confirmed; the others see it on the site. |
| Bots | Have no address. |

The one mail counts per address, for all accounts together, and comes again after AGAIN at the earliest. A refusal holds
for every account and has no end; a person who refused may still confirm, for one account, by the link of that mail.
Addresses are kept as SHA-256 digests in lower case.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

AGAIN: Final = timedelta(days=30)
"""How long after the one mail to an address that nobody has confirmed another may go there."""

_OF_PLAYER: Final = "sha256(convert_to(lower(p.email), 'UTF8'))"
_CONFIRMED = text("select exists (select from player where lower(email) = :address and email_confirmed)")
# A mail that is tried again finds its own cause.
_CLAIM = text("""
insert into mail_request (address_hash, cause, asked_at) values (:hash, :cause, :now)
on conflict (address_hash) do update set cause = excluded.cause, asked_at = excluded.asked_at
  where mail_request.asked_at <= :before or mail_request.cause = excluded.cause
returning true
""")
_ASKED = text("select asked_at from mail_request where address_hash = :hash and asked_at > :before")
_LINK = text(
    "insert into mail_request_link (hash, address_hash, player_id, created_at) values (:link, :hash, :player, :now)"
)
_RESOLVE = text(f"""
select l.address_hash, p.id as player, p.language, p.email, p.email_confirmed as confirmed
  from mail_request_link l left join player p on p.id = l.player_id and {_OF_PLAYER} = l.address_hash
 where l.hash = :link
""")  # noqa: S608 - a constant
_HAS = text("select exists (select from player where id = :player and lower(email) = :address)")
_CONFIRM = text(
    "update player set email_confirmed = true where id = :player and email is not null and not email_confirmed"
)
_REFUSE = text("insert into mail_refusal (address_hash, created_at) values (:hash, :now) on conflict do nothing")
_REFUSED = text("select exists (select from mail_refusal where address_hash = :hash)")


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What a link of the mail that asks stands for: the address, and the player who has it, if they still do."""

    address_hash: bytes
    player: UUID | None
    language: str | None
    email: str | None
    confirmed: bool | None


def digest(address: str) -> bytes:
    """Return the digest of an address, in which upper case does not matter."""
    return sha256(address.lower().encode()).digest()


def is_confirmed(db: Connection, address: str) -> bool:
    """Return whether some player's account has the address, and it was confirmed there."""
    return bool(db.execute(_CONFIRMED, {"address": address.lower()}).scalar_one())


def claim(db: Connection, address: str, cause: str, now: datetime) -> bool:
    """Take the one mail to an address for a cause, once or again; False if another cause had it less than AGAIN ago."""
    values = {"hash": digest(address), "cause": cause, "now": now, "before": now - AGAIN}
    return db.execute(_CLAIM, values).first() is not None


def asked_at(db: Connection, address: str, now: datetime) -> datetime | None:
    """Return when the one mail to an address was written, None if there may be one now."""
    found: datetime | None = db.execute(_ASKED, {"hash": digest(address), "before": now - AGAIN}).scalar()
    return found


def add_link(db: Connection, link: bytes, address: str, player: UUID, now: datetime) -> None:
    """Let a link, in its stored form, confirm the address for the player, or refuse all such mails to it."""
    db.execute(_LINK, {"link": link, "hash": digest(address), "player": player, "now": now})


def resolve(db: Connection, link: bytes) -> ConsentRequest | None:
    """Return what a link, in its stored form, stands for; None if there is none such."""
    row: Any = db.execute(_RESOLVE, {"link": link}).one_or_none()
    return None if row is None else ConsentRequest(*row)


def has(db: Connection, player: UUID, address: str) -> bool:
    """Return whether the player's account has the address, confirmed or not."""
    return bool(db.execute(_HAS, {"player": player, "address": address.lower()}).scalar_one())


def confirm(db: Connection, player: UUID) -> bool:
    """Note that the player reads the mails of their address; False if that was known, or they have none."""
    return db.execute(_CONFIRM, {"player": player}).rowcount > 0


def refuse(db: Connection, address_hash: bytes, now: datetime) -> None:
    """Note that an address, known by its digest, wants neither invitations nor to be asked; for ever."""
    db.execute(_REFUSE, {"hash": address_hash, "now": now})


def is_refused(db: Connection, address: str) -> bool:
    """Return whether an address wants neither invitations nor to be asked."""
    return bool(db.execute(_REFUSED, {"hash": digest(address)}).scalar_one())
