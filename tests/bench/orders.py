"""How soon after it is due an order is played, by relay and worker as processes of their own."""

from __future__ import annotations

from time import monotonic, sleep
from uuid import UUID

from sqlalchemy import text

from service.handlers import orders
from service.handlers.orders import NewOrder
from service.handlers.play import Move, play
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from tests.bench.figures import figure, percentile
from tests.bench.http import bench_servers
from tests.bench.post import process
from tests.bench.store import started_game

WARM_UP = 4
GAMES = 60
APART = 0.1
PATIENCE = 60
# The delay that was drawn is made short, so that the orders are due one after the other.
_DUE = text("""
update outbox set not_before = moment.at, due_at = moment.at
  from (select clock_timestamp() + make_interval(secs => cast(:after as double precision)) as at) as moment
 where game_id = :game and kind = 'order'
""")
_TAKEN = text("""
select extract(epoch from e.at - o.due_at) * 1000 from outbox o
  join event e on e.game_id = o.game_id and e.door = 'order' and e.action is not null
 where o.kind = 'order' and o.game_id = any(:games)
""")


def main() -> None:
    """Print the 95th percentile of the time from when an order is due to when it is in the log."""
    with bench_servers() as servers:
        settings = _settings(servers)
        runtime = Runtime.build(settings)
        asked = [_asked(runtime) for _ in range(WARM_UP + GAMES)]
        with process(servers, settings, "workers.main moves"), process(servers, settings, "workers.relay"):
            _taken(runtime, asked[:WARM_UP])
            taken = _taken(runtime, asked[WARM_UP:])
        runtime.engine.dispose()
    figure("order_ms", percentile(taken, 0.95), "ms", 200, 100, p50=percentile(taken, 0.5), orders=len(taken))


def _settings(servers: LocalServers) -> Settings:
    return Settings(
        database_url=servers.database_url,
        redis_url=servers.redis_url,
        base_url="http://127.0.0.1:8000",
        host="127.0.0.1",
        port=8000,
        smtp_url=None,
        mail_from="Boardroom <boardroom@example.org>",
        mailbox=None,
        rate_limits=0,
    )


def _asked(runtime: Runtime) -> UUID:
    """Return a game whose second player has given an order and is asked."""
    games = runtime.games
    game = started_game(games)
    with games.engine.connect() as db:
        position = games.open(db, game)
    (first,) = position.awaited
    give = NewOrder(position.ruleset.parse("P D D"), ())
    orders.give(games, game, position.seats[1 - first].player_id, [give], clock.now())
    play(games, Move(game, first, position.decision, position.ruleset.parse("P D D"), "api"))
    with games.engine.begin() as db:
        db.execute(_DUE, {"game": game, "after": 3600})
    return game


def _taken(runtime: Runtime, games: list[UUID]) -> list[float]:
    """Have the orders of the games due one after the other; return after how many milliseconds each was played."""
    with runtime.engine.begin() as db:
        for number, game in enumerate(games):
            db.execute(_DUE, {"game": game, "after": 1 + APART * number})
    until = monotonic() + PATIENCE
    while monotonic() < until:
        with runtime.engine.connect() as db:
            taken = [float(each) for each in db.execute(_TAKEN, {"games": games}).scalars()]
        if len(taken) == len(games):
            return taken
        sleep(APART)
    raise TimeoutError("orders were not played")
