"""Measure the offset between this machine's clock and the database's.

Each new connection measures, each heartbeat, and each append that was refused because the clock was off. So a process
on a machine with a wrong clock writes the same moments as others, and an action stays one statement.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import psycopg
from psycopg.pq import TransactionStatus

from service.shared import clock

NOW: Final = "extract(epoch from pg_catalog.clock_timestamp())::float8"
"""Database's clock in seconds since 1970, as SQL."""
LATE_S: Final = 5.0
"""Seconds for which a statement may be on its way: nobody waits longer (connections.ANSWER_TIMEOUT_S)."""
AS_MEASURED: Final = f"%(clock)s::float8 between {NOW} - {LATE_S} and {NOW} + {clock.MAX_OFFSET_S}"
"""Condition that the parameter `clock.database()` agrees with the database's clock, as SQL."""
# A replica has a clock of its own, and nothing is written by it.
_READ: Final = f"select {NOW} where not pg_catalog.pg_is_in_recovery()"


def measure(driver: Any, *_: object) -> bool:
    """Measure by a connection of psycopg, and return whether the clock was so far off that AS_MEASURED was false.

    The transaction state of the connection is left as it was. A broken connection measures nothing.
    """
    claimed, row = clock.database(), None
    with suppress(psycopg.Error):
        idle = driver.info.transaction_status == TransactionStatus.IDLE
        before = clock.machine()
        row = driver.execute(_READ, prepare=False).fetchone()
        after = clock.machine()
        if idle and driver.info.transaction_status != TransactionStatus.IDLE:
            driver.rollback()
    if row is None:
        return False
    clock.measured(before, row[0], after)
    return not row[0] - LATE_S <= claimed <= row[0] + clock.MAX_OFFSET_S
