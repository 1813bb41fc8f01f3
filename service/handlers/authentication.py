"""Authentication by token: one statement looks a token up; the cache serves only actions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal
from uuid import UUID

from msgspec.json import Decoder

from service.handlers.refusals import DEAD_TOKENS, AccountBlocked
from service.handlers.tokens import digest_of, is_well_formed
from service.handlers.transaction import statements
from service.shared.lru import LRU
from service.store.access import Identity
from service.store.engine import first_row
from service.store.fast_path import Precondition
from service.store.game_row import OPENED_GAME, Opened
from service.store.games import Games, Position

_REMEMBERED_SECONDS = 600
"""Lifetime of a cached token; its last use is stored as often."""

# One statement, since every request starts with it.
_AUTHENTICATE = f"""
select json_build_object(
  'player', json_build_object(
    'id', p.id, 'name', p.name, 'email', p.email, 'language', p.language, 'email_verified', p.email_verified,
    'email_confirmed', p.email_confirmed, 'asked_twice', p.asked_twice, 'handle', p.handle, 'visibility', p.visibility,
    'time_zone', p.time_zone, 'owner', p.owner, 'owner_name', o.name),
  'token', json_build_object(
    'id', t.id, 'label', t.label, 'scopes', string_to_array(t.scopes, ' '), 'expires_at', t.expires_at),
  'dead', case when t.revoked_at is not null then 'revoked' when t.expires_at <= clock_timestamp() then 'expired' end,
  'blocked', coalesce(p.blocked, o.blocked),
  'unnoted', t.last_used_at is null or t.last_used_at < clock_timestamp() - interval '10 minutes',
  'version', t.xmin,
  'opened', {OPENED_GAME})::text
from token t join player p on p.id = t.player_id left join player o on o.id = p.owner
where t.hash = %(hash)s and not t.browser and p.deleted_at is null
"""  # noqa: S608 - constants
# Asynchronous commit: a crash loses ten minutes of a date at most, so nobody waits for the disk.
_NOTE = """
with hasty as (select set_config('synchronous_commit', 'off', true))
update token set last_used_at = clock_timestamp() from hasty where hash = %(hash)s returning xmin::text
"""


@dataclass(frozen=True, slots=True)
class Authenticated(Identity):
    """The player and the token of a request, and the game that the request names, if any.

    `dead` is the reason of an invalid token, `blocked` of a blocked account, else None. `unnoted` if the last use was
    stored more than ten minutes ago. `version` changes with every change of the token's row.
    """

    dead: Literal["revoked", "expired"] | None = None
    blocked: str | None = None
    unnoted: bool = False
    version: str = ""
    opened: Opened | None = None

    def precondition(self, position: Position) -> Precondition:
        """Return the append's precondition for a cached token and position."""
        return Precondition(self.token.id, f"{position.stamp} {self.version}")


_DECODER = Decoder(Authenticated)


def authenticate(games: Games, text: str, game: UUID | None = None, *, writing: bool = True) -> Authenticated | None:
    """Return the player of a token, None if it is unknown or a browser's session; DeadToken if revoked or expired.

    The same statement reads the game. A mistyped token fails its checksum, without a statement. Unless `writing`, the
    use of the token is not noted. AccountBlocked.
    """
    if not is_well_formed(text):
        return None
    digest = digest_of(text)
    with statements(games.engine) as db:
        row = first_row(db, _AUTHENTICATE, {"hash": digest, "game": game})
        if row is None:
            return None
        caller = _DECODER.decode(row[0])
        if caller.blocked is not None:
            raise AccountBlocked(caller.blocked)
        if caller.dead is not None:
            raise DEAD_TOKENS[caller.dead]
        noted = first_row(db, _NOTE, {"hash": digest}) if caller.unnoted and writing else None
    return caller if noted is None else replace(caller, version=noted[0])


class RememberedTokens:
    """A thread-safe LRU cache of the tokens that have acted lately.

    An entry may be stale. Entries serve only actions, whose append checks it; store/fast_path.py explains the gain.
    """

    def __init__(self, capacity: int = 4096) -> None:
        self._known: LRU[bytes, tuple[float, Authenticated]] = LRU(capacity)

    def recall(self, text: str) -> Authenticated | None:
        """Return the cached player of a token, or None."""
        until, caller = self._known.get(digest_of(text)) or (0.0, None)
        return caller if monotonic() < until else None

    def remember(self, text: str, caller: Authenticated) -> None:
        self._known.put(digest_of(text), (monotonic() + _REMEMBERED_SECONDS, replace(caller, opened=None)))

    def forget(self, text: str) -> None:
        self._known.forget(digest_of(text))
