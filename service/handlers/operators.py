"""Acts of operators, each logged in its transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from cryptography.fernet import InvalidToken
from psycopg.errors import LockNotAvailable, QueryCanceled
from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import OperationalError

from service.handlers.consent import tell_turns
from service.handlers.delete_account import AND_BOTS, TRIES, Meanwhile, delete_account, given_up_by, leave_open, locked
from service.handlers.refusals import BadAnnouncement, CannotHandOver, EffectBusy, Unavailable, UnknownSubject
from service.handlers.transaction import transaction
from service.messages.keys import Vault
from service.record.seal import Signer
from service.shared import clock
from service.store import mail, operation, proof
from service.store.competition import WITHOUT_HOST
from service.store.games import Games, Position
from service.store.operation import Operator, Validity, note_operator_act
from service.texts.catalog import languages

# Accounts and addresses: block, unblock, close, export, erase.

ERASED: Final = "[…]"
"""Placeholder for required texts of an erased person."""

_SIGN_OUT = text("update token set revoked_at = :now where player_id = :player and browser and revoked_at is null")
_THERE = text("select true from player where id = :player and deleted_at is null")
_WORDS = text("""
update talk set text = :erased where (game_id, number) in (
  select t.game_id, t.number from talk t join (
    select game_id, seat, joined_at, 'infinity' as left_at from seat where player_id = :player
    union all select game_id, seat, joined_at, left_at from former_player where player_id = :player
  ) s on (s.game_id, s.seat) = (t.game_id, t.seat) and t.at >= s.joined_at and t.at < s.left_at)
""")
# Rematches and forks take over the title.
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
# Messages of channels and webhooks are kept for some days (pruning.py).
_MESSAGES = text("""
update channel_message m set message = :erased from outbox o
 where o.id = m.outbox_id and o.state <> 'pending' and o.game_id in (
   select game_id from seat where player_id = :player union select game_id from former_player where player_id = :player)
""")
_REQUESTS = text("""
delete from mail_request where address_hash = (
  select sha256(convert_to(lower(email), 'UTF8')) from player where id = :player and email_verified)
""")


def block_account(games: Games, player: UUID, by: Operator, now: datetime) -> int:
    """Block an account and its bots; return the number of running games resigned. UnknownSubject.

    Browsers are signed out; until an unblock, tokens, links and replies are refused and mails stop. Seats in open games
    become free. At a running table with a clock the player keeps the seat: time runs, and the stand-in plays (T-13,
    T-14). Without a clock the seat is resigned, since nothing else would let the others go on. Hosted tournaments are
    cancelled before their start; later they go on by themselves (L-28).
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


def unblock_account(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Unblock an account, and enqueue mails of its waiting turns; UnknownSubject if it is not blocked."""
    with transaction(games.engine) as db:
        if operation.player_block_reason(db, player) is None:
            raise UnknownSubject
        operation.block_player(db, player, None)
        tell_turns(db, player)
        note_operator_act(db, by, "unblocked", "player", player, now)
    games.wake()


def block_address(games: Games, address: str, by: Operator, now: datetime) -> None:
    """Block an address: no mail goes there, and nobody signs in with it."""
    with transaction(games.engine) as db:
        operation.block_address(db, address, by.reason, now)
        note_operator_act(db, by, "blocked", "address", mail.suppression_digest(address).hex(), now)


def unblock_address(games: Games, address: str, by: Operator, now: datetime) -> None:
    """Unblock an address; UnknownSubject if it is not blocked."""
    with transaction(games.engine) as db:
        if not operation.unblock_address(db, address):
            raise UnknownSubject
        note_operator_act(db, by, "unblocked", "address", mail.suppression_digest(address).hex(), now)


def close_account(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Delete an account as its player could; UnknownSubject, Unavailable."""
    if not delete_account(
        games, player, "worker", now, lambda db: note_operator_act(db, by, "closed", "player", player, now)
    ):
        raise UnknownSubject


def erase_account(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Delete an account and the person's texts; UnknownSubject, Unavailable.

    Texts: chat at tables, titles of tables and tournaments, and invitations, which are revoked.
    """

    def forget(db: Connection) -> None:
        going: Sequence[UUID] = db.execute(AND_BOTS, {"player": player}).scalars().all()
        for each in going:
            who = {"player": each, "erased": ERASED, "now": now}
            for statement in (_WORDS, _TITLES, _TOURNAMENTS, _INVITATIONS, _MESSAGES, _REQUESTS):
                db.execute(statement, who)
        note_operator_act(db, by, "erased", "player", player, now)

    if not delete_account(games, player, "worker", now, forget):
        raise UnknownSubject


def export_account(db: Connection, player: UUID, by: Operator, now: datetime) -> None:
    """Log an operator's export of a person's data, in the transaction that reads the data; UnknownSubject."""
    if db.execute(_THERE, {"player": player}).first() is None:
        raise UnknownSubject
    note_operator_act(db, by, "exported", "player", player, now)


def _tell(games: Games, after: list[Position]) -> None:
    for position in after:
        games.committed(position)
        games.wake(position)
    games.wake()


# Outbox rows: run at once, or dropped.

DROPPED = "dropped by an operator"
"""Stored error of a dropped row."""
# Lock timeout first: a row that is held is refused as busy.
_PATIENCE = text("select set_config('lock_timeout', :lock, true), set_config('statement_timeout', :statement, true)")
# A done row is never run again: that would be a second effect.
_RUN = text("""
update outbox set state = 'pending', attempts = 0, failures = 0, handed_out = 0, done_at = null,
       not_before = clock_timestamp()
 where id = :id and state in ('pending', 'dead') returning kind, game_id, state
""")
_DROP = text(f"""
update outbox set state = 'skipped', done_at = clock_timestamp(), last_error = '{DROPPED}'
 where id = :id and state in ('pending', 'dead') returning kind, game_id, state
""")  # noqa: S608 - a constant


def run_effect(games: Games, row_id: int, by: Operator, now: datetime, wait_s: int = 3) -> str:
    """Run a pending or dead row at once; return its kind. UnknownSubject, EffectBusy.

    Wait `wait_s` seconds for a worker that holds the row.
    """
    return _settle(games, _RUN, "effect-run", row_id, by, now, wait_s)


def drop_effect(games: Games, row_id: int, by: Operator, now: datetime, wait_s: int = 3) -> str:
    """Drop a pending or dead row; return its kind. UnknownSubject, EffectBusy.

    Wait `wait_s` seconds for a worker that holds the row.
    """
    return _settle(games, _DROP, "effect-dropped", row_id, by, now, wait_s)


def _settle(games: Games, change: TextClause, act: str, row_id: int, by: Operator, now: datetime, wait_s: int) -> str:
    with transaction(games.engine) as db:
        db.execute(_PATIENCE, {"lock": f"{wait_s}s", "statement": f"{wait_s + 2}s"})
        try:
            row: Any = db.execute(change, {"id": row_id}).one_or_none()
        except OperationalError as error:
            if isinstance(error.orig, (LockNotAvailable, QueryCanceled)):
                raise EffectBusy from error
            raise
        if row is None:
            raise UnknownSubject
        _note(db, act, row_id, row, by, now)
    games.wake()
    return str(row.kind)


def _note(db: Connection, act: str, row_id: int, row: Any, by: Operator, now: datetime) -> None:
    game = None if row.game_id is None else str(row.game_id)
    note_operator_act(db, by, act, "outbox", row_id, now, kind=row.kind, game=game)


# Key rotation: stored secrets sealed with the newest key, and the signing key of seals.

Sealed = Literal["webhooks", "mail"]
_COLUMNS: Final = {
    "webhooks": (("webhook_secret", "id"), ("channel_secret", "channel_id")),
    "mail": (("inbound_mail", "id"),),
}
"""Tables with a column `sealed`, and their keys, by the setting of their vault."""


def seal_anew(games: Games, what: Sealed, keys: Sequence[str], by: Operator, now: datetime) -> tuple[int, int]:
    """Seal stored secrets with the first of the keys; return the number sealed, and of those that no key opens (kept).

    Afterwards no stored secret needs the other keys.
    """
    vault = Vault(keys)
    done = lost = 0
    with transaction(games.engine) as db:
        for table, column in _COLUMNS[what]:
            more, unread = _of_table(db, vault, table, column)
            done, lost = done + more, lost + unread
        note_operator_act(db, by, "keys-rotated", "keys", what, now, sealed=done, lost=lost)
    return done, lost


def _of_table(db: Connection, vault: Vault, table: str, column: str) -> tuple[int, int]:
    rows = db.execute(text(f"select {column} as id, sealed from {table} for update")).all()  # noqa: S608 - constants
    change = text(f"update {table} set sealed = :sealed where {column} = :id")  # noqa: S608 - constants
    lost = 0
    for row in rows:
        try:
            db.execute(change, {"id": row.id, "sealed": vault.seal(vault.open(bytes(row.sealed)))})
        except InvalidToken:
            lost += 1
    return len(rows) - lost, lost


def use_seal_key(games: Games, signer: Signer, by: Operator, now: datetime) -> None:
    """Make the settings' key the signing key of seals, and end the previous one; KeyEnded if it was ended before."""
    with transaction(games.engine) as db:
        proof.use_key(db, signer.id, signer.public, clock.now)
        note_operator_act(db, by, "keys-rotated", "keys", "seal", now, key=signer.id)


# Answers to reports; an answer closes the report.

_ANSWER = text("""
update report set answer = :answer, answered_at = :now where id = :id and answer is null returning reported
""")


def answer_report(games: Games, report: UUID, words: str, by: Operator, now: datetime) -> None:
    """Answer an open report; its reporter sees the words. UnknownSubject."""
    with transaction(games.engine) as db:
        if db.execute(_ANSWER, {"id": report, "answer": words, "now": now}).first() is None:
            raise UnknownSubject
        note_operator_act(db, by, "report-answered", "report", report, now)


# Operators' accounts.

# Operators sign in by mail, so they need an address. A session is kept for a month after its last use.
_ADD = text("""
insert into operator (player_id, since)
select id, :now from player where id = :player and email_verified and deleted_at is null and blocked is null
   and exists (select from token where player_id = :player and browser and kind in ('mail', 'passkey'))
on conflict do nothing
""")
_REMOVE = text("delete from operator where player_id = :player")
_IS = text("select true from operator where player_id = :player")


def add_operator(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Make an account an operator; UnknownSubject if it is one, or has never signed in with an address."""
    with transaction(games.engine) as db:
        if not db.execute(_ADD, {"player": player, "now": now}).rowcount:
            raise UnknownSubject
        note_operator_act(db, by, "operator-added", "player", player, now)


def remove_operator(games: Games, player: UUID, by: Operator, now: datetime) -> None:
    """Remove an operator; UnknownSubject if the account is none."""
    with transaction(games.engine) as db:
        if not db.execute(_REMOVE, {"player": player}).rowcount:
            raise UnknownSubject
        note_operator_act(db, by, "operator-removed", "player", player, now)


def is_operator(db: Connection, player: UUID) -> bool:
    return db.execute(_IS, {"player": player}).first() is not None


# The service as a whole: maintenance, read-only mode.


def announce_maintenance(games: Games, span: Validity, by: Operator, now: datetime) -> None:
    """Announce maintenance on every page and in every answer of the API until it ends; BadAnnouncement."""
    if span.ends is None or span.ends <= span.begins or span.ends <= now:
        raise BadAnnouncement("span")
    if set(span.texts) != set(languages()) or not all(map(str.strip, span.texts.values())):
        raise BadAnnouncement("texts")
    with transaction(games.engine) as db:
        operation.put_mode(db, "maintenance", span)
        note_operator_act(db, by, "maintenance-announced", "service", "maintenance", now, **_told(span))


def withdraw_announcement(games: Games, by: Operator, now: datetime) -> None:
    """Withdraw the announcement of maintenance; UnknownSubject if there is none."""
    with transaction(games.engine) as db:
        if not operation.end_mode(db, "maintenance"):
            raise UnknownSubject
        note_operator_act(db, by, "maintenance-withdrawn", "service", "maintenance", now)


def stop_writing(games: Games, until: datetime | None, by: Operator, now: datetime) -> None:
    """Make the service read-only, in all processes within two seconds; refusals tell `until`."""
    with transaction(games.engine) as db:
        operation.put_mode(db, "read-only", Validity(now, until))
        note_operator_act(db, by, "writing-stopped", "service", "read-only", now, until=until and until.isoformat())


def allow_writing(games: Games, by: Operator, now: datetime) -> None:
    """End read-only mode; UnknownSubject if the service is not read-only."""
    with transaction(games.engine) as db:
        if not operation.end_mode(db, "read-only"):
            raise UnknownSubject
        note_operator_act(db, by, "writing-allowed", "service", "read-only", now)


def _told(span: Validity) -> Mapping[str, object]:
    ends = None if span.ends is None else span.ends.isoformat()
    return {"begins": span.begins.isoformat(), "ends": ends, "texts": dict(span.texts)}


# Tables handed over to another host.

_HAND_OVER = text("update game set host = :player where id = :game")
_NEXT = text(
    "select s.player_id from seat s join player p on p.id = s.player_id"
    " where s.game_id = :game and s.player_id <> :host and p.computer is null order by s.arrival limit 1"
)


def hand_over_table(games: Games, game: UUID, player: UUID, by: Operator, now: datetime) -> None:
    """Make another player of a table its host; UnknownGame, CannotHandOver.

    A record proves the host before the game: the player who joined first. So the host of an open table loses the seat,
    and only the next player by arrival can become the host.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        host = position.game.host
        _require_able(db, position, player)
        if position.game.status == "open":
            if db.execute(_NEXT, {"game": game, "host": host}).scalar() != player:
                raise CannotHandOver("order")
            leave_open(db, host, [game])
        else:
            db.execute(_HAND_OVER, {"game": game, "player": player})
        note_operator_act(db, by, "handed-over", "game", game, now, before=str(host), after=str(player))
    games.wake()


def _require_able(db: Connection, position: Position, player: UUID) -> None:
    seat = position.seat_of(player)
    if position.game.status == "cancelled" or position.game.host == player:
        raise CannotHandOver("host" if position.game.host == player else "cancelled")
    if seat is None or seat in position.resigned or operation.player_block_reason(db, player) is not None:
        raise CannotHandOver("player")
