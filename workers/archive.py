"""Copies the sealed records of games that have been over for some time into the archive, each verified there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import structlog

from service.audit.archive import Archive
from service.audit.log import Altered, NoChain
from service.record.reading import RulesMissing
from service.record.seal import PublicKey
from service.record.verify import verify
from service.runtime import Runtime
from service.store import seals
from service.store.outbox import NO_GAME
from service.views.record import record_text

PAGE: Final = 1000
"""Seals that are looked at in one step."""
RECORDS: Final = 10
"""Records that are written in one step, for about a second: mails wait meanwhile."""
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC), NO_GAME
log = structlog.get_logger()


class Archiving:
    """Goes through the seals from the oldest on, once in the life of a process, and then on as games get older.

    What is there already is not written again, so any number of processes may do so, and none has to remember.
    """

    def __init__(self, runtime: Runtime) -> None:
        folder = runtime.settings.archive
        self._runtime = runtime
        self._archive = None if folder is None else Archive(folder)
        self._after = _FIRST

    def go_on(self, now: datetime) -> bool:
        """Write a few of the records that are missing, if there is an archive; return whether there may be more."""
        if self._archive is None:
            return False
        before = now - timedelta(days=self._runtime.settings.archive_days)
        with self._runtime.engine.connect() as db:
            page = seals.sealed_between(db, self._after, before, PAGE)
        try:
            return self._write(self._archive, page)
        except OSError as error:
            # The next hour begins where this one has ended.
            log.error("a record could not be archived", why=str(error))
            return False

    def _write(self, archive: Archive, page: list[tuple[datetime, UUID]]) -> bool:
        written = 0
        for sealed in page:
            if written == RECORDS:
                break
            if not archive.holds(sealed[1]):
                self._archived(archive, sealed[1])
                written += 1
            self._after = sealed
        return bool(page)

    def _archived(self, archive: Archive, game: UUID) -> None:
        games = self._runtime.games
        with self._runtime.engine.begin() as db:
            keys = [PublicKey(each.id, each.public, each.since, each.until) for each in seals.keys(db)]
            try:
                record = record_text(db, games, game)
            except (Altered, NoChain, RulesMissing) as refusal:
                log.error("a game has no record to be archived", game=str(game), why=str(refusal))
                return
        report = verify(record, games.rulesets, keys)
        if not report.holds:
            log.error("the record of a game does not hold", game=str(game), levels=report.as_json()["levels"])
            return
        archive.keep(game, record)
