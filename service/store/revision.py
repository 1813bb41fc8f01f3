"""Revisions of the schema that this code can work with, found without importing alembic.

Code of a release works on the schema of its newest migration, on older ones down to OLDEST, and on newer ones as long
as these remove nothing that it uses. The database tells the last: each migration that removes something writes the
oldest code that works with it into the comment of the table `alembic_version` (migrations/env.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

NEWEST = max(each.name[:4] for each in (Path(__file__).parent / "migrations" / "versions").glob("[0-9]*.py"))
"""Revision of the last migration; its file name begins with it."""
OLDEST: Final = "0063"
"""First revision that has everything that this code uses."""
OLDEST_CODE: Final = "oldest_code"
"""Key in the comment of `alembic_version`; its value is the newest revision known to the oldest working code."""

_READ = text("""
select version_num, substring(obj_description(tableoid, 'pg_class') from :name || '=([0-9]+)') as oldest_code
  from alembic_version
""")


@dataclass(frozen=True, slots=True)
class Schema:
    """Revision of a database, and the newest revision known to the oldest code that works with it.

    Both are None for a database without tables; the second is None if no version with ranges has changed the database.
    """

    revision: str | None
    oldest_code: str | None = None

    @property
    def newer(self) -> bool:
        """Return whether a newer version has changed the database."""
        return self.revision is not None and self.revision > NEWEST

    @property
    def fits(self) -> bool:
        """Return whether this code can work with the schema."""
        if self.revision is None:
            return False
        if self.newer:
            return self.oldest_code is not None and self.oldest_code <= NEWEST
        return self.revision >= OLDEST


def read_schema(db: Connection) -> Schema:
    """Read the revision of the database; raise SQLAlchemyError, also without a table of revisions."""
    row = db.execute(_READ, {"name": OLDEST_CODE}).one_or_none()
    return Schema(None) if row is None else Schema(row.version_num, row.oldest_code)
