"""Browser sessions: tokens of their own kind, prolonged by use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import Final
from uuid import UUID

from msgspec.json import Decoder
from sqlalchemy import Connection, text, update

from service.handlers.refusals import AccountBlocked
from service.handlers.tokens import TokenTerms, digest_of, draw_token, is_well_formed, store
from service.handlers.transaction import statements, transaction
from service.store import operation
from service.store.access import SCOPES, Identity, Session
from service.store.games import Games
from service.store.tables import token

LIFETIME: Final = timedelta(days=30)
"""Lifetime of a session after its last use."""
FRESH: Final = timedelta(minutes=15)
"""Age up to which a sign-in allows what a stolen cookie may not do: operate, create what outlives the session."""
_PROVEN: Final[tuple[Session, ...]] = ("mail", "passkey")
"""Kinds of sessions that began with a proof of identity; another device's code is none."""
_LABELS: Final[Mapping[Session, str]] = {
    "press": "browser",
    "mail": "browser, by mail",
    "passkey": "browser, by passkey",
    "code": "browser, by code",
}
"""Labels of sessions in the API's list of tokens; display only."""

# The last use is noted every ten minutes at most, and renews the lifetime.
_RECOGNISE = """
with renewed as (
  update token set last_used_at = clock_timestamp(), expires_at = clock_timestamp() + %(lifetime)s
  where hash = %(hash)s and browser and revoked_at is null and expires_at > clock_timestamp() and %(writing)s
    and (last_used_at is null or last_used_at < clock_timestamp() - interval '10 minutes')
  returning id
)
select json_build_object(
  'player', json_build_object(
    'id', p.id, 'name', p.name, 'email', p.email, 'language', p.language, 'email_verified', p.email_verified,
    'email_confirmed', p.email_confirmed, 'asked_twice', p.asked_twice,
    'time_zone', p.time_zone, 'owner', null, 'owner_name', null,
    'handle', p.handle, 'visibility', p.visibility, 'welcomed', p.welcomed),
  'token', json_build_object(
    'id', t.id, 'label', t.label, 'scopes', string_to_array(t.scopes, ' '), 'expires_at', t.expires_at),
  'to_move', (select count(*) from seat s join game g on g.id = s.game_id
    where s.player_id = p.id and g.status = 'running' and s.seat = any(g.awaited)),
  'signed_in_at', t.created_at, 'proven', coalesce(t.kind = any(%(proven)s), false),
  'renewed', exists (select from renewed))::text
from token t join player p on p.id = t.player_id
where t.hash = %(hash)s and t.browser and t.revoked_at is null and t.expires_at > clock_timestamp()
  and p.deleted_at is null and p.blocked is null
"""
_END_SESSIONS = text("update token set revoked_at = :now where player_id = :player and browser and revoked_at is null")
_END_PROGRAMS = (
    text("""
    update token set revoked_at = :now
     where revoked_at is null and (player_id = :player or player_id in (select id from player where owner = :player))
    """),
    text("delete from app_grant where player_id = :player"),
    text("delete from calendar where player_id = :player"),
    text("delete from reply_address where player_id = :player"),
)
_NO_CODE = text("delete from sign_in_code where player_id = :player")
_NOTE_MARK = text("update token set mark = :mark where hash = :hash and browser and mark is distinct from :mark")
_MARK_BYTES: Final = 16
_MARK: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_LAPSED = text("delete from token where player_id = :player and browser and expires_at < :now")


@dataclass(frozen=True, slots=True)
class Browser(Identity):
    """The player of a browser session; `renewed` if this request has prolonged it.

    `signed_in_at` is the start of the session, `proven` if by a mailed link or a passkey. `to_move` is the number of
    running games that await the player.
    """

    renewed: bool
    to_move: int
    signed_in_at: datetime
    proven: bool

    def is_fresh(self, now: datetime) -> bool:
        """Return whether the player has proven their identity within the last minutes (FRESH)."""
        return self.proven and now - self.signed_in_at <= FRESH


_BROWSER = Decoder(Browser)


def let_in(db: Connection, player: UUID, now: datetime, by: Session = "press") -> str:
    """Sign a browser in as the player; return the session token, stored as its SHA-256 only.

    Every kind of sign-in ends here. AccountBlocked if the account or its address is blocked.
    """
    require_admitted(db, player)
    db.execute(_LAPSED, {"player": player, "now": now})
    secret = draw_token()
    store(db, secret, player, TokenTerms(_LABELS[by], SCOPES, now + LIFETIME, by), now)
    return secret


def require_admitted(db: Connection, player: UUID) -> None:
    """Refuse a player whose account or address is blocked, and that player's bots; AccountBlocked."""
    reason = operation.account_block_reason(db, player)
    if reason is not None:
        raise AccountBlocked(reason)


def new_mark() -> str:
    """Return a new mark, by which a browser is known whoever signs in there."""
    return token_urlsafe(_MARK_BYTES)


def is_mark(said: str) -> bool:
    """Return whether the text is a well-formed mark."""
    return _MARK.fullmatch(said) is not None


def note_mark(games: Games, secret: str, mark: str) -> None:
    """Store the mark of a session's browser, as its SHA-256 only (P-06)."""
    values = {"hash": digest_of(secret), "mark": digest_of(mark)}
    with transaction(games.engine) as db:
        db.execute(_NOTE_MARK, values)


def recognise(games: Games, secret: str, *, writing: bool = True) -> Browser | None:
    """Return the player of a session token, or None; an API token signs nobody in.

    None for a blocked account. Unless `writing`, the session is not prolonged.
    """
    if not is_well_formed(secret):
        return None
    with statements(games.engine) as db:
        values = {"hash": digest_of(secret), "lifetime": LIFETIME, "proven": [*_PROVEN], "writing": writing}
        found = db.exec_driver_sql(_RECOGNISE, values).scalar()
    return None if found is None else _BROWSER.decode(found)


def sign_out(games: Games, browser: Identity, now: datetime) -> None:
    """End the browser's session."""
    ended = update(token).where(token.c.id == browser.token.id, token.c.revoked_at.is_(None))
    with transaction(games.engine) as db:
        db.execute(ended.values(revoked_at=now))


def sign_out_everywhere(games: Games, player: UUID, now: datetime, *, programs: bool = False) -> None:
    """End all sessions of the player, and the code for another device.

    With `programs` also tokens, also of bots, grants of apps, the calendar's address and further reply addresses.
    """
    whose = {"player": player, "now": now}
    with transaction(games.engine) as db:
        for statement in (_END_SESSIONS, _NO_CODE, *(_END_PROGRAMS if programs else ())):
            db.execute(statement, whose)
