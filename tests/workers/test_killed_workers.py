"""A worker that is killed on a mail's way costs one copy of it at most, and never the mail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy import text

from service.runtime import Runtime
from tests.builders import sealed_bids, started
from tests.faulty import HOLD, OK, Faulty
from tests.people import alice, bob
from tests.workers.parts import Start
from tests.workers.solo import eventually, hurry, state_of
from workers.relay import Relay

pytestmark = pytest.mark.slow

GAMES = 12
"""With three mails each."""


@contextmanager
def nothing_noted(house: Runtime) -> Iterator[None]:
    """While it runs the outbox can be read, and its rows be locked, but none can be changed."""
    with house.engine.begin() as db:
        db.execute(text("lock table outbox in share mode"))
        yield


def at_the_outbox(house: Runtime, *, waiting: bool) -> int:
    """How many hold the outbox or a row of it, or wait until they may change one."""
    query = "select count(*) from pg_locks where relation = 'outbox'::regclass and (not granted or not :waiting)"
    with house.engine.connect() as db:
        return int(db.execute(text(query), {"waiting": waiting}).scalar_one())


def ids(mailbox: Path) -> list[str]:
    """The Message-IDs of the mails that have arrived."""
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mailbox.glob("*.eml")]
    return [str(mail["Message-ID"]) for mail in mails]


def reach(step: str, house: Runtime, sink: Faulty) -> Iterator[None]:
    """Wait until the worker has come to a step and can go no further; then what has stopped it is taken away."""
    if step == "before it has begun":
        with nothing_noted(house):
            yield
            eventually(lambda: at_the_outbox(house, waiting=True) == 1)
            yield
        return
    yield
    eventually(sink.held.is_set)
    if step == "before it notes that the mail has left":
        with nothing_noted(house):
            sink.let_go.set()
            eventually(lambda: at_the_outbox(house, waiting=True) == 1)
            yield
    else:
        yield


@pytest.mark.parametrize(
    ("step", "stage", "copies"),
    [
        ("before it has begun", "", 1),
        ("before it hands the mail over", "sender", 1),
        ("before it hears that the mail was taken", "mail", 2),
        ("before it notes that the mail has left", "mail", 2),
    ],
    ids=lambda value: value if " " in str(value) else "",
)
def test_a_worker_killed_at_any_step_costs_at_most_a_copy_and_never_the_mail(
    runtime: Runtime, start: Start, tmp_path: Path, step: str, stage: str, copies: int
) -> None:
    people = [alice(runtime.games), bob(runtime.games, email=None)]
    started(runtime.games, "new-corp-order", people, **{"first-player": 0})
    with runtime.engine.begin() as db:
        (row,) = db.execute(text("select id from outbox where kind = 'turn-mail'")).scalars()
    with Faulty(tmp_path, **{stage: [HOLD, OK]}) as sink:
        Relay(runtime).drain()
        steps = reach(step, runtime, sink)
        next(steps)
        worker = start("workers.main mails", SMTP_URL=sink.url)
        next(steps)
        worker.kill()
        worker.wait()
        assert state_of(runtime, row)[0] == "pending"
        assert len(ids(tmp_path)) == copies - 1
        assert next(steps, None) is None
        # The database has heard of its end, too.
        eventually(lambda: not at_the_outbox(runtime, waiting=False))
        hurry(runtime)
        Relay(runtime).drain()
        start("workers.main mails", SMTP_URL=sink.url)
        eventually(lambda: state_of(runtime, row)[0] == "done")
    assert len(ids(tmp_path)) == copies
    assert len(set(ids(tmp_path))) == 1


def test_a_queue_that_is_emptied_again_and_again_costs_no_mail_and_sends_none_twice(
    runtime: Runtime, start: Start, queue: Redis, mailbox: Path
) -> None:
    for _ in range(GAMES):
        sealed_bids(runtime.games)
    for module in ("workers.main mails", "workers.relay"):
        start(module)
    for share in range(1, 5):
        eventually(lambda: len(ids(mailbox)) >= GAMES * 3 * share // 5)  # noqa: B023
        queue.flushdb()
        # What was lost on its way comes back after some seconds; here they pass at once.
        hurry(runtime)
    eventually(lambda: len(ids(mailbox)) >= GAMES * 3)
    eventually(lambda: not pending(runtime))
    assert len(set(ids(mailbox))) == GAMES * 3 == len(ids(mailbox))


def pending(house: Runtime) -> int:
    """How many mails have not left."""
    query = text("select count(*) from outbox where state = 'pending' and kind = 'turn-mail'")
    with house.engine.connect() as db:
        return int(db.execute(query).scalar_one())
