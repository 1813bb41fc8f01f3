"""Links that let their holder answer one decision of one seat."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, select, text, update

from service.handlers.capability import draw, stored
from service.store.games import Position
from service.store.tables import action_link, mail_wishes, player

LIFETIME = timedelta(days=90)
Revocation = Literal["seen", "address", "resigned", "taken-back", "handed-over"]

_ISSUE = text(
    "insert into action_link (hash, game_id, seat, decision, created_at, expires_at, player_id)"
    " select :hash, :game, :seat, :decision, :now, :until, player_id from seat where game_id = :game and seat = :seat"
)
# No code begins like another, so that a coded text can be told apart letter by letter. h, x, p, q, s, t are no hex
# digits.
_CODES = {" ": "-", "-": ".", "+": "_p", "'": "_q", "=": "_s", "@": "_t"}
_SHORT: Final = "_h"
_LETTERS: Final = 8
"""Of a hundred legal actions two have the same short code once in two hundred million decisions."""
_LINK = action_link.c
_RESOLVE = select(
    _LINK.game_id,
    _LINK.seat,
    _LINK.decision,
    _LINK.expires_at,
    _LINK.player_id,
    _LINK.revoked_at,
    _LINK.revoked_for,
    select(1)
    .where(mail_wishes.c.player_id == _LINK.player_id, mail_wishes.c.links_need_sign_in)
    .exists()
    .label("needs_sign_in"),
    select(player.c.blocked).where(player.c.id == _LINK.player_id).scalar_subquery().label("blocked"),
)


@dataclass(frozen=True, slots=True)
class Link:
    """A link: its seat, player and decision, its expiry, and when and why it was revoked."""

    game_id: UUID
    seat: int
    decision: int
    expires_at: datetime
    player_id: UUID
    revoked_at: datetime | None
    revoked_for: Revocation | None
    needs_sign_in: bool
    """Whether its player wants it to work for nobody but themselves, signed in at the browser that opens it."""
    blocked: str | None = None
    """Why its player's account is blocked, None if it is not."""

    def works(self, now: datetime) -> bool:
        """Return whether it is not revoked, expired or a blocked player's; what it may do then is the game's to say."""
        return self.revoked_at is None and self.expires_at > now and self.blocked is None


def issue(db: Connection, game_id: UUID, seat: int, decision: int, now: datetime) -> str:
    """Return a new token for the decision, good for the player in the seat; stored as its SHA-256 only."""
    token = draw()
    values = {"game": game_id, "seat": seat, "decision": decision, "now": now, "until": now + LIFETIME}
    db.execute(_ISSUE, {"hash": stored(token), **values})
    return token


def resolve(db: Connection, token: str) -> Link | None:
    """Return the link of a token, valid or not, or None if it was never issued; letter case does not matter."""
    digest = stored(token)
    return None if digest is None else resolve_stored(db, digest)


def resolve_stored(db: Connection, digest: bytes) -> Link | None:
    """Return the link whose token has this digest, as `resolve`."""
    row = db.execute(_RESOLVE.where(_LINK.hash == digest)).one_or_none()
    return None if row is None else Link(**row._asdict())


def revoke(db: Connection, player_id: UUID, why: Revocation, now: datetime, game_id: UUID | None = None) -> bool:
    """Revoke all links of a player, or those to one game; return whether there were any."""
    theirs = (_LINK.player_id == player_id) & _LINK.revoked_at.is_(None)
    if game_id is not None:
        theirs &= _LINK.game_id == game_id
    return db.execute(update(action_link).where(theirs).values(revoked_at=now, revoked_for=why)).rowcount > 0


def code(notation: str) -> str:
    """Return the form that a notation has behind a link: lower-case, of letters, digits and `.-_` only.

    `D T A1-B1 3` is `d-t-a1.b1-3`. Two notations that differ in more than upper and lower case have two codes.
    """
    lower = notation.lower()
    coded = "".join(map(_coded, lower))
    # Mail programs leave punctuation at the end of a link out, and so it is letters and digits that end one.
    return coded if not coded or coded[-1].isalnum() else coded[:-1] + _escaped(lower[-1])


def short_code(notation: str) -> str:
    """Return another code of a notation, of ten characters: for links in which its own would be too long."""
    digest = b32encode(sha256(notation.lower().encode()).digest())
    return _SHORT + digest[:_LETTERS].decode().lower()


def meant(position: Position, seat: int, coded: str) -> Any | None:
    """Return the legal action of the seat that a code or short code means, or None; letter case does not matter."""
    if seat not in position.awaited:
        return None
    ruleset, wanted = position.ruleset, coded.lower()
    coding = short_code if wanted.startswith(_SHORT) else code
    return next((each for each in ruleset.legal(position.state, seat) if coding(ruleset.notate(each)) == wanted), None)


def _coded(letter: str) -> str:
    if letter.isascii() and letter.isalnum():
        return letter
    return _CODES.get(letter) or _escaped(letter)


def _escaped(letter: str) -> str:
    return f"_{ord(letter):x}x"
