"""Accounts and addresses: blocked and unblocked, closed, exported and erased by an operator."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.consent import tell_turns
from service.handlers.farewell import AND_BOTS, TRIES, Meanwhile, given_up_by, leave, leave_open, locked
from service.handlers.refusals import Unavailable, UnknownSubject
from service.handlers.transaction import transaction
from service.store import mail, operation
from service.store.competition import WITHOUT_HOST
from service.store.games import Games, Position
from service.store.operation import Operator, note_operator_act

ERASED: Final = "[…]"
"""What stands in the place of what an erased person has written, where something has to stand."""

_SIGN_OUT = text("update token set revoked_at = :now where player_id = :player and browser and revoked_at is null")
_THERE = text("select true from player where id = :player and deleted_at is null")
_WORDS = text("""
update talk set text = :erased where (game_id, number) in (
  select t.game_id, t.number from talk t join (
    select game_id, seat, joined_at, 'infinity' as left_at from seat where player_id = :player
    union all select game_id, seat, joined_at, left_at from former_player where player_id = :player
  ) s on (s.game_id, s.seat) = (t.game_id, t.seat) and t.at >= s.joined_at and t.at < s.left_at)
""")
# A rematch and a game that goes on from another one take the title over.
_TITLES = text("""
with recursive titled as (
  select id, name from game where host = :player and name is not null
  union select g.id, g.name from game g join titled t on t.id in (g.rematch_of, g.fork_of) and g.name = t.name
) update game set name = null where id in (select id from titled)
""")
_TOURNAMENTS = text("update competition set title = :erased where host = :player")
_INVITATIONS = text("""
update invitation set email = null, message = null, revoked_at = coalesce(revoked_at, :now) where inviter = :player
""")
# What was sent to others by channels and webhooks is kept for some days (pruning.py).
_MESSAGES = text("""
update channel_message m set message = :erased from outbox o
 where o.id = m.outbox_id and o.state <> 'pending' and o.game_id in (
   select game_id from seat where player_id = :player union select game_id from former_player where player_id = :player)
""")
_REQUESTS = text("""
delete from mail_request where address_hash = (
  select sha256(convert_to(lower(email), 'UTF8')) from player where id = :player and email_verified)
""")


def block(games: Games, player: UUID, by: Operator, now: datetime) -> int:
    """Block an account and its bots; return how many running games it had to give up. UnknownSubject.

    Browsers are signed out; tokens, links and replies are refused and mails stop until it is unblocked. Seats in open
    games become free. At a running table with a clock the player keeps the seat: their time runs, and the stand-in
    plays (T-13, T-14). At one without a clock the seat is given up, since nothing else would let the others go on.
    Tournaments that the player hosts are called off before they have begun, and go on by themselves after that (L-28).
    """
    for _ in range(TRIES):
        with suppress(Meanwhile):
            return _block(games, player, by, now)
    raise Unavailable


def _block(games: Games, player: UUID, by: Operator, now: datetime) -> int:
    with transaction(games.engine) as db:
        going, tables = locked(db, AND_BOTS, {"player": player})
        if player not in going:
            raise UnknownSubject
        for each in going:
            leave_open(db, each, [table.id for table in tables if table.status == "open"])
        running = [games.lock(db, table.id) for table in tables if table.status == "running"]
        stuck = [each for each in running if each.game.terms.pace is None and each.game.seats > 1]
        after = [given_up_by(db, each, going, "worker") for each in stuck]
        operation.block_player(db, player, by.reason)
        for without_host in WITHOUT_HOST:
            db.execute(without_host, {"player": player, "now": now})
        db.execute(_SIGN_OUT, {"player": player, "now": now})
        note_operator_act(db, by, "blocked", "player", player, now, given_up=[str(each.game.id) for each in stuck])
    _tell(games, after)
    return len(stuck)


def unblock(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Unblock an account, and have its player told of the turns that wait; UnknownSubject if it is not blocked."""
    with transaction(games.engine) as db:
        if operation.player_block_reason(db, player) is None:
            raise UnknownSubject
        operation.block_player(db, player, None)
        tell_turns(db, player)
        note_operator_act(db, by, "unblocked", "player", player, now)
    games.wake()


def block_address(games: Games, address: str, by: Operator, now: datetime) -> None:
    """Let no mail go to an address, and nobody sign in with it."""
    with transaction(games.engine) as db:
        operation.block_address(db, address, by.reason, now)
        note_operator_act(db, by, "blocked", "address", mail.suppression_digest(address).hex(), now)


def unblock_address(games: Games, address: str, by: Operator, now: datetime) -> None:
    """Let mails go to an address again; UnknownSubject if it is not blocked."""
    with transaction(games.engine) as db:
        if not operation.unblock_address(db, address):
            raise UnknownSubject
        note_operator_act(db, by, "unblocked", "address", mail.suppression_digest(address).hex(), now)


def close(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Delete an account as its player could; UnknownSubject, Unavailable."""
    if not leave(games, player, "worker", now, lambda db: note_operator_act(db, by, "closed", "player", player, now)):
        raise UnknownSubject


def erase(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Delete an account, and with it all that the person has written; UnknownSubject, Unavailable.

    That is what was said at tables, the titles of tables and tournaments, and invitations, which are revoked.
    """

    def forget(db: Connection) -> None:
        going: Sequence[UUID] = db.execute(AND_BOTS, {"player": player}).scalars().all()
        for each in going:
            who = {"player": each, "erased": ERASED, "now": now}
            for statement in (_WORDS, _TITLES, _TOURNAMENTS, _INVITATIONS, _MESSAGES, _REQUESTS):
                db.execute(statement, who)
        note_operator_act(db, by, "erased", "player", player, now)

    if not leave(games, player, "worker", now, forget):
        raise UnknownSubject


def exported(db: Connection, player: UUID, by: Operator, now: datetime) -> None:
    """Note, in the transaction that reads it, that an operator has exported a person's data; UnknownSubject."""
    if db.execute(_THERE, {"player": player}).first() is None:
        raise UnknownSubject
    note_operator_act(db, by, "exported", "player", player, now)


def _tell(games: Games, after: list[Position]) -> None:
    for position in after:
        games.committed(position)
        games.wake(position)
    games.wake()
