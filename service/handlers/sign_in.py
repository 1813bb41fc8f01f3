"""Sign in by a mailed link, or by a code that a signed-in browser shows."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

from sqlalchemy import Connection, insert, text
from sqlalchemy.exc import IntegrityError

from service.handlers import links
from service.handlers.capability import draw, stored
from service.handlers.consent import tell_turns
from service.handlers.delete_account import TRIES, Meanwhile
from service.handlers.guest_games import MovedGames, move
from service.handlers.people import Arrival, arrive
from service.handlers.refusals import AccountBlocked, AddressTaken, BotsMayNot, NotGuest, Unavailable, UnknownSignIn
from service.handlers.sessions import let_in, require_admitted
from service.handlers.tell_owner import tell_of_address, tell_owner
from service.handlers.tokens import issue
from service.handlers.transaction import transaction
from service.store import mail, notices, operation, outbox
from service.store.access import SCOPES, PlayerRow, TokenRow
from service.store.games import Games
from service.store.quotas import UNCOUNTED, Budget, spend
from service.store.tables import sign_in, sign_in_link
from service.texts.names import UNNAMED, is_unnamed

# Mailed links: anybody may ask for the mail; its reader gets one token.

MINUTES = 15
"""Lifetime of a link in minutes, from the writing of its mail."""
TOKEN_LIFETIME = timedelta(days=90)
"""Lifetime of a token from signing in."""
MOST_MAILS = 3
"""Limit of links a day to an unconfirmed address, over all requests."""
MOST_AFTER_REFUSAL = 1
"""Limit for an address that has refused the service's mails: its reader may still sign in."""
_PATIENCE = timedelta(days=1)

# Each request deletes more than it adds.
_LAPSE = text("""
delete from sign_in where id = any(array(
  select id from sign_in where asked_at < :since order by asked_at limit 100 for update skip locked))
""")
_WHO = "sign_in.email, coalesce(p.language, sign_in.language) as language, p.id as account, p.name, p.welcomed"
_KNOWN = "left join player p on p.email = sign_in.email and p.email_verified"
_ASKED = text(f"select {_WHO} from sign_in {_KNOWN} where sign_in.id = :id")  # noqa: S608 - constants
_FIND = text(
    f"select {_WHO} from sign_in_link link join sign_in on sign_in.id = link.sign_in_id {_KNOWN}"  # noqa: S608 - constants
    " where link.hash = :hash and link.expires_at > :now"
)
_MAILED = text(
    "select count(*) from sign_in s join sign_in me on me.id = :id and s.email = me.email"
    " where s.id <> me.id and exists (select from sign_in_link link where link.sign_in_id = s.id)"
)
# The second of two concurrent uses waits for the row, and finds it gone.
_USE = text(
    "delete from sign_in using sign_in_link link"
    " where link.sign_in_id = sign_in.id and link.hash = :hash and link.expires_at > :now"
    " returning sign_in.email, sign_in.name, sign_in.language"
)
_WELCOME = text(
    "insert into player (id, name, email, email_verified, email_confirmed, language, created_at)"
    " values (:id, :name, :email, true, true, :language, :now) on conflict (email) where email_verified do nothing"
)
_ACCOUNT = text("select id, language from player where email = :email and email_verified")
_TIE = text(
    "update player set email = :email, email_verified = true, email_confirmed = true from player before"
    " where player.id = :guest and before.id = player.id and not player.email_verified"
    " and player.owner is null and player.deleted_at is null"
    " and not exists (select from player other where other.email = :email and other.email_verified)"
    " returning player.id, player.language, lower(before.email) <> :email as moved, before.email_confirmed as told"
)
_HAS_ONE = text("select email_verified from player where id = :player")


@dataclass(frozen=True, slots=True)
class SignInRequest:
    """A request for a link: address, language, the link's `secret`, and the address's account.

    `nameless` if that account has no name or does not exist, and nobody was asked for one.
    """

    email: str
    language: str
    secret: str
    account: UUID | None = None
    nameless: bool = False


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Result of redeeming a sign-in link: a token, shown once, and the account's language."""

    token: TokenRow
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class EnteredByLink:
    """Result of redeeming a sign-in link at a browser: session token (`service.handlers.sessions`) and language."""

    secret: str
    language: str
    moved: MovedGames
    """Result of moving the guest's games."""


def ask(games: Games, email: str, name: str | None, language: str, now: datetime, budget: Budget = UNCOUNTED) -> None:
    """Enqueue a sign-in link to the address; known and unknown addresses cost the same work. MailsSpent.

    Name and language are for a new account.
    """
    asked = uuid4()
    values = {"id": asked, "email": email.lower(), "name": name or UNNAMED, "language": language}
    values["asked_at"] = now
    with transaction(games.engine) as db:
        spend(db, budget, None, 1, now)
        db.execute(_LAPSE, {"since": now - _PATIENCE})
        db.execute(insert(sign_in).values(**values))
        outbox.add(db, notices.sign_in(asked))
    games.wake()


def may_be_mailed(db: Connection, asked: UUID) -> bool:
    """Return whether a request may be answered: unrequested mails are limited.

    A confirmed address has no daily limit.
    """
    row = db.execute(_ASKED, {"id": asked}).one_or_none()
    if row is not None and operation.address_block_reason(db, row.email) is not None:
        return False
    if row is None or mail.is_address_confirmed(db, row.email):
        return True
    most = MOST_AFTER_REFUSAL if mail.are_mails_refused(db, row.email) else MOST_MAILS
    return int(db.execute(_MAILED, {"id": asked}).scalar_one()) < most


def prepare(db: Connection, asked: UUID, now: datetime) -> SignInRequest | None:
    """Draw a link for the request; its secret is stored as SHA-256 only. None if the request is used or forgotten."""
    row = db.execute(_ASKED, {"id": asked}).one_or_none()
    if row is None:
        return None
    secret = draw()
    values = {"hash": stored(secret), "sign_in_id": asked, "expires_at": now + timedelta(minutes=MINUTES)}
    db.execute(insert(sign_in_link).values(**values))
    return SignInRequest(row.email, row.language, secret)


def find(db: Connection, secret: str, now: datetime) -> SignInRequest | None:
    """Return the request behind a valid link, None if it is invalid; read-only."""
    row = db.execute(_FIND, {"hash": stored(secret), "now": now}).one_or_none()
    if row is None:
        return None
    nameless = row.account is None or (is_unnamed(row.name) and not row.welcomed)
    return SignInRequest(row.email, row.language, secret, row.account, nameless)


def use(games: Games, secret: str, arrival: Arrival, now: datetime) -> SignedIn | None:
    """Redeem a link: create the account if missing, and issue a token; None if the link is invalid.

    AccountBlocked; the link is not used up then.
    """
    with transaction(games.engine) as db:
        asked = _used(db, secret, now)
        if asked is None:
            return None
        account = _account(db, asked, arrival, now)
        require_admitted(db, account.id)
        token, text = issue(db, account.id, "signed in", SCOPES, now + TOKEN_LIFETIME, now)
    return SignedIn(token, text, account.language)


def enter(games: Games, secret: str, guest: UUID | None, arrival: Arrival, now: datetime) -> EnteredByLink | None:
    """Redeem a link to sign a browser in; None if the link is invalid.

    A `guest` was playing at the browser: the guest's account gets the address, or its games move to the account of the
    address. AccountBlocked, SeatedTwice; the link is not used up then.
    """
    for _ in range(TRIES):
        with suppress(Meanwhile):
            with transaction(games.engine) as db:
                entered = _entered(db, secret, guest, arrival, now)
            games.wake()
            return entered
    raise Unavailable


def _entered(db: Connection, secret: str, guest: UUID | None, arrival: Arrival, now: datetime) -> EnteredByLink | None:
    link, moved = find(db, secret, now), MovedGames()
    if link is None:
        return None
    if guest is not None and link.account is not None:
        # Tables and accounts are locked before the link, as in a deletion.
        moved = move(db, guest, link.account, now)
    asked = _used(db, secret, now)
    if asked is None:
        raise Meanwhile
    tied = _tied(db, asked.email, guest, now) if guest is not None and link.account is None else None
    if guest is not None and link.account is None and tied is None and _is_taken(db, asked.email):
        # A concurrent request has given the address an account.
        raise Meanwhile
    account = _account(db, asked, arrival, now) if tied is None else tied
    if tied is not None:
        arrive(db, tied.id, arrival)
    return EnteredByLink(let_in(db, account.id, now, "mail"), account.language, moved)


def tie(games: Games, secret: str, asking: PlayerRow, arrival: Arrival, now: datetime) -> str:
    """Redeem a link to give its address to the asking guest; return the address.

    UnknownSignIn, BotsMayNot, NotGuest, AddressTaken: nothing has happened then, and a valid link stays valid.
    """
    if asking.owner is not None:
        raise BotsMayNot
    with transaction(games.engine) as db:
        asked = _used(db, secret, now)
        if asked is None:
            raise UnknownSignIn
        if _tied(db, asked.email, asking.id, now) is None:
            # Two links of a guest may be used concurrently, so the cause is read now.
            raise NotGuest if db.execute(_HAS_ONE, {"player": asking.id}).scalar_one() else AddressTaken
        arrive(db, asking.id, arrival)
    games.wake()
    return str(asked.email)


def _tied(db: Connection, email: str, guest: UUID, now: datetime) -> Any:
    """Return the guest's account with its new address; None if it is no guest's, or the address is taken.

    Links that went to another address are revoked.
    """
    tied = _given(db, email, guest)
    if tied is not None and tied.moved:
        links.revoke(db, tied.id, "address", now)
    if tied is not None:
        tell_of_address(db, tied.id)
    if tied is not None and not tied.told:
        tell_turns(db, tied.id)
    return tied


def _given(db: Connection, email: str, guest: UUID) -> Any:
    try:
        with db.begin_nested():
            return db.execute(_TIE, {"email": email, "guest": guest}).one_or_none()
    except IntegrityError:
        # A concurrent request has given the address an account.
        return None


def _is_taken(db: Connection, email: str) -> bool:
    return db.execute(_ACCOUNT, {"email": email}).first() is not None


def _used(db: Connection, secret: str, now: datetime) -> Any:
    """Use up a link and return its request, None if invalid; AccountBlocked for a blocked address."""
    asked = db.execute(_USE, {"hash": stored(secret), "now": now}).one_or_none()
    reason = None if asked is None else operation.address_block_reason(db, asked.email)
    if reason is not None:
        raise AccountBlocked(reason)
    return asked


def _account(db: Connection, asked: Any, arrival: Arrival, now: datetime) -> Any:
    """Return the account of an address, created if missing with the name given with the request.

    The name does not change an existing account: the request may be a stranger's.
    """
    profile = {"name": UNNAMED, "email": asked.email, "language": asked.language}
    made = db.execute(_WELCOME, {"id": uuid4(), "now": now, **profile}).rowcount == 1
    account = db.execute(_ACCOUNT, {"email": asked.email}).one()
    wished = asked.name if made and not is_unnamed(asked.name) else arrival.name
    arrive(db, account.id, replace(arrival, name=arrival.name or wished))
    return account


# Codes of a signed-in browser, for another device.

CODE_MINUTES: Final = 5
"""Lifetime of a code in minutes."""
CODE_LENGTH: Final = 10
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Alphabet of codes, without letters that look alike. Ten letters are 50 bits."""
_KEEP = text(
    "insert into sign_in_code (player_id, hash, expires_at) values (:player, :hash, :expires_at)"
    " on conflict (player_id) do update set hash = excluded.hash, expires_at = excluded.expires_at"
)
_USE_SIGN_IN_CODES = text(
    "delete from sign_in_code using player p where p.id = sign_in_code.player_id and sign_in_code.hash = :hash"
    " and sign_in_code.expires_at > :now and p.deleted_at is null returning p.id"
)


def give_sign_in_code(games: Games, player: UUID, now: datetime) -> str:
    """Return a new code of the player, in two halves; the previous code ends."""
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    with transaction(games.engine) as db:
        values = {"player": player, "hash": _hash(code), "expires_at": now + timedelta(minutes=CODE_MINUTES)}
        db.execute(_KEEP, values)
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def enter_sign_in_code(games: Games, written: str, now: datetime) -> str | None:
    """Redeem a code to sign a browser in; return the session token, None if the code is invalid.

    Case, spaces and hyphens do not matter. AccountBlocked; the code is not used up then.
    """
    code = "".join(each for each in written.upper() if each.isalnum())
    if len(code) != CODE_LENGTH:
        return None
    with transaction(games.engine) as db:
        player = db.execute(_USE_SIGN_IN_CODES, {"hash": _hash(code), "now": now}).scalar()
        if player is None:
            return None
        tell_owner(db, player, "code-used", uuid4())
        return let_in(db, player, now, "code")


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
