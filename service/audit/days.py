"""Checks the roots of the days that are over against the seals that are still there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from sqlalchemy import Connection

from service.audit.merkle import leaf, root
from service.store import seals

_ALL = 10**6


def altered_days(db: Connection) -> Iterator[date]:
    """Yield the days whose seals do not come to their root: one was changed, taken away or added, or the root was."""
    yield from seals.rootless_days(db)
    for closed in seals.closed_days(db, None, _ALL):
        leaves = [leaf(signature) for _, signature in seals.sealed_on(db, closed.day)]
        if (root(leaves), len(leaves)) != (closed.root, closed.count):
            yield closed.day
