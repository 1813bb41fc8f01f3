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
    """Yield the days, of all or of those given, whose seals do not match their root, and days without a root.

    A seal of such a day was changed, removed or added.
    """
    yield from proof.days_without_root(db)
    for closed in proof.closed_days(db, None, _ALL) if looked_at is None else looked_at:
        leaves = [leaf(signature) for _, signature in proof.leaves_on(db, closed.day)]
        if (root(leaves), len(leaves)) != (closed.root, closed.count):
            yield closed.day


def altered_keys(db: Connection) -> Iterator[str]:
    """Yield the ids of altered keys: an id is derived from its key, and a key ends where the next begins."""
    keys = proof.seal_keys(db)
    for key, after in zip_longest(keys, keys[1:]):
        if key.id != key_id(key.public) or key.until != (after and after.since):
            yield key.id
