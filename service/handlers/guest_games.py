"""Move a guest's games to the account that the guest signs in to, and end the guest's account.

Credentials end with the guest's account and do not move: tokens, apps' grants, webhooks, channels, the calendar's
address, further reply addresses. Otherwise whoever left a guest's session at a browser could read and play the
account's games.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, TextClause, text

from service.handlers import links
from service.handlers.consent import tell_turns
from service.handlers.delete_account import TRIES, Meanwhile, forget, locked
from service.handlers.refusals import Unavailable
from service.handlers.tell_owner import tell_owner
from service.handlers.transaction import transaction
from service.log.recorded import milliseconds
from service.store import daily_deals, notices, outbox, pace
from service.store.games import Games
from service.texts.names import UNNAMED_VARIANTS

MOVED: Final[Mapping[str, tuple[str, ...]]] = {
    "action_link.player_id": (),
    "app.owner": (),
    "block.blocked": ("blocker",),
    "block.blocker": ("blocked",),
    "challenge.recipient": (),
    "challenge.sender": (),
    "competition.host": (),
    "deal_try.player_id": ("day",),
    "entrant.player_id": ("competition_id",),
    "former_player.player_id": ("game_id",),
    "game.host": (),
    "ignored_player.ignored": ("player_id",),
    "ignored_player.player_id": ("ignored",),
    "inbound_mail.player_id": (),
    "invitation.inviter": ("game_id", "email"),
    "invitation.player_id": ("game_id",),
    "mail_mute.player_id": ("game_id",),
    "mail_wishes.player_id": (),
    "move_order.player_id": ("game_id",),
    "note.player_id": ("game_id",),
    "played_game.player_id": ("game_id",),
    "player.owner": (),
    "report.reported": (),
    "report.reporter": (),
    "seat.player_id": ("game_id",),
    "seat_request.player_id": ("game_id",),
    "vacated_seat.player_id": (),
}
"""Columns whose rows move to the account, unless it has a row with the same other columns."""
MOVED_OTHERWISE: Final = frozenset(
    {
        "absence.player_id",
        "friendship.recipient",
        "friendship.sender",
    }
)
"""Columns whose rows move by a statement of their own."""
STAYED: Final = frozenset({"rating.player_id", "rating_step.player_id", "result_seat.player_id"})
"""Columns whose rows stay with the former player, as after a deletion."""
ENDED: Final = frozenset(
    {
        "app_grant.player_id",
        "calendar.player_id",
        "channel.player_id",
        "deal_standing.player_id",
        "former_handle.player_id",
        "mail_request_link.player_id",
        "operator.player_id",
        "passkey.player_id",
        "passkey_challenge.player_id",
        "ready_bot.player_id",
        "reply_address.player_id",
        "sign_in_code.player_id",
        "token.player_id",
        "webhook.player_id",
    }
)
"""Columns whose rows end with the guest's account, or that no guest has."""

_BOTH = text(
    "select id from player where deleted_at is null and (id = :account or (id = :guest and not email_verified"
    " and owner is null and computer is null)) order by id"
)
_TWICE = text("""
select g.id, g.ruleset, g.name from seat own join game g on g.id = own.game_id
 where own.player_id = :guest and g.status in ('open', 'running') and (
   exists (select from seat s where s.game_id = g.id and s.player_id = :account)
   or exists (select from former_player f where f.game_id = g.id and f.player_id = :account))
 order by g.id
""")
_BOTS = text("select id from player where owner = :guest and deleted_at is null")
_STAYED = text("""
select g.id, g.ruleset, g.name from seat s join game g on g.id = s.game_id where s.player_id = :guest order by g.id
""")
_BETWEEN = tuple(
    text(f"delete from {table} where {one} in (:guest, :account) and {other} in (:guest, :account)")  # noqa: S608 - constants
    for table, one, other in (
        ("block", "blocker", "blocked"),
        ("ignored_player", "player_id", "ignored"),
        ("friendship", "sender", "recipient"),
        ("challenge", "sender", "recipient"),
    )
)
# At most one row of a pair is open or accepted.
_FRIENDS = tuple(
    text(f"""
update friendship f set {own} = :account where {own} = :guest and (f.state not in ('open', 'accepted') or not exists (
  select from friendship o where o.state in ('open', 'accepted')
     and least(o.sender, o.recipient) = least(:account, f.{other})
     and greatest(o.sender, o.recipient) = greatest(:account, f.{other})))
""")  # noqa: S608 - constants
    for own, other in (("sender", "recipient"), ("recipient", "sender"))
)
_NOTES = text("""
update note kept set text = left(kept.text || E'\\n\\n' || own.text, 10000) from note own
 where own.player_id = :guest and kept.player_id = :account and kept.game_id = own.game_id
""")
# Results are append-only, and ratings follow from them (P-17).
_RATED = text("select exists (select from rating where player_id = :guest)")
# Count the result again in the weekly and monthly tables, for its new player.
_UNSETTLE = text("update deal_try set settled = false where player_id = :guest")
_PAIRED = text("""
update pairing p set players = array_replace(players, :guest, :account)
 where :guest = any(players) and not exists (
   select from entrant e where e.competition_id = p.competition_id and e.player_id = :account)
""")
_ABSENT = text(
    "update absence set player_id = :account"
    " where player_id = :guest and not exists (select from absence o where o.player_id = :account)"
)
_HANDLE_OF = text("select handle, handle_skeleton from player where id = :player")
_HANDLE = text("update player set handle = :handle, handle_skeleton = :skeleton where id = :player and handle is null")
_NO_HANDLE = text("update player set handle = null, handle_skeleton = null where id = :player")
# Always written: the new row version makes cached positions with the guest stale.
_TAKES_ON = text("""
update player p set
  name = case when p.name = any(:unnamed) then own.name else p.name end,
  welcomed = p.welcomed or (p.name = any(:unnamed) and own.welcomed),
  time_zone = case when p.time_zone = 'UTC' and not p.welcomed then own.time_zone else p.time_zone end
 from player own where p.id = :account and own.id = :guest
returning lower(own.email) = lower(p.email) and own.email_confirmed as told, p.handle is not null as named
""")
_LEFT_BEHIND = text("""
select exists (select from token where player_id = :guest and not browser and revoked_at is null)
    or exists (select from app_grant where player_id = :guest)
    or exists (select from webhook where player_id = :guest)
    or exists (select from channel where player_id = :guest)
    or exists (select from reply_address where player_id = :guest)
    or exists (select from calendar where player_id = :guest)
""")
_RUNNING = text(
    "select game_id from seat s join game g on g.id = s.game_id where s.player_id = :guest and g.status = 'running'"
)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """Name of a table for its players; `name` is None for an untitled one."""

    id: UUID
    ruleset: str
    name: str | None


@dataclass(frozen=True, slots=True)
class MovedGames:
    """Result of a move: tables whose seats stayed, and other losses.

    `ended` if tokens, apps, webhooks, channels or a calendar have ended; `rated` if the guest had ratings.
    """

    stayed: tuple[NamedTable, ...] = ()
    ended: bool = False
    rated: bool = False

    @property
    def whole(self) -> bool:
        """True if everything has moved."""
        return not (self.stayed or self.ended or self.rated)


class SeatedTwice(Exception):
    """Guest and account both sit at the same unfinished tables; an account has one seat at a table."""

    def __init__(self, tables: tuple[NamedTable, ...]) -> None:
        super().__init__(tables)
        self.tables = tables


def seated_twice(db: Connection, guest: UUID, account: UUID) -> tuple[NamedTable, ...]:
    """Return the unfinished tables with seats of both."""
    return _tables(db, _TWICE, {"guest": guest, "account": account})


def bring(games: Games, guest: UUID, account: UUID, now: datetime) -> MovedGames:
    """Run `move` in a transaction of its own; SeatedTwice, Unavailable."""
    for _ in range(TRIES):
        with suppress(Meanwhile):
            with transaction(games.engine) as db:
                moved = move(db, guest, account, now)
            games.wake()
            return moved
    raise Unavailable


def move(db: Connection, guest: UUID, account: UUID, now: datetime) -> MovedGames:
    """Move the guest's rows to the account, and end the guest's account; SeatedTwice, Meanwhile.

    At a finished table of both, the guest's seat stays a former player's. If the guest is no guest any more, nothing
    moves.
    """
    who = {"guest": guest, "account": account}
    going, _ = locked(db, _BOTH, who)
    if set(going) != {guest, account}:
        return MovedGames()
    twice = seated_twice(db, guest, account)
    if twice:
        raise SeatedTwice(twice)
    running: list[UUID] = list(db.execute(_RUNNING, who).scalars())
    rated = bool(db.execute(_RATED, who).scalar_one())
    ended = bool(db.execute(_LEFT_BEHIND, who).scalar_one())
    bots: list[UUID] = list(db.execute(_BOTS, who).scalars())
    told = _move_rows(db, who)
    if not told:
        for game in running:
            links.revoke(db, account, "address", now, game)
        tell_turns(db, account, running, "moved")
    stayed = _tables(db, _STAYED, who)
    forget(db, guest, now)
    for bot in bots:
        tell_owner(db, bot, "bot-made", f"{bot}:{account}")
    _note_absences(db, account, now)
    return MovedGames(stayed, ended, rated)


def _note_absences(db: Connection, account: UUID, now: datetime) -> None:
    """Enqueue updates of the logs of the account's games: absences may have moved."""
    moments = {now} | {at for row in pace.absences_of_player(db, account) for at in (row.begins, row.ends) if at > now}
    for at in moments:
        outbox.add_at(db, notices.absence(account, milliseconds(at)), at)


def _move_rows(db: Connection, who: Mapping[str, UUID]) -> bool:
    """Move the rows; return whether guest and account had the same confirmed address."""
    for statement in (*_BETWEEN, *_FRIENDS, _NOTES, _UNSETTLE, _PAIRED, _ABSENT):
        db.execute(statement, who)
    for column, others in MOVED.items():
        db.execute(_along(column, others), who)
    own = db.execute(_HANDLE_OF, {"player": who["guest"]}).one()
    account = db.execute(_HANDLE_OF, {"player": who["account"]}).one()
    if own.handle is not None and account.handle is None:
        db.execute(_NO_HANDLE, {"player": who["guest"]})
        db.execute(_HANDLE, {"player": who["account"], "handle": own.handle, "skeleton": own.handle_skeleton})
    taken = db.execute(_TAKES_ON, {**who, "unnamed": list(UNNAMED_VARIANTS)}).one()
    daily_deals.name(db, who["account"], taken.named)
    return bool(taken.told)


def _tables(db: Connection, statement: TextClause, who: Mapping[str, UUID]) -> tuple[NamedTable, ...]:
    return tuple(NamedTable(row.id, row.ruleset, row.name) for row in db.execute(statement, who))


def _along(column: str, others: tuple[str, ...]) -> TextClause:
    table, _, name = column.partition(".")
    same = " and ".join([f"o.{name} = :account", *(f"o.{each} = own.{each}" for each in others)])
    kept = f" and not exists (select from {table} o where {same})" if others or table == "mail_wishes" else ""
    return text(f"update {table} own set {name} = :account where own.{name} = :guest{kept}")  # noqa: S608 - constants
