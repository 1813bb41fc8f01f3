"""`make bench-archive`: what a database of 2,000 games, of which 100 run, weighs before and after archiving.

GAMES=500 takes fewer games.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final
from uuid import UUID

import psycopg
from sqlalchemy import text

from service.local.postgres import SUPERUSER
from service.local.servers import LocalServers
from service.rules.registry import GAMES as RULESETS
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store.games import Games
from service.store.migrations import upgrade
from tests.bench.figures import figure
from tests.bench.large import SEAL_KEY, at_present, fill
from tests.builders import now_at
from tests.house import fresh_database, settings_on
from workers.proof import Archiving

GAMES: Final = 2000
READ: Final = 100
_PER_GAME: Final = ("game", "seat", "seed", "seal", "lobby_event", "archived", "outbox", "idempotency", "action_link")
_COUNTS: Final = text("select count(*), count(distinct game_id), pg_total_relation_size('event') from event")
_REST: Final = text(
    "select sum(pg_total_relation_size(cast(each as regclass))) from unnest(cast(:tables as text[])) each"
)
_SOME: Final = text("select id from game where status = 'finished' order by random() limit :some")


def main() -> None:
    """Fill a database, archive its finished games, and print the figures."""
    with tempfile.TemporaryDirectory(prefix="boardroom-archive-") as made:
        Path(made).chmod(0o711)
        with (
            LocalServers(Path(made), wanted=frozenset({"postgres"}), durable=False) as servers,
            fresh_database(servers, "archive") as (owner, application),
        ):
            upgrade(owner)
            settings = replace(
                settings_on(servers), database_url=application, ruleset_packages=RULESETS, seal_key=SEAL_KEY
            )
            assert servers.postgres is not None
            _measure(
                settings, f"host={servers.postgres.sockets} user={SUPERUSER} dbname=archive", Path(made) / "records"
            )


def _measure(settings: Settings, superuser: str, folder: Path) -> None:
    games = int(os.environ.get("GAMES", GAMES))
    fill(superuser, games, at_present())
    runtime = Runtime.build(replace(settings, archive=str(folder), archive_days=0, archive_only=True))
    _sizes(runtime, "hot")
    wanted = _some(runtime)
    _read(runtime, "hot", wanted)
    _archive(runtime, games)
    with psycopg.connect(superuser, autocommit=True) as db:
        db.execute("vacuum full event")
    _sizes(runtime, "archived")
    _read(runtime, "archived", wanted)
    files = [each.stat().st_size for each in folder.rglob("*.gz")]
    figure("archive_bytes_a_game", sum(files) / len(files), "bytes", 40_000, 20_000, files=len(files))
    runtime.engine.dispose()


def _sizes(runtime: Runtime, name: str) -> None:
    with runtime.engine.connect() as db:
        events, games, weight = db.execute(_COUNTS).one()
        rest = float(db.execute(_REST, {"tables": list(_PER_GAME)}).scalar_one())
    more = {"games_in_it": games, "megabytes": weight / 1e6, "other_tables_megabytes": rest / 1e6}
    figure(f"events_{name}", events, "1", 1e6, 1e6, **more)


def _some(runtime: Runtime) -> Sequence[UUID]:
    with runtime.engine.connect() as db:
        return db.execute(_SOME, {"some": READ}).scalars().all()


def _read(runtime: Runtime, name: str, wanted: Sequence[UUID]) -> None:
    """Print how long it takes to open a game that the process has not seen."""
    games, taken = Games(runtime.engine, runtime.games.rulesets), []
    for game in wanted:
        begun = perf_counter()
        now_at(games, game)
        taken.append((perf_counter() - begun) * 1000)
    figure(f"open_{name}_ms", median(taken), "ms", 50, 20, slowest_ms=max(taken))


def _archive(runtime: Runtime, games: int) -> None:
    begun, used = perf_counter(), process_time()
    going_on = Archiving(runtime)
    while going_on.go_on(clock.now()):
        pass
    more = {"cpu_seconds_a_game": (process_time() - used) / games}
    figure("archived_a_second", games / (perf_counter() - begun), "1/s", 2, 10, **more)


if __name__ == "__main__":
    main()
