"""Watch that mails leave the house and that its parts live; the log tells the operator when they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from service.mail.smtp import Mailer
from service.runtime import Runtime
from service.shared import clock
from service.store.heartbeats import IDLE, JOB, Heart
from service.store.pruning import EFFECTS, prune
from service.views.operation import gauges
from tests.builders import sealed_bids
from tests.workers import solo
from tests.workers.parts import Start
from workers.hourly_jobs import EVERY, Upkeep
from workers.jobs import carry_out
from workers.queue import _TIMEOUT_SECONDS, QUEUES
from workers.relay import Relay

DAY = timedelta(days=1)
OLDER = "update outbox set done_at = done_at - :by, added_at = added_at - :by, dedupe_key = dedupe_key || ' before'"


@pytest.fixture
def watched(runtime: Runtime) -> Runtime:
    """The house, when it is known who runs it."""
    return replace(runtime, redis=None, settings=replace(runtime.settings, operator_email="ops@example.org"))


def run(house: Runtime) -> None:
    """A relay that begins to work, and what its upkeep has brought about."""
    relay = Relay(house)
    for _ in range(3):
        relay.drain()


def age(house: Runtime) -> float | None:
    with house.engine.connect() as db:
        return gauges(db).canary


def test_a_mail_a_day_shows_that_mails_leave(watched: Runtime, mailbox: Path) -> None:
    assert age(watched) is None
    for _ in range(2):
        run(watched)
    (path,) = mailbox.glob("*.eml")
    mail = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert (mail["To"], mail["List-Id"]) == ("ops@example.org", "<canary.example.org>")
    assert "boardroom doctor" in mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert 0 <= (age(watched) or -1) < 60
    with watched.engine.begin() as db:
        db.execute(text(OLDER), {"by": DAY})
    assert DAY.total_seconds() <= (age(watched) or 0) < DAY.total_seconds() + 60
    run(watched)
    assert len({*mailbox.glob("*.eml")}) == 2
    assert 0 <= (age(watched) or -1) < 60


def test_the_age_of_the_last_one_grows_as_long_as_none_arrives(watched: Runtime) -> None:
    away = replace(watched, mailer=Mailer("smtp://127.0.0.1:1", watched.settings.mail_from))
    run(away)
    with watched.engine.begin() as db:
        db.execute(text(OLDER), {"by": EFFECTS + DAY})
    prune(watched.engine, clock.now())
    assert (age(watched) or 0) >= (EFFECTS + DAY).total_seconds()


def test_nobody_is_written_to_who_is_not_known(runtime: Runtime, mailbox: Path) -> None:
    run(replace(runtime, redis=None))
    assert not [*mailbox.glob("*.eml")]
    assert age(runtime) is None


def test_the_log_says_once_each_time_that_mails_do_not_leave(runtime: Runtime) -> None:
    upkeep, now = Upkeep(runtime), clock.now()
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox where kind = 'seal'"))
    sealed_bids(runtime.games)
    with capture_logs() as told:
        upkeep.go_on(now)
        assert not told
        with runtime.engine.begin() as db:
            late = "update outbox set due_at = now() - interval '11 min' where kind = 'turn-mail'"
            db.execute(text(late))
        for minutes in (1, 61, 62, 121):
            upkeep.go_on(now + timedelta(minutes=minutes))
    said = {"event": "mails do not leave", "minutes": 11, "kinds": ["turn-mail"], "log_level": "error"}
    assert told == [said, said]
    assert timedelta(hours=1) == EVERY


@pytest.mark.unpooled
def test_the_log_says_that_connections_do_not_fit_and_what_to_change(runtime: Runtime) -> None:
    large = replace(runtime, settings=replace(runtime.settings, pool_size=20))
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat"))
    with capture_logs() as told:
        Upkeep(runtime).go_on(clock.now())
        assert not told
        Upkeep(large).go_on(clock.now())
    (said,) = told
    assert (said["event"], said["needed"], said["allowed"]) == ("database connections do not fit", 160, 97)
    assert said["todo"].startswith("Set POOL_SIZE to at most 12, start fewer processes")


def beats(house: Runtime) -> Sequence[Any]:
    with house.engine.connect() as db:
        return db.execute(text("select part, pid, parent, patience, started_at, beat_at from heartbeat")).all()


OF_QUEUES = {f"a part-{queue}" for queue in QUEUES}
TOGETHER = {*(f"a part-relay-{queue}" for queue in QUEUES), "a part-courier", "a part-inbox"}
LOOPS = {
    "workers.relay": (OF_QUEUES, 0),
    "workers.main moves": ({"a part"}, 0),
    "workers.courier": ({"a part"}, 0),
    "workers.inbox": ({"a part"}, 0),
    "workers.parts relay courier inbox": (TOGETHER, 0),
    f"workers.main {' '.join(QUEUES)}": (OF_QUEUES, len(QUEUES)),
    f"workers.parts relay courier inbox {' '.join(QUEUES)}": (TOGETHER | OF_QUEUES, 1 + len(QUEUES)),
}
"""The loops of each program that send heartbeats, and the number of processes that are forked for them."""


@pytest.mark.slow
@pytest.mark.parametrize("module", LOOPS)
def test_each_part_says_all_the_time_that_it_lives(runtime: Runtime, start: Start, module: str) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat"))
    part = start(module, INBOUND_LISTEN="lmtp://127.0.0.1:0", PART="a part")
    solo.eventually(lambda: bool(beats(runtime)))
    loops, forks = LOOPS[module]
    solo.eventually(lambda: {each.part for each in beats(runtime)} == loops)
    first = {each.part: each for each in beats(runtime)}
    if not forks:
        assert {each.pid for each in first.values()} == {part.pid}
    else:
        assert {each.parent for each in first.values()} == {part.pid}
        assert len({each.pid for each in first.values()}) == forks
    # The relay may have come to its first job already.
    assert {each.patience for each in first.values()} <= {IDLE, JOB}
    solo.eventually(lambda: all(each.beat_at > first[each.part].beat_at for each in beats(runtime)))
    assert {each.part: each.started_at for each in beats(runtime)} == {
        part: each.started_at for part, each in first.items()
    }


def test_a_job_is_begun_with_the_time_that_it_may_take(runtime: Runtime) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat"))
    runtime = replace(runtime, heart=Heart(runtime.engine))
    runtime.heart.begin("worker")
    carry_out(runtime, 0)
    assert [each.patience for each in beats(runtime)] == [JOB]
    assert _TIMEOUT_SECONDS < JOB


@pytest.mark.slow
def test_a_worker_that_waits_for_redis_says_that_it_lives(runtime: Runtime, start: Start, scratch: Path) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat"))
    start("workers.main moves", REDIS_URL=f"unix://{scratch / 'nobody.sock'}")
    solo.eventually(lambda: bool(beats(runtime)))
    (first,) = beats(runtime)
    solo.eventually(lambda: beats(runtime)[0].beat_at > first.beat_at)
