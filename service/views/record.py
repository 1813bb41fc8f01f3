"""Record of a game: whole and sealed after its end, and one viewer's view at any time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import Connection

from service.audit.inspect import whole_record
from service.audit.log import Altered
from service.log.recorded import Recorded, milliseconds
from service.record.canonical import canonical
from service.record.record import header_line, seal_line
from service.rules.shared_events import ComputerSeated, DealSet
from service.rules.tabletop.story import shown_actor
from service.store import events, proof
from service.store.games import Games, Position
from service.store.proof import ArchiveUnreadable
from service.views.history import known_door, redacted

_MINE = """
select g.id from seat s join game g on g.id = s.game_id
where s.player_id = %(player)s and g.id > %(after)s and (g.deal is null or g.deal < %(today)s)
  and (g.status = 'finished' and g.head is not null
  or g.status = 'cancelled' and exists (select from lobby_event l where l.game_id = g.id))
order by g.id limit %(limit)s
"""
_NIL = UUID(int=0)
log = structlog.get_logger()


def record_text(db: Connection, games: Games, game: UUID) -> bytes:
    """Return the record of a finished or cancelled game, with its seal if any; UnknownGame, Altered, NoChain."""
    record = whole_record(db, games, game)
    made = proof.seal_of(db, game)
    if made is not None:
        record.sealed(seal_line(made.head, made.at, made.public, made.signature))
    return record.text()


def records_of(
    db: Connection, games: Games, player: UUID, after: UUID | None, limit: int, now: datetime
) -> Iterator[bytes]:
    """Yield the records of at most `limit` finished or cancelled games of a player, oldest first, after `after`.

    Daily deals are omitted until their day is over. An altered game is omitted, and logged.
    """
    wanted = {"player": player, "after": after or _NIL, "today": now.astimezone(UTC).date()}
    listed = db.exec_driver_sql(_MINE, {**wanted, "limit": limit})
    found: Sequence[UUID] = listed.scalars().all()
    for game in found:
        try:
            yield record_text(db, games, game)
        except Altered as altered:
            log.error("a game was altered and has no record", game=str(game), seq=altered.seq)
        except ArchiveUnreadable as unreadable:
            # A lost record is omitted as well; an archive that does not answer is an error.
            if not unreadable.lost:
                raise


def view_text(db: Connection, position: Position, viewer: int | None) -> bytes:
    """Return the steps of a begun game for a seat or a spectator (None), one JSON line each.

    Each line has the head of the hash chain after its step; other seats' actions and doors are omitted.
    """
    return b"".join(canonical(line) + b"\n" for line in _view(db, position, viewer))


def _computers(log: Sequence[Recorded]) -> Sequence[ComputerSeated]:
    """Return the computer players that the game began with."""
    return [each.event for each in log if each.seat is None and isinstance(each.event, ComputerSeated)]


def _view(db: Connection, position: Position, viewer: int | None) -> Iterator[dict[str, Any]]:
    game = position.game
    log = events.read(db, position.codec, game.id, 0, position.version)
    deal = next((each.event.day for each in log if isinstance(each.event, DealSet)), None)
    header = header_line(str(game.id), log[0].event, game.terms.pace, _computers(log), deal)
    yield header | {"kind": "view", "viewer": viewer}
    heads = {seq: head.hex() for seq, head in events.heads(db, game.id, position.version).items()}
    begins = 1

    def begin_of(seq: int) -> int:
        nonlocal begins
        begins = seq if seq in heads else begins
        return begins

    for seq, together in groupby(log, lambda each: begin_of(each.seq)):
        step = list(together)
        first = step[0]
        yield {
            "kind": "view-step",
            "seq": seq,
            "at": milliseconds(first.at),
            "seat": shown_actor(redacted(position, first.event, viewer), first.seat),
            "door": known_door(position, first, viewer),
            "decision": first.decision,
            "action": first.action if first.seat == viewer else None,
            "events": [{"type": each.name, "data": redacted(position, each.event, viewer)} for each in step],
            "head": heads.get(seq),
        }
