"""API tokens: made, shown once, looked up at every request, revoked."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from string import ascii_letters, digits
from typing import Literal
from uuid import UUID, uuid4
from zlib import crc32

from msgspec.json import Decoder
from sqlalchemy import Connection, func, insert, select, text, update

from service.handlers.receipts import Receipt, claim, keep
from service.handlers.refusals import DeadToken, ScopeMissing, TooMany, Unavailable, UnknownBot
from service.handlers.transaction import statements, transaction
from service.store.engine import first_row
from service.store.games import Games
from service.store.identity import PREFIX, Identity, TokenRow
from service.store.opened import OPENED, Opened
from service.store.tables import SCOPES, token

MOST = 100
"""The most living tokens of one account that are asked for; signing in is never refused."""

_BASE62 = digits + ascii_letters
_SECRET, _CHECK = 30, 6

# One statement, since it comes before every request.
_AUTHENTICATE = f"""
select json_build_object(
  'player', json_build_object(
    'id', p.id, 'name', p.name, 'email', p.email, 'language', p.language, 'email_verified', p.email_verified,
    'time_zone', p.time_zone, 'owner', p.owner, 'owner_name', o.name),
  'token', json_build_object(
    'id', t.id, 'label', t.label, 'scopes', string_to_array(t.scopes, ' '), 'expires_at', t.expires_at),
  'dead', case when t.revoked_at is not null then 'revoked' when t.expires_at <= clock_timestamp() then 'expired' end,
  'unnoted', t.last_used_at is null or t.last_used_at < clock_timestamp() - interval '10 minutes',
  'opened', {OPENED})::text
from token t join player p on p.id = t.player_id left join player o on o.id = p.owner
where t.hash = %(hash)s and p.deleted_at is null
"""  # noqa: S608 - constants
# Nothing would be lost with it but ten minutes of a date, so nobody waits until it is on the disk.
_NOTE = """
with hasty as (select set_config('synchronous_commit', 'off', true))
update token set last_used_at = clock_timestamp() from hasty where hash = %(hash)s returning id
"""
_STATE = text("""
select case when revoked_at is not null then 'revoked' when expires_at <= clock_timestamp() then 'expired' end
from token where id = :id
""")
_LIVING = select(func.count()).where(token.c.revoked_at.is_(None), token.c.browser.is_(False))
_BOT_OF = text("select from player where id = :bot and owner = :owner and deleted_at is null")
_LOCK = text("select from player where id = :player and deleted_at is null for no key update")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A token to be made: what it is called, what it is good for, and until when; None is until it is revoked."""

    label: str
    scopes: Collection[str]
    expires_at: datetime | None


def issue(
    db: Connection, player: UUID, label: str, scopes: Collection[str], expires_at: datetime | None, now: datetime
) -> tuple[TokenRow, str]:
    """Make a token; return it, and its text, which is shown this once and stored as its SHA-256 only."""
    text = _new_token()
    row = TokenRow(uuid4(), label, tuple(scope for scope in SCOPES if scope in scopes), expires_at)
    values = {"id": row.id, "label": label, "scopes": " ".join(row.scopes), "expires_at": expires_at}
    digest = {"hash": digest_of(text), "last_four": text[-4:]}
    db.execute(insert(token).values(**digest, **values, player_id=player, created_at=now))
    return row, text


def create(
    games: Games,
    identity: Identity,
    wanted: Wanted,
    now: datetime,
    receipt: Receipt[tuple[TokenRow, str]] | None = None,
    bot: UUID | None = None,
) -> tuple[TokenRow, str]:
    """Make another token for whoever asks, or for a bot of theirs, as `issue`.

    ScopeMissing where it would be good for more than the asking one, TooMany, UnknownBot; under a key also Repeated,
    KeyReused.
    """
    for scope in SCOPES:
        if scope in wanted.scopes and scope not in identity.token.scopes:
            raise ScopeMissing(scope)
    player = bot or identity.player.id
    with transaction(games.engine) as db:
        claim(db, receipt)
        if bot is not None:
            require_bot(db, identity.player.id, bot)
        hold(db, player)
        if db.execute(_LIVING.where(token.c.player_id == player)).scalar_one() >= MOST:
            raise TooMany(MOST)
        made = issue(db, player, wanted.label, wanted.scopes, wanted.expires_at, now)
        keep(db, receipt, made)
    return made


def revoke(games: Games, player: UUID, token_id: UUID, now: datetime, bot: UUID | None = None) -> bool:
    """End a token of the player's, or of a bot of theirs, at once; return whether there was one. UnknownBot."""
    holder = bot or player
    ended = update(token).where(token.c.id == token_id, token.c.player_id == holder, token.c.revoked_at.is_(None))
    with transaction(games.engine) as db:
        if bot is not None:
            require_bot(db, player, bot)
        return db.execute(ended.values(revoked_at=now)).rowcount == 1


def require_bot(db: Connection, owner: UUID, bot: UUID) -> None:
    """Refuse what is no bot of the owner's; UnknownBot."""
    if db.execute(_BOT_OF, {"bot": bot, "owner": owner}).first() is None:
        raise UnknownBot


def hold(db: Connection, player: UUID) -> None:
    """Let no other request add to the account before this transaction ends: two could both find room for a last one.

    Unavailable if the account has gone meanwhile: the next request is told so.
    """
    if db.execute(_LOCK, {"player": player}).one_or_none() is None:
        raise Unavailable


@dataclass(frozen=True, slots=True)
class Arrival(Identity):
    """Who asks, and the game that is asked for, if there is such a game; `dead` is why the token is good no more.

    `unnoted` if that it was used has not been noted for ten minutes.
    """

    dead: Literal["revoked", "expired"] | None = None
    unnoted: bool = False
    opened: Opened | None = None


_ARRIVAL = Decoder(Arrival)


def authenticate(games: Games, text: str, game: UUID | None = None) -> Arrival | None:
    """Return whose token it is, or None if nobody's; DeadToken where it is revoked or expired.

    The game is read along, to save a statement of its own. A mistyped token is known by its checksum without asking the
    database.
    """
    if not is_well_formed(text):
        return None
    digest = digest_of(text)
    with statements(games.engine) as db:
        row = first_row(db, _AUTHENTICATE, {"hash": digest, "game": game})
        if row is None:
            return None
        arrival = _ARRIVAL.decode(row[0])
        if arrival.dead is not None:
            raise DeadToken(arrival.dead)
        if arrival.unnoted:
            first_row(db, _NOTE, {"hash": digest})
    return arrival


def require_good(db: Connection, token_id: UUID) -> None:
    """Refuse a token that was good when it was looked up, and no longer is; DeadToken."""
    row = db.execute(_STATE, {"id": token_id}).one_or_none()
    # Only with its account a token goes without a trace.
    dead: Literal["revoked", "expired"] | None = "revoked" if row is None else row[0]
    if dead is not None:
        raise DeadToken(dead)


def _new_token() -> str:
    body = "".join(secrets.choice(_BASE62) for _ in range(_SECRET))
    return PREFIX + body + _checksum(body)


def is_well_formed(text: str) -> bool:
    """Return whether the text can be a token: a mistyped one is known by its checksum."""
    body, check = text[len(PREFIX) : -_CHECK], text[-_CHECK:]
    return text.startswith(PREFIX) and text.isascii() and len(body) == _SECRET and check == _checksum(body)


def _checksum(body: str) -> str:
    rest, check = crc32(body.encode()), ""
    for _ in range(_CHECK):
        rest, index = divmod(rest, len(_BASE62))
        check = _BASE62[index] + check
    return check


def digest_of(text: str) -> bytes:
    """Return the form in which a token is stored."""
    return sha256(text.encode()).digest()
