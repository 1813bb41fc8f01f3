"""API tokens, and one-time tickets for streams."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from string import ascii_letters, digits
from typing import Any, Literal
from uuid import UUID, uuid4
from zlib import crc32

from sqlalchemy import Connection, func, insert, select, text, update

from service.handlers.capability import draw, stored
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import (
    DEAD_TOKENS,
    AccountBlocked,
    ScopeMissing,
    TooMany,
    Unavailable,
    UnknownBot,
    UnknownTicket,
)
from service.handlers.tell_owner import tell_owner
from service.handlers.transaction import transaction
from service.store.access import PREFIX, SCOPES, Identity, Session, TokenRow
from service.store.games import Games
from service.store.tables import account_ticket, stream_ticket, token

# API tokens: issue, revoke.

MOST = 100
"""Limit of an account's valid API tokens; signing in is never refused."""

_BASE62 = digits + ascii_letters
_SECRET, _CHECK = 30, 6

_STATE = text("""
select case when revoked_at is not null then 'revoked' when expires_at <= clock_timestamp() then 'expired' end as dead,
       coalesce(p.blocked, o.blocked) as blocked
from token t join player p on p.id = t.player_id left join player o on o.id = p.owner where t.id = :id
""")
_LIVING = select(func.count()).where(
    token.c.revoked_at.is_(None), token.c.browser.is_(False), token.c.code_id.is_(None)
)
_OWN_KIND = text("(select case when owner is null then 'personal' else 'bot' end from player where id = :holder)")
_BOT_OF = text("select from player where id = :bot and owner = :owner and deleted_at is null")
_LOCK = text("select from player where id = :player and deleted_at is null for no key update")


@dataclass(frozen=True, slots=True)
class TokenTerms:
    """Label, scopes and expiry (None: never) of a new token.

    With a `session` the token is a browser's session cookie, and no API token.
    """

    label: str
    scopes: Collection[str]
    expires_at: datetime | None
    session: Session | None = None


def issue(
    db: Connection, player: UUID, label: str, scopes: Collection[str], expires_at: datetime | None, now: datetime
) -> tuple[TokenRow, str]:
    """Issue a token; return its row and its text, shown once and stored as its SHA-256 only."""
    text, terms = draw_token(), TokenTerms(label, scopes, expires_at)
    return store(db, text, player, terms, now), text


def store(
    db: Connection, text: str, player: UUID, terms: TokenTerms, now: datetime, code: UUID | None = None
) -> TokenRow:
    """Store a drawn token as its SHA-256; `code` is the app's authorization code."""
    row = TokenRow(uuid4(), terms.label, tuple(each for each in SCOPES if each in terms.scopes), terms.expires_at)
    values = {"id": row.id, "label": row.label, "scopes": " ".join(row.scopes), "expires_at": row.expires_at}
    kind = terms.session or (_OWN_KIND if code is None else "app")
    which = {"kind": kind, "browser": terms.session is not None, "code_id": code}
    digest = {"hash": digest_of(text), "last_four": text[-4:]}
    statement = insert(token).values(**digest, **values, **which, player_id=player, created_at=now)
    db.execute(statement, {"holder": player} if kind is _OWN_KIND else {})
    return row


def create(
    games: Games,
    identity: Identity,
    wanted: TokenTerms,
    now: datetime,
    receipt: Receipt[tuple[TokenRow, str]] | None = None,
    bot: UUID | None = None,
) -> tuple[TokenRow, str]:
    """Issue another token for the asking player, or for the player's bot.

    ScopeMissing for scopes that the asking token lacks, TooMany, UnknownBot; under a key also Repeated, KeyReused.
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
        tell_owner(db, player, "token-made", made[0].id)
        keep(db, receipt, made)
    return made


def revoke(games: Games, player: UUID, token_id: UUID, now: datetime, bot: UUID | None = None) -> bool:
    """Revoke a token of the player, or of the player's bot; return whether there was one. UnknownBot."""
    holder = bot or player
    ended = update(token).where(token.c.id == token_id, token.c.player_id == holder, token.c.revoked_at.is_(None))
    with transaction(games.engine) as db:
        if bot is not None:
            require_bot(db, player, bot)
        return db.execute(ended.values(revoked_at=now)).rowcount == 1


def require_bot(db: Connection, owner: UUID, bot: UUID) -> None:
    """Raise UnknownBot unless the bot belongs to the owner."""
    if db.execute(_BOT_OF, {"bot": bot, "owner": owner}).first() is None:
        raise UnknownBot


def hold(db: Connection, player: UUID) -> None:
    """Lock the account, so that no concurrent request adds to it: two could both pass a limit.

    Unavailable if the account is deleted meanwhile; a retry learns the reason.
    """
    if db.execute(_LOCK, {"player": player}).one_or_none() is None:
        raise Unavailable


def require_good(db: Connection, token_id: UUID) -> None:
    """Refuse a token that has become invalid since its lookup; DeadToken, AccountBlocked."""
    row = db.execute(_STATE, {"id": token_id}).one_or_none()
    # A token's row is deleted only with its account, or with an app's grant.
    dead: Literal["revoked", "expired"] | None = "revoked" if row is None else row.dead
    if row is not None and row.blocked is not None:
        raise AccountBlocked(row.blocked)
    if dead is not None:
        raise DEAD_TOKENS[dead]


def draw_token() -> str:
    body = "".join(secrets.choice(_BASE62) for _ in range(_SECRET))
    return PREFIX + body + _checksum(body)


def is_well_formed(text: str) -> bool:
    """Return whether the text has the form and checksum of a token."""
    body, check = text[len(PREFIX) : -_CHECK], text[-_CHECK:]
    return text.startswith(PREFIX) and text.isascii() and len(body) == _SECRET and check == _checksum(body)


def _checksum(body: str) -> str:
    rest, check = crc32(body.encode()), ""
    for _ in range(_CHECK):
        rest, index = divmod(rest, len(_BASE62))
        check = _BASE62[index] + check
    return check


def digest_of(text: str) -> bytes:
    """Return the SHA-256 of a token for storage."""
    return sha256(text.encode()).digest()


# Tickets: open a stream once, for clients that cannot send a token.

TICKET_LIFETIME = timedelta(seconds=60)
_OWNER = """
from used join token t on t.id = used.token_id join player p on p.id = t.player_id
where p.blocked is null and t.revoked_at is null and (t.expires_at is null or t.expires_at > :now)
"""
_USE = text(f"""
with used as (delete from stream_ticket where hash = :hash and expires_at > :now returning token_id, game_id)
select used.game_id, p.id, t.id, p.language {_OWNER}
""")  # noqa: S608 - a constant
_USE_OF_ACCOUNT = text(f"""
with used as (delete from account_ticket where hash = :hash and expires_at > :now returning token_id)
select p.id, t.id {_OWNER}
""")  # noqa: S608 - a constant


@dataclass(frozen=True, slots=True)
class Ticket:
    """A used ticket: its game, its player and language, and its token."""

    game: UUID
    player: UUID
    token: UUID
    language: str


def issue_ticket(db: Connection, game: UUID, token: UUID, now: datetime) -> str:
    """Return a new ticket for a stream of the game; stored as its SHA-256 only."""
    secret = draw()
    values = {"hash": stored(secret), "token_id": token, "game_id": game, "expires_at": now + TICKET_LIFETIME}
    db.execute(insert(stream_ticket).values(**values))
    return secret


def issue_account_ticket(db: Connection, token: UUID, now: datetime) -> str:
    """Return a new ticket for a stream of the token's account; stored as its SHA-256 only."""
    secret = draw()
    values = {"hash": stored(secret), "token_id": token, "expires_at": now + TICKET_LIFETIME}
    db.execute(insert(account_ticket).values(**values))
    return secret


def use_account_ticket(games: Games, secret: str, now: datetime) -> tuple[UUID, UUID]:
    """Use up a ticket and return its player and token; UnknownTicket, also if the token is no longer valid."""
    with transaction(games.engine) as db:
        row: Any = db.execute(_USE_OF_ACCOUNT, {"hash": stored(secret), "now": now}).one_or_none()
    if row is None:
        raise UnknownTicket
    return tuple(row)


def use_ticket(games: Games, secret: str, now: datetime) -> Ticket:
    """Use up a ticket and return it; UnknownTicket, also if its token is no longer valid."""
    with transaction(games.engine) as db:
        row: Any = db.execute(_USE, {"hash": stored(secret), "now": now}).one_or_none()
    if row is None:
        raise UnknownTicket
    return Ticket(*row)
