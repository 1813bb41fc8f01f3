"""Deadlines pass while something is broken: each seat's time lapses once, never early, and soon after all is back."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy.exc import SQLAlchemyError

from service.local.servers import LocalServers
from service.local.supervisor import wait_until
from service.log.recorded import Recorded, milliseconds
from service.rules.pace import Pace
from service.rules.registry import find_rulesets
from service.rules.shared_events import TimeLapsed
from service.shared import clock as right_clock
from service.store.engine import build_engine
from service.store.games import Games, Position
from tests.builders import now_at, paced
from tests.chaos.book import Book
from tests.chaos.faketime import faked, jump_to
from tests.chaos.processes import AUXILIARY, BACKEND, POSTMASTER, tree
from tests.chaos.running import Running
from tests.house import RULESETS
from tests.lapsing import logged
from tests.people import alice, bob

pytestmark = pytest.mark.slow

PACE = Pace(free=8, bank=0, credit=0, cap=0)
LATEST = 60
"""Seconds within which everything has lapsed after all is back."""
PARTS = ("workers.relay", "workers.main moves")


def past(deadline: int, seconds: float = 2) -> Callable[[], bool]:
    return lambda: milliseconds(right_clock.now()) > deadline + seconds * 1000


@contextmanager
def killed(running: Running, _right: LocalServers, _clock: Path, deadline: int) -> Iterator[None]:
    """Kill relay and worker again and again, before and after the deadlines."""
    over = past(deadline)

    def strike() -> bool:
        for part in PARTS:
            for each in running.living().get(part, []):
                each.send(signal.SIGKILL)
        return over()

    assert wait_until(strike, 60)
    yield


@contextmanager
def without_redis(_running: Running, right: LocalServers, _clock: Path, deadline: int) -> Iterator[None]:
    """Kill Redis, which comes back after the deadlines."""
    for each in tree(os.getpid()):
        if each.part == "redis":
            each.send(signal.SIGKILL)
    assert wait_until(past(deadline), 60)
    yield
    right.restart_ended()


@contextmanager
def paused_database(_running: Running, _right: LocalServers, _clock: Path, deadline: int) -> Iterator[None]:
    """Stop all processes of PostgreSQL until the deadlines have passed."""
    stopped = [each for each in tree(os.getpid()) if each.part in (POSTMASTER, BACKEND, AUXILIARY)]
    for each in stopped:
        each.send(signal.SIGSTOP)
    try:
        assert wait_until(past(deadline), 60)
    finally:
        for each in stopped:
            each.send(signal.SIGCONT)
    yield


@contextmanager
def ahead(_running: Running, _right: LocalServers, clock: Path, deadline: int) -> Iterator[None]:
    """Put the clock of the processes three hours ahead."""
    jump_to(clock, "+3h")
    yield
    assert wait_until(past(deadline, 0), 60)
    jump_to(clock, "+0")


@contextmanager
def behind(_running: Running, _right: LocalServers, clock: Path, deadline: int) -> Iterator[None]:
    """Put the clock of the processes three hours behind."""
    jump_to(clock, "-3h")
    assert wait_until(past(deadline, 5), 60)
    yield
    jump_to(clock, "+0")


@pytest.fixture
def games(right: LocalServers, clock: Path, scratch: Path) -> Iterator[tuple[Games, Running]]:
    """Games in the database of a service that runs, whose processes go by `clock`."""
    told = {**faked(right, clock), "RULESET_PACKAGES": ",".join(RULESETS)}
    running = Running(scratch, Book(), told)
    running.start()
    engine = build_engine(right.database_url)
    yield Games(engine, find_rulesets(RULESETS)), running
    engine.dispose()
    running.stop()


@pytest.mark.parametrize("hurt", [killed, without_redis, paused_database, ahead, behind])
def test_t10_each_deadline_lapses_once_never_early_and_soon_after_all_is_back(
    games: tuple[Games, Running],
    right: LocalServers,
    clock: Path,
    hurt: Callable[[Running, LocalServers, Path, int], AbstractContextManager[None]],
) -> None:
    shelf, running = games
    people, first = [alice(shelf, None), bob(shelf, None)], {"first-player": 0}
    tables = [*(paced(shelf, PACE) for _ in range(2)), paced(shelf, PACE, "new-corp-order", people, **first)]
    wanted = {(table.game.id, seat): deadline_of(table, seat) for table in tables for seat in table.awaited}
    with hurt(running, right, clock, max(wanted.values())):
        pass

    def first_lapses() -> list[tuple[Position, Recorded]]:
        with suppress(SQLAlchemyError):
            told = [(table, each) for table in tables for each in logged(shelf, table, TimeLapsed)]
            return [(table, each) for table, each in told if each.event.decision == 1]
        return []

    assert wait_until(lambda: len(first_lapses()) >= len(wanted), LATEST)
    told = first_lapses()
    assert {(table.game.id, each.event.seat): each.event.deadline for table, each in told} == wanted
    assert len(told) == len(wanted), "each of them once"
    assert all(milliseconds(each.at) >= each.event.deadline for _, each in told), "none is early"
    # And the stand-in goes on.
    assert wait_until(lambda: all(now_at(shelf, table.game.id).decision > 1 for table in tables), LATEST)


def test_t10_a_clock_that_is_ahead_lets_nothing_lapse_before_its_deadline(
    games: tuple[Games, Running], clock: Path
) -> None:
    shelf, _ = games
    jump_to(clock, "+3h")
    table = paced(shelf, PACE)
    deadline = min(deadline_of(table, seat) for seat in table.awaited)
    early: list[Recorded] = []

    def look() -> bool:
        found = logged(shelf, table, TimeLapsed)
        before = milliseconds(right_clock.now()) < deadline
        early.extend(found if before else [])
        return bool(found)

    assert wait_until(look, LATEST)
    assert not early


def deadline_of(position: Position, seat: int) -> int:
    assert position.clocks is not None
    found = position.clocks.deadline(seat)
    assert found is not None
    return found
