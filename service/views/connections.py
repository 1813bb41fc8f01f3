"""Whether the database connections of all processes fit into what the server allows.

How many a pooler takes is its own setting, which no statement shows.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, text

from service.settings import MIN_POOL_SIZE, Settings
from service.store.connections import Pooler

QUEUES: Final = ("moves", "replies", "mails", "computers")
"""The queues of the workers, each of which has a process of its own."""
_ALLOWED = text("""
select least(
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0),
  (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
  (select nullif(datconnlimit, -1) from pg_database where datname = current_database()))
""")
_HEARD = text("""
select coalesce(array_agg(distinct pid) filter (where host = :host), '{}') as here,
       count(distinct (host, pid)) filter (where host <> :host) as elsewhere
  from heartbeat where beat_at > clock_timestamp() - interval '1 s' * patience
""")


@dataclass(frozen=True, slots=True)
class Demand:
    """The database connections that processes may open, each up to `pool`, and how many the server allows.

    `allowed` is None where a pooler takes them.
    """

    processes: int
    pool: int
    allowed: int | None

    @property
    def connections(self) -> int:
        """The most connections that the processes may open together."""
        return self.processes * self.pool

    @property
    def fits(self) -> bool:
        """Whether the server allows so many."""
        return self.allowed is None or self.connections <= self.allowed

    def __str__(self) -> str:
        counted = f"{self.processes} processes x POOL_SIZE {self.pool} = {self.connections} database connections"
        if self.allowed is None:
            return f"{counted} to the pooler, whose max_client_conn has to be as many"
        return f"{counted}, and the server allows {self.allowed}"

    @property
    def todo(self) -> str:
        """What to change, as a sentence."""
        most = (self.allowed or 0) // self.processes
        smaller = f"Set POOL_SIZE to at most {most}, start" if most >= MIN_POOL_SIZE else "Start"
        return f"{smaller} fewer processes (WEB_PROCESSES), or raise max_connections of PostgreSQL."


def running(db: Connection, settings: Settings) -> Demand:
    """Return the demand of all processes on all machines that are heard of now."""
    here, elsewhere = _heard(db)
    return Demand(here + elsewhere, settings.pool_size, _allowed(db, settings))


def planned(db: Connection, settings: Settings, processes: int | None = None) -> Demand:
    """Return the demand when this machine runs so many processes; without a number, one of each part.

    Processes on other machines count as far as they are heard of now.
    """
    here, elsewhere = _heard(db)
    planned = _of_each_part(settings) if processes is None else processes
    return Demand(max(planned, here) + elsewhere, settings.pool_size, _allowed(db, settings))


def _heard(db: Connection) -> tuple[int, int]:
    """Return the number of processes here, and on other machines.

    A process that was killed has promised another heartbeat, up to some minutes; here its id shows that it is gone.
    """
    row = db.execute(_HEARD, {"host": socket.gethostname()}).one()
    return sum(map(_lives, row.here)), int(row.elsewhere)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _of_each_part(settings: Settings) -> int:
    """Return the number of web processes, relay, courier, inbox and workers, each in a process of its own."""
    return (
        settings.web_processes + 2 + (settings.inbound_listen is not None) + (len(QUEUES) if settings.redis_url else 0)
    )


def _allowed(db: Connection, settings: Settings) -> int | None:
    return int(db.execute(_ALLOWED).scalar_one()) if settings.pooler is Pooler.NONE else None
