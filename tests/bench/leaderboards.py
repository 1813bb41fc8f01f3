"""What a leaderboard of 100,000 players costs: its first page, one far down, and one's own place."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import psycopg
from sqlalchemy import text

from service.app import create_app
from service.handlers import players
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.shared import clock
from service.store.migrations import upgrade
from tests.bench.figures import figure, percentile
from tests.house import settings_on
from tests.rest import Caller

PLAYERS: Final = 100_000
ROUNDS: Final = 200
MOST_MS: Final = 15.0
BOARD: Final = "/leaderboards/new-corp-order/2"
_FILL = f"""
insert into player (id, name, language, created_at)
select md5('rated' || n)::uuid, 'Player ' || n, 'en', now() from generate_series(1, {PLAYERS}) n;
insert into rating (player_id, ruleset, seats, mu, sigma, games)
select md5('rated' || n)::uuid, 'new-corp-order', 2, 10 + n * 30.0 / {PLAYERS}, 3, 10
  from generate_series(1, {PLAYERS}) n;
"""
_OWN = text(
    "insert into rating (player_id, ruleset, seats, mu, sigma, games) values (:player, 'new-corp-order', 2, :mu, 3, 10)"
)


def main() -> None:
    """Fill a database, and print the figures."""
    with (
        tempfile.TemporaryDirectory(prefix="boardroom-") as folder,
        LocalServers(Path(folder), wanted=frozenset({"postgres"}), durable=False) as servers,
    ):
        Path(folder).chmod(0o711)
        upgrade(servers.owner_url)
        with psycopg.connect(servers.owner_url.replace("+psycopg", ""), autocommit=True) as db:
            db.execute(_FILL)
            db.execute("vacuum analyze")
        runtime = Runtime.build(settings_on(servers))
        _measure(runtime)
        runtime.engine.dispose()


def _measure(runtime: Runtime) -> None:
    player, token = players.register(runtime.games, "Alice", None, "en", clock.now())
    with runtime.engine.begin() as db:
        db.execute(_OWN, {"player": player, "mu": 12.0})
    api = Caller(create_app(runtime).test_client(), token)
    deep = BOARD
    for _ in range(20):
        deep = f"{BOARD}?limit=100&after={api.get(deep).json['next']}"
    for name, path in (("first_page", f"{BOARD}?limit=100"), ("far_down", deep)):
        taken = []
        for _ in range(ROUNDS):
            begun = perf_counter()
            assert api.get(path).status_code == 200
            taken.append((perf_counter() - begun) * 1000)
        figure(f"leaderboard_{name}", median(taken), "ms", MOST_MS, 5.0, p5=percentile(taken, 0.05))


if __name__ == "__main__":
    main()
