"""Inspect games in the database: chain, lobby, and every action and event replayed by the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from msgspec import ValidationError, convert
from msgspec.json import decode as from_json
from sqlalchemy import Connection

from service.audit.log import (
    Altered,
    Known,
    NoChain,
    altered_if_unreadable,
    computers_of,
    deal_of,
    known_lobby,
    last_of_lobby,
    lobby_events,
    pace_of,
    require_known_end,
    steps,
)
from service.log.codec import stored_name
from service.log.folding import counted_events
from service.log.recorded import milliseconds
from service.record.canonical import canonical
from service.record.lobby import GameCancelled, GameOpened, Gathering, LobbyEvent, StartGiven, begun, gather
from service.record.reading import Faulty, RulesMissing, never_falling, read_lines
from service.record.record import Record, RecordStep, no_result_line
from service.record.rerun import Rerun
from service.record.seal import signed_by
from service.rules.chance import commit, commit_nonce
from service.rules.kernel import GameStarted
from service.rules.shared_events import GameForked, SeatHandedOver
from service.store import proof
from service.store.events import head_at, rows
from service.store.game_row import GameMoment, GameRow, UnknownGame
from service.store.games import Games, Position
from service.store.proof import ArchiveUnreadable

_SEED = "select seed from seed where game_id = %s"
_CHAINED = """
select exists (select from event where game_id = %(game)s and head is not null)
    or exists (select from seal where game_id = %(game)s)
    or exists (select from archived where game_id = %(game)s)
    or exists (select from game g join lobby_event l on l.game_id = g.id where g.id = %(game)s and g.origin = 'here')
"""
_LOGGED = """
select exists (select from event where game_id = %(game)s) or exists (select from archived where game_id = %(game)s)
"""
_NONCES_BY_SEAT = "select nonce, drawn_by from seat where game_id = %s order by seat"
_AWAITED = "select version, awaited, faces, deadlines from game where id = %s"
_RULESET = "select ruleset from game where id = %s"
_SEALED = "select exists (select from seal where game_id = %s)"


@dataclass(frozen=True, slots=True)
class Inspected:
    """Intact game: its record so far, unfinished, and the result of replaying it."""

    record: Record
    rerun: Rerun
    version: int

    def closed(self) -> Record:
        """Finish the record, except for its seal."""
        self.record.close(self.rerun.draws, self.rerun.result(), self.rerun.asked)
        return self.record


@altered_if_unreadable(1)
def inspect(db: Connection, games: Games, game_id: UUID) -> Inspected:
    """Check a game's chain, actions, events and fold; UnknownGame, Altered, NoChain."""
    position = _unfolded(db, games, game_id)
    game = position.game
    if game.head is None:
        chained: bool = db.exec_driver_sql(_CHAINED, {"game": game.id}).scalar_one()
        if chained or (game.origin == "here" and known_lobby(db, game.id).noted):
            raise Altered(position.version, "the game's head is missing")
        raise NoChain
    if not position.version:
        raise Altered(1, "it is missing, and all that came after it")
    written, lobby = steps(db, game.id, position.version), lobby_events(db, game.id)
    require_known_end(known_lobby(db, game.id), lobby)
    seed = db.exec_driver_sql(_SEED, (game.id,)).scalar()
    if seed is None:
        raise Altered(1, "the seed that it was begun with is missing")
    record = _chained(position, bytes(seed), written, lobby)
    rerun = _rerun(position, bytes(seed), record, [step for step, _ in written], len(lobby))
    # Fold up to the version that was read: a running game moves on.
    if rerun.folded != games.at_version(db, position, position.version).folded:
        raise Altered(position.version, "the log folds to another state than the rules come to")
    _as_begun(position, record, over=rerun.result()["outcome"] is not None)
    if game.origin == "here":
        _as_awaited(db, position, rerun)
        _as_forked(game, rerun.origin)
        _as_taken_over(db, games, rerun.origin, written[0][0])
    return Inspected(record, rerun, position.version)


@altered_if_unreadable(1)
def examine(db: Connection, games: Games, game_id: UUID) -> int:
    """Check a game as `inspect` does, or its lobby if it has not begun, with derived tables and seal.

    Returns the number of its events. UnknownGame, Altered, NoChain; ArchiveUnreadable if the archive does not answer.
    """
    try:
        return _examined(db, games, game_id)
    except ArchiveUnreadable as unreadable:
        if unreadable.lost:
            raise Altered(1, f"its log is in the archive: {unreadable.why}") from unreadable
        raise


def _examined(db: Connection, games: Games, game_id: UUID) -> int:
    position = _unfolded(db, games, game_id)
    if _has_begun(db, position):
        inspected = inspect(db, games, game_id)
        _as_seated(db, position, inspected.record)
        _as_sealed(db, game_id, inspected.version, inspected.closed)
        return inspected.version
    lobby = inspect_lobby(db, games, game_id)
    _as_sealed(db, game_id, 0, lambda: _called_off(lobby))
    return 0


@altered_if_unreadable(1)
def whole_record(db: Connection, games: Games, game_id: UUID) -> Record:
    """Return the record of a finished or cancelled game, closed but not sealed; UnknownGame, Altered, NoChain."""
    position = _unfolded(db, games, game_id)
    if _has_begun(db, position):
        return inspect(db, games, game_id).closed()
    return _called_off(inspect_lobby(db, games, game_id))


def _unfolded(db: Connection, games: Games, game_id: UUID) -> Position:
    """Return the game without reading events; UnknownGame, RulesMissing, Altered."""
    try:
        return games.unfolded(db, game_id)
    except RulesMissing:
        begun = [from_json(row.data).get("ruleset") for row in rows(db, game_id, 1)]
        if begun not in ([], [db.exec_driver_sql(_RULESET, (game_id,)).scalar()]):
            raise Altered(1, "the ruleset of the game beside its log: another than it began with") from None
        raise


def _has_begun(db: Connection, position: Position) -> bool:
    """Return whether a game has more than its lobby, whatever its row says."""
    game = position.game
    if position.version or game.head is not None or game.status not in ("open", "cancelled"):
        return True
    return bool(db.exec_driver_sql(_LOGGED, {"game": game.id}).scalar_one())


def _called_off(record: Record) -> Record:
    record.close((), no_result_line())
    return record


def _chained(
    position: Position,
    seed: bytes,
    written: Sequence[tuple[RecordStep, bytes]],
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
        started, setup = convert(fields, GameStarted), written[0][0].events
        beside = pace_of(setup), computers_of(setup), deal_of(setup)
    except ValidationError:
        raise Altered(1, "its fields are not those of the beginning of a game") from None
    record = Record(str(game.id), seed)
    record.header(started, *beside)
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


def _rerun(position: Position, seed: bytes, record: Record, written: Sequence[RecordStep], lobby: int) -> Rerun:
    """Replay the written lines by the rules, after a lobby of `lobby` events; Altered."""
    try:
        header, *lines = read = read_lines(record.lines)
        never_falling(read)
        if lobby:
            begun(gather(lines[:lobby]), header, lines[lobby])
        rerun = Rerun(position.ruleset, header, seed)
        rerun.set_up(lines[lobby])
        for line in lines[lobby + 1 :]:
            rerun.step(line)
    except Faulty as fault:
        if 1 < fault.line < 2 + lobby:
            raise in_lobby(fault, lobby) from None
        raise Altered(written[max(0, fault.line - 2 - lobby)].seq, fault.wrong) from None
    return rerun


def _as_begun(position: Position, record: Record, *, over: bool) -> None:
    """Raise Altered if the game's row contradicts its log."""
    game, header = position.game, json.loads(record.lines[0])
    told = {"ruleset": game.ruleset, "seats": game.seats, "options": game.options, "commitment": game.commitment}
    for name, value in told.items():
        if header[name] != value:
            raise Altered(1, f"the {name} of the game beside its log: another than it began with")
    if game.origin == "here" and header.get("deal") != (game.deal and game.deal.isoformat()):
        raise Altered(1, "the deal of the game beside its log: another than it began with")
    if game.status != ("finished" if over else "running"):
        raise Altered(position.version, f"the game is said to be {game.status}, and by its log it is not")


def _as_awaited(db: Connection, position: Position, rerun: Rerun) -> None:
    """Raise Altered if the game's row awaits other seats, or faces another decision, than the log."""
    now: Any = db.exec_driver_sql(_AWAITED, (position.game.id,)).one()
    due = position.at(position.version, rerun.folded)
    # A running game may have moved on; a game from before these columns has none.
    if now.version != position.version or now.faces is None:
        return
    awaited = sorted(due.awaited)
    if (sorted(now.awaited), now.faces) != (awaited, due.decision):
        raise Altered(position.version, "the game awaits others than those whose turn it is, or another decision")
    clocks = due.clocks
    deadlines = [] if clocks is None else [clocks.deadline(seat) for seat in awaited]
    if [each and milliseconds(each) for each in now.deadlines] != deadlines:
        raise Altered(position.version, "the game says other deadlines than its log")


def _as_forked(game: GameRow, forked: GameForked | None) -> None:
    """Raise Altered if the row's origin of a forked game differs from the log's."""
    if game.forked_from != (None if forked is None else GameMoment(UUID(forked.game), forked.seq)):
        raise Altered(2, "it goes on from another game, or another event of it, than its row says")


def _as_taken_over(db: Connection, games: Games, forked: GameForked | None, setup: RecordStep) -> None:
    """Raise Altered if a fork took over events that its origin never had, or that did not count there."""
    if forked is None:
        return
    try:
        origin = games.open(db, UUID(forked.game))
    except UnknownGame:
        raise Altered(2, f"game {forked.game}, from which it goes on, is missing") from None
    head = head_at(db, origin.game.id, forked.seq)
    happened = counted_events(games.timeline(db, origin), forked.seq)
    expected = [[stored_name(type(each.event)), each.event] for each in happened]
    taken_over = setup.events[2 : len(setup.events) - (pace_of(setup.events) is not None)]
    if (head and head.hex()) != forked.head or canonical(expected) != canonical(taken_over):
        raise Altered(2, f"game {forked.game} had other events than it goes on from, or another head after them")


def _as_seated(db: Connection, position: Position, record: Record) -> None:
    """Raise Altered if the seats' nonces differ from those at the beginning of the game.

    Likewise for seats handed over without a former player, and the reverse.
    """
    if position.game.origin == "import":
        return
    setup, *later = [line for line in map(json.loads, record.lines) if line["kind"] == "step"]
    known = {(each.seat, each.until) for each in position.former}
    handed_over = {
        (line["seat"], line["seq"]) for line in later if line["events"][0]["type"] == stored_name(SeatHandedOver)
    }
    for _, seq in sorted(handed_over - known):
        raise Altered(seq, "the player who has left the seat is missing")
    for _, seq in sorted(known - handed_over):
        raise Altered(seq, "a player is said to have left a seat with it, and it hands that seat to nobody")
    started = setup["events"][0]["data"]
    seats = db.exec_driver_sql(_NONCES_BY_SEAT, (position.game.id,)).all()
    if started["nonces"] != [seat.nonce for seat in seats] or (
        started.get("drawn_by") and started["drawn_by"] != [seat.drawn_by for seat in seats]
    ):
        raise Altered(1, "the seats' own values of chance are others than those that it began with")


def _as_sealed(db: Connection, game_id: UUID, version: int, closed: Callable[[], Record]) -> None:
    """Raise Altered if a seal is not the key's, or seals another record than this one, once closed."""
    made = proof.seal_of(db, game_id)
    if made is None:
        if db.exec_driver_sql(_SEALED, (game_id,)).scalar_one():
            raise Altered(version, "the key of its seal is missing")
        return
    if made.head != closed().head:
        raise Altered(version, "its seal is over another record")
    if not signed_by(made.public, made.head, milliseconds(made.at), made.signature):
        raise Altered(version, "its seal is not that of the key")


# Lobbies: their chain, and the seats that follow from their events.

_LOBBY_SEED = "select seed from seed where game_id = %s"
_SEATS_BY_ARRIVAL = "select seat, nonce, drawn_by from seat where game_id = %s order by arrival"
_STATUS = {type(None): "open", GameCancelled: "cancelled", StartGiven: "running"}
Happenings = Sequence[tuple[LobbyEvent, bytes]]
"""Events of a lobby, each with its head."""


@altered_if_unreadable(0)
def inspect_lobby(db: Connection, games: Games, game_id: UUID) -> Record:
    """Return the record so far of a game that has not begun; UnknownGame, Altered, NoChain."""
    game, happened, seats, known = _at_a_moment(db, games, game_id)
    require_known_end(known, happened)
    if not happened:
        raise NoChain
    seed = db.exec_driver_sql(_LOBBY_SEED, (game_id,)).scalar()
    if seed is None:
        raise Altered(0, "the seed that was committed to when the game was opened is missing")
    record = Record(str(game_id), bytes(seed))
    record.header(_as_opened(happened))
    chain_lobby(record, happened, happened[-1][1].hex())
    try:
        lines = read_lines(record.lines)
        found = gather(lines[1:])
        never_falling(lines)
    except Faulty as fault:
        raise in_lobby(fault, len(happened)) from None
    if found.opened is None or {commit(bytes(seed)), found.opened.commitment} != {game.commitment}:
        raise Altered(0, "the seed is not the one that was committed to when the game was opened")
    _as_stored(found, found.opened, game, seats)
    return record


def chain_lobby(record: Record, happened: Happenings, promised: str) -> None:
    """Write the events of a lobby into a record; `promised` is the last head, in hex, "" for none; Altered."""
    for number, (event, head) in enumerate(happened, 1):
        record.lobby(event)
        if event.seq != number or record.lobby_head != head:
            raise Altered(0, f"event {number} of the lobby does not fit those before it: it was changed, or is missing")
    if promised != (record.lobby_head.hex() if happened else ""):
        raise Altered(0, "the lobby ended otherwise than the game began: events of it are missing, or were changed")


def in_lobby(fault: Faulty, length: int) -> Altered:
    """Convert a fault in a lobby's lines, which follow the header, to Altered."""
    return Altered(0, f"event {max(1, min(fault.line - 1, length))} of the lobby: {fault.wrong}")


def _at_a_moment(db: Connection, games: Games, game_id: UUID) -> tuple[GameRow, Happenings, Sequence[Any], Known]:
    """Return a consistent snapshot: the game, the events of its lobby, its seats, and the known end of the lobby."""
    while True:
        happened = lobby_events(db, game_id)
        game, seats = games.unfolded(db, game_id).game, db.exec_driver_sql(_SEATS_BY_ARRIVAL, (game_id,)).all()
        known, last = known_lobby(db, game_id), last_of_lobby(db, game_id)
        if (last and last[:2]) == ((happened[-1][0].seq, happened[-1][1]) if happened else None):
            return game, happened, seats, known


def _as_opened(happened: Happenings) -> GameStarted:
    """Return the beginning of a game according to its lobby, for the header of its record."""
    try:
        opened = convert(happened[0][0].data, GameOpened)
    except ValidationError:
        raise Altered(0, "event 1 of the lobby does not open a game") from None
    return GameStarted(
        ruleset=opened.ruleset,
        revision=opened.revision,
        seats=opened.seats,
        options=opened.options,
        commitment=opened.commitment,
        nonces=(),
        lobby=happened[-1][1].hex(),
        format=opened.format,
    )


def _as_stored(found: Gathering, opened: GameOpened, game: GameRow, seats: Sequence[Any]) -> None:
    if game.status != _STATUS[type(found.last)]:
        raise Altered(0, f"the game is {game.status}, and by what happened in the lobby it is not")
    if (opened.ruleset, opened.seats, opened.options) != (game.ruleset, game.seats, game.options):
        raise Altered(0, "the rules, seats or options of the game beside its lobby are others than it was opened with")
    # A player who was alone and has deleted the account leaves no seat.
    if game.status == "open":
        there = [(row.seat, commit_nonce(str(game.id), row.nonce), row.drawn_by) for row in seats]
        if there != [(seat, taken.nonce, taken.drawn_by) for seat, taken in found.present.items()]:
            raise Altered(0, "others sit at the table than what happened in the lobby tells, or with other values")
