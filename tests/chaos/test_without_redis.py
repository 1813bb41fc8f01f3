"""Two minutes without Redis: nobody notices, except that some things take a moment longer."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic

import pytest

from service.local.servers import redis_program, start_redis
from service.local.supervisor import Supervised, wait_until
from tests.chaos.conftest import Begin
from tests.chaos.players import Register, Table, act, newcomers, open_table
from tests.chaos.run import Cast, Run

pytestmark = pytest.mark.slow

SECONDS = float(os.environ.get("WITHOUT_REDIS") or 120)
ODS_SECONDS = 3.0
PATIENCE = 60


@pytest.fixture
def redis(scratch: Path) -> Iterator[Supervised]:
    """A Redis that nobody starts again."""
    program = redis_program()
    if program is None:
        pytest.skip("there is no Redis here")
    started = start_redis(program, scratch / "redis", scratch / "redis.log", lambda _: None)
    yield started
    started.stop()


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["it hangs", "it is dead"])
def test_without_redis_actions_mails_streams_and_the_automaton_go_on(
    begin: Begin, redis: Supervised, how: signal.Signals
) -> None:
    socket = redis.child.program.log.with_name("redis") / "redis.sock"
    run = begin(Cast(tables=(1, 2, 3), links=1, replies=1, followers=2), {"REDIS_URL": f"unix://{socket}"})
    assert wait_until(lambda: run.acknowledged >= 10 and len(run.mail.arrived) >= 4, PATIENCE)
    calm = ods_answers(run, 5)
    os.kill(redis.child.pid, how)
    acts, mails, streamed = run.acknowledged, len(run.mail.arrived), told(run)
    until = monotonic() + SECONDS

    without = ods_answers(run, 5)
    while monotonic() < until:
        without += ods_answers(run, 1)

    grown = {"acted": run.acknowledged - acts, "mails": len(run.mail.arrived) - mails, "streamed": told(run) - streamed}
    os.kill(redis.child.pid, signal.SIGCONT)
    ods = {"ods_median_s": median(without), "ods_most_s": max(without), "ods_calm_most_s": max(calm)}
    run.book.say("without redis", how=how.name, seconds=SECONDS, **ods, **grown)
    run.settle()
    run.judge([])
    assert run.book.findings == []
    assert all(number > 0 for number in grown.values())
    # On a busy machine it is slow with Redis, too.
    assert max(without) <= max(ODS_SECONDS, 2 * max(calm))


def ods_answers(run: Run, number: int) -> list[float]:
    """Play a solo game until the automaton has answered so often; return the seconds that each answer took."""
    client, dice, taken = run.client, Random(run.dice.random()), list[float]()
    while len(taken) < number:
        table = open_table(client, Register(), newcomers(client, 1))
        while len(taken) < number and not table.finished:
            acted = act(client, run.register, table, dice)
            if acted is not None and acted.answer is not None and not awaits(acted.answer.json["table"]):
                began = monotonic()
                assert wait_until(partial(answered, run, table), PATIENCE)
                taken.append(round(monotonic() - began, 2))
    return taken


def answered(run: Run, table: Table) -> bool:
    shown = run.client.by(table.tokens[0]).get(f"/games/{table.game}")
    return shown["status"] != "running" or awaits(shown)


def awaits(shown: dict[str, object]) -> bool:
    """Return whether the player in seat 0 is to act."""
    awaited = shown["to_act"]
    return isinstance(awaited, list) and 0 in awaited


def told(run: Run) -> int:
    return sum(len(events) for follower in run.followers for _, _, events in follower.told)
