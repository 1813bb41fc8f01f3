"""Invitations, challenges, bots that are ready to play, and requests for seats."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, insert, text

from service.rules.pace import Pace
from service.store.game_row import Terms
from service.store.tables import challenge as table

# Invitations to games and their links.

INVITATION_LIFETIME = timedelta(days=30)
_TOKEN_LETTERS = 26

_COLUMNS = (
    "select i.id, i.game_id, i.inviter, i.email, i.player_id, i.created_at, i.expires_at, i.revoked_at, i.mailed,"
    " i.language, i.message, i.seat"
)
_GIVE = text(
    "insert into invitation (id, game_id, inviter, email, player_id, created_at, expires_at, mailed, language, message,"
    " seat) values (:id, :game, :inviter, :email, :player, :now, :until, :mailed, :language, :message, :seat)"
    " on conflict do nothing returning true"
)
_LINK = text("insert into invitation_link (hash, invitation_id) values (:hash, :id)")
_READ = text(f"{_COLUMNS} from invitation i where i.id = :id")
_RESOLVE = text(f"{_COLUMNS} from invitation_link l join invitation i on i.id = l.invitation_id where l.hash = :hash")
_COUNT = text("select count(*) from invitation where game_id = :game")
_REVOKE = text(
    "update invitation set revoked_at = coalesce(revoked_at, :now) where id = :id and game_id = :game returning true"
)
# Invitations to the address itself, or to a player who has it.
_TO = "(i.email = :address or i.player_id in (select id from player where lower(email) = :address))"
_MAILED = text(f"select count(*) from invitation i where {_TO} and i.mailed and i.created_at > :since")  # noqa: S608 - a constant
# Two hosts, or one at two tables, must not both send the last mail that is allowed.
_ALONE = text("select pg_advisory_xact_lock(hashtextextended('invited:' || :address, 0))")
# A cancelled table no longer asks for an answer, but its mail did. A game that has begun is an answer, unless the
# invitation is for a seat of the running game.
_UNANSWERED = text(f"""
select exists (select from invitation i join game g on g.id = i.game_id
 where {_TO} and i.mailed and i.inviter = :inviter and i.expires_at > :now
   and (g.status in ('open', 'cancelled') or (g.status = 'running' and i.seat is not null))
   and not exists (select from seat s join player p on p.id = s.player_id
                    where s.game_id = g.id and lower(p.email) = :address))
""")  # noqa: S608 - a constant
_TO_CONFIRMED = text(
    "select exists (select from invitation i join player p on p.id = i.player_id"
    " where i.id = :id and p.email_confirmed)"
)
_GUEST = text(
    "select coalesce(i.email, lower(p.email)) as address, p.name,"
    " coalesce(p.language, of_address.language, i.language) as language, p.id as player from invitation i"
    " left join player p on p.id = i.player_id or p.email_verified and p.email = i.email"
    # A person who has confirmed the address reads its mails, even without ever having signed in.
    " left join lateral (select language from player where lower(email) = i.email and email_confirmed"
    " and deleted_at is null order by created_at desc, id limit 1) of_address on true where i.id = :id"
)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Invitation to a game: for an address, for a player, or, with neither, for anybody who has the link."""

    id: UUID
    game_id: UUID
    inviter: UUID
    email: str | None
    player_id: UUID | None
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    mailed: bool = False
    """Sent by mail."""
    language: str | None = None
    """Language of the mail and its page, for a guest without a language of their own."""
    message: str | None = None
    """Line of the host's own."""
    seat: int | None = None
    """Seat of a running game to be taken over; None for a free seat of an open game."""

    def is_good(self, now: datetime) -> bool:
        """Return whether the invitation is neither revoked nor expired."""
        return self.revoked_at is None and self.expires_at > now


@dataclass(frozen=True, slots=True)
class Guest:
    """Guest: an address in lower case, if mails go to one; the name and id of a player, and the language.

    An invitation to a verified address of a player is for that player.
    """

    address: str | None
    name: str | None
    language: str | None
    player: UUID | None = None


def add_invitation(db: Connection, given: Invitation) -> bool:
    """Insert an invitation; False if the inviter has invited this address to it already, or anybody this player."""
    values: dict[str, object] = {"id": given.id, "game": given.game_id, "inviter": given.inviter, "email": given.email}
    values |= {"player": given.player_id, "now": given.created_at, "until": given.expires_at}
    values |= {"mailed": given.mailed, "language": given.language, "message": given.message}
    values["seat"] = given.seat
    return db.execute(_GIVE, values).first() is not None


def invitation_token(invitation: UUID, secret: str) -> str:
    """Return the link token of an invitation, derived from a secret: 26 lower-case base32 letters (128 bits)."""
    return _letters(hmac.digest(secret.encode(), invitation.bytes, "sha256")[:16])


def new_invitation_token() -> str:
    """Return a random link token."""
    return _letters(secrets.token_bytes(16))


def add_invitation_link(db: Connection, invitation: UUID, token: str) -> None:
    """Add a link to the invitation, stored only as the SHA-256 of its token."""
    db.execute(_LINK, {"hash": _digest(token), "id": invitation})


def read_invitation(db: Connection, invitation: UUID) -> Invitation:
    return _invitation(db.execute(_READ, {"id": invitation}).one())


def resolve_invitation(db: Connection, token: str) -> Invitation | None:
    """Return the invitation of a link, valid or not; None if unknown. Accept upper case."""
    letters = token.lower()
    if len(letters) != _TOKEN_LETTERS or not letters.isascii():
        return None
    row = db.execute(_RESOLVE, {"hash": _digest(letters)}).one_or_none()
    return None if row is None else _invitation(row)


def count_invitations(db: Connection, game: UUID) -> int:
    """Return the number of invitations ever given to the game."""
    return int(db.execute(_COUNT, {"game": game}).scalar_one())


def revoke_invitation(db: Connection, game: UUID, invitation: UUID, now: datetime) -> bool:
    """Revoke an invitation, idempotently; False if the game has no such invitation."""
    return db.execute(_REVOKE, {"id": invitation, "game": game, "now": now}).first() is not None


def guest_of(db: Connection, invitation: UUID) -> Guest:
    row = db.execute(_GUEST, {"id": invitation}).one()
    return Guest(row.address, row.name, row.language, row.player)


def is_invited_address_confirmed(db: Connection, invitation: UUID) -> bool:
    """Return whether an invitation is for a player whose address is confirmed."""
    return bool(db.execute(_TO_CONFIRMED, {"id": invitation}).scalar_one())


def invitations_mailed_since(db: Connection, address: str, since: datetime) -> int:
    """Return the number of invitations mailed to an address in lower case since a moment."""
    return int(db.execute(_MAILED, {"address": address, "since": since}).scalar_one())


def is_invitation_unanswered(db: Connection, given: Invitation, address: str) -> bool:
    """Return whether an earlier mailed invitation from the inviter to the address, to any game, waits for an answer.

    Take an advisory lock on the address for the transaction. A seat taken by the address is an answer; so are a game
    that begins without it, and the expiry of the invitation.
    """
    db.execute(_ALONE, {"address": address})
    values = {"address": address, "inviter": given.inviter, "now": given.created_at}
    return bool(db.execute(_UNANSWERED, values).scalar_one())


def _invitation(row: Any) -> Invitation:
    return Invitation(*row)


def _letters(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()


# Challenges: a player asks another to a game; accepting opens the game.

CHALLENGE_LIFETIME = timedelta(days=7)
ChallengeState = Literal["open", "accepted", "declined", "withdrawn", "expired"]

CHALLENGE_STATE: Final = "case when c.state = 'open' and c.expires_at <= :now then 'expired' else c.state end"
CHALLENGE_COLUMNS: Final = f"""
c.id, c.sender, c.recipient, c.ruleset, c.seats, c.options, c.terms, c.created_at, c.expires_at, c.answered_at,
c.game_id as game, {CHALLENGE_STATE} as state
"""
_READ_CHALLENGES = text(f"select {CHALLENGE_COLUMNS} from challenge c where c.id = :id")  # noqa: S608 - a constant
_LOCK = text(f"select {CHALLENGE_COLUMNS} from challenge c where c.id = :id for update")  # noqa: S608 - a constant
# Lock players in this order, before the challenge, as the deletion of an account does.
_PLAYERS = text(
    "select from player where id in (select unnest(array[sender, recipient]) from challenge where id = :id)"
    " order by id for share"
)
_ANSWER = text("update challenge set state = :state, answered_at = :now, game_id = :game where id = :id")
_OPEN = text("select count(*) from challenge where sender = :sender and state = 'open' and expires_at > :now")
# Within a pair, accepted challenges do not count, so that two bots may play without limit.
_PAIR = text(
    "select count(*) filter (where state = 'open' and expires_at > :now) as open, count(*) as lately from challenge"
    " where sender = :sender and recipient = :recipient and state <> 'accepted'"
    " and (created_at > :since or (state = 'open' and expires_at > :now))"
)
_LINK_CHALLENGES = text("insert into challenge_link (hash, challenge_id) values (:hash, :id)")
_RESOLVE_CHALLENGES = text("select challenge_id from challenge_link where hash = :hash")


@dataclass(frozen=True, slots=True)
class Challenge:
    """Challenge: the game, the two players and the state; `game` is set by accepting."""

    id: UUID
    sender: UUID
    recipient: UUID
    ruleset: str
    seats: int
    options: Mapping[str, Any]
    terms: Terms
    created_at: datetime
    expires_at: datetime
    answered_at: datetime | None
    game: UUID | None
    state: ChallengeState


def add_challenge(db: Connection, sent: Challenge) -> None:
    what = {"ruleset": sent.ruleset, "seats": sent.seats, "options": dict(sent.options), "terms": asdict(sent.terms)}
    who = {"id": sent.id, "sender": sent.sender, "recipient": sent.recipient}
    db.execute(insert(table).values(**who, **what, created_at=sent.created_at, expires_at=sent.expires_at))


def read_challenge(db: Connection, challenge: UUID, now: datetime) -> Challenge | None:
    """Return a challenge as of a moment; None if unknown."""
    return _found(db.execute(_READ_CHALLENGES, {"id": challenge, "now": now}).one_or_none())


def lock_challenge(db: Connection, challenge: UUID, now: datetime) -> Challenge | None:
    """Lock a challenge and its players; None if unknown."""
    db.execute(_PLAYERS, {"id": challenge})
    return _found(db.execute(_LOCK, {"id": challenge, "now": now}).one_or_none())


def answer_challenge(
    db: Connection, challenge: UUID, state: ChallengeState, now: datetime, game: UUID | None = None
) -> None:
    """Store the answer to a locked challenge."""
    db.execute(_ANSWER, {"id": challenge, "state": state, "now": now, "game": game})


def open_challenges_of(db: Connection, sender: UUID, now: datetime) -> int:
    """Return the number of open challenges that a player has sent."""
    return int(db.execute(_OPEN, {"sender": sender, "now": now}).scalar_one())


def count_challenges_of_pair(db: Connection, sender: UUID, recipient: UUID, now: datetime) -> tuple[int, int]:
    """Return how many challenges from sender to recipient are open, and how many of the last day were not accepted."""
    values = {"sender": sender, "recipient": recipient, "now": now, "since": now - timedelta(days=1)}
    row = db.execute(_PAIR, values).one()
    return row.open, row.lately


def add_challenge_link(db: Connection, challenge: UUID, digest: bytes | None) -> None:
    """Add a link to the challenge, stored as the digest of its token."""
    db.execute(_LINK_CHALLENGES, {"hash": digest, "id": challenge})


def challenge_behind_link(db: Connection, digest: bytes | None) -> UUID | None:
    """Return the id of the challenge of a link."""
    found: UUID | None = db.execute(_RESOLVE_CHALLENGES, {"hash": digest}).scalar()
    return found


def challenge_of_row(row: Any) -> Challenge:
    """Return the challenge of a row that begins with CHALLENGE_COLUMNS."""
    found, pace = Challenge(*row[: len(Challenge.__slots__)]), row.terms["pace"]
    return replace(found, terms=Terms(**{**row.terms, "pace": None if pace is None else Pace(**pace)}))


def _found(row: Any) -> Challenge | None:
    return None if row is None else challenge_of_row(row)


# Bots that are ready for challenges, while a stream of theirs is open.

READY_LAPSE = timedelta(minutes=5)
"""Time for which a bot stays ready after its last stream was closed."""
READY_BEAT = timedelta(minutes=1)
"""Interval of noting that a stream is open."""

_PUT = text("""
insert into ready_bot (player_id, rulesets, seats, since, seen_at) values (:player, :rulesets, :seats, :now, :now)
on conflict (player_id) do update set rulesets = excluded.rulesets, seats = excluded.seats, seen_at = excluded.seen_at,
  since = case when ready_bot.seen_at > :before then ready_bot.since else excluded.since end
""")
_SEEN = text("""
update ready_bot set seen_at = :now where player_id = :player and seen_at > :before and seen_at <= :beat
""")
_END = text("delete from ready_bot where player_id = :player")
_READ_READY = text("select rulesets, seats, since from ready_bot where player_id = :player and seen_at > :before")


@dataclass(frozen=True, slots=True)
class Ready:
    """Readiness of a bot: rulesets by name, and sizes of tables; `since` a moment."""

    rulesets: Sequence[str]
    seats: Sequence[int]
    since: datetime


def mark_ready(db: Connection, player: UUID, rulesets: Sequence[str], seats: Sequence[int], now: datetime) -> None:
    """Store that a bot is ready for these rulesets and sizes."""
    values: dict[str, Any] = {"player": player, "rulesets": list(rulesets), "seats": list(seats)}
    db.execute(_PUT, {**values, "now": now, "before": now - READY_LAPSE})


def renew_ready(db: Connection, player: UUID, now: datetime) -> None:
    """Note that a ready bot has an open stream."""
    db.execute(_SEEN, {"player": player, "now": now, "before": now - READY_LAPSE, "beat": now - READY_BEAT})


def end_ready(db: Connection, player: UUID) -> None:
    """Delete the readiness of a bot."""
    db.execute(_END, {"player": player})


def read_ready(db: Connection, player: UUID, now: datetime) -> Ready | None:
    """Return the readiness of a bot at a moment, or None."""
    row: Any = db.execute(_READ_READY, {"player": player, "before": now - READY_LAPSE}).one_or_none()
    return None if row is None else Ready(*row)


# Requests for seats of running games.

_COLUMNS_SEAT_REQUESTS = "select id, game_id, seat, player_id, created_at, answer from seat_request"
_ADD = text(
    "insert into seat_request (id, game_id, seat, player_id, created_at) values (:id, :game, :seat, :player, :now)"
)
_READ_SEAT_REQUESTS = text(f"{_COLUMNS_SEAT_REQUESTS} where id = :id and game_id = :game")
_OF_PLAYER = text(f"{_COLUMNS_SEAT_REQUESTS} where game_id = :game and player_id = :player order by created_at, id")
_OPEN_SEAT_REQUESTS = text(f"{_COLUMNS_SEAT_REQUESTS} where game_id = :game and answer is null order by created_at, id")
_ANSWER_SEAT_REQUESTS = text("update seat_request set answer = :answer where id = :id")
_WITHDRAW = text(
    "delete from seat_request where id = :id and game_id = :game and player_id = :player and answer is null"
    " returning true"
)


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Request of a player for a seat; `answer` is None while the request is open."""

    id: UUID
    game_id: UUID
    seat: int
    player_id: UUID
    created_at: datetime
    answer: Literal["agreed", "declined"] | None = None


def add_seat_request(db: Connection, asked: SeatRequest) -> None:
    """Insert an open request."""
    values = {"id": asked.id, "game": asked.game_id, "seat": asked.seat, "player": asked.player_id}
    db.execute(_ADD, {**values, "now": asked.created_at})


def read_seat_request(db: Connection, game: UUID, request: UUID) -> SeatRequest | None:
    """Return a request of a game, answered or not; None if unknown."""
    row = db.execute(_READ_SEAT_REQUESTS, {"game": game, "id": request}).one_or_none()
    return None if row is None else _request(row)


def seat_requests_of_player(db: Connection, game: UUID, player: UUID) -> list[SeatRequest]:
    """Return a player's requests in a game, the oldest first."""
    return [_request(row) for row in db.execute(_OF_PLAYER, {"game": game, "player": player})]


def open_seat_requests(db: Connection, game: UUID) -> list[SeatRequest]:
    """Return the open requests of a game, the oldest first."""
    return [_request(row) for row in db.execute(_OPEN_SEAT_REQUESTS, {"game": game})]


def answer_seat_request(db: Connection, request: UUID, given: Literal["agreed", "declined"]) -> None:
    db.execute(_ANSWER_SEAT_REQUESTS, {"id": request, "answer": given})


def withdraw_seat_request(db: Connection, game: UUID, request: UUID, player: UUID) -> bool:
    """Delete a player's own open request; False if there is none."""
    values = {"game": game, "id": request, "player": player}
    return db.execute(_WITHDRAW, values).first() is not None


def _request(row: Any) -> SeatRequest:
    return SeatRequest(*row)
