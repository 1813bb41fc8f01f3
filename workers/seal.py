"""Seals the records of finished games, and makes one tree a day over the seals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

import structlog
from sqlalchemy import Connection, Engine

from service.audit.inspect import whole_record
from service.audit.log import Altered, NoChain
from service.record.merkle import leaf, root
from service.record.seal import Signer
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox, proof
from service.store.proof import DayRow, SealRow

log = structlog.get_logger()


class DayClosed(Exception):
    """The day has its root already: a clock is wrong."""


def seal(runtime: Runtime, row_id: int) -> None:
    """Seal the finished game that the row is about, once; KeyEnded.

    Without a key, or a chain, there is nothing to be done. A game that was altered is never sealed: the log says so.
    """
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        if runtime.signer is None:
            outbox.finish(db, row_id, "skipped")
            return
        try:
            record = whole_record(db, runtime.games, row.game_id)
        except NoChain:
            outbox.finish(db, row_id, "skipped")
        except Altered as altered:
            log.error("a game was altered and is not sealed", game=str(row.game_id), seq=altered.seq)
            outbox.finish(db, row_id, "dead")
        else:
            sign(db, runtime.signer, row.game_id, record.head, lambda: max(clock.now(), record.last_at))
            outbox.finish(db, row_id, "done")


def close_days(engine: Engine, now: datetime) -> None:
    """Give every day that is over its root, unless no game was sealed and no deal committed to on it."""
    with engine.begin() as db:
        if not proof.open_days(db, now):
            return
        proof.stop_sealing(db)
        for day in proof.open_days(db, now):
            proof.root_deals(db, day)
            leaves = [leaf(signature) for _, signature in proof.leaves_on(db, day)]
            proof.close_day(db, DayRow(day, root(leaves), len(leaves), now))


def sign(db: Connection, signer: Signer, game: UUID, head: bytes, now: Callable[[], datetime] = clock.now) -> None:
    """Keep the seal of a game over the head of its record; KeyEnded, DayClosed."""
    at = proof.use_key(db, signer.id, signer.public, now)
    if proof.closed_day(db, at.astimezone(UTC).date()) is not None:
        raise DayClosed
    proof.keep_seal(db, game, SealRow(head, at, signer.id, signer.public, signer.sign(head, at)))
