"""Migrate the database before anything else starts; `boardroom up` runs this as a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from service.local.supervisor import CannotStart, one_line
from service.shared import process_name
from service.store.migrations import LockedTable, NewerDatabase, PooledDatabase, upgrade
from service.store.revision import NEWEST


def migrate(database_url: str, tell: Callable[[str], object]) -> None:
    """Bring the database up to date, unless a newer version has used it or it is pooled; raises CannotStart.

    `tell` is called with a sentence while others are waited for.
    """
    where = make_url(database_url)
    try:
        upgrade(database_url, tell)
    except NewerDatabase as newer:
        there = newer.schema
        raise CannotStart(
            f"The database {where!r} is at revision {there.revision}, and this version of boardroom knows none after "
            f"{NEWEST}: a newer version has used it, and taken away what this one needs. Install that one, or name "
            "another database; nothing was changed."
        ) from newer
    except PooledDatabase as refusal:
        raise CannotStart(
            f"A pooler stands before the database {where!r}, and migrations need connections of their own: set "
            "MIGRATION_DATABASE_URL to the address of PostgreSQL itself; nothing was changed."
        ) from refusal
    except LockedTable as locked:
        raise CannotStart(
            f"The database {where!r} cannot be brought up to date, since a table is held by {locked}. End that "
            "session, or wait for its end, and start this again; it goes on where it was."
        ) from locked
    except SQLAlchemyError as refusal:
        raise CannotStart(f"The database {where!r} cannot be brought up to date: {one_line(refusal)}") from refusal


def main() -> None:
    """Bring the database at DATABASE_URL up to date; SystemExit with a sentence if that cannot be done."""
    process_name.take("migrate")
    try:
        # The terminal of `boardroom up`, which keeps standard error for the end.
        migrate(os.environ["DATABASE_URL"], lambda said: os.write(sys.stdout.fileno(), f"  {said}\n".encode()))
    except CannotStart as refusal:
        sys.exit(str(refusal))


if __name__ == "__main__":
    main()
