"""Games whose log is in the archive: finding them, and their log, which the record there holds.

Whether a game is archived is only asked where no event of it was found: a game that runs never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID

import structlog
from msgspec.json import encode as to_json
from sqlalchemy import Connection, Engine

from service.archive.archive import Archive, Damaged
from service.record.record import LoggedRow, NoLog, log_of
from service.shared.lru import LRU
from service.shared.refusal import Unavailable
from service.store.fast_path import hand_of

REMEMBERED: Final = 32
"""The logs that a process remembers, of some hundred kilobytes each."""
_OPTION: Final = "archived_logs"
"""Where our engines keep their ArchivedLogs."""
_ROW: Final = "select sha256 from archived where game_id = %s"
_REMOVE: Final = "select archive_game(%s, %s, %s, %s)"
_RESTORE: Final = """
insert into event (game_id, seq, name, data, seat, door, decision, action, at, head)
values (%s, %s, %s, %s::json, %s, %s, %s, %s::json, %s, %s)
"""
_RESTORED: Final = "select unarchive_game(%s)"
log = structlog.get_logger()


class ArchiveUnreadable(Unavailable):
    """The log of a game is in the archive, and cannot be read there."""

    def __init__(self, game: UUID, why: str, *, lost: bool = False) -> None:
        """`lost`: the archive answers, and the record is missing there or another one."""
        super().__init__("archive")
        self.game, self.why, self.lost = game, why, lost

    def __str__(self) -> str:
        return f"the log of game {self.game} is in the archive, and {self.why}"


class ArchivedLogs:
    """The logs of archived games, some of which are remembered; safe between threads."""

    def __init__(self, archive: Archive | None) -> None:
        self._archive = archive
        self._known: LRU[tuple[int, bytes], Sequence[LoggedRow]] = LRU(REMEMBERED)

    def of(self, game: UUID, digest: bytes) -> Sequence[LoggedRow]:
        """Return the log of a game whose record has the SHA-256; ArchiveUnreadable, which is also logged."""
        known = self._known.get((game.int, digest))
        if known is None:
            try:
                known = self._read(game, digest)
            except ArchiveUnreadable as unreadable:
                log.error("the log of an archived game cannot be read", game=str(game), why=unreadable.why)
                raise
            self._known.put((game.int, digest), known)
        return known

    def _read(self, game: UUID, digest: bytes) -> Sequence[LoggedRow]:
        if self._archive is None:
            raise ArchiveUnreadable(game, "ARCHIVE is not set")
        try:
            record = self._archive.read(game)
        except (FileNotFoundError, Damaged) as error:
            raise ArchiveUnreadable(game, str(error), lost=True) from error
        except OSError as error:
            raise ArchiveUnreadable(game, str(error)) from error
        if sha256(record).digest() != digest:
            raise ArchiveUnreadable(game, "the record there is another one", lost=True)
        try:
            return log_of(record)[1]
        except NoLog as error:
            raise ArchiveUnreadable(game, str(error), lost=True) from error


def use_archive(engine: Engine, archive: Archive | None) -> None:
    """Have the logs of archived games read there by all connections of one of our engines."""
    logs = {_OPTION: ArchivedLogs(archive)}
    engine.update_execution_options(**logs)
    hand_of(engine).engine.update_execution_options(**logs)


def archived_log(db: Connection, game: UUID) -> Sequence[LoggedRow] | None:
    """Return the log of an archived game, None if the game is not archived; ArchiveUnreadable."""
    digest: bytes | None = db.exec_driver_sql(_ROW, (game,)).scalar()
    if digest is None:
        return None
    logs: ArchivedLogs = db.engine.get_execution_options().get(_OPTION) or ArchivedLogs(None)
    return logs.of(game, bytes(digest))


def archive_log(db: Connection, game: UUID, version: int, record: bytes) -> bool:
    """Note that the record of a game is in the archive, and remove its events; whether the game was as it has to be.

    It has to be over, sealed, at the version, and not archived.
    """
    removed: bool = db.exec_driver_sql(_REMOVE, (game, version, sha256(record).digest(), len(record))).scalar_one()
    return removed


def unarchive_log(db: Connection, game: UUID, rows: Sequence[LoggedRow]) -> bool:
    """Write the log of an archived game into the database again; whether it is whole and as the game's row says."""
    if not rows:
        return False
    db.exec_driver_sql(_RESTORE, [_values(game, row) for row in rows])
    restored: bool = db.exec_driver_sql(_RESTORED, (game,)).scalar_one()
    return restored


def _values(game: UUID, row: LoggedRow) -> tuple[object, ...]:
    action = None if row.action is None else to_json(row.action).decode()
    return (game, *row[:6], action, *row[7:])
