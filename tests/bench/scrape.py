"""Time that PostgreSQL takes for a scrape of /metrics and for pruning, with 116,000 rows in the outbox."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

from service.shared import clock
from service.store.engine import build_engine
from service.store.pruning import prune
from service.views.gauges import audits, gauges
from tests.bench.figures import figure
from tests.bench.http import bench_servers
from tests.large_outbox import ROWS, fill

ROUNDS = 9


def main() -> None:
    """Print the figures of a large outbox."""
    with bench_servers() as servers:
        fill(servers.owner_url.replace("+psycopg", ""))
        engine = build_engine(servers.database_url)
        with engine.connect() as db:
            figure("scrape_outbox_ms", _milliseconds(lambda: (gauges(db), audits(db))), "ms", 15, 5, rows=ROWS)
        figure("prune_nothing_ms", _milliseconds(lambda: prune(engine, clock.now())), "ms", 30, 10, rows=ROWS)
        engine.dispose()


def _milliseconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        work()
        taken.append((perf_counter() - begun) * 1000)
    return median(taken)


if __name__ == "__main__":
    main()
