"""Two versions serve at once: effects of a kind that this version does not know wait for a process that does."""

from __future__ import annotations

from typing import Any

from redis import Redis
from sqlalchemy import text

from service.runtime import Runtime
from service.store import outbox
from service.store.outbox import Notice
from workers.courier import Courier
from workers.jobs import carry_out
from workers.relay import Relay

UNKNOWN = "from-a-later-version"
_ROW = text("select id, state, attempts, handed_out, last_error from outbox where kind = :kind")


def row(runtime: Runtime) -> Any:
    with runtime.engine.connect() as db:
        return db.execute(_ROW, {"kind": UNKNOWN}).one()


def test_an_effect_of_an_unknown_kind_waits_untouched(runtime: Runtime, queue: Redis) -> None:
    # given an outbox row of a kind that only a later version knows
    with runtime.engine.begin() as db:
        outbox.add(db, Notice(UNKNOWN, f"{UNKNOWN}:1", {"anything": 1}))
    before = row(runtime)
    # when relay and courier of this version look for work
    Relay(runtime).drain()
    Courier(runtime).drain()
    # then they leave it alone
    assert row(runtime) == before == (before.id, "pending", 0, 0, None)


def test_a_job_for_an_unknown_kind_counts_no_attempt_however_often_it_comes(runtime: Runtime, queue: Redis) -> None:
    # given an outbox row that a relay of a later version hands to the workers of this one
    with runtime.engine.begin() as db:
        outbox.add(db, Notice(UNKNOWN, f"{UNKNOWN}:1", {}))
    row_id = row(runtime).id
    # when they get its job more often than a row may fail
    for _ in range(outbox.MAX_ATTEMPTS + 1):
        carry_out(runtime, row_id)
    # then it is neither dead nor an attempt nearer to it, and the relay that knows it may carry it out
    assert row(runtime)[1:] == ("pending", 0, 0, None)
