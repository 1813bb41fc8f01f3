"""Check the roots of past days against the seals, and keys against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import zip_longest

from sqlalchemy import Connection

from service.record.merkle import leaf, root
from service.record.seal import key_id
from service.store import proof
from service.store.proof import DayRow

_ALL = 10**6


def altered_days(db: Connection, looked_at: Sequence[DayRow] | None = None) -> Iterator[date]:
    """Yield the days, of all or of those looked at, whose seals do not come to their root, and all that have lost it.

    One of their seals was changed, taken away or added.
    """
    yield from proof.days_without_root(db)
    for closed in proof.closed_days(db, None, _ALL) if looked_at is None else looked_at:
        leaves = [leaf(signature) for _, signature in proof.leaves_on(db, closed.day)]
        if (root(leaves), len(leaves)) != (closed.root, closed.count):
            yield closed.day


def altered_keys(db: Connection) -> Iterator[str]:
    """Yield the names of keys that were changed: each is named after itself, and ends where the next begins."""
    keys = proof.seal_keys(db)
    for key, after in zip_longest(keys, keys[1:]):
        if key.id != key_id(key.public) or key.until != (after and after.since):
            yield key.id
