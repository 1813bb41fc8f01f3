"""Links of turn mails: issue, resolve, revoke, replace."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, select, text, update

from service.handlers.capability import draw, stored
from service.handlers.refusals import NotSeated
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.store import notices, outbox
from service.store.games import Games, Position, require_known
from service.store.tables import action_link, mail_wishes, player

# Links that let their holder answer one decision of one seat.

LIFETIME = timedelta(days=90)
Revocation = Literal["seen", "address", "resigned", "taken-back", "handed-over"]

_ISSUE = text(
    "insert into action_link (hash, game_id, seat, decision, created_at, expires_at, player_id)"
    " select :hash, :game, :seat, :decision, :now, :until, player_id from seat where game_id = :game and seat = :seat"
)
# Codes are prefix-free, so that a coded text is unambiguous. h, x, p, q, s, t are no hex digits.
_CODES = {" ": "-", "-": ".", "+": "_p", "'": "_q", "=": "_s", "@": "_t"}
_SHORT: Final = "_h"
_LETTERS: Final = 8
"""Length of a short code; two of a hundred legal actions collide once in two hundred million decisions."""
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
    """A link's row."""

    game_id: UUID
    seat: int
    decision: int
    expires_at: datetime
    player_id: UUID
    revoked_at: datetime | None
    revoked_for: Revocation | None
    needs_sign_in: bool
    """True if the link works only for the player, signed in."""
    blocked: str | None = None
    """Reason why the player's account is blocked, else None."""

    def works(self, now: datetime) -> bool:
        """Return whether the link is not revoked, expired or a blocked player's; the game decides what it may do."""
        return self.revoked_at is None and self.expires_at > now and self.blocked is None


def issue(db: Connection, game_id: UUID, seat: int, decision: int, now: datetime) -> str:
    """Return a new token for the decision and the seat's player; only its SHA-256 is stored."""
    token = draw()
    values = {"game": game_id, "seat": seat, "decision": decision, "now": now, "until": now + LIFETIME}
    db.execute(_ISSUE, {"hash": stored(token), **values})
    return token


def resolve(db: Connection, token: str) -> Link | None:
    """Return the link of a token (in any case), valid or not, None if unknown."""
    digest = stored(token)
    return None if digest is None else resolve_stored(db, digest)


def resolve_stored(db: Connection, digest: bytes) -> Link | None:
    """Return the link of a token's digest, as `resolve`."""
    row = db.execute(_RESOLVE.where(_LINK.hash == digest)).one_or_none()
    return None if row is None else Link(**row._asdict())


def revoke(db: Connection, player_id: UUID, why: Revocation, now: datetime, game_id: UUID | None = None) -> bool:
    """Revoke all links of a player, or those to one game; return whether there were any."""
    theirs = (_LINK.player_id == player_id) & _LINK.revoked_at.is_(None)
    if game_id is not None:
        theirs &= _LINK.game_id == game_id
    return db.execute(update(action_link).where(theirs).values(revoked_at=now, revoked_for=why)).rowcount > 0


def code(notation: str) -> str:
    """Return a notation's form for links: lower-case letters, digits and `.-_`.

    `D T A1-B1 3` is `d-t-a1.b1-3`. Injective but for case.
    """
    lower = notation.lower()
    coded = "".join(map(_coded, lower))
    # Mail programs cut punctuation off the end of a link, so a code ends in a letter or digit.
    return coded if not coded or coded[-1].isalnum() else coded[:-1] + _escaped(lower[-1])


def short_code(notation: str) -> str:
    """Return a notation's code of ten characters, for links that would be too long."""
    digest = b32encode(sha256(notation.lower().encode()).digest())
    return _SHORT + digest[:_LETTERS].decode().lower()


def meant(position: Position, seat: int, coded: str) -> Any | None:
    """Return the seat's legal action of a code or short code (in any case), or None."""
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


# Fresh links, which replace invalid or leaked ones; only by mail to the player's address.

_WAITING = text("""
select g.id from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'running' and s.seat = any(g.awaited) order by g.id
""")
FRESH_LINK_PAUSE = timedelta(minutes=10)
"""Period in which an old link, and a seat, gets at most one fresh link."""


def ask_fresh_link(games: Games, token: str, now: datetime) -> None:
    """Enqueue a fresh link for the token's seat; an unknown token costs the same work."""
    with transaction(games.engine) as db:
        outbox.add(db, notices.fresh_link(_digest(token), _window(now)))
    games.wake()


def answer_fresh_link(db: Connection, games: Games, digest: bytes, now: datetime) -> bool:
    """Enqueue a mail with a fresh link for the link of this digest; return whether one was enqueued.

    Requires that the player still has the seat, has an address, and is to act.
    """
    link = resolve_stored(db, digest)
    if link is None:
        return False
    position = games.open(db, link.game_id)
    return holds_fresh_link(position, link) and _write(db, position, link.seat, f"asked:{_window(now)}")


def replace_link(games: Games, game: UUID, player: UUID, now: datetime) -> None:
    """Revoke all links of a player to a game, as leaked, and mail a new one; UnknownGame, NotSeated.

    Mails only if a link was valid, so that each link causes one mail at most.
    """
    with transaction(games.engine) as db:
        were_any = revoke(db, player, "seen", now, game)
        position = games.open(db, game)
        require_known(db, position, player)
        seat = position.seat_of(player)
        if seat is None:
            raise NotSeated
        if were_any:
            _write(db, position, seat, f"seen:{new_id()}")
    games.wake()


def replace_all_links(games: Games, player: UUID, now: datetime) -> None:
    """Revoke all links of a player, and mail a new one for each waiting decision."""
    with transaction(games.engine) as db:
        if revoke(db, player, "seen", now):
            waiting: Sequence[UUID] = db.execute(_WAITING, {"player": player}).scalars().all()
            for game in waiting:
                position = games.open(db, game)
                seat = position.seat_of(player)
                if seat is not None:
                    _write(db, position, seat, f"seen:{new_id()}")
    games.wake()


def holds_fresh_link(position: Position, link: Link) -> bool:
    """Return whether the link's player still has its seat."""
    return position.seat_of(link.player_id) == link.seat


def _write(db: Connection, position: Position, seat: int, why: str) -> bool:
    if seat not in position.awaited or position.seats[seat].email is None:
        return False
    notice = notices.turn_mail_again(position.game.id, position.decision, seat, why, asked=True)
    outbox.post(db, position.game.id, [notice])
    return True


def _digest(token: str) -> str:
    return sha256(token.lower().encode()).hexdigest()


def _window(now: datetime) -> int:
    return int(now.timestamp() // FRESH_LINK_PAUSE.total_seconds())
