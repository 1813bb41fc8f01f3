"""Measure clocks: an append, a hundred thousand deadlines that are not due, and a thousand that are due at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time_ns
from uuid import UUID

import psycopg
from freezegun import freeze_time
from sqlalchemy import Engine, text

from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.people import Arrival, register_player
from service.handlers.play import Move, play
from service.local.servers import LocalServers
from service.rules.pace import PACES, Pace
from service.runtime import Runtime
from service.store.game_row import Terms
from service.store.games import Games
from service.store.migrations import upgrade
from tests.bench.figures import figure
from tests.bench.store import NOW, servers
from tests.house import forget_what_is_due, fresh_database, settings_on
from workers.pace import Lookout
from workers.relay import Lane, Relay

ROUNDS = 60
WARM_UP = 2
MOVES = 12
PENDING = 100_000
AT_A_TIME = 5_000
LAPSING = 1000
IDLE_TURNS = 5_000
SETTLING = 50
HOURLY = Pace(free=3600, bank=0, credit=0, cap=0)
Contestant = tuple[Runtime, Pace | None]
"""A service, and the pace of the games that are played there."""

_PENDING = text("""
insert into outbox (dedupe_key, kind, game_id, payload, not_before, due_at)
select 'timer:' || gen_random_uuid() || ':' || n, 'timer', gen_random_uuid(), '{}',
       now() + interval '1 day' + n * interval '1 s', now() + interval '1 day' + n * interval '1 s'
  from generate_series(1, :number) n
""")
_LAPSED = text("""
select game_id, at, (data ->> 'deadline')::bigint as deadline from event
 where name = 'time-lapsed' and at >= :since order by at, deadline
""")
# PostgreSQL's own processes, which clean up, come and go.
_BACKENDS = text("""
select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
""")
_LEFT = text("""
select exists (select from outbox where kind in ('timer', 'lapse', 'automaton') and state = 'pending'
                  and due_at < clock_timestamp())
""")


def main() -> None:
    """Print the figures of clocks."""
    # Two databases of one server, as both wait for the same disk and the same processes then.
    with servers() as running, fresh_database(running, "crowded") as (owner_url, crowded_url):
        upgrade(owner_url)
        plain, crowded = _service(running, running.database_url), _service(running, crowded_url)
        without, daily = (plain, None), (plain, PACES["daily"])
        beside = (daily, (crowded, PACES["daily"]))
        _beside(beside, WARM_UP)
        ratio, more = _beside((without, daily))
        figure("clock_append_ratio", ratio, "1", 1.05, 1.05, **more)
        alike, _ = _beside(beside)
        _fill(crowded.engine, owner_url)
        ratio, more = _beside(beside)
        figure("pending_append_ratio", ratio, "1", 1.03, 1.03, pending=PENDING, with_none_pending=alike, **more)
        for each in (plain, crowded):
            _forget_mails(each.engine)
        (own, its), (own_with, its_with) = _idle([plain, crowded])
        figure("pending_idle_ratio", own_with / own, "1", 1.03, 1.03, pending=PENDING, us=own)
        figure("pending_idle_database_ratio", its_with / its, "1", 1.3, 1.3, pending=PENDING, us=its)
        _lapses(plain)
        for each in (plain, crowded):
            each.engine.dispose()


def _service(running: LocalServers, database_url: str) -> Runtime:
    """Return a service without Redis, on a database of its own, with nothing due."""
    settings = replace(settings_on(running), database_url=database_url, redis_url=None, smtp_url=None)
    runtime = Runtime.build(settings)
    # The nightly audit of what is played here is none of these figures.
    forget_what_is_due(runtime)
    return runtime


def _beside(pair: tuple[Contestant, Contestant], rounds: int = ROUNDS) -> tuple[float, dict[str, float]]:
    """Return how long an accepted move of the second takes, by one of the first.

    Beside it the same of the CPU time of the process and PostgreSQL's, and what the first took in milliseconds.
    """
    (ms, cpu), (ms_of_second, cpu_of_second) = (
        [median(column) for column in zip(*each, strict=True)] for each in _play(pair, rounds)
    )
    return ms_of_second / ms, {"cpu_ratio": cpu_of_second / cpu, "ms": ms, "cpu_ms": cpu}


def _play(pair: tuple[Contestant, Contestant], rounds: int) -> list[list[tuple[float, float]]]:
    """Return what accepted moves took, as `_moved`, in games of each kind, which take turns move by move.

    Each follows as often on the other as on itself, since what has just been asked answers faster.
    """
    taken: list[list[tuple[float, float]]] = [[], []]
    backends = [_backends(runtime.engine) for runtime, _ in pair]
    for _ in range(rounds):
        made = [(runtime.games, _started(runtime.games, pace)) for runtime, pace in pair]
        for number in range(MOVES):
            for which in (0, 1) if number % 2 else (1, 0):
                taken[which].append(_moved(*made[which], backends[which]))
    return taken


def _moved(games: Games, game: UUID, backends: Sequence[int]) -> tuple[float, float]:
    """Play a move; return the milliseconds that it took, and those of CPU time, the database's included."""
    with games.engine.connect() as db:
        position = games.open(db, game)
    seat = min(position.awaited)
    move = Move(game, seat, position.decision, position.ruleset.legal(position.state, seat)[0], "api")
    its, own, begun = sum(map(_nanoseconds, backends)), thread_time_ns(), perf_counter()
    play(games, move, seen=position)
    taken, own = perf_counter() - begun, thread_time_ns() - own
    return taken * 1000, (own + sum(map(_nanoseconds, backends)) - its) / 1e6


def _started(games: Games, pace: Pace | None, people: Sequence[UUID] = ()) -> UUID:
    # With addresses, so that each action owes somebody a mail.
    alice = Arrival("en", "Alice", email="alice@example.org")
    seated = people or [register_player(games, alice, NOW)[0] for _ in range(2)]
    plan = Plan("new-corp-order", 2, terms=Terms(access="public", pace=pace))
    game = lobby.create(games, seated[0], plan, NOW).game.id
    lobby.join(games, game, seated[1], NOW)
    lobby.start(games, game, seated[0], NOW)
    return game


def _fill(engine: Engine, owner_url: str) -> None:
    """Have so many deadlines be pending."""
    for _ in range(PENDING // AT_A_TIME):
        with engine.begin() as db:
            db.execute(_PENDING, {"number": AT_A_TIME})
    # The application's role may not, and PostgreSQL would only warn.
    with psycopg.connect(owner_url.replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute("vacuum analyze outbox")


def _forget_mails(engine: Engine) -> None:
    """Take away the mails that the moves owe: a relay with nothing to do has none."""
    with engine.begin() as db:
        db.execute(text("delete from outbox where kind <> 'timer'"))


def _idle(runtimes: Sequence[Runtime]) -> list[tuple[float, float]]:
    """Return the CPU in microseconds of a relay's turn with nothing to do, and its database's: medians for each.

    They take turns, so that they meet the same noise, and each is as often the first one: it finds the caches cold.
    """
    relays = [Relay(runtime) for runtime in runtimes]
    for relay in relays * SETTLING:
        relay.drain()
    backends = [_backends(runtime.engine) for runtime in runtimes]
    taken: list[list[tuple[int, int]]] = [[] for _ in relays]
    for turn in range(IDLE_TURNS):
        for which in range(len(relays)):
            at = (which + turn) % len(relays)
            before, begun = sum(map(_nanoseconds, backends[at])), thread_time_ns()
            relays[at].drain()
            own = thread_time_ns() - begun
            taken[at].append((own, sum(map(_nanoseconds, backends[at])) - before))
    return [(median(own for own, _ in each) / 1000, median(its for _, its in each) / 1000) for each in taken]


def _backends(engine: Engine) -> Sequence[int]:
    with engine.connect() as db:
        return db.execute(_BACKENDS).scalars().all()


def _nanoseconds(process: int) -> int:
    """Return how long a process has been on a processor; Linux tells it."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0])


def _lapses(runtime: Runtime) -> None:
    """Let the deadlines of so many games lapse, and the stand-in play, on one worker: the relay itself."""
    games, begun_at = runtime.games, datetime.now(UTC)
    people = [register_player(games, Arrival("en", "Alice"), NOW)[0] for _ in range(2)]
    with freeze_time(begun_at - timedelta(hours=1), tick=True):
        made = {_started(games, HOURLY, people) for _ in range(LAPSING)}
    relay = Lane(runtime, "moves", before=Lookout(runtime.engine, ()).look)
    begun = perf_counter()
    while relay.drain() or _left(runtime.engine):
        pass
    taken = perf_counter() - begun
    with runtime.engine.connect() as db:
        told = db.execute(_LAPSED, {"since": begun_at}).all()
    assert {row.game_id for row in told} == made
    deadlines = [row.deadline for row in told]
    per_minute, in_order = len(told) / taken * 60, deadlines == sorted(deadlines)
    figure("lapses_per_minute", per_minute, "1/min", 1000, 1000, in_order=in_order, seconds=taken)


def _left(engine: Engine) -> bool:
    with engine.connect() as db:
        return bool(db.execute(_LEFT).scalar_one())


if __name__ == "__main__":
    main()
