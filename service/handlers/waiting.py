"""Works out anew from the log who is awaited, which each append otherwise keeps up to date."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from uuid import UUID

from sqlalchemy import Connection, delete, insert, select

from service.handlers.transaction import transaction
from service.store import events
from service.store.folding import NOTHING, fold_log
from service.store.games import Games, Position
from service.store.tables import game as game_table
from service.store.tables import waiting


def restore_all(games: Games) -> int:
    """Work it out for every game that has begun, one at a time while the games go on, and return how many there are."""
    with transaction(games.engine) as db:
        begun: list[UUID] = [row.id for row in db.execute(select(game_table.c.id).where(game_table.c.version > 0))]
    for game in begun:
        restore(games, game)
    return len(begun)


def restore(games: Games, game: UUID) -> None:
    """Work out for a game who is awaited, and since when; UnknownGame."""
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        awaited = _awaited(db, position)
        db.execute(delete(waiting).where(waiting.c.game_id == game))
        for seat, (decision, since) in awaited.items():
            db.execute(insert(waiting).values(game_id=game, seat=seat, decision=decision, since=since))


def _awaited(db: Connection, position: Position) -> dict[int, tuple[int, datetime]]:
    """Return by seat the decision that it faces, and since when."""
    folded, found = NOTHING, dict[int, tuple[int, datetime]]()
    # What was appended together has one moment.
    for at, appended in groupby(events.read(db, position.codec, position.game.id), lambda each: each.at):
        folded = fold_log(position.ruleset, (each.event for each in appended), folded)
        then = position.at(position.version, folded)
        decision = then.ruleset.decision(then.state)
        found = {
            seat: found[seat] if seat in found and found[seat][0] == decision else (decision, at)
            for seat in then.awaited
        }
    return found
