"""Speed of the service as `make up` runs it: actions of real games, posted over HTTP to the default web server."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, zip_longest
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from urllib.request import urlopen

import msgspec

from service.commands.selfplay import draw
from service.handlers import lobby
from service.handlers.append import SealedChance
from service.handlers.lobby import Plan
from service.handlers.people import Arrival, register_player
from service.local.servers import LocalServers
from service.local.supervisor import Child, Program
from service.log.codec import action_json
from service.rules.kernel import fold
from service.rules.registry import find_rulesets
from service.settings import Settings
from service.store.engine import build_engine
from service.store.game_row import Terms
from service.store.games import Games
from service.store.migrations import upgrade
from tests.bench.figures import figure, percentile
from tests.bench.load import Script, Tally, connect, drive
from tests.bench.processes import MEBIBYTE, PARENT, SESSION, cpu_seconds, memory, total
from tests.bench.store import NOW
from tests.ports import free_port
from tests.serving import wait_for

CONNECTIONS = 16
GAMES_WARMING = 2
GAMES_PER_CONNECTION = 14
GAMES_ALONE = 12
TURNS_ALONE = 3
WARM_UP = 1.0
SECONDS = 5.0


def main() -> None:
    """Print the figures of the web server."""
    with bench_servers() as servers:
        games = Games(build_engine(servers.database_url), find_rulesets())
        together = [new_script(games, GAMES_PER_CONNECTION) for _ in range(CONNECTIONS)]
        alone = [new_script(games, GAMES_ALONE) for _ in range(TURNS_ALONE)]
        warming = [new_script(games, GAMES_WARMING) for _ in range(CONNECTIONS)]
        games.engine.dispose()
        with web_server(servers) as (port, web):
            driven(port, warming, WARM_UP)
            _latency(port, alone)
            driven(port, together, SECONDS)
            pss, rss = (total(web.pid, SESSION, partial(memory, kind)) / MEBIBYTE for kind in ("Pss", "Rss"))
            figure("web_memory_mb", pss, "MiB", 300, 200, rss_mb=rss)


def _latency(port: int, scripts: Sequence[Script]) -> None:
    """Print the median of what several turns have come to, each with games of its own.

    `stolen` is how much of the time the machine's processors were given to others: nobody is answered then.
    """
    begun, stolen = perf_counter(), _stolen_seconds()
    loads = [driven(port, [script], SECONDS).latencies for script in scripts]
    share = (_stolen_seconds() - stolen) / (perf_counter() - begun)
    p50, p99 = (sorted(percentile(load, part) * 1000 for load in loads) for part in (0.5, 0.99))
    more = {"lowest": p99[0], "highest": p99[-1], "requests": sum(map(len, loads)), "stolen": share}
    figure("http_p99_ms", median(p99), "ms", 6, 4, p50=median(p50), **more)


@contextmanager
def bench_servers() -> Iterator[LocalServers]:
    """Run databases of their own, with all tables."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), wanted=frozenset({"postgres", "redis"})) as servers:
            upgrade(servers.owner_url)
            yield servers


@contextmanager
def web_server(servers: LocalServers) -> Iterator[tuple[int, Child]]:
    """Run the default web server on a free port, as `make up` does."""
    port = free_port()
    log = servers.logs / "web.log"
    environment = Settings.from_env(partial=True).environment() | {
        "DATABASE_URL": servers.database_url,
        "REDIS_URL": servers.redis_url or "",
        "PORT": str(port),
    }
    command = [sys.executable, "-m", "service.serve"]
    web = Child(Program(name="The web server", command=command, log=log, environment=environment))
    try:
        wait_for(web, lambda: _is_alive(port), 30)
        yield port, web
    finally:
        web.stop()


def _is_alive(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/livez", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def connected(port: int, number: int, connections: int = 1) -> Iterator[Callable[[Sequence[Script], float], Tally]]:
    """Keep connections for so many scripts open, from a process of its own; yield what drives the server over them.

    It is told the scripts, and for how many seconds. Every request has to be accepted.
    """
    with get_context("spawn").Pool(1, connect, (port, number, connections)) as pool:

        def driven(scripts: Sequence[Script], seconds: float) -> Tally:
            tally = pool.apply(drive, (scripts, seconds))
            assert not tally.refused, tally.refused[0]
            return tally

        yield driven


def driven(port: int, scripts: Sequence[Script], seconds: float) -> Tally:
    """Drive the server over new connections; every request has to be accepted."""
    with connected(port, len(scripts)) as drive_on:
        return drive_on(scripts, seconds)


def new_script(games: Games, number: int) -> Script:
    """Return the requests that play so many new games for two, taking turns between the games."""
    requests = [_requests(games, Random(f"bench:{each}")) for each in range(number)]
    return [request for request in chain(*zip_longest(*requests)) if request is not None]


def _requests(games: Games, rng: Random) -> Script:
    """Return the requests that play a new game to its end: it is played here first, with the chance it will have."""
    # With addresses, so that each action owes somebody a mail.
    arrivals = (Arrival("en", name, email=f"{name}@example.org") for name in ("alice", "bob"))
    people = [register_player(games, each, NOW) for each in arrivals]
    host, guest = (player for player, _ in people)
    plan = Plan("new-corp-order", 2, terms=Terms(access="public"))
    game = lobby.create(games, host, plan, NOW).game.id
    lobby.join(games, game, guest, NOW)
    position = lobby.start(games, game, host, NOW)
    ruleset, state, requests = position.ruleset, position.state, []
    with games.engine.connect() as db:
        chance = SealedChance(db, position)
        while ruleset.outcome(state) is None:
            seat = min(ruleset.to_act(state))
            action = draw(ruleset.legal(state, seat), rng)
            said = {"decision": ruleset.decision(state), "action": action_json(action)}
            request = _request(f"/api/v1/games/{game}/actions", people[seat][1], msgspec.json.encode(said))
            requests.append((seat, request))
            state = fold(ruleset, ruleset.decide(state, seat, action, chance), state)
    return requests


def _request(path: str, token: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def cpu_used(web: Child, servers: LocalServers) -> dict[str, float]:
    """Return the seconds that the web server's processes and those of PostgreSQL have worked so far."""
    assert servers.postgres is not None
    postmaster = int((servers.postgres.data / "postmaster.pid").read_text().split("\n", 1)[0])
    # Each backend has a session of its own.
    database = total(postmaster, PARENT, cpu_seconds) + cpu_seconds(Path(f"/proc/{postmaster}"))
    return {"web": cpu_of(web), "database": database}


def cpu_of(web: Child) -> float:
    """Return the seconds that the web server's processes have worked so far."""
    return total(web.pid, SESSION, cpu_seconds)


def _stolen_seconds() -> float:
    """Return for how long a processor of this machine was ready to work so far, and others had it (proc(5), steal)."""
    every = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return int(every[8]) / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)
