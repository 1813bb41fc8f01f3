"""Names in the log the sessions that a process of ours has waited for in vain."""

from __future__ import annotations

from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, Final

import psycopg
import structlog
from psycopg.errors import DeadlockDetected, LockNotAvailable, QueryCanceled

from service.shared.error_class import error_class
from service.store.lock_waits import blockers, holders
from service.store.pooling import named_session, plain_address

APART: Final = 10.0
"""Seconds between two times that a process asks."""
_LOOKS: Final = 10
_LOOK_SECONDS: Final = 0.2
_LIMITS: Final = "-c statement_timeout=2s -c lock_timeout=1s"
log = structlog.get_logger()


class LockWatch:
    """Asks PostgreSQL, when a statement has waited for a lock in vain, who keeps others waiting, and logs the answer.

    A connection and a thread of its own, for a moment: those of the process may all be waiting. Safe between threads.
    """

    def __init__(self, database_url: str) -> None:
        """Connects to nothing yet."""
        self._address = plain_address(database_url)
        self._lock = Lock()
        self._again = 0.0

    def note(self, error: BaseException) -> None:
        """Note an error of the database; those that may come from a lock have the question asked."""
        if not isinstance(error, (LockNotAvailable, DeadlockDetected, QueryCanceled)):
            return
        with self._lock:
            if monotonic() < self._again:
                return
            self._again = monotonic() + APART
        Thread(target=self._tell, args=(error_class(error),), name="lock-watch", daemon=True).start()

    def _tell(self, error: str) -> None:
        named: dict[str, Any] = {**named_session(), "connect_timeout": 2}
        if "options=" not in self._address:
            named["options"] = _LIMITS
        try:
            # Through a pooler no statement may be prepared.
            with psycopg.connect(self._address, autocommit=True, prepare_threshold=None, **named) as db:
                found = blockers(db)
                for _ in range(_LOOKS):
                    if found:
                        break
                    # The one that waited has given up, and the next may only come.
                    sleep(_LOOK_SECONDS)
                    found = blockers(db)
                for each in found or holders(db):
                    said = "keeps others waiting for a lock" if found else "may have kept others waiting for a lock"
                    log.warning(said, error=error, **each.fields())
        except psycopg.Error as refusal:
            log.warning("waited for a lock in vain, and cannot ask who has it", error=error_class(refusal))
