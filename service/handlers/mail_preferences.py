"""Mail preferences: kinds, times, muted games, test mail after a failed delivery."""

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
"""Kinds of game mails that a player may unsubscribe from."""
LOOK_AGAIN_S: Final = 15
"""Interval in seconds of notes that a page is still open."""
REMINDER: Final = "reminder"
"""Kind with a number per deadline; 0 unsubscribes."""
COLUMNS: Final = frozenset({"delay", "digest", "unseen_only", "links_need_sign_in", "mails_apart", "reminders"})

_UNWANTED = text("select unwanted from mail_wishes where player_id = :player for no key update")
_MUTE = text("insert into mail_mute (game_id, player_id) values (:game, :player) on conflict do nothing")
_UNMUTE = text("delete from mail_mute where game_id = :game and player_id = :player")
# Asynchronous commit: a crash costs one needless mail at most.
_LOOKED = text("""
update seat set seen = :decision, looked = true, looked_at = clock_timestamp()
 where game_id = :game and player_id = :player
   and (seen is distinct from :decision or not looked or looked_at is null
        or looked_at < clock_timestamp() - make_interval(secs => :again))
returning set_config('synchronous_commit', 'off', true)
""")
_MAILED = text("update seat set looked = false where game_id = :game and seat = :seat and looked")
_EMAIL = text("select email, email_confirmed from player where id = :player for no key update")
# Decide on postponed mails again by the new preferences. Mails about a simultaneous answer under way, or a chat
# message, keep their earliest time: later parts would not be told otherwise.
_LOOK_AGAIN = text("""
update outbox o set attempts = 0, not_before = greatest(clock_timestamp(), case
         when o.kind = 'message' then to_timestamp(cast(o.payload ->> 'until' as integer) + :settled)
         when o.payload ? 'goes_on' then o.added_at + make_interval(secs => :half_way) end) from seat s
 where o.state = 'pending' and o.due_at > clock_timestamp()
   and s.player_id = :player and s.game_id = o.game_id
   and (s.seat = cast(o.payload ->> 'seat' as integer) or o.payload ->> 'player' = cast(s.player_id as text))
""")


def change(games: Games, player: UUID, changes: Mapping[str, Any]) -> None:
    """Change the given preferences; they also hold for waiting mails.

    `delay` (minutes) · `digest` (full hour of a daily mail instead of single ones, or None) · `quiet` (full hours
    `begin` and `end`, or None) · `kinds` (a mapping of KINDS to bool) · `unseen_only` (kept for old clients, without
    effect) · `links_need_sign_in` (mailed links work only for the player, signed in) · `mails_apart` (no threads of a
    game's mails) · `reminders` (limit of reminders per deadline).
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
    if kind == REMINDER:
        _write(db, player, {"reminders": 0})
        return
    _write(db, player, {})
    _choose(db, player, {kind: False})


def want(db: Connection, player: UUID, kind: str) -> None:
    if kind == REMINDER:
        _write(db, player, {"reminders": None})
        return
    _write(db, player, {})
    _choose(db, player, {kind: True})


def want_digest(db: Connection, player: UUID, hour: int) -> None:
    """Switch the player to a daily digest at a full hour, of turns at least; of all kinds if all were unwanted."""
    _write(db, player, {"digest": hour})
    nothing = set(db.execute(_UNWANTED, {"player": player}).scalar_one()) == set(KINDS)
    _choose(db, player, dict.fromkeys(KINDS if nothing else ("turn",), True))


def mute(games: Games, game: UUID, player: UUID, receipt: Receipt[bool] | None = None) -> bool:
    """Mute the game's mails for the player; return whether they were unmuted before.

    UnknownGame, NotSeated; under a key also Repeated.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        _seated(db, games, game, player)
        changed = silence(db, game, player)
        keep(db, receipt, changed)
    return changed


def unmute(games: Games, game: UUID, player: UUID) -> None:
    """Unmute the game's mails for the player; UnknownGame, NotSeated."""
    with transaction(games.engine) as db:
        # A player who has lost the seat may still unmute.
        if not db.execute(_UNMUTE, {"game": game, "player": player}).rowcount:
            _seated(db, games, game, player)


def silence(db: Connection, game: UUID, player: UUID) -> bool:
    """Mute a game within a transaction, for a player who sits or has sat in it."""
    return db.execute(_MUTE, {"game": game, "player": player}).rowcount > 0


def speak_again(db: Connection, game: UUID, player: UUID) -> None:
    """Unmute a game within a transaction."""
    db.execute(_UNMUTE, {"game": game, "player": player})


def note_looked(db: Connection, game: UUID, player: UUID, decision: int | None) -> None:
    """Note that the signed-in player has the table's page open at this decision.

    None before the game has begun. Without a seat nothing is written.
    """
    values = {"game": game, "player": player, "decision": decision, "again": LOOK_AGAIN_S}
    db.execute(_LOOKED, values)


def note_mailed(db: Connection, game: UUID, seat: int) -> None:
    """Note a turn mail to a seat, and that its player has not opened the page since."""
    db.execute(_MAILED, {"game": game, "seat": seat})


def try_again(games: Games, player: UUID, now: datetime, budget: Budget = UNCOUNTED) -> bool:
    """Clear the delivery failures of the player's address, and send a test mail; False without an address.

    Waiting mails go out, too. An unconfirmed address gets a consent mail instead, if allowed: NotConfirmed, MailsSpent.
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
    """Decide again on a player's postponed mails: now, later or never."""
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
