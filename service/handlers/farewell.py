"""An account is deleted: the person goes, and the games stay whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.audit.lobby import GameCancelled, SeatLeft
from service.handlers.lobby_log import note
from service.handlers.transaction import transaction
from service.store import notices, outbox
from service.store.games import Games
from service.store.names import DEFAULT_LANGUAGE, GONE
from service.store.trouble import OF_PLAYER

# Games first, in the order of their ids: whoever joins one or starts it locks it in the same way.
_OPEN_GAMES = text(
    "select id from game where status = 'open' and id in (select game_id from seat where player_id = :player)"
    " order by id for no key update"
)
_SEATS = text(
    "select game_id, seat, (select count(*) from seat o where o.game_id = s.game_id) = 1 as alone from seat s"
    " where player_id = :player and game_id = any(:games) order by game_id"
)
_LEAVE = text("delete from seat where player_id = :player and game_id = any(:games)")
_HAND_OVER = text(
    "update game set host = (select player_id from seat where game_id = game.id order by arrival limit 1)"
    " where host = :player and id = any(:games) and exists (select from seat where game_id = game.id)"
)
_CANCEL = text(
    "update game set status = 'cancelled'"
    " where id = any(:games) and not exists (select from seat where game_id = game.id)"
)
_FORGET = (
    text("delete from action_link where player_id = :player"),
    text("delete from sign_in using player p where p.id = :player and p.email_verified and sign_in.email = p.email"),
    text("delete from token where player_id = :player"),
    text("delete from mail_wishes where player_id = :player"),
    text("delete from mail_mute where player_id = :player"),
    text("delete from vacated_seat where player_id = :player"),
    # What is known of an address stays while somebody else has it.
    text(
        f"delete from mail_trouble where address_hash = (select {OF_PLAYER} from player where id = :player)"  # noqa: S608
        " and not exists (select from player o join player p on p.id = :player"
        " where o.id <> p.id and lower(o.email) = lower(p.email))"
    ),
    text("delete from webhook where player_id = :player"),
    text("delete from note where player_id = :player"),
    text("delete from inbound_mail where player_id = :player"),
    text("delete from idempotency where principal = :player"),
    text(
        "update invitation set email = null"
        " where email = (select lower(email) from player where id = :player and email_verified)"
    ),
)
_BOTS = text("select id from player where owner = :player and deleted_at is null order by id")
_BOT_OF = text("select from player where id = :player and owner = :owner and deleted_at is null for no key update")
_GO = text(
    "update player set name = :gone, email = null, email_verified = false, unreachable = false, language = :language,"
    " time_zone = 'UTC', deleted_at = :now where id = :player"
)


def leave(games: Games, player: UUID, now: datetime) -> None:
    """Delete the account and its bots: name, address, profile, tokens, links, webhooks, notes and kept answers.

    Nobody can act for them any more. Seats in open games become free; such a game goes to whoever has been there
    longest, or is cancelled where nobody is left. A seat in a game that runs or is over stays, as a former player's.
    """
    with transaction(games.engine) as db:
        bots: Sequence[UUID] = db.execute(_BOTS, {"player": player}).scalars().all()
        for bot in bots:
            _go(db, bot, now)
        _go(db, player, now)


def dismiss(games: Games, owner: UUID, bot: UUID, now: datetime) -> bool:
    """Delete a bot of the owner's as `leave` does; return whether there was one."""
    with transaction(games.engine) as db:
        if db.execute(_BOT_OF, {"player": bot, "owner": owner}).one_or_none() is None:
            return False
        _go(db, bot, now)
    return True


def _go(db: Connection, player: UUID, now: datetime) -> None:
    who = {"player": player}
    opened: dict[str, Any] = {"games": db.execute(_OPEN_GAMES, who).scalars().all()}
    for left in db.execute(_SEATS, who | opened).all():
        note(db, left.game_id, left.seat, GameCancelled() if left.alone else SeatLeft())
        if left.alone:
            outbox.post(db, left.game_id, [notices.seal(left.game_id)])
    for change in (_LEAVE, _HAND_OVER):
        db.execute(change, who | opened)
    db.execute(_CANCEL, opened)
    for statement in _FORGET:
        db.execute(statement, who)
    db.execute(_GO, {**who, "gone": GONE, "language": DEFAULT_LANGUAGE, "now": now})
