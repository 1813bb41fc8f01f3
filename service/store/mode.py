"""What operators have put in force for the whole service: read-only mode, and an announcement of maintenance.

Each process asks the database every 1.5 seconds from a thread of its own, so that no request asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event, Thread
from typing import Final

from msgspec.json import Decoder
from msgspec.json import encode as to_json
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from service.store.engine import first_row
from service.store.fast_path import at_hand

EVERY: Final = 1.5
"""Seconds between two looks: what is switched is in force in every process within two seconds."""

_LOOK = """
select json_build_object(
  'read_only', (select json_build_object('begins', begins, 'ends', ends) from mode where what = 'read-only'),
  'maintenance', (select json_build_object('begins', begins, 'ends', ends, 'texts', texts) from mode
                  where what = 'maintenance' and ends > clock_timestamp()))::text
"""
_PUT = text("""
insert into mode (what, begins, ends, texts) values (:what, :begins, :ends, cast(:texts as jsonb))
on conflict (what) do update set begins = excluded.begins, ends = excluded.ends, texts = excluded.texts
""")
_END = text("delete from mode where what = :what")


@dataclass(frozen=True, slots=True)
class Validity:
    """From when and until when something holds; without an end until it is switched off. `texts` by language."""

    begins: datetime
    ends: datetime | None = None
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InForce:
    """What is in force; a read-only service writes nothing but heartbeats and what operators do."""

    read_only: Validity | None = None
    maintenance: Validity | None = None


NOTHING: Final = InForce()
_DECODER = Decoder(InForce)


class Mode:
    """What is in force, as this process has last seen it; a database that does not answer changes nothing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.now = NOTHING

    @property
    def read_only(self) -> bool:
        """Whether nothing may be written."""
        return self.now.read_only is not None

    def look(self) -> None:
        """Ask the database now."""
        with suppress(SQLAlchemyError), at_hand(self._engine) as db:
            self.now = read(db)

    def watch(self) -> None:
        """Look now, and again and again from now on, for as long as the process lives."""
        self.look()
        Thread(target=self._run, name="mode", daemon=True).start()

    def _run(self) -> None:
        pause = Event()
        while not pause.wait(EVERY):
            self.look()


def read(db: Connection) -> InForce:
    """Return what is in force."""
    row = first_row(db, _LOOK, {})
    return NOTHING if row is None else _DECODER.decode(row[0])


def put(db: Connection, what: str, span: Validity) -> None:
    """Put a mode in force, in place of what it was before."""
    db.execute(_PUT, {"what": what, "begins": span.begins, "ends": span.ends, "texts": to_json(span.texts).decode()})


def end(db: Connection, what: str) -> bool:
    """End a mode; return whether it was in force."""
    return db.execute(_END, {"what": what}).rowcount == 1
