"""Checks the roots of the days that are over against the seals that are there, and the keys against each other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import zip_longest

from sqlalchemy import Connection

from service.audit.merkle import leaf, root
from service.audit.seal import key_id
from service.store import seals

_ALL = 10**6


def altered_days(db: Connection) -> Iterator[date]:
    """Yield the days whose seals do not come to their root, or have lost it: one was changed, taken away or added."""
    yield from seals.days_without_root(db)
    for closed in seals.closed_days(db, None, _ALL):
        leaves = [leaf(signature) for _, signature in seals.sealed_on(db, closed.day)]
        if (root(leaves), len(leaves)) != (closed.root, closed.count):
            yield closed.day


def altered_keys(db: Connection) -> Iterator[str]:
    """Yield the names of keys that were changed: each is named after itself, and ends where the next begins."""
    keys = seals.keys(db)
    for key, after in zip_longest(keys, keys[1:]):
        if key.id != key_id(key.public) or key.until != (after and after.since):
            yield key.id
