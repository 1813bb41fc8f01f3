"""`make bench-scale`: whether 10 million events and 100,000 games make anything slower, beside a small database.

Both are filled with games that an audit accepts (`whole_games`). What a request costs is compared with a service of a
50th of the size in all; what is done every night or second with one of the same traffic that has a tenth of the past.
At the end stands what `boardroom up` takes when nobody does anything.
SCALE=0.1 makes the large one smaller; DATA=folder keeps the databases there, and uses those that it finds.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Final

import psycopg
from alembic import command
from sqlalchemy import create_engine, text

from service.local.postgres import OWNER, SUPERUSER
from service.local.servers import LocalServers
from service.store.migrations import configuration, upgrade
from tests.bench import people, scale_idle, scale_migrations, scale_nightly, scale_requests
from tests.bench.figures import figure
from tests.bench.large import at_present, fill
from tests.bench.scale_side import Side, side

GAMES: Final = 100_000
SMALLER: Final = 50
LEAST: Final = 1_000
PAST: Final = 0.9
"""The part of the games that the young database does not have; but it has more than a night's step of the audit."""
BEFORE: Final = "0025"
"""The revision before the first one of this release."""


def main() -> None:
    """Fill the databases, and print the figures."""
    games = int(GAMES * float(os.environ.get("SCALE", "1")))
    with _folder() as folder, LocalServers(folder, wanted=frozenset({"postgres"}), durable=False) as servers:
        _made(servers, "large", games, 0)
        _made(servers, "small", max(games // SMALLER, LEAST), 0)
        _made(servers, "young", games, max(0, min(int(games * PAST), games - 2 * LEAST)))
        scale_migrations.main(*_addresses(servers, "large"))
        for name in ("small", "young"):
            upgrade(_addresses(servers, name)[0])
        large, small, young = (side(servers, name) for name in ("large", "small", "young"))
        _size(large)
        scale_requests.main(large, small)
        scale_nightly.main(large, young)
        for each in (large, small, young):
            each.runtime.engine.dispose()
    people.main()
    scale_idle.main()


@contextmanager
def _folder() -> Iterator[Path]:
    kept = os.environ.get("DATA")
    if kept:
        Path(kept).mkdir(exist_ok=True)
        yield Path(kept)
        return
    with tempfile.TemporaryDirectory(prefix="boardroom-scale-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def _made(servers: LocalServers, name: str, games: int, first: int) -> None:
    """Make a database of so many games, but for those before `first`, at the revision before this release."""
    owner, superuser = _addresses(servers, name)
    with psycopg.connect(superuser.replace(f"dbname={name}", "dbname=postgres"), autocommit=True) as db:
        if name == "small":
            # Its few games are soon played to their ends.
            db.execute("drop database if exists small")
        elif db.execute("select 1 from pg_database where datname = %s", (name,)).fetchone():
            return
        db.execute(f"create database {name} owner {OWNER}")
    engine = create_engine(owner)
    with engine.begin() as at_first:
        command.upgrade(configuration(at_first), BEFORE)
    engine.dispose()
    begun = perf_counter()
    fill(superuser, games, at_present(), first)
    figure(f"filled_{name}", perf_counter() - begun, "s", 1800, 600, games=games - first)


def _addresses(servers: LocalServers, name: str) -> tuple[str, str]:
    """Return the address of a database for its owner, and the superuser's for psycopg."""
    assert servers.postgres is not None
    return servers.postgres.url(OWNER, name), f"host={servers.postgres.sockets} user={SUPERUSER} dbname={name}"


def _size(large: Side) -> None:
    counts = text("""
select (select count(*) from event), (select count(*) from game), (select count(*) from game where status = 'running'),
       pg_total_relation_size('event'), pg_database_size(current_database())
""")
    with large.runtime.engine.connect() as db:
        db.execute(text("set statement_timeout = 0"))
        events, games, running, log, whole = db.execute(counts).one()
    more = {"games": games, "running": running, "bytes_per_event": log / events, "gigabytes": whole / 1e9}
    figure("events", events, "1", 1e7, 1e7, **more)


if __name__ == "__main__":
    main()
