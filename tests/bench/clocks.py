"""What clocks cost: an append, a hundred thousand deadlines that are not due, and a thousand that are due at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import mean, median
from threading import Timer
from time import perf_counter, process_time
from uuid import UUID

from freezegun import freeze_time
from sqlalchemy import Engine, text

from service.handlers import lobby, players
from service.handlers.play import Move, play
from service.rules.pace import PACES, Pace
from service.runtime import Runtime
from service.settings import Settings
from service.store.game_row import Terms
from service.store.games import Games
from tests.bench.figures import figure
from tests.bench.store import NOW, servers
from tests.house import forget_what_is_due, settings_on
from workers.lapse import Lookout
from workers.relay import Lane, Relay

PAIRS = 40
MOVES = 12
PENDING = 100_000
AT_A_TIME = 5_000
LAPSING = 1000
IDLE_SECONDS = 5.0
HOURLY = Pace(free=3600, bank=0, credit=0, cap=0)

_PENDING = text("""
insert into outbox (dedupe_key, kind, game_id, payload, not_before, due_at)
select 'lapse:' || gen_random_uuid() || ':0:' || n, 'lapse', gen_random_uuid(), '{"seat": 0, "deadline": 0}',
       now() + interval '1 day' + n * interval '1 s', now() + interval '1 day' + n * interval '1 s'
  from generate_series(1, :number) n
""")
_NOT_PENDING = text("""
delete from outbox where id = any(array(
  select id from outbox where kind = 'lapse' and due_at > now() + interval '12 h' limit :number))
""")
_LAPSED = text("""
select game_id, at, (data ->> 'deadline')::bigint as deadline from event
 where name = 'time-lapsed' and at >= :since order by at, deadline
""")
_LEFT = text("""
select exists (select from outbox where kind in ('lapse', 'automaton') and state = 'pending'
                  and due_at < clock_timestamp())
""")


def main() -> None:
    """Print the figures of clocks."""
    with servers() as running:
        settings = replace(settings_on(running), redis_url=None, smtp_url=None)
        runtime = Runtime.build(settings)
        games = runtime.games
        # The nightly audit of what is played here is none of these figures.
        forget_what_is_due(runtime.engine)
        without, with_clock = _play(games, PAIRS)
        figure("clock_append_ratio", median(with_clock) / median(without), "1", 1.05, 1.05, ms=median(without))
        _play(games, 5)
        before, idle_before = median(_play(games, PAIRS // 2)[1]), _idle_cpu(settings)
        _fill(runtime.engine, PENDING)
        with_pending, idle = median(_play(games, PAIRS // 2)[1]), _idle_cpu(settings)
        _empty(runtime.engine)
        after, idle_after = median(_play(games, PAIRS // 2)[1]), _idle_cpu(settings)
        ratio = with_pending / mean((before, after))
        figure("pending_append_ratio", ratio, "1", 1.03, 1.03, pending=PENDING, ms=with_pending)
        figure("pending_idle_cpu", idle, "%", 2.0, 2.0, pending=PENDING, without=mean((idle_before, idle_after)))
        _lapses(runtime)
        runtime.engine.dispose()


def _play(games: Games, pairs: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds that accepted moves took, in games without a clock and with one, which take turns."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(pairs):
        both = [_started(games, None), _started(games, PACES["daily"])]
        for number in range(MOVES):
            for which in (0, 1) if number % 2 else (1, 0):
                taken[which].append(_moved(games, both[which]))
    return taken


def _moved(games: Games, game: UUID) -> float:
    with games.engine.connect() as db:
        position = games.open(db, game)
    seat = min(position.awaited)
    move = Move(game, seat, position.decision, position.ruleset.legal(position.state, seat)[0], "api")
    begun = perf_counter()
    play(games, move, seen=position)
    return (perf_counter() - begun) * 1000


def _started(games: Games, pace: Pace | None, people: Sequence[UUID] = ()) -> UUID:
    seated = people or [players.register(games, "Alice", None, "en", NOW)[0] for _ in range(2)]
    plan = lobby.Plan("new-corp-order", 2, terms=Terms(access="public", pace=pace))
    game = lobby.create(games, seated[0], plan, NOW).game.id
    lobby.join(games, game, seated[1], NOW)
    lobby.start(games, game, seated[0], NOW)
    return game


def _fill(engine: Engine, number: int) -> None:
    for _ in range(number // AT_A_TIME):
        with engine.begin() as db:
            db.execute(_PENDING, {"number": AT_A_TIME})
    _settle(engine)


def _empty(engine: Engine) -> None:
    with engine.begin() as db:
        while db.execute(_NOT_PENDING, {"number": AT_A_TIME}).rowcount:
            pass
    _settle(engine)


def _settle(engine: Engine) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.execute(text("vacuum analyze outbox"))


def _idle_cpu(settings: Settings) -> float:
    """Return the percentage of a processor that a relay takes which has nothing to do."""
    runtime = Runtime.build(settings)
    relay = Relay(runtime)
    while relay.drain():
        pass
    Timer(IDLE_SECONDS, relay.stop).start()
    begun, used = perf_counter(), process_time()
    relay.run()
    percent = (process_time() - used) / (perf_counter() - begun) * 100
    runtime.engine.dispose()
    return percent


def _lapses(runtime: Runtime) -> None:
    """Let the deadlines of so many games lapse, and the stand-in play, on one worker: the relay itself."""
    games, begun_at = runtime.games, datetime.now(UTC)
    people = [players.register(games, "Alice", None, "en", NOW)[0] for _ in range(2)]
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
