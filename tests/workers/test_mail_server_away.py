"""While the mail server is out of reach one mail now and then tries it; with the first that leaves all others do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis import Redis
from sqlalchemy import text
from structlog.testing import capture_logs

from service.handlers import sign_in
from service.mail.smtp import FIRST_RETRY_S, MAX_RETRY_S, Mailer, MailOutage
from service.runtime import Runtime
from service.shared import circuit_breaker, clock
from service.store.outbox import MAX_ATTEMPTS
from tests.builders import sealed_bids
from tests.faulty import Faulty
from tests.people import new_address
from tests.workers.solo import hurry, state_of
from workers.jobs import carry_out
from workers.queue import Jobs
from workers.relay import Relay

GAMES = 7
"""With three mails each."""
KEY = "boardroom:mail:outage"
Pass = Callable[[float], None]


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """Stops the clock of the circuit breaker; lets seconds pass for it."""
    now = 1000.0
    monkeypatch.setattr(circuit_breaker, "monotonic", lambda: now)

    def later(seconds: float) -> None:
        nonlocal now
        now += seconds

    return later


@pytest.fixture
def gone(tmp_path: Path) -> str:
    """The address of a mail server that has ended."""
    with Faulty(tmp_path) as sink:
        return sink.url


def away(runtime: Runtime, url: str) -> Runtime:
    """The house without Redis, and with a mail server that is not there."""
    return replace(runtime, mailer=Mailer(url, runtime.settings.mail_from), redis=None)


def rows(runtime: Runtime, kind: str = "turn-mail") -> list[tuple[int, str, int]]:
    with runtime.engine.connect() as db:
        found = text("select id, state, attempts from outbox where kind = :kind order by id")
        return [(row.id, row.state, row.attempts) for row in db.execute(found, {"kind": kind})]


def tried(told: list[dict[str, object]]) -> int:
    """Count the mails that tried the server in vain."""
    return sum(each["event"] == "mail not sent" for each in told)


def test_one_mail_finds_out_and_the_others_are_left_where_they_are_without_an_attempt(
    runtime: Runtime, gone: str, wait: Pass
) -> None:
    for _ in range(GAMES):
        sealed_bids(runtime.games)
    house = away(runtime, gone)
    relay = Relay(house)
    with capture_logs() as told:
        relay.drain()
        assert tried(told) == 1
        for _ in range(MAX_ATTEMPTS * 2):
            hurry(house)
            relay.drain()
        assert tried(told) == 1
        for number in range(2, MAX_ATTEMPTS * 2):
            wait(MAX_RETRY_S)
            hurry(house)
            relay.drain()
            assert tried(told) == number
    assert {state for _, state, _ in rows(house)} == {"pending"}
    assert max(attempts for _, _, attempts in rows(house)) == 1
    (said,) = [each for each in told if each["log_level"] == "error"]
    place = f"127.0.0.1:{urlsplit(gone).port}"
    assert said == {
        "event": "mail server out of reach",
        "server": place,
        "why": "the connection is refused",
        "log_level": "error",
    }
    failures = {(each["failure"], each["server"]) for each in told if each["event"] == "mail not sent"}
    assert failures == {("the connection is refused", place)}
    assert "example.org" not in str(told)


def test_with_the_first_mail_that_leaves_all_others_do(runtime: Runtime, tmp_path: Path, wait: Pass) -> None:
    for _ in range(GAMES):
        sealed_bids(runtime.games)
    with Faulty(tmp_path, sender=["421 4.3.2 closing"]) as sink:
        house = away(runtime, sink.url)
        assert house.mailer is not None
        house.mailer.outage.note()
        relay = Relay(house)
        relay.drain()
        assert not list(tmp_path.glob("*.eml"))
        sink.answers = {}
        wait(FIRST_RETRY_S)
        with capture_logs() as told:
            relay.drain()
            assert len(list(tmp_path.glob("*.eml"))) == 1
            assert [each["event"] for each in told] == ["mail server answers again"]
            relay.drain()
        assert len(list(tmp_path.glob("*.eml"))) == GAMES * 3
        house.mailer.close()
    assert {(state, attempts) for _, state, attempts in rows(house)} == {("done", 1)}


@pytest.mark.usefixtures("wait")
def test_a_job_that_was_on_its_way_is_put_off_and_counts_for_nothing(runtime: Runtime, gone: str) -> None:
    sealed_bids(runtime.games)
    house = away(runtime, gone)
    first, second, _ = (row for row, _, _ in rows(house))
    carry_out(house, first)
    carry_out(house, second)
    assert state_of(house, first) == ("pending", 1)
    assert state_of(house, second) == ("pending", 0)
    with house.engine.connect() as db:
        waits = text("select max(extract(epoch from not_before - clock_timestamp())) from outbox where attempts < 2")
        assert db.execute(waits).scalar_one() < FIRST_RETRY_S


def test_who_signs_in_waits_for_nothing_but_the_server_itself(runtime: Runtime, tmp_path: Path) -> None:
    sealed_bids(runtime.games)
    with Faulty(tmp_path) as sink:
        house = away(runtime, sink.url)
        assert house.mailer is not None
        house.mailer.outage.note()
        sign_in.ask(house.games, new_address(), "Zoe", "en", clock.now())
        relay = Relay(house)
        relay.drain()
        assert [state for _, state, _ in rows(house, "sign-in")] == ["done"]
        # And the server has been found to be there again.
        relay.drain()
        assert {state for _, state, _ in rows(house)} == {"done"}
        sink.hang_up()


@pytest.mark.usefixtures("wait")
def test_a_sign_in_that_has_tried_in_vain_waits_with_all_others(runtime: Runtime, gone: str) -> None:
    house = away(runtime, gone)
    sign_in.ask(house.games, new_address(), "Zoe", "en", clock.now())
    relay = Relay(house)
    with capture_logs() as told:
        for _ in range(3):
            relay.drain()
            hurry(house)
    assert tried(told) == 1
    assert [(state, attempts) for _, state, attempts in rows(house, "sign-in")] == [("pending", 1)]


def test_the_pauses_grow_to_a_minute_and_begin_anew_when_the_server_has_been_there(wait: Pass) -> None:
    outage, pauses = MailOutage(), []
    for _ in range(7):
        assert outage.note() is not bool(pauses)
        # Who asks while it is left alone changes nothing.
        assert not outage.note()
        pauses.append(outage.left())
        wait(pauses[-1] or 0)
        assert outage.left() == 0
    assert pauses == [2, 4, 8, 16, 32, MAX_RETRY_S, MAX_RETRY_S]
    assert outage.end()
    assert not outage.end()
    assert outage.left() is None
    outage.note()
    assert outage.left() == FIRST_RETRY_S


def test_processes_that_share_a_redis_know_of_an_outage_from_each_other(queue: Redis) -> None:
    one, other = MailOutage(queue), MailOutage(queue)
    assert one.left() is None
    assert one.note()
    assert 0 < (other.left() or 0) <= FIRST_RETRY_S
    assert not other.note()
    queue.pexpire(KEY, 200_000)
    assert one.left() == other.left() == 0
    other.end()
    assert one.left() is None


def test_a_redis_that_is_emptied_or_gone_costs_one_more_attempt(queue: Redis, tmp_path: Path) -> None:
    outage = MailOutage(queue)
    outage.note()
    queue.flushdb()
    assert outage.left() is None
    outage.note()
    assert outage.left()
    alone = MailOutage(Redis.from_url(f"unix://{tmp_path}/nobody.sock"))
    alone.note()
    assert alone.left()
    alone.end()
    assert alone.left() is None


def test_while_the_server_is_away_the_queue_gets_one_mail_to_try_it_and_no_others(
    runtime: Runtime, queue: Redis
) -> None:
    for _ in range(GAMES):
        sealed_bids(runtime.games)
    assert runtime.mailer is not None
    jobs, relay = Jobs(queue, "mails"), Relay(runtime)
    runtime.mailer.outage.note()
    relay.drain()
    assert jobs.waiting() == 0
    queue.pexpire(KEY, 200_000)
    relay.drain()
    assert jobs.waiting() == 1
    runtime.mailer.outage.end()
    relay.drain()
    assert jobs.waiting() == GAMES * 3
