"""Before the game: it is created, joined and started."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET
from sqlalchemy import Connection, insert

from service.handlers.absence import note_absences
from service.handlers.append import record
from service.handlers.gate import SITTING_DOWN, grow
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.lobby_log import note
from service.handlers.opening import opening
from service.handlers.plans import Plan, has_house_rules, options_of
from service.handlers.refusals import (
    AccountBlocked,
    InvitationOver,
    NoSuchLevel,
    NotHost,
    NotOpen,
    Unavailable,
)
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.players.levels import Level, levels_for
from service.players.player import computer_seated
from service.record.lobby import GameOpened, SeatFilled, SeatTaken, StartGiven
from service.record.reading import MONOTONE
from service.rules.chance import commit, commit_nonce
from service.rules.shared_events import DealSet, PaceSet
from service.shared import clock
from service.store import daily_deals, heartbeats, operation, people, play
from service.store.events import Cause
from service.store.game_row import UnknownGame
from service.store.games import Games, Position, require_known
from service.store.tables import game as game_table
from service.store.tables import seed as seed_table

_NONCES = """
select array_agg(nonce order by seat) as nonces, array_agg(drawn_by order by seat) as drawn_by
from seat where game_id = %s
"""
# A deletion of the account waits until the seat is visible; a deleted account takes no seat.
_TAKE = """
insert into seat (game_id, seat, player_id, joined_at, nonce, drawn_by)
select %(game)s, %(seat)s, id, %(now)s, %(nonce)s, %(drawn_by)s
from player where id = %(player)s and deleted_at is null and blocked is null for share
"""
# In two steps, since no two may have one number even for a moment.
_RENUMBER = """
update seat set seat = -1 - arrived.place
from (select player_id, row_number() over (order by arrival) - 1 as place, seat from seat where game_id = %s) as arrived
where game_id = %s and seat.player_id = arrived.player_id and arrived.place <> arrived.seat
"""
# The table says at once that its result will not count (P-01, P-03).
_UNRATED = """
update game set rated = false where id = %(game)s and rated
   and exists (select from player where id = %(player)s and (computer is not null or owner is not null))
"""
_SETTLE = "update seat set seat = -1 - seat where game_id = %s and seat < 0"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A player who sits down, `nonce` being their own value of chance, in hex, and `invited` whether by a link.

    Without a value of their own one is drawn here, and the log says so; and so it does of who was invited. `level` is
    that of a computer player, None of anybody else. A competition has `paired` its players, whoever blocks whom (L-07).
    """

    player: UUID
    nonce: str | None = None
    invited: bool = False
    level: Level | None = None
    paired: bool = False


def create(games: Games, host: UUID, plan: Plan, now: datetime, receipt: Receipt[Position] | None = None) -> Position:
    """Open a game with the host, a player, in seat 0, and return it; UnknownRuleset, BadOption.

    The seed is drawn, and committed to, before anybody else can join. Under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = set_up(db, games, host, plan, now)
        keep(db, receipt, position)
    notify(games, position)
    return position


def join(
    games: Games,
    game: UUID,
    player: UUID,
    now: datetime,
    receipt: Receipt[int] | None = None,
    nonce: str | None = None,
) -> int:
    """Put the player into the lowest free seat and return it; UnknownGame, NotOpen, under a key as `create`."""
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        require_known(db, position, player)
        grow(db, SITTING_DOWN, position, player, now)
        position, seat = take_seat(db, games, position, Newcomer(player, nonce), now)
        keep(db, receipt, seat)
    notify(games, position)
    return seat


def start(games: Games, game: UUID, player: UUID, now: datetime) -> Position:
    """Set the game up and return the first position; only its host may, once all seats are taken.

    The seats are numbered anew in the order of joining. UnknownGame, NotHost, NotOpen.
    """
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, player)
        if len(position.seats) < position.game.seats:
            raise NotOpen("seats-free")
        after = _begin(db, games, position, position.seat_of(player))
    notify(games, after)
    return after


def set_up(
    db: Connection, games: Games, host: UUID, plan: Plan, now: datetime, origin: Mapping[str, Any] | None = None
) -> Position:
    """Write a new game with the host in seat 0, begin it if it is to begin when full, and return it.

    `origin` tells which game it follows (`rematch_of`, or `fork_of` and `fork_seq`), its `competition_id`, or of which
    `deal` it is, by whose seed it is then played.
    """
    chosen = options_of(games, plan)
    terms = plan.terms
    if has_house_rules(games.rulesets[plan.ruleset].meta, chosen):
        terms = replace(terms, rated=False)
    deal = (origin or {}).get("deal")
    game_id, seed = new_id(), secrets.token_bytes(32) if deal is None else daily_deals.seed_of(db, deal)
    commitment = commit(seed)
    row = {"id": game_id, "ruleset": plan.ruleset, "status": "open", "seats": plan.seats, "options": chosen}
    row |= {"host": host, "commitment": commitment, "created_at": now, **(origin or {})}
    db.execute(insert(game_table).values(**row, **asdict(terms)))
    db.execute(insert(seed_table).values(game_id=game_id, seed=seed))
    position = games.open(db, game_id)
    meta = position.ruleset.meta
    opened = GameOpened(
        ruleset=meta.name,
        revision=meta.revision,
        seats=plan.seats,
        options=chosen,
        commitment=commitment,
        format=UNSET if heartbeats.has_older_process(db) else MONOTONE,
    )
    note(db, game_id, 0, opened)
    position, _ = take_seat(db, games, position, Newcomer(host, plan.nonce), now)
    for level in plan.computers:
        position, _ = seat_computer(db, games, position, level, now)
    # Nobody is waited for.
    if plan.computers and position.state is None and len(position.seats) == plan.seats:
        position = _begin(db, games, position, position.seat_of(host))
    return position


def take_seat(
    db: Connection, games: Games, position: Position, newcomer: Newcomer, now: datetime
) -> tuple[Position, int]:
    """Put the newcomer into the lowest free seat of a locked game, begin the game if it is to begin when full.

    Returns the game afterwards, and the player's seat in it; NotOpen, AccountBlocked, and Unavailable if their account
    has gone. Next to a player whom the newcomer blocks, or who blocks the newcomer, UnknownGame, or InvitationOver.
    """
    require_open(position)
    player = newcomer.player
    if position.seat_of(player) is not None:
        raise NotOpen("taken")
    others = () if newcomer.paired else [seat.player_id for seat in position.seats]
    if others and people.is_apart(db, player, others):
        raise InvitationOver if newcomer.invited else UnknownGame(position.game.id)
    free = set(range(position.game.seats)) - {seat.seat for seat in position.seats}
    if not free:
        raise NotOpen("full")
    game, drawn_by = position.game.id, "server" if newcomer.nonce is None else "client"
    nonce = newcomer.nonce or secrets.token_hex(16)
    values = {"game": game, "seat": min(free), "player": player, "now": now, "nonce": nonce, "drawn_by": drawn_by}
    if not db.exec_driver_sql(_TAKE, values).rowcount:
        reason = operation.player_block_reason(db, player)
        raise Unavailable if reason is None else AccountBlocked(reason)
    db.exec_driver_sql(_UNRATED, values)
    note(db, game, min(free), _sat_down(newcomer, commit_nonce(str(game), nonce), drawn_by))
    after = games.open(db, game)
    if len(free) == 1 and after.game.terms.start == "full":
        after = _begin(db, games, after, None)
    seat = after.seat_of(player)
    assert seat is not None  # noqa: S101 # just taken
    return after, seat


def _sat_down(newcomer: Newcomer, nonce: str, drawn_by: str) -> SeatTaken | SeatFilled:
    if newcomer.level is not None:
        return SeatFilled(nonce=nonce, drawn_by=drawn_by, level=newcomer.level)
    return SeatTaken(nonce=nonce, drawn_by=drawn_by, invited=newcomer.invited)


def seat_computer(
    db: Connection, games: Games, position: Position, level: Level, now: datetime
) -> tuple[Position, int]:
    """Give the lowest free seat of a locked, open game to a computer player; returns as `take_seat`.

    NoSuchLevel, NotOpen.
    """
    levels = levels_for(position.ruleset, position.game.seats)
    if level not in levels:
        raise NoSuchLevel(levels)
    player = play.take_computer(db, level, {seat.player_id for seat in position.seats}, now)
    return take_seat(db, games, position, Newcomer(player, level=level), now)


def lock_as_host(db: Connection, games: Games, game: UUID, player: UUID) -> Position:
    """Lock an open game for what only its host may do; UnknownGame, NotHost, NotOpen."""
    position = games.lock(db, game)
    require_known(db, position, player)
    if position.game.host != player:
        raise NotHost
    require_open(position)
    return position


def require_open(position: Position) -> None:
    """Refuse unless the game takes players; NotOpen."""
    status = position.game.status
    if status != "open":
        raise NotOpen("cancelled" if status == "cancelled" else "started")


def notify(games: Games, position: Position) -> None:
    """Keep the committed position in the cache, and wake the processes that wait for events of the game."""
    if position.state is not None:
        games.committed(position)
        games.wake(position)


def _begin(db: Connection, games: Games, position: Position, by: int | None) -> Position:
    game = position.game
    gathered = note(db, game.id, by, StartGiven())
    # A player who came after another had left may have a lower number than the earlier ones.
    if db.exec_driver_sql(_RENUMBER, (game.id, game.id)).rowcount:
        db.exec_driver_sql(_SETTLE, (game.id,))
        position = games.open(db, game.id)
    own = db.exec_driver_sql(_NONCES, (game.id,)).one()
    happened = opening(db, games, position, own.nonces, own.drawn_by, gathered.head.hex() if gathered else "")
    happened += [computer_seated(each.seat, each.computer) for each in position.seats if each.computer is not None]
    if game.deal is not None:
        happened.append(DealSet(day=game.deal.isoformat()))
    if game.terms.pace is not None:
        happened.append(PaceSet(pace=game.terms.pace))
    after, _ = record(db, position, happened, Cause(None, "api", 0), at=gathered and gathered.at)
    return note_absences(db, after, clock.now())
