"""Speed of the log on a PostgreSQL of our own: rebuilding a game, and appending to many beside pgbench."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from time import monotonic, perf_counter
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy import Engine, text

from service.commands.selfplay import play_out
from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.people import Arrival, register_player
from service.handlers.transaction import statements
from service.local.postgres import reachable_binaries, server_account
from service.local.servers import LocalServers
from service.log.chain import NO_HEAD
from service.log.codec import encode, stored_name
from service.record.record import RecordStep, step_head
from service.rules.registry import find_rulesets
from service.store import notices
from service.store.engine import build_engine
from service.store.events import Cause, Entry, append
from service.store.game_row import Terms
from service.store.games import Games
from service.store.migrations import upgrade
from tests.bench.figures import figure

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CLIENTS = 4
SECONDS = 3.0
SECONDS_OF_PGBENCH = 2
TURNS = 5
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
    with servers() as running:
        games = Games(build_engine(running.database_url), find_rulesets())
        _rebuild(games)
        ids = [[started_game(games) for _ in range(GAMES_PER_CLIENT)] for _ in range(CLIENTS)]
        games.engine.dispose()
        figure("chain_share", _chain_share(running.database_url, ids), "1", 0.10, 0.05)
        ratio, more = beside_pgbench(running, lambda: _appends_per_second(running.database_url, ids))
        figure("append_ratio", ratio, "1", 0.45, 0.8, **more)


@contextmanager
def servers() -> Iterator[LocalServers]:
    """Return a PostgreSQL of our own."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), wanted=frozenset({"postgres"})) as servers:
            upgrade(servers.owner_url)
            yield servers


def _rebuild(games: Games) -> None:
    """Read, decode and fold one finished game for four, with nothing cached."""
    game = started_game(games, seats=4)
    played = play_out(RULESET, 4, {}, "bench:rebuild", recorded=False)
    events = [*played.opening, *(event for events in played.caused for event in events)]
    with games.engine.begin() as db:
        version = games.open(db, game).version
        # The rest of another game goes behind this one's opening; folding does not mind.
        rest = [encode(event) for event in events[version:]]
        cause = Cause(0, "api", 1)
        append(db, Entry(game=game, version=version, events=rest, cause=cause, at=NOW, head=None, status="finished"))
    taken = []
    for _ in range(REBUILDS):
        cold = Games(games.engine, games.rulesets)
        start = perf_counter()
        with statements(cold.engine) as db:
            cold.open(db, game)
        taken.append((perf_counter() - start) * 1000)
    figure("rebuild_ms", median(taken), "ms", 3.0, 1.5, events=len(events))


def started_game(games: Games, seats: int = 2) -> UUID:
    """Return a new game of New Corp Order at its first decision."""
    people = [register_player(games, Arrival("en", "Alice"), NOW)[0] for _ in range(seats)]
    plan = Plan("new-corp-order", seats, terms=Terms(access="public"))
    game = lobby.create(games, people[0], plan, NOW).game.id
    for player in people[1:]:
        lobby.join(games, game, player, NOW)
    lobby.start(games, game, people[0], NOW)
    return game


def _appends_per_second(database_url: str, ids: list[list[UUID]]) -> float:
    return sum(rate for rate, _ in _in_parallel(database_url, ids, False))


def _chain_share(database_url: str, ids: list[list[UUID]]) -> float:
    """Return how much of an append the chain costs: appends with and without it take turns in one run."""
    return 1 - 1 / median(slower for _, slower in _in_parallel(database_url, ids, True))


def _in_parallel(database_url: str, ids: list[list[UUID]], every_other: bool) -> list[tuple[float, float]]:
    spawn = get_context("spawn")
    with spawn.Pool(CLIENTS) as pool:
        return pool.starmap(append_for_a_while, [(database_url, mine, every_other) for mine in ids])


def append_for_a_while(database_url: str, ids: list[UUID], every_other: bool) -> tuple[float, float]:
    """Append what an action causes, and a notice, to the games in turn; return the appends a second.

    Each append commits on its own, as it does when a move is played. With `every_other` each second one goes without
    the chain; the second number is how many times as long one with it took.
    """
    engine = build_engine(database_url)
    played = play_out(RULESET, 2, {}, "bench:append", recorded=False)
    happened = next(each for each in played.caused if len(each) == EVENTS_PER_ACTION)
    with engine.connect() as db:
        found = db.execute(text("select id, version from game where id = any(:ids)"), {"ids": ids})
        versions = {row.id: row.version for row in found}
    taken: dict[bool, list[float]] = {True: [], False: []}
    done, start = 0, monotonic()
    while monotonic() - start < SECONDS:
        # Each game twice, and by turns with the chain first and without it first: the second time finds all at hand.
        game, chained = ids[done // 2 % len(ids)], not every_other or (done + done // 2) % 2 == 0
        began = perf_counter()
        _append(engine, game, versions[game], happened, chained)
        taken[chained].append(perf_counter() - began)
        versions[game] += len(happened)
        done += 1
    rate = done / (monotonic() - start)
    engine.dispose()
    return rate, median(taken[True]) / median(taken[False]) if every_other else 1.0


def _append(engine: Engine, game: UUID, version: int, happened: Sequence[Any], chained: bool) -> None:
    """Append events with a notice as the handlers do, with or without the chain's head."""
    head = None
    if chained:
        named = [(stored_name(type(event)), event) for event in happened]
        step = RecordStep(seq=version + 1, at=NOW, seat=0, door="api", decision=version, action=ACTION, events=named)
        head = step_head(NO_HEAD, NO_HEAD, step)
    entry = Entry(
        game=game,
        version=version,
        events=[encode(event) for event in happened],
        cause=Cause(0, "api", version, ACTION),
        at=NOW,
        head=head,
        notices=[notices.turn_mail(game, version, 1)],
        awaited=(version % 2,),
        faces=version,
    )
    with statements(engine) as db:
        append(db, entry)


def beside_pgbench(servers: LocalServers, rate: Callable[[], float]) -> tuple[float, dict[str, Any]]:
    """Return the median of what is done in a second, measured anew in each turn, by pgbench's transactions a second.

    The two take turns, so that whatever else weighs on the machine weighs on both alike. Beside it, what it came from.
    """
    pgbench, rates = [_pgbench_tps(servers)], []
    for _ in range(TURNS):
        rates.append(rate())
        pgbench.append(_pgbench_tps(servers))
    ratios = sorted(ours / mean(around) for ours, around in zip(rates, pairwise(pgbench), strict=True))
    more = {"per_second": median(rates), "pgbench_tps": median(pgbench), "lowest": ratios[0], "highest": ratios[-1]}
    return median(ratios), more | {"of": PGBENCH}


def _pgbench_tps(servers: LocalServers) -> float:
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
        command = [str(program), "-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(SECONDS_OF_PGBENCH)]
        where = ["-h", str(servers.postgres.sockets), "-U", "boardroom", "-f", script.name, "boardroom"]
        done = subprocess.run([*command, *where], capture_output=True, text=True, check=True)
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])
