"""Inspects games in the database: their chain, and every action and event by the rules once more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from msgspec import ValidationError, convert
from sqlalchemy import Connection
from sqlalchemy.exc import DataError

from service.audit.log import Altered, steps
from service.audit.reading import Faulty, read_lines
from service.audit.record import Record, Step
from service.audit.rerun import Rerun
from service.audit.seal import milliseconds, signed_by
from service.rules.kernel import GameStarted
from service.store import seals
from service.store.codec import stored_name
from service.store.games import Games, Position

_SEED = "select seed from seed where game_id = %s"
_CHAINED = """
select exists (select from event where game_id = %(game)s and head is not null)
    or exists (select from seal where game_id = %(game)s)
"""
_SEATS = "select nonce, drawn_by from seat where game_id = %s order by seat"
_SEALED = "select exists (select from seal where game_id = %s)"


class NoChain(Exception):
    """The game began before there was a chain, or has not begun: nothing can be proved of it."""


@dataclass(frozen=True, slots=True)
class Inspected:
    """A game of which all is as it has to be: its record so far, unfinished, and what the rules came to."""

    record: Record
    rerun: Rerun
    version: int


def inspect(db: Connection, games: Games, game_id: UUID) -> Inspected:
    """Check a game's chain, its actions, its events and what they fold to; UnknownGame, Altered, NoChain."""
    try:
        return _inspected(db, games, game_id)
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError, DataError) as error:
        # Whoever may write what they like into the database may write what nobody can read.
        raise Altered(1, f"what is stored of the game makes no sense ({type(error).__name__})") from None


def _inspected(db: Connection, games: Games, game_id: UUID) -> Inspected:
    position = games.unfolded(db, game_id)
    game = position.game
    if game.head is None:
        if db.exec_driver_sql(_CHAINED, {"game": game.id}).scalar_one():
            raise Altered(position.version, "the game's head is missing")
        raise NoChain
    if not position.version:
        raise Altered(1, "it is missing, and all that came after it")
    written = steps(db, game.id, position.version)
    seed = db.exec_driver_sql(_SEED, (game.id,)).scalar()
    if seed is None:
        raise Altered(1, "the seed that it was begun with is missing")
    record = _chained(position, bytes(seed), written)
    rerun = _rerun(position, bytes(seed), record, [step for step, _ in written])
    # Folded anew, up to the version that was read: a game that runs moves on.
    if rerun.folded != games.at_version(db, position, position.version).folded:
        raise Altered(position.version, "the log folds to another state than the rules come to")
    _as_begun(position, record, over=rerun.result()["outcome"] is not None)
    return Inspected(record, rerun, position.version)


def examine(db: Connection, games: Games, game_id: UUID) -> int:
    """Check a game as `inspect` does, and its seal if it has one; return the number of its events."""
    inspected = inspect(db, games, game_id)
    _as_seated(db, games, game_id, inspected.record)
    made, record = seals.seal_of(db, game_id), inspected.record
    if made is None and db.exec_driver_sql(_SEALED, (game_id,)).scalar_one():
        raise Altered(inspected.version, "the key of its seal is missing")
    if made is not None:
        record.close(inspected.rerun.draws, inspected.rerun.result())
        if made.head != record.head:
            raise Altered(inspected.version, "its seal is over another record")
        if not signed_by(made.public, made.head, milliseconds(made.at), made.signature):
            raise Altered(inspected.version, "its seal is not that of the key")
    return inspected.version


def whole_record(db: Connection, games: Games, game_id: UUID) -> Record:
    """Return the record of a finished game, closed but not sealed; UnknownGame, Altered, NoChain."""
    inspected = inspect(db, games, game_id)
    inspected.record.close(inspected.rerun.draws, inspected.rerun.result())
    return inspected.record


def _chained(position: Position, seed: bytes, written: Sequence[tuple[Step, bytes]]) -> Record:
    game = position.game
    last = written[-1][0].last if written else 0
    if last != position.version:
        raise Altered(last + 1, "it is missing")
    name, fields = written[0][0].events[0]
    if name != stored_name(GameStarted):
        raise Altered(1, "it does not begin a game")
    try:
        started = convert(fields, GameStarted)
    except ValidationError:
        raise Altered(1, "its fields are not those of the beginning of a game") from None
    record = Record(str(game.id), seed)
    record.header(started)
    expected = 1
    for step, head in written:
        if step.seq != expected:
            raise Altered(expected, "it is missing")
        record.step(step)
        if record.head != head:
            raise Altered(step.seq, "it does not fit the events before it: it was changed, or one is missing or new")
        expected = step.last + 1
    if record.head.hex() != game.head:
        raise Altered(position.version, "the game's head is another one")
    return record


def _rerun(position: Position, seed: bytes, record: Record, written: Sequence[Step]) -> Rerun:
    try:
        header, *lines = read_lines(record.lines)
        rerun = Rerun(position.ruleset, header, seed)
        rerun.set_up(lines[0])
        for line in lines[1:]:
            rerun.step(line)
    except Faulty as fault:
        raise Altered(written[max(0, fault.line - 2)].seq, fault.wrong) from None
    return rerun


def _as_begun(position: Position, record: Record, *, over: bool) -> None:
    """Refuse a row of the game that says something else than its log."""
    game, header = position.game, json.loads(record.lines[0])
    told = {"ruleset": game.ruleset, "seats": game.seats, "options": game.options, "commitment": game.commitment}
    for name, value in told.items():
        if header[name] != value:
            raise Altered(1, f"the {name} of the game beside its log: another than it began with")
    if game.status != ("finished" if over else "running"):
        raise Altered(position.version, f"the game is said to be {game.status}, and by its log it is not")


def _as_seated(db: Connection, games: Games, game_id: UUID, record: Record) -> None:
    """Refuse seats beside the log whose own values of chance are others than those that the game began with."""
    if games.unfolded(db, game_id).game.origin == "import":
        return
    started = json.loads(record.lines[1])["events"][0]["data"]
    seats = db.exec_driver_sql(_SEATS, (game_id,)).all()
    if started["nonces"] != [seat.nonce for seat in seats] or (
        started.get("drawn_by") and started["drawn_by"] != [seat.drawn_by for seat in seats]
    ):
        raise Altered(1, "the seats' own values of chance are others than those that it began with")
