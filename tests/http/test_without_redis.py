"""Counts shared in Redis, and the service without Redis and while Redis hangs."""

from __future__ import annotations

import socket
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from freezegun import freeze_time
from redis import Redis

from service.http.limit_table import BUCKETS, RATE_LIMITS, Limit
from service.http.limits import Limits
from service.local.supervisor import wait_until
from service.runtime import Runtime
from service.shared import circuit_breaker
from service.shared.circuit_breaker import BREAKER_PAUSE_S, OPTIONAL_TIMEOUT_S
from service.shared.counters import RECENT_S, SURE_TIMEOUT_S, Counters
from service.shared.pubsub import CHANNEL, Publisher
from service.shared.redis_client import connect_redis


@pytest.fixture
def name() -> str:
    """The name of a counter that nobody else has."""
    return str(uuid4())


class Hanging:
    """A Redis that takes connections and never answers."""

    def __init__(self, server: socket.socket) -> None:
        self._server = server
        self._lines: list[socket.socket] = []
        server.setblocking(False)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._server.getsockname()[1]}/0"

    def asked(self) -> int:
        """Return how many have connected so far."""
        with suppress(BlockingIOError):
            while True:
                self._lines.append(self._server.accept()[0])
        return len(self._lines)

    def close(self) -> None:
        """Hang up on all of them."""
        for line in self._lines:
            line.close()


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    """A Redis that hangs."""
    with socket.create_server(("127.0.0.1", 0)) as server, closing(Hanging(server)) as redis:
        yield redis


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> set[float | None]:
    """For how many seconds sockets were told to wait."""
    told: set[float | None] = set()

    class Told(socket.socket):
        def settimeout(self, seconds: float | None) -> None:
            told.add(seconds)
            super().settimeout(seconds)

    monkeypatch.setattr(socket, "socket", Told)
    return told


class Link:
    """A way to Redis that can be cut and mended: its socket under another name, and who has come by that."""

    def __init__(self, redis_url: str, path: Path) -> None:
        self._url, self._path, self._name = redis_url, path, f"link-{uuid4()}"

    @property
    def url(self) -> str:
        """The address that leads over the link."""
        return f"{self._url.replace(urlsplit(self._url).path, str(self._path))}&client_name={self._name}"

    def reset(self) -> None:
        """Let Redis be reached."""
        self._path.symlink_to(urlsplit(self._url).path)

    def cut(self) -> None:
        """Let nobody reach it who comes this way."""
        self._path.unlink()
        with Redis.from_url(self._url) as redis:
            for each in redis.client_list():
                if each["name"] == self._name:
                    redis.client_kill_filter(_id=each["id"])


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stops the clock of the circuit breaker: the pause in which nobody asks does not end."""
    monkeypatch.setattr(circuit_breaker, "monotonic", lambda: 1000.0)


@pytest.fixture
def link(redis_url: str, scratch: Path) -> Link:
    """A way to Redis, which is cut."""
    return Link(redis_url, scratch / "redis.sock")


def test_all_processes_count_together(redis_url: str, name: str) -> None:
    assert [Counters(redis_url).add(name, 60) for _ in range(3)] == [1, 2, 3]
    assert Counters(redis_url).look(name) == 3
    assert Counters(None).look(name) == 0


def test_what_was_counted_elsewhere_is_recalled_a_moment_later(redis_url: str, name: str) -> None:
    with freeze_time("2026-01-01 12:00:00") as time:
        here, elsewhere = Counters(redis_url), Counters(redis_url)
        assert here.recall(name) == 0
        elsewhere.add(name, 60)
        assert (here.recall(name), elsewhere.recall(name)) == (0, 1)
        time.tick(RECENT_S)
        assert here.recall(name) == 1


def test_an_answer_asks_redis_for_a_player_only_when_somebody_was_refused(redis_url: str, name: str) -> None:
    def asked() -> int:
        return int(redis.info("commandstats").get("cmdstat_get", {"calls": 0})["calls"])

    refusals = replace(BUCKETS["actions"], bucket=name)
    with Redis.from_url(redis_url) as redis, freeze_time("2026-01-01 12:00:00") as time:
        here, elsewhere = Limits(1.0, redis_url), Limits(1.0, redis_url)
        before = asked()
        assert [here.recall(refusals, player).used for player in ("alice", "bob", "carol")] == [0, 0, 0]
        assert asked() == before + 1
        assert [elsewhere.spend(refusals, "alice").used for _ in range(2)] == [1, 2]
        time.tick(RECENT_S)
        assert [here.recall(refusals, player).used for player in ("alice", "bob")] == [2, 0]


def test_news_that_come_together_are_all_cried_out_in_their_order(redis_url: str) -> None:
    with Redis.from_url(redis_url) as redis, redis.pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe(CHANNEL)
        heard.get_message(timeout=30)
        publisher, said = Publisher(connect_redis(redis_url)), [f"{uuid4()} {number}".encode() for number in range(20)]
        for news in said:
            publisher.tell(news.decode())
        lines = (line for message in heard.listen() for line in message["data"].split(b"\n"))
        assert list(islice((news for news in lines if news in said), len(said))) == said


def test_a_counter_is_forgotten_in_time(redis_url: str, name: str) -> None:
    Counters(redis_url).add(name, 60)
    with Redis.from_url(redis_url, decode_responses=True) as redis:
        (key,) = redis.scan_iter(f"boardroom:limits:*{name}*")
        assert 0 < redis.ttl(key) <= 60


@pytest.mark.usefixtures("still")
def test_a_redis_that_hangs_keeps_one_request_waiting_for_less_than_50_ms_and_the_next_does_not_ask(
    hanging: Hanging, waits: set[float | None], name: str
) -> None:
    counters = Counters(hanging.url)
    assert counters.add(name, 60) == 1
    assert (hanging.asked(), waits) == (1, {OPTIONAL_TIMEOUT_S}) and OPTIONAL_TIMEOUT_S < 0.05
    assert counters.add(name, 60) == 2
    assert hanging.asked() == 1


def test_whoever_wakes_the_relay_does_not_wait_for_a_redis_that_hangs(runtime: Runtime, hanging: Hanging) -> None:
    # Who waited would do so for an hour
    patient = replace(runtime.settings, redis_url=f"{hanging.url}?socket_timeout=3600")
    Runtime.build(patient).games.wake()
    assert wait_until(lambda: hanging.asked() == 1, 60)


def test_a_redis_that_comes_back_is_told_what_was_counted_without_it(redis_url: str, name: str, link: Link) -> None:
    counters = Counters(link.url)
    with freeze_time("2026-01-01 12:00:00") as time:
        assert counters.add(name, 60) == 1
        link.reset()
        assert counters.add(name, 60) == 2
        assert Counters(redis_url).look(name) == 0
        time.tick(BREAKER_PAUSE_S + 1)
        assert counters.add(name, 60) == 3
        assert counters.add(name, 60) == 4
    assert Counters(redis_url).look(name) == 4


def test_without_redis_a_process_counts_on_from_what_all_have_counted(redis_url: str, name: str, link: Link) -> None:
    link.reset()
    counters, elsewhere = Counters(link.url), Counters(redis_url)
    with freeze_time("2026-01-01 12:00:00") as time:
        for _ in range(5):
            elsewhere.add(name, 60)
        assert counters.add(name, 60) == 6
        link.cut()
        assert [counters.add(name, 60) for _ in range(3)] == [7, 8, 9]
        assert counters.look(name) == 9
        elsewhere.add(name, 60)
        link.reset()
        time.tick(BREAKER_PAUSE_S + 1)
        assert counters.look(name) == 10
        assert counters.add(name, 60) == 11
    assert elsewhere.look(name) == 11


def test_a_count_that_was_only_looked_at_is_gone_on_from(redis_url: str, name: str, link: Link) -> None:
    link.reset()
    counters = Counters(link.url)
    for _ in range(4):
        Counters(redis_url).add(name, 60)
    assert counters.look(name) == 4
    link.cut()
    assert counters.add(name, 60) == 5


def test_a_redis_that_has_forgotten_its_counts_gives_no_fresh_quota(redis_url: str, name: str) -> None:
    counters = Counters(redis_url)
    assert [counters.add(name, 60) for _ in range(3)] == [1, 2, 3]
    with Redis.from_url(redis_url) as redis:
        assert redis.delete(*redis.scan_iter(f"*{name}*")) == 1
    assert [counters.add(name, 60) for _ in range(2)] == [4, 5]
    assert counters.look(name) == 5


def test_without_redis_a_counter_is_forgotten_in_time(name: str) -> None:
    with freeze_time("2026-01-01 12:00:00") as time:
        counters = Counters(None)
        assert counters.look(name) == 0
        assert [counters.add(name, 60) for _ in range(2)] == [1, 2]
        time.tick(59)
        assert counters.add(name, 60) == 3
        time.tick(2)
        assert counters.look(name) == 0
        assert counters.add(name, 60) == 1


def test_threads_that_count_at_the_same_time_are_all_counted(redis_url: str, name: str) -> None:
    for counters in (Counters(None), Counters(redis_url)):
        with ThreadPoolExecutor(8) as threads:
            asked = [threads.submit(counters.add, name, 60) for _ in range(200)]
        assert max(each.result() for each in asked) == counters.look(name) == 200


def test_names_beyond_number_take_no_memory_beyond_bounds() -> None:
    counters = Counters(None)
    for number in range(20_000):
        counters.add(f"{number}", 60)
    tracemalloc.start()
    for number in range(20_000):
        counters.add(f"another {number}", 60)
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Each of the new ones takes the place of an old one, which was there before anybody looked.
    assert counters.look("0") == 0
    assert grown < 20_000 * 1_000


@pytest.mark.long
def test_what_makes_accounts_and_mails_waits_longer_for_a_busy_redis_than_what_is_hot(
    hanging: Hanging, waits: set[float | None], name: str
) -> None:
    def patience(limit: Limit) -> tuple[float | None, ...]:
        waits.clear()
        Limits(1.0, hanging.url).spend(limit, name)
        return tuple(waits)

    waited = {limit.bucket: patience(limit) for limit in RATE_LIMITS}
    hot = dict.fromkeys(("reading", "writing", "actions"), (OPTIONAL_TIMEOUT_S,))
    assert waited == dict.fromkeys(waited, (SURE_TIMEOUT_S,)) | hot
