"""A move and a lapse race from two processes: `python -m tests.workers.lapse_race 1000`.

Whoever comes first in each round, exactly one of them is in the log, and the other is told so.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from uuid import UUID

from service.handlers.play import Move, play
from service.handlers.refusals import TimeHasLapsed
from service.local.servers import LocalServers
from service.rules.shared_events import TimeLapsed
from service.runtime import Runtime
from service.settings import Settings
from service.store.migrations import upgrade
from tests.builders import first_legal, paced
from tests.house import settings_on
from tests.lapsing import AT_ONCE, logged, pending
from tests.people import alice, bob, carol
from workers.jobs import carry_out

HEAD_START = 0.006
"""The most seconds by which one of them begins before the other, so that each wins some of the rounds."""
Runner = Callable[[Runtime, Any], str]


def move(runtime: Runtime, task: tuple[UUID, Any]) -> str:
    """Play an action for seat 0, and return what came of it."""
    game, action = task
    try:
        play(runtime.games, Move(game, 0, 1, action, "api"))
    except TimeHasLapsed:
        return "lapsed"
    return "played"


def lapse(runtime: Runtime, row_id: int) -> str:
    """Carry out the row of a lapse."""
    carry_out(runtime, row_id)
    return "carried out"


def run(settings: Settings, runner: Runner, ours: Connection) -> None:
    """Be one of the two processes: run each task that comes, after a pause."""
    runtime = Runtime.build(settings)
    while (task := ours.recv()) is not None:
        pause, what = task
        begun = perf_counter()
        while perf_counter() - begun < pause:
            pass
        ours.send(runner(runtime, what))
    runtime.engine.dispose()


@contextmanager
def runners(settings: Settings) -> Iterator[list[Connection]]:
    """Start the two processes, and return how to reach them."""
    context, ends, processes = get_context("spawn"), [], []
    for runner in (move, lapse):
        here, there = context.Pipe()
        processes.append(context.Process(target=run, args=(settings, runner, there), daemon=True))
        processes[-1].start()
        ends.append(here)
    yield ends
    for end, process in zip(ends, processes, strict=True):
        end.send(None)
        process.join(30)


def races(runtime: Runtime, settings: Settings, rounds: int) -> Counter[str]:
    """Return how many rounds the move won and how many the lapse; raises AssertionError where it was not just one."""
    won: Counter[str] = Counter()
    games, dice = runtime.games, Random(1)
    with runners(settings) as (mover, lapser):
        for number in range(rounds):
            if number % 2:
                position = paced(games, AT_ONCE, people=[alice(games, None), bob(games, None), carol(games, None)])
            else:
                people, first = [alice(games, None), bob(games, None)], {"first-player": 0}
                position = paced(games, AT_ONCE, "new-corp-order", people, **first)
            row = next(each.id for each in pending(games, position) if each.payload["seat"] == 0)
            action = first_legal(position, 0)
            mover.send((dice.uniform(0, HEAD_START), (position.game.id, action)))
            lapser.send((dice.uniform(0, HEAD_START), row))
            outcome, _ = mover.recv(), lapser.recv()
            # A turn of several decisions is one wait: after the move the time for the next one may lapse.
            lapses = len([each for each in logged(games, position, TimeLapsed) if each.event.decision == 1])
            moves = len([each for each in logged(games, position, object) if each.action and each.door == "api"])
            assert (outcome, moves, lapses) in {("played", 1, 0), ("lapsed", 0, 1)}, (outcome, moves, lapses)
            won[outcome] += 1
    return won


def main() -> None:
    """Race as often as the command line says, on servers of our own, and print who won how often."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory(prefix="boardroom-race-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), durable=False) as servers:
            upgrade(servers.owner_url)
            settings = settings_on(servers)
            print(dict(races(Runtime.build(settings), settings, rounds)))


if __name__ == "__main__":
    main()
