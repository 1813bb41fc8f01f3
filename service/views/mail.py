"""The mail settings of a player, and what has become of the mails."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.access import PlayerRow
from service.store.mail import consent_asked_at, find_suppression

View = dict[str, Any]

KINDS = {
    "turn-mail": "turn",
    "turn-withdrawn": "turn",
    "started": "started",
    "game-over": "over",
    "message": "message",
    "problem": "problem",
    "pause": "proposal",
    "take-back": "proposal",
    "seat-request": "problem",
    "lapsed": "lapsed",
    "challenge": "challenge",
    "competition-begun": "league",
    "competition-over": "league",
    "entry-reminder": "league",
    "friend-request": "challenge",
    "tournament-invited": "challenge",
    "reminder": "reminder",
}
"""The kind of mail, as settings name it, for each kind of row in the outbox."""
MOST_REMINDERS = 2
"""The most mails that remind of one deadline; so many come unless the player has chosen otherwise."""
HISTORY = 20
_WISHES = text(
    "select delay, digest, quiet_from, quiet_to, unwanted, unseen_only, links_need_sign_in, mails_apart, reminders"
    " from mail_wishes where player_id = :id"
)
_APART = text("select exists (select from mail_wishes where player_id = :id and mails_apart)")
_MUTED = text("select game_id from mail_mute where player_id = :id order by game_id")
_UNWANTED = text("select exists (select from mail_wishes where player_id = :id and 'turn' = any(unwanted))")
_UNDELIVERED = text("""
select o.game_id, o.kind, o.due_at, o.last_error from outbox o
  join seat s on s.game_id = o.game_id
       and (s.seat = cast(o.payload ->> 'seat' as integer) or o.payload ->> 'player' = cast(s.player_id as text))
 where s.player_id = :id and o.state = 'dead' and o.kind = any(:kinds)
 order by o.id desc limit :limit
""")


def mail(db: Connection, player: PlayerRow, delay: int, now: datetime) -> View:
    """Return the player's mail settings, with the default `delay` in minutes, and which mails were not delivered.

    `asked_at` is when the last consent mail was sent, for an address that is not `confirmed`; `trouble` is why no mails
    are sent to the address, None while they are; `undelivered` are the last mails that could not be delivered.
    """
    who = {"id": player.id}
    row = db.execute(_WISHES, who).one_or_none()
    muted: list[UUID] = list(db.execute(_MUTED, who).scalars())
    found = None if player.email is None else find_suppression(db, player.email)
    unwanted = () if row is None else row.unwanted
    asked_at = None if player.email is None or player.email_confirmed else consent_asked_at(db, player.email, now)
    return {
        "email": player.email,
        "delay": delay if row is None or row.delay is None else row.delay,
        "digest": None if row is None else row.digest,
        "quiet": None if row is None or row.quiet_from is None else {"from": row.quiet_from, "to": row.quiet_to},
        "kinds": {kind: kind not in unwanted for kind in dict.fromkeys(KINDS.values()) if kind != "reminder"},
        "reminders": MOST_REMINDERS if row is None or row.reminders is None else row.reminders,
        "unseen_only": row is not None and row.unseen_only,
        "links_need_sign_in": row is not None and row.links_need_sign_in,
        "mails_apart": row is not None and row.mails_apart,
        "muted": [str(game) for game in muted],
        "reachable": player.email is not None and found is None and player.email_confirmed,
        "confirmed": player.email_confirmed,
        "asked_at": None if asked_at is None else asked_at.isoformat(),
        "trouble": None
        if found is None
        else {"cause": found.cause, "status": found.status, "since": found.noted_at.isoformat()},
        "undelivered": [
            {"game": str(each.game_id), "kind": KINDS[each.kind], "at": each.due_at.isoformat(), "why": each.last_error}
            for each in db.execute(_UNDELIVERED, {**who, "kinds": list(KINDS), "limit": HISTORY})
        ],
    }


def apart(db: Connection, player: UUID) -> bool:
    """Return whether the player wants each mail of a game on its own, instead of one thread per game."""
    return bool(db.execute(_APART, {"id": player}).scalar_one())


def silence(db: Connection, player: PlayerRow) -> str | None:
    """Return why the player gets no turn mails at all; None if they do.

    The reason is `no-address`, `unconfirmed`, `unwanted`, or a cause of the suppression list.
    """
    if player.email is None:
        return "no-address"
    if not player.email_confirmed:
        return "unconfirmed"
    found = find_suppression(db, player.email)
    if found is not None:
        return found.cause
    return "unwanted" if db.execute(_UNWANTED, {"id": player.id}).scalar_one() else None
