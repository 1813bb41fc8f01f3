"""Inspects games in the database: their chain, their lobby, and every action and event by the rules once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from msgspec import ValidationError, convert
from sqlalchemy import Connection

from service.audit.inspect_lobby import chain_lobby, ended_well, inspect_lobby
from service.audit.lobby import LobbyEvent, begun
from service.audit.lobby_log import lobby_events
from service.audit.log import Altered, NoChain, steps
from service.audit.reading import Faulty, read_lines
from service.audit.record import Record, Step, no_result_line
from service.audit.rerun import Rerun
from service.audit.seal import milliseconds, signed_by
from service.rules.kernel import GameStarted
from service.store import seals
from service.store.codec import stored_name
from service.store.games import Games, Position

_SEED = "select seed from seed where game_id = %s"


@dataclass(frozen=True, slots=True)
class Inspected:
    """A game of which all is as it has to be: its record so far, unfinished, and what the rules came to."""

    record: Record
    rerun: Rerun
    version: int


def inspect(db: Connection, games: Games, game_id: UUID) -> Inspected:
    """Check a game's chain, its actions, its events and what they fold to; UnknownGame, Altered, NoChain."""
    position = games.unfolded(db, game_id)
    game = position.game
    if game.head is None:
        raise NoChain
    written, lobby = steps(db, game.id, position.version), lobby_events(db, game.id)
    seed: bytes = bytes(db.exec_driver_sql(_SEED, (game.id,)).scalar_one())
    record = _chained(position, seed, written, lobby)
    rerun = _rerun(position, seed, record, [step for step, _ in written])
    # Folded anew, up to the version that was read: a game that runs moves on.
    if rerun.folded != games.at_version(db, position, position.version).folded:
        raise Altered(position.version, "the log folds to another state than the rules come to")
    return Inspected(record, rerun, position.version)


def examine(db: Connection, games: Games, game_id: UUID) -> int:
    """Check a game as `inspect` does, or its lobby if it has not begun, and its seal if it has one.

    Returns the number of its events. UnknownGame, Altered, NoChain.
    """
    game = games.unfolded(db, game_id).game
    if game.status == "open":
        inspect_lobby(db, games, game_id)
        return 0
    made = seals.seal_of(db, game_id)
    if made is None and game.status == "running":
        return inspect(db, games, game_id).version
    record = whole_record(db, games, game_id)
    if made is not None and made.head != record.head:
        raise Altered(game.version, "its seal is over another record")
    if made is not None and not signed_by(made.public, made.head, milliseconds(made.at), made.signature):
        raise Altered(game.version, "its seal is not that of the key")
    return game.version


def whole_record(db: Connection, games: Games, game_id: UUID) -> Record:
    """Return the record of a game that is over or called off, closed but not sealed; UnknownGame, Altered, NoChain."""
    if games.unfolded(db, game_id).game.status == "cancelled":
        record = inspect_lobby(db, games, game_id)
        record.close((), no_result_line())
        return record
    inspected = inspect(db, games, game_id)
    inspected.record.close(inspected.rerun.draws, inspected.rerun.result())
    return inspected.record


def _chained(
    position: Position,
    seed: bytes,
    written: Sequence[tuple[Step, bytes]],
    lobby: Sequence[tuple[LobbyEvent, bytes]],
) -> Record:
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
    chain_lobby(record, lobby, started.lobby)
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
    header, *lines = read_lines(record.lines)
    gathered = [line for line in lines if line.kind == "lobby"]
    lines = lines[len(gathered) :]
    if gathered:
        ended_well(header, gathered, lambda found: begun(found, header, lines[0]))
    rerun = Rerun(position.ruleset, header, seed)
    try:
        rerun.set_up(lines[0])
        for line in lines[1:]:
            rerun.step(line)
    except Faulty as fault:
        raise Altered(written[max(0, fault.line - 2 - len(gathered))].seq, fault.wrong) from None
    return rerun
