"""What has to be done from time to time, and is nobody's in particular."""

from __future__ import annotations

from datetime import datetime, timedelta

from service.runtime import Runtime
from service.store.pruning import prune
from workers.audit import begin_night
from workers.seal import close_days

EVERY = timedelta(hours=1)


class Upkeep:
    """Takes away what has been kept for long enough, ends days and begins them; any number may do so at once."""

    def __init__(self, runtime: Runtime) -> None:
        self._engine = runtime.engine
        self._due: datetime | None = None

    def go_on(self, now: datetime) -> bool:
        """Do a little of what is due, if anything is; return whether there may be more."""
        if self._due is not None and now < self._due:
            return False
        # Noted first: what fails is tried again an hour later, and not over and over.
        self._due = now + EVERY
        close_days(self._engine, now)
        begin_night(self._engine, now)
        more = prune(self._engine, now)
        if more:
            self._due = now
        return more
