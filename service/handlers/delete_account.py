"""Delete an account: remove personal data, keep its games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, TextClause, text

from service.handlers.lobby import note_lobby_event
from service.handlers.play import give_up
from service.handlers.refusals import Unavailable
from service.handlers.transaction import transaction
from service.log.recorded import Door
from service.record.lobby import GameCancelled, SeatLeft
from service.store import notices, operation, outbox
from service.store.competition import FORGET as FORGET_COMPETITIONS
from service.store.games import Games, Position
from service.store.mail import SUPPRESSION_OF_PLAYER
from service.texts.names import DEFAULT_LANGUAGE, GONE

TRIES = 20
"""Tries: each failure means that the departing player took a seat or got a bot meanwhile."""

# Games first, ordered by id: every handler that changes a game locks in this order.
_TABLES = (
    "select id, status from game where status in ('open', 'running')"
    " and id in (select game_id from seat where player_id = any(:players))"
)
_SITTING = text(_TABLES)
_LOCK_TABLES = text(f"{_TABLES} order by id for no key update")
_LOCK_PLAYERS = text("select from player where id = any(:players) order by id for no key update")
_SEATS = text(
    "select game_id, seat, (select count(*) from seat o join player p on p.id = o.player_id"
    " where o.game_id = s.game_id and p.computer is null) = 1 as alone from seat s"
    " where player_id = :player and game_id = any(:games) order by game_id"
)
_LEAVE = text("delete from seat where player_id = :player and game_id = any(:games)")
_HAND_OVER = text(
    "update game set host = person.player_id from ("
    " select distinct on (s.game_id) s.game_id, s.player_id from seat s join player p on p.id = s.player_id"
    " where s.game_id = any(:games) and p.computer is null order by s.game_id, s.arrival) person"
    " where host = :player and id = person.game_id"
)
_CANCEL = text(
    "update game set status = 'cancelled'"
    " where id = any(:games) and not exists (select from seat s join player p on p.id = s.player_id"
    " where s.game_id = game.id and p.computer is null)"
)
_FORGET = (
    text("delete from action_link where player_id = :player"),
    text("delete from sign_in using player p where p.id = :player and p.email_verified and sign_in.email = p.email"),
    text("delete from token where player_id = :player"),
    text("delete from app_grant where player_id = :player"),
    text("delete from app where owner = :player"),
    text("delete from passkey_challenge where player_id = :player"),
    text("update former_handle set player_id = null where player_id = :player"),
    # The offset hides the condition: with it the planner would scan all handles where there are few.
    text(
        "insert into former_handle (skeleton, released_at)"
        " select skeleton, :now from (select handle_skeleton as skeleton from player where id = :player offset 0) own"
        " where skeleton is not null"
    ),
    text("delete from passkey where player_id = :player"),
    text("delete from sign_in_code where player_id = :player"),
    text("delete from absence where player_id = :player"),
    text("delete from mail_wishes where player_id = :player"),
    text("delete from mail_mute where player_id = :player"),
    text("delete from vacated_seat where player_id = :player"),
    # An address's record stays while another account has the address.
    text(
        f"delete from mail_trouble where address_hash = (select {SUPPRESSION_OF_PLAYER} from player where id = :player)"  # noqa: S608 - a constant
        " and not exists (select from player o join player p on p.id = :player"
        " where o.id <> p.id and lower(o.email) = lower(p.email))"
    ),
    # The link still refuses mails for its address.
    text("update mail_request_link set player_id = null where player_id = :player"),
    text("delete from webhook where player_id = :player"),
    text("delete from channel where player_id = :player"),
    text("delete from calendar where player_id = :player"),
    text("delete from reply_address where player_id = :player"),
    text("delete from note where player_id = :player"),
    text("delete from move_order where player_id = :player"),
    text("update seat set auto_answers = '{}' where player_id = :player and auto_answers <> '{}'"),
    text("delete from seat_request where player_id = :player"),
    text("delete from challenge where :player in (sender, recipient)"),
    text("delete from block where :player in (blocker, blocked)"),
    text("delete from friendship where :player in (sender, recipient)"),
    text("delete from played_game where player_id = :player"),
    text("delete from ignored_player where :player in (player_id, ignored)"),
    text("delete from ready_bot where player_id = :player"),
    # Results stay: the ratings of the others rest on them.
    text("update rating set listed = false where player_id = :player"),
    *FORGET_COMPETITIONS,
    text("delete from inbound_mail where player_id = :player"),
    text("delete from idempotency where principal = :player"),
    text("delete from operator where player_id = :player"),
    text("delete from report where reporter = :player or reported = :player"),
    text("update invitation set message = null where inviter = :player and message is not null"),
    text("update invitation set revoked_at = :now where player_id = :player and revoked_at is null"),
    text(
        "update invitation set email = null"
        " where email = (select lower(email) from player where id = :player and email_verified)"
    ),
)
# Bots first, so that no table is handed over to a bot. Computer players belong to all tables and are never deleted.
AND_BOTS = text(
    "select id from player where (id = :player or owner = :player) and deleted_at is null and computer is null"
    " order by owner, id"
)
_BOT_OF = text("select id from player where id = :bot and owner = :owner and deleted_at is null")
_REACHED = text(f"""
select name, email, language from player
 where id = :player and email is not null and email_confirmed and not unreachable and not {operation.IS_MAIL_BLOCKED}
""")  # noqa: S608 - a constant
_GO = text(
    "update player set name = :gone, email = null, email_verified = false, email_confirmed = false,"
    " handle = null, handle_skeleton = null, visibility = 'hidden', unreachable = false, channels = false,"
    " blocked = null, language = :language, time_zone = 'UTC', asked_twice = true, deleted_at = :now"
    " where id = :player"
)


class Meanwhile(Exception):
    """A seat or a bot was added after the locks were taken."""


Also = Callable[[Connection], None]


def delete_account(games: Games, player: UUID, door: Door, now: datetime, also: Also | None = None) -> bool:
    """Delete an account and its bots: name, address, profile, tokens, links, webhooks, notes, stored answers.

    Seats in open games become free; a hosted table goes to the player who joined first, or is cancelled if none is
    left. Running games are resigned, as by `resign`. Seats in running and finished games stay, as a former player's.
    `also` runs in the same transaction. Raises Unavailable, with nothing done. Return whether there was such an
    account.
    """
    return _depart(games, AND_BOTS, {"player": player}, door, now, also)


def dismiss(games: Games, owner: UUID, bot: UUID, door: Door, now: datetime) -> bool:
    """Delete a bot of the owner as `delete_account` does; return whether there was one."""
    return _depart(games, _BOT_OF, {"bot": bot, "owner": owner}, door, now)


def _depart(
    games: Games, whom: TextClause, named: Mapping[str, UUID], door: Door, now: datetime, also: Also | None = None
) -> bool:
    for _ in range(TRIES):
        with suppress(Meanwhile):
            with transaction(games.engine) as db:
                going, tables = locked(db, whom, named)
                if also is not None and going:
                    also(db)
                for player in going:
                    leave_open(db, player, [table.id for table in tables if table.status == "open"])
                given_up = [
                    given_up_by(db, games.lock(db, table.id), going, door)
                    for table in tables
                    if table.status == "running"
                ]
                for player in going:
                    _tell(db, player)
                    forget(db, player, now)
            for position in given_up:
                games.committed(position)
                games.wake(position)
            return bool(going)
    raise Unavailable


def locked(db: Connection, whom: TextClause, named: Mapping[str, UUID]) -> tuple[Sequence[UUID], Sequence[Any]]:
    """Lock the tables of the departing players, then the players; return players and tables.

    A locked account takes no seat and gets no bot (`take_seat`, `hold`). Raises Meanwhile if it did just before:
    locking that table after its player could deadlock.
    """
    going: Sequence[UUID] = db.execute(whom, named).scalars().all()
    players = {"players": going}
    tables = db.execute(_LOCK_TABLES, players).all()
    db.execute(_LOCK_PLAYERS, players)
    sitting = {table.id for table in db.execute(_SITTING, players)}
    if db.execute(whom, named).scalars().all() != going or not sitting <= {table.id for table in tables}:
        raise Meanwhile
    return going, tables


def leave_open(db: Connection, player: UUID, tables: Sequence[UUID]) -> None:
    """Free the player's seats in locked open games; a hosted table is handed over or cancelled."""
    who, opened = {"player": player}, {"games": tables}
    for left in db.execute(_SEATS, {**who, **opened}).all():
        note_lobby_event(db, left.game_id, left.seat, GameCancelled() if left.alone else SeatLeft())
        if left.alone:
            outbox.post(db, left.game_id, [notices.seal(left.game_id)])
    for change in (_LEAVE, _HAND_OVER):
        db.execute(change, {**who, **opened})
    db.execute(_CANCEL, opened)


def given_up_by(db: Connection, position: Position, going: Sequence[UUID], door: Door) -> Position:
    """Resign departing players from a locked, running game; return the position after."""
    for player in going:
        seat = position.seat_of(player)
        if seat is not None and seat not in position.resigned and position.game.status == "running":
            position, _ = give_up(db, position, seat, door)
    return position


def _tell(db: Connection, player: UUID) -> None:
    reached = db.execute(_REACHED, {"player": player}).mappings().one_or_none()
    if reached is not None:
        # The last row with the address; the address is erased with the mail (`outbox.finish`).
        outbox.add(db, notices.account_changed(player, "account-deleted", player, farewell=dict(reached)))


def forget(db: Connection, player: UUID, now: datetime) -> None:
    """Erase a player's data; the row stays, without a name, in the seats of games."""
    who = {"player": player, "now": now}
    for statement in _FORGET:
        db.execute(statement, who)
    db.execute(_GO, {**who, "gone": GONE, "language": DEFAULT_LANGUAGE})
