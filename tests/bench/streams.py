"""Measure how many streams the default server keeps open, its latency meanwhile, and the memory that streams take."""

from __future__ import annotations

import re
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from time import perf_counter
from uuid import UUID

from service.handlers import lobby, people
from service.handlers.lobby import Plan
from service.handlers.people import Arrival
from service.handlers.talk import say
from service.http.waiting_slots import MAX_STREAMS, MAX_STREAMS_PER_NETWORK
from service.local.servers import LocalServers
from service.local.supervisor import Child, Program
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store.game_row import Terms
from service.store.migrations import upgrade
from tests.bench.figures import figure, percentile
from tests.ports import free_port
from tests.serving import wait_for

WANTED = 300
PINGS = 200
PINGS_PER_EVENT = 20
PATIENCE = 30


def main() -> None:
    """Print how many streams are told of an event while the server answers pings, and the server's memory then."""
    with _served() as (runtime, server), ExitStack() as stack:
        host, token = people.register_player(runtime.games, Arrival("en", "Alice"), clock.now())
        guest, _ = people.register_player(runtime.games, Arrival("en", "Bob"), clock.now())
        plan = Plan("new-corp-order", 2, terms=Terms(access="public"))
        game = lobby.create(runtime.games, host, plan, clock.now()).game.id
        lobby.join(runtime.games, game, guest, clock.now())
        version = lobby.start(runtime.games, game, host, clock.now()).version
        tokens = [
            people.register_player(runtime.games, Arrival("en", "Carol"), clock.now())[1]
            for _ in range(WANTED // MAX_STREAMS)
        ]
        path = f"/api/v1/games/{game}/stream?after={version}"
        # In each process a network address holds only so many.
        homes = [f"127.0.0.{2 + number // (MAX_STREAMS_PER_NETWORK // MAX_STREAMS)}" for number in range(len(tokens))]
        opened = [
            _open(stack, runtime.settings.port, path, token, home)
            for token, home in zip(tokens, homes, strict=True)
            for _ in range(MAX_STREAMS)
        ]
        silent = sorted(_ping(runtime, "/livez") for _ in range(PINGS))
        busy = sorted(_busy_pings(runtime, game, host))
        asking = sorted(_ping(runtime, "/api/v1/me", token) for _ in range(PINGS))
        told = sum(_is_told(each, PINGS // PINGS_PER_EVENT) for each in opened)
        figure(
            "sse_streams",
            told,
            "streams",
            WANTED,
            WANTED,
            ping_p95_ms=percentile(silent, 0.95),
            ping_p95_ms_while_told=percentile(busy, 0.95),
            me_p95_ms=percentile(asking, 0.95),
            ping_p95_at_most=100,
            rss_mb=_resident_mb(server.pid),
        )


@contextmanager
def _served() -> Iterator[tuple[Runtime, Child]]:
    """Run the web server as `make up` does, on servers of its own."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), wanted=frozenset({"postgres", "redis"})) as servers:
            upgrade(servers.owner_url)
            settings = _settings(servers)
            command = [sys.executable, "-m", "service.serve"]
            log, environment = Path(folder) / "web.log", settings.environment()
            child = Child(Program(name="The web server", command=command, log=log, environment=environment))
            try:
                runtime = Runtime.build(settings)
                wait_for(child, lambda: _answers(settings.port), PATIENCE)
                yield runtime, child
                runtime.engine.dispose()
            finally:
                child.stop()


def _settings(servers: LocalServers) -> Settings:
    port = free_port()
    return Settings(
        database_url=servers.database_url,
        redis_url=servers.redis_url,
        base_url=f"http://127.0.0.1:{port}",
        host="127.0.0.1",
        port=port,
        smtp_url=None,
        mail_from="Boardroom <boardroom@example.org>",
        mailbox=None,
    )


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=1):
            return True
    except OSError:
        return False


def _open(stack: ExitStack, port: int, path: str, token: str, home: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(home, 0))
    stack.callback(connection.close)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"a stream was refused with {answer.status}")
    return answer


def _busy_pings(runtime: Runtime, game: UUID, player: UUID) -> Iterator[float]:
    """Ping while every now and then all streams are told something."""
    for number in range(PINGS):
        if number % PINGS_PER_EVENT == 0:
            say(runtime.games, game, player, "Hm.", "api", clock.now())
        yield _ping(runtime, "/livez")


def _ping(runtime: Runtime, path: str, token: str = "") -> float:
    """Return the milliseconds that a request on a connection of its own takes."""
    start = perf_counter()
    connection = HTTPConnection("127.0.0.1", runtime.settings.port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    connection.getresponse().read()
    connection.close()
    return (perf_counter() - start) * 1000


def _is_told(answer: HTTPResponse, events: int) -> bool:
    """Tell whether so many events arrive on the stream."""
    for line in iter(answer.readline, b""):
        events -= line.startswith(b"data:")
        if not events:
            return True
    return False


def _resident_mb(session: int) -> float:
    """Return the resident memory of all processes of a session."""
    kilobytes = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if int((process / "stat").read_text().rpartition(")")[2].split()[3]) == session:
                found = re.search(r"VmRSS:\s+(\d+)", (process / "status").read_text())
                kilobytes += int(found[1]) if found else 0
        except OSError:
            continue
    return kilobytes / 1024


if __name__ == "__main__":
    main()
