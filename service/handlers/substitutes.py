"""Substitutes for players who have resigned or are absent (T-23), and requests for seats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import links
from service.handlers.append import record
from service.handlers.gate import SEAT_REQUEST, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.pace import note_absences
from service.handlers.refusals import (
    CannotTakeOver,
    NotHost,
    NotRunning,
    NotSeated,
    SeatAttended,
    SeatUnattended,
    TooMany,
    Unavailable,
    UnknownSeatRequest,
)
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.log.recorded import Door
from service.rules.shared_events import SeatHandedOver
from service.shared import clock
from service.shared.refusal import NotFound
from service.store import lobby, notices, orders, outbox, people, play
from service.store.events import Cause
from service.store.game_row import SeatRow
from service.store.games import Games, Position, require_known
from service.store.lobby import SeatRequest
from service.store.orders import OrderingPlayer
from service.store.quotas import UNCOUNTED, Budget

# Take-over of a seat in a running game whose player has resigned or is absent (T-23).

# The share lock makes a deletion of the account wait until the seat is visible; a deleted account takes no seat.
_LOCK_NEWCOMER = text("select true from player where id = :player and deleted_at is null and blocked is null for share")
# A bot and its owner count as one person.
_ACQUAINTED = text("""
select seat, gone from (
  select seat, player_id, false as gone from seat where game_id = :game
  union all select seat, player_id, true from former_player where game_id = :game
) sat join player p on p.id = sat.player_id join player me on me.id = :player
where coalesce(p.owner, p.id) = coalesce(me.owner, me.id)
""")
_FORMER = text("""
with sitting as (select * from seat where game_id = :game and seat = :seat), vacated as (
  insert into vacated_seat (arrival, game_id, player_id) select arrival, game_id, player_id from sitting
)
insert into former_player (game_id, seat, player_id, joined_at, left_at, until_seq)
select game_id, seat, player_id, joined_at, :now, :seq from sitting
""")
_TAKE = text("""
update seat set player_id = :player, joined_at = :now, arrival = default, seen = null, looked_at = null,
       auto_answers = '{}'
where game_id = :game and seat = :seat
""")
# The player who joined first, as when a host leaves before the game.
_HOST = text("""
update game set host = person.player_id from (
  select s.player_id from seat s join player p on p.id = s.player_id
  where s.game_id = :game and p.computer is null order by s.arrival limit 1) person
where id = :game and host = :former
""")
# Messages to the former player are not sent to the newcomer, retried, or listed as undelivered mail.
_SILENCE = text("""
with waiting as (
  select id from outbox
  where state = 'pending' and game_id = :game and cast(payload ->> 'seat' as integer) = :seat and kind <> all(:moves)
  for update skip locked
), unsent as (
  select id from outbox
  where state in ('skipped', 'dead') and game_id = :game and cast(payload ->> 'seat' as integer) = :seat
    and kind <> all(:moves) and (state = 'dead' or last_error is not null)
  for update skip locked
)
update outbox set state = 'skipped', last_error = 'handed over', done_at = coalesce(done_at, clock_timestamp())
where id in (select id from waiting union all select id from unsent)
""")
# Orders are the former player's own, and a request for consent asked the former players.
_UNORDERED = text("update game set ordered = array_remove(ordered, :seat) where id = :game")
_WITHDRAW = text(
    "delete from seat_request where game_id = :game and answer is null and (seat = :seat or player_id = :player)"
)
_REVOKE = text("update invitation set revoked_at = :now where game_id = :game and seat = :seat and revoked_at is null")
_MOVES = ["automaton", "lapse", "computer"]
"""Kinds of rows about a seat that are no messages to its player."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """The player who takes a seat over, and the door of the request or consent."""

    player: UUID
    seat: int
    door: Door


def take_over(db: Connection, games: Games, position: Position, substitute: Substitute, now: datetime) -> Position:
    """Put the substitute into a seat of a locked game, and return the position after.

    The former player loses the seat's links, mails and invitations. Raises NotRunning, SeatAttended, CannotTakeOver,
    and Unavailable if the substitute's account is deleted.
    """
    game, seat = position.game.id, substitute.seat
    require_unattended(position, seat)
    require_stranger(db, position, substitute.player, seat)
    if not db.execute(_LOCK_NEWCOMER, {"player": substitute.player}).first():
        raise Unavailable
    former = position.seats[seat].player_id
    place = {"game": game, "seat": seat}
    db.execute(_FORMER, {**place, "now": now, "seq": position.version + 1})
    db.execute(_TAKE, {**place, "player": substitute.player, "now": now})
    db.execute(_HOST, {"game": game, "former": former})
    orders.replace_orders(db, OrderingPlayer(game, former), ())
    db.execute(_UNORDERED, place)
    play.remove_take_back_request(db, game)
    links.revoke(db, former, "handed-over", now, game)
    db.execute(_SILENCE, {**place, "moves": _MOVES})
    db.execute(_WITHDRAW, {**place, "player": substitute.player})
    db.execute(_REVOKE, {**place, "now": now})
    # Read again, since the position contains the players.
    position = games.open(db, game)
    cause = Cause(seat, substitute.door, position.decision)
    after, _ = record(db, position, [SeatHandedOver(seat=seat)], cause)
    after = note_absences(db, after, clock.now())
    if seat in after.awaited and after.seats[seat].told:
        again = notices.turn_mail_again(game, after.decision, seat, f"handed-over:{after.version}")
        outbox.post(db, game, [again])
    return after


def require_unattended(position: Position, seat: int) -> None:
    """Refuse unless the seat can be taken over; NotFound, NotRunning, SeatAttended."""
    if seat >= position.game.seats:
        raise NotFound("seat")
    if position.game.status != "running":
        raise NotRunning(position.game.status)
    if seat not in position.unattended:
        raise SeatAttended


def require_stranger(db: Connection, position: Position, player: UUID, wanted: int) -> None:
    """Refuse a player who sits or has sat in the game (T-24, T-25); CannotTakeOver.

    A block between the player and another seat's looks like a declined request.
    """
    found = db.execute(_ACQUAINTED, {"game": position.game.id, "player": player}).all()
    if not found:
        if people.is_apart(db, player, [row.player_id for row in position.seats if row.seat != wanted]):
            raise CannotTakeOver("declined")
        return
    left = any(row.gone or row.seat in position.resigned for row in found)
    raise CannotTakeOver("left" if left else "seated")


def require_inviter(position: Position, player: UUID) -> None:
    """Refuse a player who may not invite substitutes; NotHost.

    Only the host may. While the host's seat is unattended, the first attended seat's player may.
    """
    if not may_invite(position, player):
        raise NotHost


def may_invite(position: Position, player: UUID) -> bool:
    """Return whether the player may invite substitutes, as in `require_inviter`."""
    if position.game.host == player:
        return True
    host = position.seat_of(position.game.host)
    there = [row for row in position.seats if row.seat not in position.unattended]
    return host in position.unattended and bool(there) and there[0].player_id == player


# Requests of strangers for a seat of a running game at a public table, answered by its players.

MAX_OPEN_REQUESTS = 10
"""Limit of a game's open requests."""


@dataclass(frozen=True, slots=True)
class SeatWanted:
    """A player's request for a seat of a game."""

    game: UUID
    seat: int
    player: UUID


@dataclass(frozen=True, slots=True)
class Answering:
    """A player's answer to a request, and its door."""

    game: UUID
    request: UUID
    player: UUID
    door: Door


def ask_for_seat(
    games: Games,
    wanted: SeatWanted,
    now: datetime,
    receipt: Receipt[SeatRequest] | None = None,
    budget: Budget = UNCOUNTED,
) -> SeatRequest:
    """Request an unattended seat at a public table, and enqueue mails to the players there.

    UnknownGame, NotRunning, SeatAttended, CannotTakeOver, TooMany, MailsSpent; under a key also Repeated, KeyReused.
    """
    game, seat, player = wanted.game, wanted.seat, wanted.player
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        require_known(db, position, player)
        require_unattended(position, seat)
        require_stranger(db, position, player, seat)
        _require_unanswered(db, game, seat, player)
        asked = SeatRequest(new_id(), game, seat, player, now)
        lobby.add_seat_request(db, asked)
        told = [row for row in _there(position) if row.email and row.confirmed]
        outbox.post(db, game, [notices.seat_request(game, asked.id, each.seat) for each in told])
        reach(db, budget, SEAT_REQUEST, player, [each.player_id for each in told], now)
        keep(db, receipt, asked)
    games.wake()
    return asked


def agree_to_seat_request(games: Games, answering: Answering, now: datetime) -> Position:
    """Agree to a request: hand the seat over, and return the position after; idempotent.

    UnknownGame, NotSeated, SeatUnattended, UnknownSeatRequest, NotRunning, SeatAttended, CannotTakeOver.
    """
    with transaction(games.engine) as db:
        position, asked = _read(db, games, answering)
        if asked.answer == "agreed":
            return position
        if asked.answer is not None:
            raise UnknownSeatRequest
        lobby.answer_seat_request(db, asked.id, "agreed")
        substitute = Substitute(asked.player_id, asked.seat, answering.door)
        after = take_over(db, games, position, substitute, now)
    games.committed(after)
    games.wake(after)
    return after


def decline_seat_request(games: Games, answering: Answering) -> None:
    """Decline a request; idempotent. The person cannot ask again for that seat. Raises as `agree_to_seat_request`."""
    with transaction(games.engine) as db:
        _, asked = _read(db, games, answering)
        if asked.answer == "agreed":
            raise UnknownSeatRequest
        lobby.answer_seat_request(db, asked.id, "declined")


def withdraw_seat_request(games: Games, game: UUID, request: UUID, player: UUID) -> bool:
    """Withdraw the player's own open request; False if there is none."""
    with transaction(games.engine) as db:
        return lobby.withdraw_seat_request(db, game, request, player)


def _require_unanswered(db: Connection, game: UUID, seat: int, player: UUID) -> None:
    earlier = lobby.seat_requests_of_player(db, game, player)
    if any(each.answer is None for each in earlier):
        raise CannotTakeOver("asked")
    if any((each.seat, each.answer) == (seat, "declined") for each in earlier):
        raise CannotTakeOver("declined")
    if len(lobby.open_seat_requests(db, game)) >= MAX_OPEN_REQUESTS:
        raise TooMany(MAX_OPEN_REQUESTS)


def _read(db: Connection, games: Games, answering: Answering) -> tuple[Position, SeatRequest]:
    """Lock a game for a player who may answer a request; return position and request."""
    position = games.lock(db, answering.game)
    require_known(db, position, answering.player)
    seat = position.seat_of(answering.player)
    if seat is None:
        raise NotSeated
    if seat in position.unattended:
        raise SeatUnattended
    asked = lobby.read_seat_request(db, answering.game, answering.request)
    if asked is None:
        raise UnknownSeatRequest
    return position, asked


def _there(position: Position) -> list[SeatRow]:
    return [row for row in position.seats if row.seat not in position.unattended]
