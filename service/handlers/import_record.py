"""Import of a record as a finished, public game marked as imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, insert
from sqlalchemy.dialects.postgresql import insert as insert_unless

from service.audit.log import add_to_lobby
from service.handlers.transaction import transaction
from service.log.chain import NO_HEAD, chain_key, link, salt
from service.record.canonical import canonical
from service.record.lobby import LobbyEvent
from service.record.origin import game_id
from service.record.reading import RecordLine
from service.store.events import Cause, Entry, append
from service.store.games import Games
from service.store.tables import game as game_table
from service.store.tables import player as player_table
from service.store.tables import seed as seed_table
from service.texts.names import DEFAULT_LANGUAGE

KEEPER = UUID(int=0)
"""Host account of imported games; nobody can sign in to it."""
_THERE = "select true from game where id = %s"
_LATEST = 2**42
"""Limit of times, in milliseconds: the year 2109."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def obstacle(lines: Sequence[RecordLine]) -> str | None:
    """Return the reason why a verified record cannot be imported, None if it can."""
    if lines_of(lines, "result")[0].fields["outcome"] is None:
        return "the game is not over"
    for line in (*lines_of(lines, "lobby"), *lines_of(lines, "step")):
        if not 0 <= line.fields["at"] < _LATEST:
            return f"line {line.number}: its moment is none of our time"
    return None


def lines_of(lines: Sequence[RecordLine], kind: str) -> list[RecordLine]:
    return [line for line in lines if line.kind == kind]


def import_record(games: Games, lines: Sequence[RecordLine]) -> tuple[UUID, bool]:
    """Write a verified record's game to the log; return its id, and whether it is new here.

    A game whose id was not issued in our form gets no hash chain, since the chain covers the id.
    """
    header = lines[0].fields
    seed = bytes.fromhex(lines_of(lines, "reveal")[0].fields["seed"])
    game, steps = game_id(header["game"]), lines_of(lines, "step")
    with transaction(games.engine) as db:
        if db.exec_driver_sql(_THERE, (game,)).first():
            return game, False
        _set_up(db, game, header, _moment(steps[0]))
        db.execute(insert(seed_table).values(game_id=game, seed=seed))
        reached = NO_HEAD
        for line in lines_of(lines, "lobby"):
            reached = link(reached, b"", line.body)
            add_to_lobby(db, game, _happened(line), reached)
        key = chain_key(seed, header["game"])
        head = link(NO_HEAD, salt(key, 0), lines[0].body)
        for step in steps:
            head = link(head, salt(key, step.last), step.body)
            status = "finished" if step is steps[-1] else "running"
            append(db, _entry(game, step, head if str(game) == header["game"] else None, status))
    return game, True


def _set_up(db: Connection, game: UUID, header: Mapping[str, Any], at: datetime) -> None:
    keeper = {"id": KEEPER, "name": "Boardroom", "language": DEFAULT_LANGUAGE, "created_at": at, "deleted_at": at}
    db.execute(insert_unless(player_table).values(keeper).on_conflict_do_nothing())
    row = {"id": game, "ruleset": header["ruleset"], "status": "running", "seats": header["seats"], "host": KEEPER}
    row |= {"options": header["options"], "commitment": header["commitment"], "created_at": at}
    db.execute(insert(game_table).values(**row, access="public", spectators=True, origin="import"))


def _entry(game: UUID, step: RecordLine, head: bytes | None, status: str) -> Entry:
    fields = step.fields
    return Entry(
        game=game,
        version=fields["seq"] - 1,
        events=[(each["type"], canonical(each["data"]).decode()) for each in fields["events"]],
        cause=Cause(fields["seat"], fields["door"], fields["decision"], fields["action"]),
        at=_moment(step),
        head=head,
        status=status,
    )


def _happened(line: RecordLine) -> LobbyEvent:
    fields = line.fields
    event = fields["event"]
    return LobbyEvent(fields["seq"], _moment(line), fields["seat"], event["type"], event["data"])


def _moment(line: RecordLine) -> datetime:
    # Whole milliseconds: a float of seconds would not always round-trip.
    return _EPOCH + timedelta(milliseconds=line.fields["at"])
