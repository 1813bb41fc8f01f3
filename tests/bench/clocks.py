"""What clocks cost: an append, a hundred thousand deadlines that are not due, and a thousand that are due at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import median
from threading import Thread
from threading import enumerate as enumerate_threads
from time import clock_gettime, perf_counter, pthread_getcpuclockid, sleep
from uuid import UUID

from freezegun import freeze_time
from sqlalchemy import Engine, text

from service.handlers import lobby, players
from service.handlers.play import Move, play
from service.local.servers import LocalServers
from service.rules.pace import PACES, Pace
from service.runtime import Runtime
from service.store.game_row import Terms
from service.store.games import Games
from tests.bench.figures import figure
from tests.bench.store import NOW, servers
from tests.house import forget_what_is_due, settings_on
from workers.lapse import Lookout
from workers.relay import Lane, Relay

ROUNDS = 30
MOVES = 12
PENDING = 100_000
AT_A_TIME = 5_000
LAPSING = 1000
IDLE_SECONDS = 60.0
SETTLING = 1.0
HOURLY = Pace(free=3600, bank=0, credit=0, cap=0)

_PENDING = text("""
insert into outbox (dedupe_key, kind, game_id, payload, not_before, due_at)
select 'lapse:' || gen_random_uuid() || ':0:' || n, 'lapse', gen_random_uuid(), '{"seat": 0, "deadline": 0}',
       now() + interval '1 day' + n * interval '1 s', now() + interval '1 day' + n * interval '1 s'
  from generate_series(1, :number) n
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
    with servers() as running, servers() as full:
        plain, crowded = _service(running), _service(full)
        _fill(crowded.engine)
        daily = PACES["daily"]
        contestants = [(plain.games, None), (plain.games, daily), (crowded.games, daily)]
        _play(contestants, 2)
        without, with_clock, with_pending = map(median, _play(contestants, ROUNDS))
        figure("clock_append_ratio", with_clock / without, "1", 1.05, 1.05, ms=without)
        figure("pending_append_ratio", with_pending / with_clock, "1", 1.03, 1.03, pending=PENDING, ms=with_pending)
        # A relay that runs first after a rest pays for waking the processor up, so each of them is that once.
        one, other = _idle_percent([plain, crowded]), _idle_percent([crowded, plain])
        without, with_pending = one[0] + other[1], one[1] + other[0]
        figure("pending_idle_ratio", with_pending / without, "1", 1.03, 1.03, pending=PENDING, percent=without / 2)
        _lapses(plain)
        for each in (plain, crowded):
            each.engine.dispose()


def _service(running: LocalServers) -> Runtime:
    """Return a service without Redis, on servers of its own, with nothing due."""
    runtime = Runtime.build(replace(settings_on(running), redis_url=None, smtp_url=None))
    # The nightly audit of what is played here is none of these figures.
    forget_what_is_due(runtime.engine)
    return runtime


def _play(contestants: Sequence[tuple[Games, Pace | None]], rounds: int) -> list[list[float]]:
    """Return the milliseconds that accepted moves took, in games of each kind, which take turns move by move."""
    taken: list[list[float]] = [[] for _ in contestants]
    for _ in range(rounds):
        made = [(games, _started(games, pace)) for games, pace in contestants]
        for number in range(MOVES):
            for turn in range(len(made)):
                which = (turn + number) % len(made)
                taken[which].append(_moved(*made[which]))
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


def _fill(engine: Engine) -> None:
    """Have so many deadlines be pending."""
    for _ in range(PENDING // AT_A_TIME):
        with engine.begin() as db:
            db.execute(_PENDING, {"number": AT_A_TIME})
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.execute(text("vacuum analyze outbox"))


def _idle_percent(runtimes: Sequence[Runtime]) -> list[float]:
    """Return the percentage of a processor that a relay of each takes which has nothing to do.

    They run side by side, so that they meet the same noise: what a look costs depends on what the machine did before.
    """
    relays = [_Beside(runtime) for runtime in runtimes]
    sleep(SETTLING)
    before, begun = [relay.used() for relay in relays], perf_counter()
    sleep(IDLE_SECONDS)
    after, taken = [relay.used() for relay in relays], perf_counter() - begun
    for relay in relays:
        relay.stop()
    return [(end - start) / taken * 100 for start, end in zip(before, after, strict=True)]


class _Beside:
    """A relay that runs in threads of its own, whose time on a processor is known."""

    def __init__(self, runtime: Runtime) -> None:
        others = set(enumerate_threads())
        self._relay = Relay(runtime)
        self._thread = Thread(target=self._relay.run)
        self._thread.start()
        sleep(SETTLING)
        self._threads = [thread.ident or 0 for thread in enumerate_threads() if thread not in others]

    def used(self) -> float:
        """Return the seconds that its threads have been on a processor."""
        return sum(clock_gettime(pthread_getcpuclockid(ident)) for ident in self._threads)

    def stop(self) -> None:
        """Have it stop, and wait for that."""
        self._relay.stop()
        self._thread.join()


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
