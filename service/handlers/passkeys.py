"""Passkeys (W3C Web Authentication, Level 3): register, rename, remove, sign in."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from sqlalchemy import Connection, insert, text

from service.handlers.operators import is_operator
from service.handlers.refusals import BadPasskey, PasskeyCopied, TooMany, UnknownPasskey
from service.handlers.sessions import let_in
from service.handlers.tell_owner import tell_owner
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.store.access import PlayerRow
from service.store.games import Games
from service.store.operation import Operator, note_operator_act
from service.store.tables import passkey_challenge
from service.texts.names import display_name

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

_PORTS: Final = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """Domain of passkeys (`id`), and the origin of the pages that may use them."""

    id: str
    origin: str


def relying_party(base_url: str) -> RelyingParty | None:
    """Return the relying party at BASE_URL, None where browsers make no passkeys.

    Browsers require a host name and https, or http for localhost (sections 5.1.3 and 13.4.9).
    """
    parts = urlsplit(base_url)
    name = (parts.hostname or "").removesuffix(".")
    local = name == "localhost" or name.endswith(".localhost")
    if _is_address(name) or (parts.scheme != "https" and not local):
        return None
    port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
    return RelyingParty(name, f"{parts.scheme}://{name}{port}")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return not name
    return True


# Ceremonies. Each answers one challenge, which the first answer uses up, and requires user verification: without it a
# passkey that anybody finds would be worth less than a mailed link. `webauthn` is imported where used, since the import
# takes 0.2 s and most processes never need it.

LIFETIME: Final = timedelta(minutes=5)
"""Lifetime of a challenge, as section 15.1 recommends with user verification."""
MOST: Final = 20
"""Limit of an account's passkeys."""
LONGEST_NAME: Final = 60
LONGEST_ID: Final = 1023
"""Limit of a credential id in bytes (section 7.1, step 25)."""

Ceremony = Literal["register", "sign-in"]

_LAPSE = text("""
delete from passkey_challenge where hash in (
  select hash from passkey_challenge where expires_at < :now for update skip locked)
""")
_USE_UP = text("""
delete from passkey_challenge where hash = :hash and ceremony = :ceremony
   and player_id is not distinct from cast(:player as uuid) and expires_at > :now
""")
_OF_PLAYER = text("select credential_id, transports from passkey where player_id = :player order by created_at, id")
_ADD = text("""
insert into passkey (id, player_id, name, credential_id, public_key, transports, sign_count, created_at)
values (:id, :player, :name, :credential, :key, :transports, :count, :now) on conflict (credential_id) do nothing
""")
_RENAME = text("update passkey set name = :name where id = :id and player_id = :player")
_REMOVE = text("delete from passkey where id = :id and player_id = :player")
_FIND = text("""
select k.id, k.player_id, k.public_key, k.copied_at
  from passkey k join player p on p.id = k.player_id
 where k.credential_id = :credential and p.deleted_at is null
""")
# The counter rises, but for authenticators that do not count (section 7.2, step 22). The second of two concurrent
# answers with the same counter waits for the row and fails.
_COUNT = text("""
update passkey set sign_count = :count, last_used_at = :now
 where id = :id and (sign_count < :count or (sign_count = 0 and :count = 0))
""")
_NOTE_COPY = text("update passkey set copied_at = :now where id = :id")


def creation_options(games: Games, party: RelyingParty, player: PlayerRow, now: datetime) -> str:
    """Begin a registration; return the options for `navigator.credentials.create` as JSON."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    with transaction(games.engine) as db:
        challenge, known = _challenge(db, "register", player.id, now), _descriptors(db, player.id)
    options = generate_registration_options(
        rp_id=party.id,
        rp_name="Boardroom",
        user_id=player.id.bytes,
        user_name=player.email or display_name(player.name, player.language),
        user_display_name=display_name(player.name, player.language),
        challenge=challenge,
        timeout=_milliseconds(),
        authenticator_selection=AuthenticatorSelectionCriteria(
            # Only a discoverable credential can be offered on the sign-in page.
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=known,
    )
    return options_to_json(options)


def request_options(games: Games, party: RelyingParty, player: UUID | None, now: datetime) -> str:
    """Begin a sign-in; return the options for `navigator.credentials.get` as JSON.

    With a `player` only that account can answer; without, the browser offers all its passkeys for this site.
    """
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    with transaction(games.engine) as db:
        challenge = _challenge(db, "sign-in", player, now)
        known = [] if player is None else _descriptors(db, player)
    options = generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=_milliseconds(),
        allow_credentials=known,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json(options)


def register(games: Games, party: RelyingParty, player: UUID, name: str, answer: str, now: datetime) -> None:
    """Register the passkey of the browser's `answer` (JSON) under a name; BadPasskey, TooMany."""
    from webauthn import verify_registration_response
    from webauthn.helpers import parse_registration_credential_json

    with _answered():
        sent = parse_registration_credential_json(answer)
    challenge = _answered_challenge(games, "register", player, sent.response.client_data_json, now)
    with _answered():
        made = verify_registration_response(
            credential=sent,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    if len(made.credential_id) > LONGEST_ID:
        raise BadPasskey
    row = {"credential": made.credential_id, "key": made.credential_public_key, "count": made.sign_count}
    transports = sorted({each.value for each in sent.response.transports or ()})
    with transaction(games.engine) as db:
        hold(db, player)
        if len(db.execute(_OF_PLAYER, {"player": player}).all()) >= MOST:
            raise TooMany(MOST)
        values: dict[str, Any] = {
            "id": uuid4(),
            "player": player,
            "name": name,
            "transports": transports,
            "now": now,
            **row,
        }
        if not db.execute(_ADD, values).rowcount:
            raise BadPasskey
        tell_owner(db, player, "passkey-added", values["id"])
        _note_own(db, player, "passkey-added", now)


def rename(games: Games, player: UUID, passkey_id: UUID, name: str) -> None:
    """Rename a passkey of the player; UnknownPasskey."""
    with transaction(games.engine) as db:
        if not db.execute(_RENAME, {"id": passkey_id, "player": player, "name": name}).rowcount:
            raise UnknownPasskey


def remove(games: Games, player: UUID, passkey_id: UUID, now: datetime) -> None:
    """Remove a passkey of the player, even the last; UnknownPasskey."""
    with transaction(games.engine) as db:
        if not db.execute(_REMOVE, {"id": passkey_id, "player": player}).rowcount:
            raise UnknownPasskey
        tell_owner(db, player, "passkey-removed", passkey_id)
        _note_own(db, player, "passkey-removed", now)


def enter(games: Games, party: RelyingParty, player: UUID | None, answer: str, now: datetime) -> str:
    """Sign a browser in by its `answer` (JSON), with `player` only as that account; return the session token.

    BadPasskey, PasskeyCopied, AccountBlocked.
    """
    from webauthn.helpers import parse_authentication_credential_json

    with _answered():
        sent = parse_authentication_credential_json(answer)
    challenge = _answered_challenge(games, "sign-in", player, sent.response.client_data_json, now)
    with transaction(games.engine) as db:
        known: Any = db.execute(_FIND, {"credential": sent.raw_id}).one_or_none()
        if known is None or player not in (None, known.player_id):
            raise BadPasskey
        if sent.response.user_handle not in (None, known.player_id.bytes):
            raise BadPasskey
        count = _verified_count(party, sent, challenge, known.public_key)
        secret = _counted(db, known, count, now)
    if secret is None:
        raise PasskeyCopied
    return secret


def _counted(db: Connection, known: Any, count: int, now: datetime) -> str | None:
    """Note the use and return a session token; None, with the copy noted, if the counter did not rise."""
    who = {"id": known.id, "count": count, "now": now}
    if known.copied_at is None and db.execute(_COUNT, who).rowcount:
        return let_in(db, known.player_id, now, "passkey")
    if known.copied_at is None:
        db.execute(_NOTE_COPY, who)
    return None


def _verified_count(party: RelyingParty, sent: Any, challenge: bytes, key: bytes) -> int:
    from webauthn import verify_authentication_response

    with _answered():
        # The statement that stores the counter judges it, after the signature was verified.
        return verify_authentication_response(
            credential=sent,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=key,
            credential_current_sign_count=0,
            require_user_verification=True,
        ).new_sign_count


def _challenge(db: Connection, ceremony: Ceremony, player: UUID | None, now: datetime) -> bytes:
    """Draw a challenge and store its SHA-256; delete expired ones."""
    db.execute(_LAPSE, {"now": now})
    challenge = secrets.token_bytes(32)
    values = {"ceremony": ceremony, "player_id": player, "expires_at": now + LIFETIME}
    db.execute(insert(passkey_challenge).values(hash=sha256(challenge).digest(), **values))
    return challenge


def _answered_challenge(
    games: Games, ceremony: Ceremony, player: UUID | None, client_data: bytes, now: datetime
) -> bytes:
    """Use up and return the challenge of a ceremony's client data (JSON); BadPasskey.

    No page of this service is framed by another site, so an honest answer never says so (section 5.8.1: `crossOrigin`,
    `topOrigin`).
    """
    from webauthn.helpers import parse_client_data_json

    with _answered():
        said, raw = parse_client_data_json(client_data), json.loads(client_data)
    _use_up(games, ceremony, player, said.challenge, now)
    if raw.get("crossOrigin", False) is not False or raw.get("topOrigin") is not None:
        raise BadPasskey
    return said.challenge


def _use_up(games: Games, ceremony: Ceremony, player: UUID | None, challenge: bytes, now: datetime) -> None:
    """Use up a challenge, even for a bad answer; BadPasskey if there is none."""
    values = {"hash": sha256(challenge).digest(), "ceremony": ceremony, "player": player, "now": now}
    with transaction(games.engine) as db:
        if not db.execute(_USE_UP, values).rowcount:
            raise BadPasskey


def _descriptors(db: Connection, player: UUID) -> list[PublicKeyCredentialDescriptor]:
    from webauthn.helpers.structs import AuthenticatorTransport, PublicKeyCredentialDescriptor

    rows: Sequence[Any] = db.execute(_OF_PLAYER, {"player": player}).all()
    return [
        PublicKeyCredentialDescriptor(
            id=row.credential_id, transports=[AuthenticatorTransport(each) for each in row.transports]
        )
        for row in rows
    ]


def _note_own(db: Connection, player: UUID, act: str, now: datetime) -> None:
    """Log that an operator's account has gained or lost a way to the operators' pages."""
    if is_operator(db, player):
        note_operator_act(db, Operator(f"player:{player}", ""), act, "player", player, now)


@contextmanager
def _answered() -> Iterator[None]:
    try:
        yield
    except Exception as fault:
        # The bytes are untrusted, and `webauthn` passes on the errors of four parsers.
        raise BadPasskey from fault


def _milliseconds() -> int:
    return int(LIFETIME.total_seconds() * 1000)
