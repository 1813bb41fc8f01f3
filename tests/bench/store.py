"""Speed of the log on a PostgreSQL of our own: rebuilding a game, and appending to many beside pgbench."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter
from uuid import UUID

import psycopg
from sqlalchemy import text

from service.handlers import lobby, players
from service.handlers.transaction import statements
from service.local import LocalServers
from service.local_postgres import reachable_binaries, server_account
from service.rules.registry import find_rulesets
from service.selfplay import play_out
from service.store import outbox
from service.store.codec import encode
from service.store.engine import build_engine
from service.store.events import Cause, Entry, append
from service.store.games import Games, Terms
from service.store.migrations import upgrade
from tests.bench.figures import figure

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CLIENTS = 4
SECONDS = 4.0
GAMES_PER_CLIENT = 50
REBUILDS = 100
EVENTS_PER_ACTION = 3
ACTION = {"type": "infiltrate", "placements": [{"colour": "red", "cards": 2, "company": "A1"}], "use": None}
RULESET = find_rulesets()["new-corp-order"]

PGBENCH = "pgbench's transaction of an update and two inserts, 4 clients, same run"
PGBENCH_TABLES = """
create table bench_game (id bigint primary key, version int not null) with (fillfactor = 70);
create table bench_event (game_id bigint not null, seq int not null, body jsonb not null, primary key (game_id, seq));
create table bench_outbox (id bigint generated always as identity primary key, body jsonb not null);
insert into bench_game select n, 0 from generate_series(1, 1000) n;
"""
PGBENCH_SCRIPT = """
\\set game :client_id * 200 + random(1, 200)
begin;
update bench_game set version = version + 1 where id = :game returning version \\gset
insert into bench_event values (:game, :version, '{body}');
insert into bench_outbox (body) values (jsonb_build_object('game', :game::bigint));
commit;
"""


def main() -> None:
    """Print the figures of the store."""
    with _servers() as servers:
        games = Games(build_engine(servers.database_url), find_rulesets())
        _rebuild(games)
        ids = [[_started_game(games) for _ in range(GAMES_PER_CLIENT)] for _ in range(CLIENTS)]
        games.engine.dispose()
        # Pgbench before and after: what else the machine does then weighs on both sides alike.
        before = pgbench_tps(servers)
        ours = _appends_per_second(servers.database_url, ids)
        pgbench = (before + pgbench_tps(servers)) / 2
        figure("append_ratio", ours / pgbench, "1", 0.45, 0.8, of=PGBENCH, appends_per_second=ours, pgbench_tps=pgbench)


@contextmanager
def _servers() -> Iterator[LocalServers]:
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), wanted=frozenset({"postgres"})) as servers:
            upgrade(servers.owner_url)
            yield servers


def _rebuild(games: Games) -> None:
    """Read, decode and fold one finished game for four, with nothing cached."""
    game = _started_game(games, seats=4)
    played = play_out(RULESET, 4, {}, "bench:rebuild", recorded=False)
    events = [*played.opening, *(event for events in played.caused for event in events)]
    with games.engine.begin() as db:
        version = games.open(db, game).version
        # The rest of another game goes behind this one's opening; folding does not mind.
        rest = [encode(event) for event in events[version:]]
        append(
            db, Entry(game=game, version=version, events=rest, cause=Cause(0, "api", 1), head=None, status="finished")
        )
    taken = []
    for _ in range(REBUILDS):
        cold = Games(games.engine, games.rulesets)
        start = perf_counter()
        with statements(cold.engine) as db:
            cold.open(db, game)
        taken.append((perf_counter() - start) * 1000)
    figure("rebuild_ms", median(taken), "ms", 3.0, 1.5, events=len(events))


def _started_game(games: Games, seats: int = 2) -> UUID:
    people = [players.register(games, "Alice", None, "en", NOW)[0] for _ in range(seats)]
    plan = lobby.Plan("new-corp-order", seats, terms=Terms(access="public"))
    game = lobby.create(games, people[0], plan, NOW).game.id
    for player in people[1:]:
        lobby.join(games, game, player, NOW)
    lobby.start(games, game, people[0], NOW)
    return game


def _appends_per_second(database_url: str, ids: list[list[UUID]]) -> float:
    spawn = get_context("spawn")
    with spawn.Pool(CLIENTS) as pool:
        counts = pool.starmap(append_for_a_while, [(database_url, mine) for mine in ids])
    return sum(counts)


def append_for_a_while(database_url: str, ids: list[UUID]) -> float:
    """Append what an action causes, and a notice, to the games in turn; return the appends a second.

    Each append commits on its own, as it does when a move is played.
    """
    engine = build_engine(database_url)
    played = play_out(RULESET, 2, {}, "bench:append", recorded=False)
    facts = [encode(event) for event in next(each for each in played.caused if len(each) == EVENTS_PER_ACTION)]
    with engine.connect() as db:
        versions = {
            game: db.execute(text("select version from game where id = :id"), {"id": game}).scalar_one() for game in ids
        }
    done, start = 0, monotonic()
    while monotonic() - start < SECONDS:
        game = ids[done % len(ids)]
        version = versions[game]
        cause, notice = Cause(0, "api", version, ACTION), outbox.turn_mail(game, version, 1)
        after = {"awaited": (version % 2,), "faces": version}
        with statements(engine) as db:
            append(db, Entry(game=game, version=version, events=facts, cause=cause, notices=[notice], **after))
        versions[game] += len(facts)
        done += 1
    rate = done / (monotonic() - start)
    engine.dispose()
    return rate


def pgbench_tps(servers: LocalServers) -> float:
    """Return the transactions a second of pgbench with CLIENTS clients: an update and two inserts each."""
    assert servers.postgres is not None
    body = '{"type": "company-taken-over", "fields": "' + "x" * 250 + '"}'
    with psycopg.connect(servers.owner_url.replace("+psycopg", ""), autocommit=True) as db:
        db.execute("drop table if exists bench_game, bench_event, bench_outbox")
        db.execute(PGBENCH_TABLES)
    program = reachable_binaries(servers.postgres.data.parent, server_account()) / "pgbench"
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(PGBENCH_SCRIPT.format(body=body))
        script.flush()
        command = [str(program), "-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(int(SECONDS))]
        where = ["-h", str(servers.postgres.sockets), "-U", "boardroom", "-f", script.name, "boardroom"]
        done = subprocess.run([*command, *where], capture_output=True, text=True, check=True)
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])
