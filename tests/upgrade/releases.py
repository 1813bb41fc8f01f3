"""The releases from which an upgrade is tested: `releases.json`, oldest first, and a dump of a database of each."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
_TABLE = FOLDER / "releases.json"


@dataclass(frozen=True, slots=True)
class Release:
    """A released commit, its last migration, and the people and games of its dump, all made by running that commit.

    `alice` and `bob` have a token and an id; they play in `running` and have played in `finished`; Alice plays in
    `solo`.
    """

    commit: str
    revision: str
    alice: dict[str, Any]
    bob: dict[str, Any]
    running: str
    finished: str
    solo: str

    @property
    def path(self) -> Path:
        """The dump, plain SQL in gzip."""
        return FOLDER / "dumps" / f"{self.revision}-{self.commit}.sql.gz"

    @property
    def dump(self) -> str:
        """The dump as SQL that psycopg can execute."""
        return gzip.decompress(self.path.read_bytes()).decode()


RELEASES: Final = tuple(Release(**each) for each in json.loads(_TABLE.read_text(encoding="utf-8")))
LAST: Final = RELEASES[-1]
"""The last release, whose code runs while the database is brought to the schema of this one."""
