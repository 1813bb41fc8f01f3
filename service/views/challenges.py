"""Challenges, as the two players may see them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.access import PlayerRow
from service.store.lobby import CHALLENGE_COLUMNS, CHALLENGE_STATE, Challenge, challenge_of_row
from service.texts.names import display_name
from service.views.clocks import shown_pace
from service.views.pages import TOP, Place

View = dict[str, Any]

_SEEN: Final = f"""
select {CHALLENGE_COLUMNS}, s.name as sender_name, s.handle as sender_handle, s.owner is not null as sender_bot,
       r.name as recipient_name, r.handle as recipient_handle, r.owner is not null as recipient_bot
  from challenge c join player s on s.id = c.sender join player r on r.id = c.recipient
"""  # noqa: S608 - a constant
_ONE = text(f"{_SEEN} where c.id = :id")
_MINE = text(f"""
{_SEEN} where (c.sender = :player or c.recipient = :player)
   and (cast(:state as text) is null or {CHALLENGE_STATE} = :state) and (c.created_at, c.id) < (:moment, :place)
 order by c.created_at desc, c.id desc limit :limit
""")
_PARTIES = text("select id, name, handle, owner is not null as bot from player where id in (:sender, :recipient)")
_TOLD = text(f"""
select c.id, {CHALLENGE_STATE} as state, c.recipient = :player and {CHALLENGE_STATE} = 'open' as waits,
 c.game_id from challenge c
 where (c.sender = :player or c.recipient = :player)
   and (c.id = any(:ids) or c.answered_at > :since or (c.state = 'open' and c.expires_at > :since))
 order by c.created_at, c.id
""")  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class ChallengesWanted:
    """A page of a player's challenges: those of a `state`, all where it is None, at most `limit`, after a place."""

    state: str | None
    limit: int
    after: Place = TOP


ALL: Final = ChallengesWanted(None, 100_000)
"""Every challenge of a player."""


class Party(NamedTuple):
    """A player of a challenge."""

    name: str
    handle: str | None
    bot: bool


class ChallengeSeen(NamedTuple):
    """A challenge and its players."""

    challenge: Challenge
    sender: Party
    recipient: Party


def parties(db: Connection, sender: UUID, recipient: UUID) -> tuple[Party, Party]:
    """Return the two players of a challenge that is to be sent."""
    found = {row.id: Party(*row[1:]) for row in db.execute(_PARTIES, {"sender": sender, "recipient": recipient})}
    return found[sender], found[recipient]


def challenge(db: Connection, challenge_id: UUID, now: datetime) -> ChallengeSeen:
    """Return a challenge that there is, with its players."""
    return _seen(db.execute(_ONE, {"id": challenge_id, "now": now}).one())


def challenges_of(db: Connection, player: UUID, wanted: ChallengesWanted, now: datetime) -> list[ChallengeSeen]:
    """Return the challenges that a player has sent and received, the newest first."""
    place = {"moment": wanted.after[0], "place": wanted.after[1], "limit": wanted.limit}
    rows = db.execute(_MINE, {"player": player, "state": wanted.state, "now": now, **place})
    return [_seen(row) for row in rows]


def challenges_told(db: Connection, player: UUID, ids: Collection[UUID], since: datetime, now: datetime) -> list[View]:
    """Return `id`, `state`, `waits` and `game` of a player's open challenges, of some others, and of those over since.

    One `waits` if the player has to answer it.
    """
    values = {"player": player, "ids": list(ids), "now": now, "since": since}
    return [
        {"id": row.id, "state": row.state, "waits": row.waits, "game": row.game_id and str(row.game_id)}
        for row in db.execute(_TOLD, values)
    ]


def shown_challenge(seen: ChallengeSeen, player: PlayerRow) -> View:
    """Return a challenge as JSON types, for its sender or its recipient."""
    found, terms = seen.challenge, seen.challenge.terms
    return {
        "id": str(found.id),
        "direction": "sent" if found.sender == player.id else "received",
        "state": found.state,
        "sender": _party(seen.sender, player.language),
        "recipient": _party(seen.recipient, player.language),
        "ruleset": found.ruleset,
        "seats": found.seats,
        "options": found.options,
        "name": terms.name,
        "access": terms.access,
        "spectators": terms.spectators,
        "on_resignation": terms.on_resignation,
        "training": terms.training,
        "pace": shown_pace(terms.pace, player.language),
        "rated": terms.rated,
        "created_at": found.created_at.isoformat(),
        "expires_at": found.expires_at.isoformat(),
        "answered_at": found.answered_at and found.answered_at.isoformat(),
        "game": found.game and str(found.game),
    }


def _party(party: Party, language: str) -> View:
    return {"name": display_name(party.name, language), "handle": party.handle, "bot": party.bot}


def _seen(row: Any) -> ChallengeSeen:
    return ChallengeSeen(challenge_of_row(row), Party(*row[-6:-3]), Party(*row[-3:]))
