"""What has to be done from time to time, and is nobody's in particular."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Engine

from service.store.pruning import prune

EVERY = timedelta(hours=1)


class Upkeep:
    """Takes away what has been kept for long enough; any number may do so at the same time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._due: datetime | None = None

    def go_on(self, now: datetime) -> bool:
        """Do a little of what is due, if anything is; return whether there may be more."""
        if self._due is not None and now < self._due:
            return False
        # Noted first: what fails is tried again an hour later, and not over and over.
        self._due = now + EVERY
        more = prune(self._engine, now)
        if more:
            self._due = now
        return more
