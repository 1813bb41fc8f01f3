"""Inspects the lobbies of games in the database: their chain, and who sits there by what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import ValidationError, convert
from sqlalchemy import Connection

from service.audit.lobby_log import Known, known_lobby, last_of_lobby, lobby_events, require_whole
from service.audit.log import Altered, NoChain, making_sense
from service.record.lobby import GameCancelled, GameOpened, Gathering, LobbyEvent, StartGiven, gather
from service.record.reading import Faulty, never_falling, read_lines
from service.record.record import Record
from service.rules.chance import commit, commit_nonce
from service.rules.kernel import GameStarted
from service.store.game_row import GameRow
from service.store.games import Games

_SEED = "select seed from seed where game_id = %s"
_SEATS = "select seat, nonce, drawn_by from seat where game_id = %s order by arrival"
_STATUS = {type(None): "open", GameCancelled: "cancelled", StartGiven: "running"}
Happenings = Sequence[tuple[LobbyEvent, bytes]]
"""What has happened in a lobby, each with its head."""


@making_sense(0)
def inspect_lobby(db: Connection, games: Games, game_id: UUID) -> Record:
    """Return the record of a game that has not begun, so far; UnknownGame, Altered, NoChain."""
    game, happened, seats, known = _at_a_moment(db, games, game_id)
    require_whole(known, happened)
    if not happened:
        raise NoChain
    seed = db.exec_driver_sql(_SEED, (game_id,)).scalar()
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
    """Write what happened in a lobby into a record; `promised` is the last head, in hex, "" for none; Altered."""
    for number, (event, head) in enumerate(happened, 1):
        record.lobby(event)
        if event.seq != number or record.lobby_head != head:
            raise Altered(0, f"event {number} of the lobby does not fit those before it: it was changed, or is missing")
    if promised != (record.lobby_head.hex() if happened else ""):
        raise Altered(0, "the lobby ended otherwise than the game began: events of it are missing, or were changed")


def in_lobby(fault: Faulty, length: int) -> Altered:
    """Return what is wrong with one of the lines of a lobby, which stand after the header."""
    return Altered(0, f"event {max(1, min(fault.line - 1, length))} of the lobby: {fault.wrong}")


def _at_a_moment(db: Connection, games: Games, game_id: UUID) -> tuple[GameRow, Happenings, Sequence[Any], Known]:
    """Return the game, what has happened at its table, its seats, and what is known beside: nothing came in between."""
    while True:
        happened = lobby_events(db, game_id)
        game, seats = games.unfolded(db, game_id).game, db.exec_driver_sql(_SEATS, (game_id,)).all()
        known, last = known_lobby(db, game_id), last_of_lobby(db, game_id)
        if (last and last[:2]) == ((happened[-1][0].seq, happened[-1][1]) if happened else None):
            return game, happened, seats, known


def _as_opened(happened: Happenings) -> GameStarted:
    """Return the beginning of a game as its lobby tells it, for the header of its record."""
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
    # A player who was alone and has deleted the account sits there no more.
    if game.status == "open":
        there = [(row.seat, commit_nonce(str(game.id), row.nonce), row.drawn_by) for row in seats]
        if there != [(seat, taken.nonce, taken.drawn_by) for seat, taken in found.present.items()]:
            raise Altered(0, "others sit at the table than what happened in the lobby tells, or with other values")
