"""Apps (OAuth 2.1 clients): registration, grants, authorization codes and tokens."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

from sqlalchemy import Connection, func, insert, select, text

from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import TooMany, UnknownApp, UnknownGrant
from service.handlers.tell_owner import tell_owner
from service.handlers.tokens import TokenTerms, digest_of, hold, store
from service.handlers.transaction import transaction
from service.store import notices, operation, outbox
from service.store.access import APP_SCOPES
from service.store.games import Games
from service.store.tables import app

# Apps of other people: registered and changed by their owners, revoked by the granting players.

MOST: Final = 20
"""Limit of apps of an account."""
SECRET_PREFIX: Final = "brs_"  # noqa: S105 - the beginning of every secret, and none itself
"""Prefix of a confidential app's secret, for scanners that look for published secrets."""

_LOCK = text("select redirect_uris from app where id = :id and owner = :owner for no key update")
_CHANGE = text("""
update app set name = coalesce(:name, name), redirect_uris = coalesce(:redirect_uris, redirect_uris) where id = :id
""")
_END_CODES = text("""
delete from app_code using app_grant g where g.id = app_code.grant_id and g.app_id = :id and app_code.used_at is null
""")
_DELETE = text("delete from app where id = :id and owner = :owner")
_REVOKE = text("delete from app_grant where id = :id and player_id = :player")


@dataclass(frozen=True, slots=True)
class AppTerms:
    """Terms of a new app: name, redirect addresses, and whether it can keep a secret."""

    name: str
    redirect_uris: Sequence[str]
    confidential: bool


@dataclass(frozen=True, slots=True)
class AppMade:
    """A new app; its `secret` is shown once, and None for a public client."""

    id: UUID
    secret: str | None


def register(
    games: Games, owner: UUID, wanted: AppTerms, now: datetime, receipt: Receipt[AppMade] | None = None
) -> AppMade:
    """Register an app of the owner; store only the SHA-256 of its secret. TooMany, Repeated, KeyReused."""
    made = AppMade(uuid4(), SECRET_PREFIX + secrets.token_urlsafe(32) if wanted.confidential else None)
    values = {"id": made.id, "owner": owner, "name": wanted.name, "redirect_uris": list(wanted.redirect_uris)}
    hashed = None if made.secret is None else digest_of_secret(made.secret)
    with transaction(games.engine) as db:
        claim(db, receipt)
        hold(db, owner)
        if db.execute(select(func.count()).where(app.c.owner == owner)).scalar_one() >= MOST:
            raise TooMany(MOST)
        db.execute(insert(app).values(**values, secret_hash=hashed, created_at=now))
        tell_owner(db, owner, "app-registered", made.id)
        keep(db, receipt, made)
    return made


def change(
    games: Games, owner: UUID, app_id: UUID, name: str | None = None, redirect_uris: Sequence[str] | None = None
) -> None:
    """Change the name or the redirect addresses of an owner's app; None keeps a value. UnknownApp.

    New addresses end the unused codes: no code may work at a removed address. Grants of players stay.
    """
    addresses = None if redirect_uris is None else list(redirect_uris)
    with transaction(games.engine) as db:
        kept: list[str] | None = db.execute(_LOCK, {"id": app_id, "owner": owner}).scalar()
        if kept is None:
            raise UnknownApp
        db.execute(_CHANGE, {"id": app_id, "name": name, "redirect_uris": addresses})
        if addresses not in (None, kept):
            db.execute(_END_CODES, {"id": app_id})
            tell_owner(db, owner, "app-registered", uuid4())


def delete(games: Games, owner: UUID, app_id: UUID) -> None:
    """Delete an owner's app with all its grants; UnknownApp."""
    with transaction(games.engine) as db:
        if not db.execute(_DELETE, {"id": app_id, "owner": owner}).rowcount:
            raise UnknownApp


def revoke(games: Games, player: UUID, grant_id: UUID) -> None:
    """Revoke a player's grant at once, with its codes and tokens; UnknownGrant."""
    with transaction(games.engine) as db:
        if not db.execute(_REVOKE, {"id": grant_id, "player": player}).rowcount:
            raise UnknownGrant


def digest_of_secret(secret: str) -> bytes:
    """Return the SHA-256 of an app's secret for storage; 256 random bits need no salt."""
    return sha256(secret.encode()).digest()


# Grants, authorization codes, access and refresh tokens. A code and a refresh token work once. A second use may be a
# thief's, so it ends all tokens of the code (RFC 9700, sections 2.2.2 and 4.14).

CODE_LIFETIME: Final = timedelta(seconds=60)
ACCESS_LIFETIME: Final = timedelta(hours=1)
REFRESH_LIFETIME: Final = timedelta(days=90)
"""Lifetime of an unused refresh token; each use issues a new one."""
MOST_SIGN_INS: Final = 20
"""Limit of concurrent sign-ins of an app for a player; a further one ends the least recently used."""

_LOOPBACK: Final = re.compile(r"(http://(?:127\.0\.0\.1|localhost|\[::1\]))(?::[0-9]{1,5})?(?=[/?]|$)")
"""Scheme and host of a loopback address, and its port."""

_APP = text("""
select a.id, a.name, a.redirect_uris, a.secret_hash, a.owner, o.name as owner_name, o.handle as owner_handle
  from app a join player o on o.id = a.owner where a.id = :id and o.blocked is null and o.deleted_at is null
""")
_GRANT = text("""
insert into app_grant (id, app_id, player_id, scopes, granted_at)
select :id, a.id, :player, :scopes, :now from app a
 where a.id = :app and :redirect_uri = any(a.redirect_uris) for share
on conflict (app_id, player_id) do update
   set scopes = array(select distinct unnest(app_grant.scopes || excluded.scopes))
returning id
""")
_ADD_CODE = text("""
insert into app_code (id, hash, grant_id, redirect_uri, scopes, challenge, expires_at)
values (:id, :hash, :grant, :redirect_uri, :scopes, :challenge, :expires)
""")
_DROP_OLDEST = text("""
delete from app_code where id in (
  select c.id from app_code c join app_code used on used.grant_id = c.grant_id
   where used.id = :code and c.used_at is not null order by c.expires_at desc offset :most)
""")
_ORIGIN = """
select c.id as code, g.player_id as player, g.app_id as app, c.redirect_uri, c.scopes, c.challenge
  from app_code c join app_grant g on g.id = c.grant_id join player p on p.id = g.player_id
"""
_MAY = f"and not {operation.IS_MAIL_BLOCKED} and p.deleted_at is null"
_BY_CODE = text(f"{_ORIGIN} where c.hash = :hash and (c.used_at is not null or c.expires_at > :now) {_MAY}")
_BY_REFRESH = text(
    f"{_ORIGIN} join app_refresh r on r.code_id = c.id where r.hash = :hash and r.expires_at > :now {_MAY}"
)
_BY_ACCESS = text(f"{_ORIGIN} join token t on t.code_id = c.id where t.hash = :hash")
_USE_CODE = text("""
update app_code set used_at = :now, expires_at = :until where id = :code and used_at is null and expires_at > :now
""")
_USE_REFRESH = text("update app_refresh set used_at = :now where hash = :hash and used_at is null")
_PROLONG = text("update app_code set expires_at = :until where id = :code")
_ADD_REFRESH = text("insert into app_refresh (hash, code_id, expires_at) values (:hash, :code, :until)")
_DROP_LAPSED = text("delete from token where code_id = :code and expires_at < :now")
_END = text("delete from app_code where id = :code")


@dataclass(frozen=True, slots=True)
class App:
    """An app in the authorization server; `secret_hash` is None for a public client."""

    id: UUID
    name: str
    redirect_uris: Sequence[str]
    secret_hash: bytes | None
    owner: UUID
    owner_name: str
    owner_handle: str | None


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """An app's request to a player: scopes, redirect address, and S256 challenge (RFC 7636)."""

    scopes: Sequence[str]
    redirect_uri: str
    challenge: str


@dataclass(frozen=True, slots=True)
class Pair:
    """An access token with its refresh token; `scopes` are those of the access token."""

    access: str
    refresh: str
    scopes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a code or a token: the authorization code's row."""

    code: UUID
    player: UUID
    app: UUID
    redirect_uri: str
    scopes: Sequence[str]
    challenge: str


def find_app(db: Connection, client_id: str) -> App | None:
    """Return the app of a client_id, None if unknown or its owner is blocked or deleted."""
    try:
        row: Any = db.execute(_APP, {"id": UUID(client_id)}).one_or_none()
    except ValueError:
        return None
    return None if row is None else App(*row)


def registered(addresses: Sequence[str], address: str) -> str | None:
    """Return the registered address that matches a requested one, None without a match (RFC 9700, section 4.1.3).

    The match is exact, but for the port of a loopback address (RFC 8252, section 7.3).
    """
    if address in addresses:
        return address
    return next((each for each in addresses if _LOOPBACK.match(each) and _portless(each) == _portless(address)), None)


def _portless(address: str) -> str | None:
    """Return a loopback address without its port; None for any other."""
    found = _LOOPBACK.match(address)
    return None if found is None else found[1] + address[found.end() :]


def grant(db: Connection, app: App, player: UUID, asked: AuthorizationRequest, code: str, now: datetime) -> bool:
    """Grant the app access by an authorization code; the first grant enqueues a mail to the player.

    Return whether the app still exists with this address.
    """
    fresh, scopes = uuid4(), list(asked.scopes)
    whose = {"id": fresh, "app": app.id, "player": player, "scopes": scopes, "now": now}
    whose["redirect_uri"] = registered(app.redirect_uris, asked.redirect_uri)
    granted: UUID | None = db.execute(_GRANT, whose).scalar_one_or_none()
    if granted is None:
        return False
    if granted == fresh:
        outbox.add(db, notices.account_changed(player, "app-granted", granted, grant=str(granted)))
    terms = {"scopes": scopes, "redirect_uri": asked.redirect_uri, "challenge": asked.challenge}
    kept = {"id": uuid4(), "hash": digest_of(code), "grant": granted, "expires": now + CODE_LIFETIME}
    db.execute(_ADD_CODE, {**kept, **terms})
    return True


def origin_of_code(db: Connection, code: str, now: datetime) -> Origin | None:
    """Return the origin of an authorization code, used or not; None if unknown or expired."""
    return _origin(db.execute(_BY_CODE, {"hash": digest_of(code), "now": now}).one_or_none())


def origin_of_refresh(db: Connection, refresh: str, now: datetime) -> Origin | None:
    """Return the origin of a refresh token, used or not; None if unknown or expired."""
    return _origin(db.execute(_BY_REFRESH, {"hash": digest_of(refresh), "now": now}).one_or_none())


def origin_of_token(db: Connection, presented: str, now: datetime) -> Origin | None:
    """Return the origin of an access or refresh token; None if the token is neither."""
    found = _origin(db.execute(_BY_ACCESS, {"hash": digest_of(presented)}).one_or_none())
    return found or origin_of_refresh(db, presented, now)


def use_code(db: Connection, origin: Origin, now: datetime) -> bool:
    """Use up the code; after a second use end all its tokens and return False."""
    used = db.execute(_USE_CODE, {"code": origin.code, "now": now, "until": now + REFRESH_LIFETIME}).rowcount == 1
    if used:
        db.execute(_DROP_OLDEST, {"code": origin.code, "most": MOST_SIGN_INS})
    else:
        end_app_tokens(db, origin)
    return used


def use_refresh(db: Connection, origin: Origin, refresh: str, now: datetime) -> bool:
    """Use up the refresh token; after a second use end all tokens of its code and return False."""
    # The code first: it is always locked before its tokens.
    db.execute(_PROLONG, {"code": origin.code, "until": now + REFRESH_LIFETIME})
    used = db.execute(_USE_REFRESH, {"hash": digest_of(refresh), "now": now}).rowcount == 1
    if not used:
        end_app_tokens(db, origin)
    return used


def keep_app_tokens(db: Connection, origin: Origin, app: App, pair: Pair, now: datetime) -> None:
    """Store an access token and its refresh token."""
    db.execute(_DROP_LAPSED, {"code": origin.code, "now": now})
    store(db, pair.access, origin.player, TokenTerms(app.name, pair.scopes, now + ACCESS_LIFETIME), now, origin.code)
    values = {"hash": digest_of(pair.refresh), "code": origin.code, "until": now + REFRESH_LIFETIME}
    db.execute(_ADD_REFRESH, values)


def end_app_tokens(db: Connection, origin: Origin) -> None:
    """End all tokens of a code; the player's grant stays."""
    db.execute(_END, {"code": origin.code})


def allowed(scope: str | None) -> list[str] | None:
    """Return the requested scopes in canonical order, None if empty or if an app may not have one."""
    wished = set((scope or "").split())
    return [each for each in APP_SCOPES if each in wished] if wished and wished <= set(APP_SCOPES) else None


def _origin(row: Any) -> Origin | None:
    return None if row is None else Origin(*row)
