"""The mail settings of players: kinds, times, muted games; and the test mail after a delivery has failed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text
from sqlalchemy.dialects.postgresql import insert

from service.handlers.consent import ask
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import NotConfirmed, NotSeated
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.store import mail, notices, outbox
from service.store.games import Games, require_known
from service.store.quotas import UNCOUNTED, Budget, spend
from service.store.tables import mail_wishes

KINDS: Final = ("turn", "started", "over", "message", "problem", "proposal", "lapsed", "challenge", "league")
"""The kinds of mails about games, each of which a player may do without."""
LOOK_AGAIN_S: Final = 15
"""Seconds after which it is written anew that a page is still open."""
REMINDER: Final = "reminder"
"""The kind of which a player chooses how many; none of it is wanted if that is 0."""
COLUMNS: Final = frozenset({"delay", "digest", "unseen_only", "links_need_sign_in", "mails_apart", "reminders"})

_UNWANTED = text("select unwanted from mail_wishes where player_id = :player for no key update")
_MUTE = text("insert into mail_mute (game_id, player_id) values (:game, :player) on conflict do nothing")
_UNMUTE = text("delete from mail_mute where game_id = :game and player_id = :player")
# Its COMMIT does not wait for the disk: what PostgreSQL loses in a crash costs one mail too many.
_LOOKED = text("""
update seat set seen = :decision, looked = true, looked_at = clock_timestamp()
 where game_id = :game and player_id = :player
   and (seen is distinct from :decision or not looked or looked_at is null
        or looked_at < clock_timestamp() - make_interval(secs => :again))
returning set_config('synchronous_commit', 'off', true)
""")
_MAILED = text("update seat set looked = false where game_id = :game and seat = :seat and looked")
_EMAIL = text("select email, email_confirmed from player where id = :player for no key update")
# What was put off is looked at once more, and goes now, later or never as is wished from now on. What is told of a turn
# that goes on, or of what is said in some minutes, is not told before its time: the rest would not be told any more.
_LOOK_AGAIN = text("""
update outbox o set attempts = 0, not_before = greatest(clock_timestamp(), case
         when o.kind = 'message' then to_timestamp(cast(o.payload ->> 'until' as integer) + :settled)
         when o.payload ? 'goes_on' then o.added_at + make_interval(secs => :half_way) end) from seat s
 where o.state = 'pending' and o.due_at > clock_timestamp()
   and s.player_id = :player and s.game_id = o.game_id
   and (s.seat = cast(o.payload ->> 'seat' as integer) or o.payload ->> 'player' = cast(s.player_id as text))
""")


def change(games: Games, player: UUID, changes: Mapping[str, Any]) -> None:
    """Change what is in `changes`; what is not stays. It holds for mails that wait, too.

    `delay` (minutes) · `digest` (the full hour of a daily mail instead of single ones, or None) · `quiet` (a mapping of
    the full hours `begin` and `end`, or None) · `kinds` (whether they are wanted, by KINDS) · `unseen_only` (kept
    for clients that send it, without effect) · `links_need_sign_in` (whether the links of mails work for nobody but the
    player, signed in) · `mails_apart` (whether each mail of a game is its own, and they are no thread) · `reminders`
    (how many mails remind of a deadline, at most).
    """
    with transaction(games.engine) as db:
        values = {name: changes[name] for name in COLUMNS & changes.keys()}
        if "quiet" in changes:
            quiet = changes["quiet"] or {}
            values |= {"quiet_from": quiet.get("begin"), "quiet_to": quiet.get("end")}
        _write(db, player, values)
        if "kinds" in changes:
            _choose(db, player, changes["kinds"])
        look_again(db, player)
    games.wake()


def want_nothing(db: Connection, player: UUID) -> None:
    """Unsubscribe the player from all mails about games, digests included."""
    _write(db, player, {"unwanted": list(KINDS), "digest": None, "reminders": 0})


def do_without(db: Connection, player: UUID, kind: str) -> None:
    """Unsubscribe the player from mails of a kind."""
    if kind == REMINDER:
        _write(db, player, {"reminders": 0})
        return
    _write(db, player, {})
    _choose(db, player, {kind: False})


def want(db: Connection, player: UUID, kind: str) -> None:
    """Subscribe the player to mails of a kind again."""
    if kind == REMINDER:
        _write(db, player, {"reminders": None})
        return
    _write(db, player, {})
    _choose(db, player, {kind: True})


def want_digest(db: Connection, player: UUID, hour: int) -> None:
    """Have the player told in one mail a day, at a full hour: of turns in any case, and of all if they wanted none."""
    _write(db, player, {"digest": hour})
    nothing = set(db.execute(_UNWANTED, {"player": player}).scalar_one()) == set(KINDS)
    _choose(db, player, dict.fromkeys(KINDS if nothing else ("turn",), True))


def mute(games: Games, game: UUID, player: UUID, receipt: Receipt[bool] | None = None) -> bool:
    """Mute the mails about the game for the player; return whether they were not muted before.

    UnknownGame, NotSeated; under a key also Repeated.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        _seated(db, games, game, player)
        changed = silence(db, game, player)
        keep(db, receipt, changed)
    return changed


def unmute(games: Games, game: UUID, player: UUID) -> None:
    """Send the player mails about the game again; UnknownGame, NotSeated."""
    with transaction(games.engine) as db:
        # A player who has lost the seat since may still undo it.
        if not db.execute(_UNMUTE, {"game": game, "player": player}).rowcount:
            _seated(db, games, game, player)


def silence(db: Connection, game: UUID, player: UUID) -> bool:
    """Do as `mute` does for somebody who is known to sit in the game, or to have sat there, within a transaction."""
    return db.execute(_MUTE, {"game": game, "player": player}).rowcount > 0


def speak_again(db: Connection, game: UUID, player: UUID) -> None:
    """Undo `silence`, within a transaction."""
    db.execute(_UNMUTE, {"game": game, "player": player})


def note_looked(db: Connection, game: UUID, player: UUID, decision: int | None) -> None:
    """Note that the player, signed in, has the page of the table open, and which decision it shows.

    None for a game that has not begun. Nothing is written for somebody without a seat.
    """
    values = {"game": game, "player": player, "decision": decision, "again": LOOK_AGAIN_S}
    db.execute(_LOOKED, values)


def note_mailed(db: Connection, game: UUID, seat: int) -> None:
    """Note that a mail asks a seat for a move, at whose table its player has not looked since."""
    db.execute(_MAILED, {"game": game, "seat": seat})


def try_again(games: Games, player: UUID, now: datetime, budget: Budget = UNCOUNTED) -> bool:
    """Forget what has gone wrong with the player's address, and send it a mail to see; False if there is none.

    Mails that have waited for this go out, too. An address that is not confirmed is asked for that instead, if it may
    be: NotConfirmed, MailsSpent.
    """
    with transaction(games.engine) as db:
        row = db.execute(_EMAIL, {"player": player}).one()
        email: str | None = row.email
        if email is None:
            return False
        mail.clear_suppression(db, email)
        if not row.email_confirmed:
            spend(db, budget, player, 1, now)
            if not ask(db, player, email, now):
                raise NotConfirmed
        else:
            outbox.add(db, notices.trial(new_id(), player))
            look_again(db, player)
    games.wake()
    return True


def look_again(db: Connection, player: UUID) -> None:
    """Have the mails to a player that were put off decided on anew: they go now, later or never."""
    db.execute(_LOOK_AGAIN, {"player": player, "settled": outbox.SETTLED, "half_way": outbox.HALF_WAY})


def _write(db: Connection, player: UUID, values: Mapping[str, Any]) -> None:
    statement = insert(mail_wishes).values(player_id=player, **values)
    key = [mail_wishes.c.player_id]
    if values:
        db.execute(statement.on_conflict_do_update(index_elements=key, set_=dict(values)))
    else:
        db.execute(statement.on_conflict_do_nothing(index_elements=key))


def _choose(db: Connection, player: UUID, wanted: Mapping[str, bool]) -> None:
    unwanted: set[str] = set(db.execute(_UNWANTED, {"player": player}).scalar_one())
    unwanted = unwanted - {kind for kind in wanted if wanted[kind]} | {kind for kind in wanted if not wanted[kind]}
    _write(db, player, {"unwanted": [kind for kind in KINDS if kind in unwanted]})


def _seated(db: Connection, games: Games, game: UUID, player: UUID) -> None:
    position = games.open(db, game)
    require_known(db, position, player)
    if position.seat_of(player) is None:
        raise NotSeated
