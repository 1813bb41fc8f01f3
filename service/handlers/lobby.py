"""Before the game: it is created, joined and started."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, insert

from service.handlers.record import SealedChance, record
from service.handlers.refusals import BadOption, NotHost, NotOpen, UnknownRuleset
from service.handlers.transaction import transaction
from service.rules.chance import commit
from service.rules.kernel import Meta, Option, begin
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.tables import game as game_table
from service.store.tables import seat as seat_table
from service.store.tables import seed as seed_table

_NONCES = "select array_agg(nonce order by seat) from seat where game_id = %s"


def create(games: Games, host: UUID, ruleset: str, seats: int, options: Mapping[str, Any], now: datetime) -> UUID:
    """Open a game with the host, a player, in seat 0, and return its id; UnknownRuleset, BadOption.

    Options left out take their defaults. The seed is drawn, and committed to, before anybody else can join.
    """
    if ruleset not in games.rulesets:
        raise UnknownRuleset(ruleset)
    meta = games.rulesets[ruleset].meta
    chosen = _options(meta, seats, options)
    game_id, seed = _new_id(), secrets.token_bytes(32)
    row = {"id": game_id, "ruleset": ruleset, "status": "open", "seats": seats, "options": chosen, "host": host}
    with transaction(games.engine) as db:
        db.execute(insert(game_table).values(**row, commitment=commit(seed), created_at=now))
        db.execute(insert(seed_table).values(game_id=game_id, seed=seed))
        _sit(db, game_id, 0, host, now)
    return game_id


def join(games: Games, game: UUID, player: UUID, now: datetime) -> int:
    """Put the player into the lowest free seat and return it; UnknownGame, NotOpen."""
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        if position.game.status != "open":
            raise NotOpen("started")
        if any(seat.player_id == player for seat in position.seats):
            raise NotOpen("taken")
        free = set(range(position.game.seats)) - {seat.seat for seat in position.seats}
        if not free:
            raise NotOpen("full")
        _sit(db, game, min(free), player, now)
    return min(free)


def start(games: Games, game: UUID, player: UUID, now: datetime) -> Position:
    """Set the game up and return the first position; only its host may, once all seats are taken.

    UnknownGame, NotHost, NotOpen.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        if position.game.host != player:
            raise NotHost
        if position.game.status != "open":
            raise NotOpen("started")
        if len(position.seats) < position.game.seats:
            raise NotOpen("seats-free")
        row = position.game
        nonces: list[str] = db.exec_driver_sql(_NONCES, (game,)).scalar_one()
        chance = SealedChance(db, position)
        happened = begin(position.ruleset, row.seats, row.options, chance, row.commitment, nonces)
        after, _ = record(db, position, happened, Cause(None, "api", 0))
    games.committed(after)
    games.wake(after)
    return after


def _sit(db: Connection, game: UUID, seat: int, player: UUID, now: datetime) -> None:
    values = {"game_id": game, "seat": seat, "player_id": player, "nonce": secrets.token_hex(16), "joined_at": now}
    db.execute(insert(seat_table).values(**values))


def _options(meta: Meta, seats: int, chosen: Mapping[str, Any]) -> dict[str, Any]:
    if seats not in meta.seats:
        raise BadOption("seats")
    offered = {option.name: option for option in meta.options}
    for name, value in chosen.items():
        if name not in offered or not _allows(offered[name], value, seats):
            raise BadOption(name)
    return {name: option.default for name, option in offered.items()} | dict(chosen)


def _allows(option: Option, value: Any, seats: int) -> bool:
    if option.type == "boolean":
        return isinstance(value, bool)
    if value is None:
        return option.default is None
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < seats


def _new_id() -> UUID:
    """Return a UUID of version 7: 48 bits of Unix milliseconds, then chance, so that new games lie side by side."""
    moment = (time.time_ns() // 1_000_000).to_bytes(6, "big")
    value = int.from_bytes(moment + os.urandom(10), "big")
    value = value & ~(0xF000 << 64) | 0x7000 << 64
    value = value & ~(0xC000 << 48) | 0x8000 << 48
    return UUID(int=value)
