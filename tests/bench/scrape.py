"""Time that a scrape of /metrics and pruning take with 116,000 rows in the outbox, and CPU of counting a request."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from service.shared import clock, metrics
from service.store.engine import build_engine
from service.store.pruning import prune
from service.views.operation import audits, gauges
from tests.bench.figures import cpu_seconds, figure
from tests.bench.http import bench_servers
from tests.large_outbox import ROWS, fill

ROUNDS = 9
REQUESTS = 10_000


def main() -> None:
    """Print the figures of a large outbox."""
    with bench_servers() as servers:
        fill(servers.owner_url.replace("+psycopg", ""))
        engine = build_engine(servers.database_url)
        with engine.connect() as db:
            figure("scrape_outbox_ms", _milliseconds(lambda: (gauges(db), audits(db))), "ms", 15, 5, rows=ROWS)
        figure("prune_nothing_ms", _milliseconds(lambda: prune(engine, clock.now())), "ms", 30, 10, rows=ROWS)
        engine.dispose()
    with get_context("spawn").Pool(1) as pool:
        figure("count_request_us", pool.apply(_counting), "us", 15, 8)


def _counting() -> float:
    """Return the microseconds of CPU that counting a request costs, as a web process does it; for a process alone."""
    with tempfile.TemporaryDirectory() as folder:
        metrics.begin(Path(folder))

        def count() -> None:
            for _ in range(REQUESTS):
                metrics.count_request("POST", "/api/v1/games/<uuid:game_id>/actions", 201, 0.0042)

        return cpu_seconds(count) / REQUESTS * 1e6


def _milliseconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        work()
        taken.append((perf_counter() - begun) * 1000)
    # Whatever else the machine does only adds to it.
    return min(taken)


if __name__ == "__main__":
    main()
