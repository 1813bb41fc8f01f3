"""Rulesets, invitations, challenges, ready bots, and the usual length of a game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import Connection, text

from service.players.levels import levels_for
from service.rules.kernel import AnyRuleset, Meta, Option
from service.rules.pace import Pace, pace_name
from service.store.access import PlayerRow
from service.store.game_lengths import NO_CLOCK, TableKind, measured
from service.store.games import Position
from service.store.lobby import (
    CHALLENGE_COLUMNS,
    CHALLENGE_STATE,
    READY_LAPSE,
    Challenge,
    Guest,
    Invitation,
    Ready,
    challenge_of_row,
)
from service.texts.names import DEFAULT_LANGUAGE, display_name
from service.views.pace import shown_pace, shown_stored_pace
from service.views.pages import TOP, Place

# Installed rulesets.


def rulesets(known: Mapping[str, AnyRuleset]) -> list[dict[str, Any]]:
    """Return every ruleset with its seats, languages and options, ordered by name."""
    return [_ruleset(ruleset) for ruleset in known.values()]


def _ruleset(ruleset: AnyRuleset) -> dict[str, Any]:
    meta = ruleset.meta
    return {
        "name": meta.name,
        "revision": meta.revision,
        "title": meta.title,
        "summary": dict(meta.summary),
        "seats": list(meta.seats),
        "languages": list(meta.languages),
        "options": [
            {"name": option.name, "type": option.type, "default": option.default, "text": dict(option.describe)}
            for option in meta.options
        ],
        "computers": [{"seats": seats, "levels": list(levels_for(ruleset, seats))} for seats in meta.seats],
    }


# Invitations, for the host without their links, and for the invited player.

_GIVEN = text(
    "select i.id, i.game_id, i.inviter, i.email, i.player_id, i.created_at, i.expires_at, i.revoked_at, i.mailed,"
    " i.language, i.message, i.seat, p.name"
    " from invitation i left join player p on p.id = i.player_id"
    " where i.game_id = :game and i.revoked_at is null and (i.created_at, i.id) > (:moment, :place)"
    " and not (:unanswered and (i.expires_at <= :now or exists (select from seat s"
    " join player guest on guest.id = s.player_id where s.game_id = i.game_id"
    " and (guest.id = i.player_id or lower(guest.email) = i.email))))"
    " order by i.created_at, i.id limit :limit"
)
BEGINNING: Final[Place] = (datetime.min.replace(tzinfo=UTC), UUID(int=0))


def invitations(
    db: Connection,
    game: UUID,
    language: str,
    after: Place = BEGINNING,
    limit: int | None = None,
    unanswered: datetime | None = None,
) -> list[dict[str, Any]]:
    """Return the unrevoked invitations to a game, oldest first, after a place; all without a `limit`.

    With `unanswered`, omit those expired at that time, and those whose guest has a seat.
    """
    place = {"moment": after[0], "place": after[1], "limit": limit}
    place |= {"unanswered": unanswered is not None, "now": unanswered}
    return [
        invitation(Invitation(*row[:-1]), None if row.name is None else display_name(row.name, language))
        for row in db.execute(_GIVEN, {"game": game, **place})
    ]


def invitation(given: Invitation, name: str | None = None) -> dict[str, Any]:
    """Return an invitation as JSON types; `name` is the invited player's, None for an address or a link."""
    return {
        "id": str(given.id),
        "email": given.email,
        "player": name,
        "seat": given.seat,
        "created_at": given.created_at.isoformat(),
        "expires_at": given.expires_at.isoformat(),
    }


def opened_invitation(given: Invitation, guest: Guest, position: Position) -> dict[str, Any]:
    """Return what the link's holder may see: the table and its players."""
    language = guest.language or DEFAULT_LANGUAGE
    names = {row.seat: display_name(row.name, language) for row in position.seats}
    return {
        "ruleset": position.game.ruleset,
        "name": position.game.terms.name,
        "host": next(names[row.seat] for row in position.seats if row.player_id == position.game.host),
        "seats": [{"seat": seat, "name": names.get(seat)} for seat in range(position.game.seats)],
        "player": None if guest.name is None else display_name(guest.name, language),
        "pace": shown_pace(position.game.terms.pace, language),
        "seat": given.seat,
        "expires_at": given.expires_at.isoformat(),
    }


def received_invitation(row: Any, language: str) -> dict[str, Any]:
    """Return a row of `service.views.games.invitations_to` as JSON types, in the language."""
    return {
        "game": str(row.game_id),
        "ruleset": row.ruleset,
        "name": row.name,
        "inviter": display_name(row.inviter, language),
        "seats": row.seats,
        "seats_taken": row.seats_taken,
        "pace": shown_stored_pace(row.pace, language),
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat(),
    }


# Challenges, for their two players.

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
    """A page of a player's challenges: of a `state` (None: all), at most `limit`, after a place."""

    state: str | None
    limit: int
    after: Place = TOP


ALL: Final = ChallengesWanted(None, 100_000)


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
    """Return the two players of a new challenge."""
    found = {row.id: Party(*row[1:]) for row in db.execute(_PARTIES, {"sender": sender, "recipient": recipient})}
    return found[sender], found[recipient]


def challenge(db: Connection, challenge_id: UUID, now: datetime) -> ChallengeSeen:
    """Return an existing challenge with its players."""
    return _seen(db.execute(_ONE, {"id": challenge_id, "now": now}).one())


def challenges_of(db: Connection, player: UUID, wanted: ChallengesWanted, now: datetime) -> list[ChallengeSeen]:
    """Return the challenges that a player has sent and received, newest first."""
    place = {"moment": wanted.after[0], "place": wanted.after[1], "limit": wanted.limit}
    rows = db.execute(_MINE, {"player": player, "state": wanted.state, "now": now, **place})
    return [_seen(row) for row in rows]


def challenges_told(db: Connection, player: UUID, ids: Collection[UUID], since: datetime, now: datetime) -> list[View]:
    """Return `id`, `state`, `waits`, `game` of a player's challenges: open, answered or expired since, or in `ids`.

    `waits` if the player has to answer.
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


# Bots that are ready to be challenged; public.

_READY = text("""
select b.player_id as id, b.rulesets, b.seats, b.since, p.handle, p.name, o.name as owner
  from ready_bot b join player p on p.id = b.player_id join player o on o.id = p.owner
 where b.seen_at > :before and p.handle is not null and p.deleted_at is null and coalesce(p.blocked, o.blocked) is null
   and (cast(:ruleset as text) is null or :ruleset = any(b.rulesets))
   and (b.since, b.player_id) < (:moment, :place)
 order by b.since desc, b.player_id desc limit :limit
""")


@dataclass(frozen=True, slots=True)
class BotsWanted:
    """A page of the ready bots for a `ruleset` (None: any): at most `limit`, after a place."""

    ruleset: str | None
    limit: int
    after: Place = TOP


def ready_bots(db: Connection, wanted: BotsWanted, now: datetime) -> list[Any]:
    """Return rows of the ready bots, most recent first."""
    place = {"moment": wanted.after[0], "place": wanted.after[1], "limit": wanted.limit}
    return list(db.execute(_READY, {"ruleset": wanted.ruleset, "before": now - READY_LAPSE, **place}))


def shown_bot(row: Any, language: str) -> View:
    """Return a row of `ready_bots` as JSON types, in the language."""
    who = {"handle": row.handle, "name": display_name(row.name, language), "owner": display_name(row.owner, language)}
    return {**who, **shown_ready(Ready(row.rulesets, row.seats, row.since))}


def shown_ready(found: Ready) -> View:
    """Return a bot's readiness as JSON types."""
    return {"rulesets": list(found.rulesets), "seats": list(found.seats), "since": found.since.isoformat()}


# Usual length of a game: measured from games finished here, or else estimated from self-play. Pages and mails all ask
# here, so that they agree.

SPENT: Final = 1 / 3
"""Share of a pace's time that players are assumed to spend, while too few games are finished."""
_WEEK: Final = 7 / 5
"""Factor for games whose time runs on weekdays only."""


@dataclass(frozen=True, slots=True)
class UsualLengths:
    """Usual lengths of games; `measured` are the medians of finished games, in seconds."""

    measured: Mapping[TableKind, int]

    def of(self, meta: Meta, seats: int, options: Mapping[str, Any], pace: Pace | None) -> int | None:
        """Return the length of a game between people in seconds; None if unknown, and for one player.

        Without a clock only finished games count.
        """
        if seats == 1:
            return None
        chosen = tuple(sorted(name for name, value in options.items() if value is True))
        named = NO_CLOCK if pace is None else pace_name(pace)
        known = None if named is None else self.measured.get(TableKind(meta.name, seats, chosen, named))
        if known is None:
            known = None if pace is None else _estimate(meta, seats, chosen, pace)
        return round(known * _WEEK) if known and pace and pace.weekdays else known


def usual_lengths(db: Connection) -> UsualLengths:
    """Return the stored usual lengths."""
    return UsualLengths(measured(db))


def short_option(meta: Meta, seats: int) -> Option | None:
    """Return the option that shortens the game at a table of this size, None without one."""
    return next((each for each in meta.options if seats in each.waits), None)


def _estimate(meta: Meta, seats: int, chosen: tuple[str, ...], pace: Pace) -> int | None:
    usual = meta.waits.get(seats, meta.moves * seats)
    waits = min([usual, *(each.waits.get(seats, usual) for each in meta.options if each.name in chosen)])
    given = waits * (pace.free + pace.credit) + seats * pace.bank
    return round(SPENT * given) if waits else None
