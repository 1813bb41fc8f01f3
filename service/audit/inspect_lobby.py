"""Inspects the lobbies of games in the database: their chain, and who sits there by what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from msgspec import ValidationError, convert
from sqlalchemy import Connection

from service.audit.lobby import GameCancelled, GameOpened, Gathering, LobbyEvent, gather
from service.audit.lobby_log import lobby_events
from service.audit.log import Altered, NoChain
from service.audit.reading import Faulty, Line, read_lines
from service.audit.record import Record
from service.rules.chance import commit, commit_nonce
from service.rules.kernel import GameStarted
from service.store.games import GameRow, Games

_SEED = "select seed from seed where game_id = %s"
_SEATS = "select seat, nonce, drawn_by from seat where game_id = %s order by arrival"


def inspect_lobby(db: Connection, games: Games, game_id: UUID) -> Record:
    """Return the record of a game that has not begun, so far; UnknownGame, Altered, NoChain."""
    game, happened = games.unfolded(db, game_id).game, lobby_events(db, game_id)
    if not happened:
        raise NoChain
    seed: bytes = bytes(db.exec_driver_sql(_SEED, (game_id,)).scalar_one())
    record = Record(str(game_id), seed)
    record.header(_as_opened(happened))
    chain_lobby(record, happened, happened[-1][1].hex())
    header, *lines = read_lines(record.lines)
    found = ended_well(header, lines)
    if commit(seed) != game.commitment or found.opened is None or found.opened.commitment != game.commitment:
        raise Altered(0, "the seed is not the one that was committed to when the game was opened")
    _as_stored(found, game, db.exec_driver_sql(_SEATS, (game_id,)).all())
    return record


def chain_lobby(record: Record, happened: Sequence[tuple[LobbyEvent, bytes]], promised: str) -> None:
    """Write what happened in a lobby into a record; `promised` is the last head, in hex, "" for none; Altered."""
    for number, (event, head) in enumerate(happened, 1):
        record.lobby(event)
        if event.seq != number or record.lobby_head != head:
            raise Altered(0, f"event {number} of the lobby does not fit those before it: it was changed, or is missing")
    if promised != (record.lobby_head.hex() if happened else ""):
        raise Altered(0, "the lobby ended otherwise than the game began: events of it are missing, or were changed")


def ended_well(header: Line, lines: Sequence[Line], ask: Callable[[Gathering], None] | None = None) -> Gathering:
    """Return who sits at a table after what happened there, and have `ask` refuse it; Altered."""
    try:
        found = gather(lines)
        if ask is not None:
            ask(found)
    except Faulty as fault:
        number = min(fault.line - header.number, len(lines))
        raise Altered(0, f"event {number} of the lobby: {fault.wrong}") from None
    return found


def _as_opened(happened: Sequence[tuple[LobbyEvent, bytes]]) -> GameStarted:
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
    )


def _as_stored(found: Gathering, game: GameRow, seats: Sequence[Any]) -> None:
    if (game.status == "cancelled") != isinstance(found.last, GameCancelled):
        raise Altered(0, f"the game is {game.status}, and by what happened in the lobby it is not")
    # Whoever was alone and has deleted the account sits there no more.
    if game.status == "open":
        there = [(row.seat, commit_nonce(str(game.id), row.nonce), row.drawn_by) for row in seats]
        if there != [(seat, taken.nonce, taken.drawn_by) for seat, taken in found.present.items()]:
            raise Altered(0, "others sit at the table than what happened in the lobby tells, or with other values")
