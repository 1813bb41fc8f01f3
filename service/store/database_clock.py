"""Measures by how much this machine's clock is ahead of the database's.

That happens with each new connection, with each heartbeat, and after an append that was refused since its clock was
off. So a process whose machine keeps no time writes the moments that others write, and an action stays one statement.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import psycopg
from psycopg.pq import TransactionStatus

from service.shared import clock

NOW: Final = "extract(epoch from pg_catalog.clock_timestamp())::float8"
"""The database's clock in seconds since 1970, as SQL."""
LATE_S: Final = 5.0
"""Seconds for which a statement may be on its way: nobody waits for one any longer (client_timeouts.SECONDS)."""
AS_MEASURED: Final = f"%(clock)s::float8 between {NOW} - {LATE_S} and {NOW} + {clock.MAX_OFFSET_S}"
"""Whether `clock.database()`, which a statement brings along, is what the database's clock says, as SQL."""
# A replica has a clock of its own, by which nothing is written.
_READ: Final = f"select {NOW} where not pg_catalog.pg_is_in_recovery()"


def measure(driver: Any, *_: object) -> bool:
    """Measure by a connection of psycopg, and return whether the clock was so far off that AS_MEASURED was false.

    The connection is left in the transaction, or outside of any, in which it was. One that breaks measures nothing.
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
