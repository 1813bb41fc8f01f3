"""Archives games that have been over for some time: their sealed records are written, and verified there.

With ARCHIVE_ONLY the log of a game leaves the database once its record is in the archive. The record comes first, and
what is read back of it is verified and compared with the log in the transaction that removes it: whenever the process
is killed, the log is in the database, or in the archive, or in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final
from uuid import UUID

import structlog
from msgspec.json import decode as from_json
from sqlalchemy import Connection

from service.archive.archive import Archive, Damaged, open_archive
from service.audit.log import Altered, NoChain
from service.record.canonical import canonical
from service.record.reading import RulesMissing
from service.record.record import LoggedRow, NoLog, log_of
from service.record.seal import PublicKey
from service.record.verify import verify
from service.runtime import Runtime
from service.store import events, proof
from service.store.outbox import NO_GAME
from service.store.proof import archive_log
from service.views.record import record_text

PAGE: Final = 1000
"""Seals that are looked at in one step."""
RECORDS: Final = 10
"""Records that are written or verified in one step, for about a second: mails wait meanwhile."""
SECONDS: Final = 1.0
"""After these no other record is looked at in a step: a bucket is asked for each."""
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC), NO_GAME
log = structlog.get_logger()


class Archiving:
    """Goes through the seals from the oldest on, once in the life of a process, and then on as games get older.

    What is there already is not written again, so any number of processes may do so, and none has to remember.
    """

    def __init__(self, runtime: Runtime) -> None:
        settings = runtime.settings
        self._runtime = runtime
        where, encryption = settings.archive, settings.archive_encryption
        self._archive = None if where is None else open_archive(where, encryption)
        self._removing = settings.archive_only
        self._after = _FIRST

    def go_on(self, now: datetime) -> bool:
        """Archive a few of the games that are not, if there is an archive; return whether there may be more."""
        if self._archive is None:
            return False
        before = now - timedelta(days=self._runtime.settings.archive_days)
        with self._runtime.engine.connect() as db:
            page = proof.sealed_between(db, self._after, before, PAGE)
        try:
            return self._write(self._archive, page)
        except OSError as error:
            # The next hour begins where this one has ended.
            log.error("a record could not be archived", why=str(error))
            return False

    def _write(self, archive: Archive, page: list[tuple[datetime, UUID]]) -> bool:
        written, until = 0, monotonic() + SECONDS
        for sealed in page:
            if written == RECORDS or monotonic() > until:
                break
            missing = not archive.holds(sealed[1])
            if missing or self._removing:
                self._archive_game(archive, sealed[1], missing)
                written += 1
            self._after = sealed
        return bool(page)

    def _archive_game(self, archive: Archive, game: UUID, missing: bool) -> None:
        if missing and not self._keep(archive, game):
            return
        if self._removing and not self._remove(archive, game) and not missing and self._keep(archive, game):
            # What was there was another one, or damaged.
            self._remove(archive, game)

    def _keep(self, archive: Archive, game: UUID) -> bool:
        """Write the record of a game into the archive; return whether it has one that holds."""
        with self._runtime.engine.begin() as db:
            try:
                record = record_text(db, self._runtime.games, game)
            except (Altered, NoChain, RulesMissing) as refusal:
                log.error("a game has no record to be archived", game=str(game), why=str(refusal))
                return False
            holds = self._holds(db, game, record)
        if holds:
            archive.keep(game, record)
        return holds

    def _holds(self, db: Connection, game: UUID, record: bytes) -> bool:
        keys = [PublicKey(each.id, each.public, each.since, each.until) for each in proof.seal_keys(db)]
        report = verify(record, self._runtime.games.rulesets, keys)
        if not report.holds:
            log.error("the record of a game does not hold", game=str(game), levels=report.as_json()["levels"])
        return bool(report.holds)

    def _remove(self, archive: Archive, game: UUID) -> bool:
        """Remove the log of a game from the database, if the record in the archive holds, and has all of it.

        Returns whether the record is as it has to be.
        """
        try:
            record = archive.read(game)
            named, rows = log_of(record)
        except (Damaged, NoLog) as error:
            log.error("a record in the archive is damaged", game=str(game), why=str(error))
            return False
        with self._runtime.engine.begin() as db:
            if not self._holds(db, game, record):
                return False
            if named != str(game) or _written(rows) != _written(events.rows(db, game)):
                log.error("the record in the archive is not that of the log", game=str(game))
                return False
            # Refused where another process has done so meanwhile.
            archive_log(db, game, len(rows), record)
            return True


def _written(rows: Sequence[LoggedRow]) -> list[LoggedRow]:
    """Return rows in the one form that their JSON has in records."""
    return [row._replace(data=canonical(from_json(row.data)).decode()) for row in rows]
