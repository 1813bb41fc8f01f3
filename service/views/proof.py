"""Proof of a game: head, seed and nonces, lobby events, seal, and the seal's path in its day's tree."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection

from service.audit.log import lobby_events
from service.record.lobby import LobbyEvent, lobby_line
from service.record.merkle import leaf, path
from service.record.record import seal_line
from service.record.seal import PublicKey
from service.store.games import Position
from service.store.proof import DayRow, SealRow, closed_day, closed_days, leaves_on, seal_keys, seal_of

_SEATS = "select seat, drawn_by, nonce from seat where game_id = %s order by seat"
_SEED = "select encode(seed, 'hex') from seed where game_id = %s"

View = dict[str, Any]


def proof(db: Connection, position: Position, now: datetime) -> View:
    """Return the proof of a game for its viewers; seed and nonces only after the end.

    For a daily deal they stay secret until its day is over, too.
    """
    game = position.game
    over = game.status in ("finished", "cancelled") and not game.sealed_up(now)
    made = seal_of(db, game.id)
    own = db.exec_driver_sql(_SEATS, (game.id,))
    return {
        "game": str(game.id),
        "origin": game.origin,
        "version": position.version,
        "head": game.head,
        "commitment": game.commitment,
        "seed": db.exec_driver_sql(_SEED, (game.id,)).scalar_one() if over else None,
        "seats": [{"seat": row.seat, "drawn_by": row.drawn_by, "nonce": row.nonce if over else None} for row in own],
        "lobby": [_happened(event, head) for event, head in lobby_events(db, game.id)],
        "seal": None if made is None else _seal(made),
        "day": None if made is None else _inclusion(db, game.id, made),
    }


def published_keys(db: Connection) -> View:
    """Return every key that has ever sealed a record, in the form of `boardroom verify --keys`."""
    return {"keys": [PublicKey(key.id, key.public, key.since, key.until).published() for key in seal_keys(db)]}


def days(db: Connection, after: date | None, limit: int) -> list[View]:
    """Return at most `limit` days with their roots, newest first, before the day `after`."""
    return [_day(each) for each in closed_days(db, after, limit)]


def _happened(event: LobbyEvent, head: bytes) -> View:
    line = {name: value for name, value in lobby_line(event).items() if name != "kind"}
    return line | {"at": event.at.isoformat(), "head": head.hex()}


def _seal(made: SealRow) -> View:
    line = seal_line(made.head, made.at, made.public, made.signature)
    return {name: value for name, value in line.items() if name != "kind"} | {"at": made.at.isoformat()}


def _inclusion(db: Connection, game: UUID, made: SealRow) -> View | None:
    closed = closed_day(db, made.at.astimezone(UTC).date())
    if closed is None:
        return None
    return way_to_root(db, closed, game)


def way_to_root(db: Connection, closed: DayRow, sealed: UUID | date) -> View:
    """Return the day with its root, and the path from a game's seal or a day's deal to the root."""
    on = leaves_on(db, closed.day)
    index = [each for each, _ in on].index(sealed)
    steps = path([leaf(signature) for _, signature in on], index)
    return _day(closed) | {"index": index, "path": [step.hex() for step in steps]}


def _day(closed: DayRow) -> View:
    return {"day": closed.day.isoformat(), "root": closed.root.hex(), "count": closed.count}
