"""Measure the CPU time of an accepted action beside a bare route that writes as much; the two take turns in one run.

The CPU time of the web server and that of the database are compared apart. The disk and other load of the machine
weigh on rates, and hardly on CPU time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

import psycopg

from service.local.servers import LocalServers
from service.local.supervisor import Child
from service.rules.registry import find_rulesets
from service.store.engine import build_engine
from service.store.games import Games
from tests.bench.bare import Shape, bare_server
from tests.bench.figures import figure, percentile
from tests.bench.http import CONNECTIONS, bench_servers, connected, cpu_used, new_script, web_server
from tests.bench.load import Script, Tally

GAMES_PER_CONNECTION = 36
GAMES_APART = 24
GAMES_MINIMAL = 36
WARM_UP = 1.5
TURN = 1.2
TURNS = 10
PREFERENCE = b"Prefer: return=minimal\r\n"
_WRITTEN = """
select count(*) filter (where action is not null), count(*), avg(length(data::text)),
       (select count(*) from outbox where added_at > %(since)s)
  from event where at > %(since)s and seat is not null
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Average cost of a request in one turn: microseconds of the web server's and of the database's CPU time."""

    web: float
    database: float
    per_second: float


Drive = Callable[[Sequence[Script], float], tuple[Cost, Tally]]
"""Drives a server for some seconds; returns what a request cost, and what came of it."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A server under load: its port, its main process, and the databases that it uses."""

    port: int
    child: Child
    servers: LocalServers

    @contextmanager
    def connected(self, connections: int) -> Iterator[Drive]:
        """Keep the connections of all scripts open, as players and programs do; yield what drives it over them."""
        with connected(self.port, CONNECTIONS, connections) as drive:
            yield lambda scripts, seconds: self._cost(drive, scripts, seconds)

    def _cost(
        self, drive: Callable[[Sequence[Script], float], Tally], scripts: Sequence[Script], seconds: float
    ) -> tuple[Cost, Tally]:
        before = cpu_used(self.child, self.servers)
        load = drive(scripts, seconds)
        used = {name: cpu - before[name] for name, cpu in cpu_used(self.child, self.servers).items()}
        number = len(load.latencies)
        return Cost(used["web"] / number * 1e6, used["database"] / number * 1e6, number / load.seconds), load


def main() -> None:
    """Print the figures of an action."""
    with bench_servers() as servers:
        games = Games(build_engine(servers.database_url), find_rulesets())
        numbers = (GAMES_PER_CONNECTION, GAMES_APART, GAMES_MINIMAL)
        together, apart, minimal = ([new_script(games, number) for _ in range(CONNECTIONS)] for number in numbers)
        minimal = [[(seat, _with(PREFERENCE, request)) for seat, request in script] for script in minimal]
        games.engine.dispose()
        with web_server(servers) as (port, web):
            service = Contestant(port, web, servers)
            with psycopg.connect(servers.owner_url.replace("+psycopg", ""), autocommit=True) as db:
                shape, together = _warmed_up(db, service, together)
                minimal_shape, minimal = _warmed_up(db, service, minimal)
            with bare_server(servers, shape) as (bare_port, bare):
                floor = Contestant(bare_port, bare, servers)
                _print("http", (4.0, 3.0), (2.2, 1.7), service, floor, together)
                _print("http_apart", (5.5, 4.5), (3.4, 2.8), service, floor, apart, 2)
            with bare_server(servers, minimal_shape) as (bare_port, bare):
                floor = Contestant(bare_port, bare, servers)
                _print("http_minimal", (4.0, 3.0), (2.2, 1.7), service, floor, minimal)


def _warmed_up(db: psycopg.Connection, service: Contestant, scripts: list[Script]) -> tuple[Shape, list[Script]]:
    """Play for a while; return what an action comes to on average, and the rest of the scripts."""
    since = db.execute("select clock_timestamp()").fetchone()
    with service.connected(1) as drive:
        _, load = drive(scripts, WARM_UP)
    row = db.execute(_WRITTEN, {"since": since and since[0]}).fetchone()
    assert row is not None
    actions, events, size, notices = row
    shape = Shape(round(events / actions), round(notices / actions), round(size), load.read // len(load.latencies))
    return shape, _rest(scripts, load)


def _with(header: bytes, request: bytes) -> bytes:
    return request.replace(b"\r\n", b"\r\n" + header, 1)


def _rest(scripts: Sequence[Script], load: Tally) -> list[Script]:
    return [script[answered:] for script, answered in zip(scripts, load.answered, strict=True)]


def _print(
    name: str,
    web: tuple[float, float],
    database: tuple[float, float],
    service: Contestant,
    floor: Contestant,
    scripts: list[Script],
    connections: int = 1,
) -> None:
    """Print the ratios of the web server and of the database, each with its bound and its aim."""
    turns, latencies = list[tuple[Cost, Cost]](), list[float]()
    with floor.connected(connections) as drive_floor, service.connected(connections) as drive_service:
        drive_floor(scripts, WARM_UP)
        # Each process reads the games of its connections, once.
        _, load = drive_service(scripts, WARM_UP)
        for _ in range(TURNS):
            scripts = _rest(scripts, load)
            bare, _ = drive_floor(scripts, TURN)
            action, load = drive_service(scripts, TURN)
            # Turns with few actions left would measure nothing.
            assert all(_rest(scripts, load)), "the games are over before the turns are: have more of them"
            turns.append((action, bare))
            latencies += load.latencies
    for what, (least, aim), of in (
        ("ratio", web, lambda cost: cost.web),
        ("database_ratio", database, lambda cost: cost.database),
    ):
        _print_ratio(f"{name}_{what}", least, aim, turns, of)
    cost = {part: median(getattr(action, part) for action, _ in turns) for part in ("web", "database", "per_second")}
    p99 = percentile(latencies, 0.99) * 1000
    figure(f"{name}_cpu_us", cost["web"] + cost["database"], "us", 1800, 1100, **cost, p99_ms=p99)


def _print_ratio(
    name: str, least: float, aim: float, turns: Sequence[tuple[Cost, Cost]], of: Callable[[Cost], float]
) -> None:
    ratios = sorted(of(action) / of(bare) for action, bare in turns)
    more = {"us": median(of(action) for action, _ in turns), "bare_us": median(of(bare) for _, bare in turns)}
    figure(name, median(ratios), "1", least, aim, lowest=ratios[0], highest=ratios[-1], turns=len(turns), **more)


if __name__ == "__main__":
    main()
