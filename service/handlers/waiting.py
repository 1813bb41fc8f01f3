"""Rebuilds from the log which seats each game awaits; appends keep this up to date otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from uuid import UUID

from sqlalchemy import Connection, select, update

from service.handlers.transaction import transaction
from service.log.folding import folds
from service.log.recorded import instant
from service.record.reading import RulesMissing
from service.store import events, pace
from service.store.games import Games, Position
from service.store.tables import game as game_table


def restore_all(games: Games) -> int:
    """Work it out for every game that has begun, one at a time while the games go on, and return how many there are.

    A game whose rules are not installed is left as it is.
    """
    with transaction(games.engine) as db:
        begun: list[UUID] = [row.id for row in db.execute(select(game_table.c.id).where(game_table.c.version > 0))]
    restored = 0
    for game in begun:
        with suppress(RulesMissing):
            restore(games, game)
            restored += 1
    return restored


def restore(games: Games, game: UUID) -> None:
    """Work out for a game who is awaited, since when, and until when; UnknownGame.

    Each deadline gets a lapse of its own, as versions want it that know of no timers.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        faces, since = _faced(db, position)
        awaited = sorted(position.awaited)
        known = {"awaited": awaited, "faces": faces, "since": since, "deadlines": deadlines(position, awaited)}
        db.execute(update(game_table).where(game_table.c.id == game).values(**known))
        pace.reset_timers(db, [game], until=datetime.max.replace(tzinfo=UTC))


def deadlines(position: Position, awaited: Sequence[int]) -> list[datetime | None]:
    """Return the deadlines of the awaited seats, None for one whose time does not run; empty without a clock."""
    clocks = position.clocks
    due = [] if clocks is None else [clocks.deadline(seat) for seat in awaited]
    return [None if at is None else instant(at) for at in due]


def _faced(db: Connection, position: Position) -> tuple[int | None, datetime | None]:
    """Return the number of the decision that the game is at, and since when."""
    faces, since = None, None
    recorded = events.read(db, position.codec, position.game.id)
    told = zip(recorded, folds(position.ruleset, (each.event for each in recorded)), strict=True)
    # What was appended together has one moment, and what stands between its events is no position of the game.
    for at, appended in groupby(told, lambda each: each[0].at):
        *_, (_, folded) = appended
        decision = position.at(position.version, folded).decision
        if decision != faces:
            faces, since = decision, at
    return faces, since
