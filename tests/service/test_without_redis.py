"""What Redis is good for: counting together, and what happens without it and while it hangs."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from freezegun import freeze_time
from redis import Redis

from service.counting import RECENT, Counters
from service.crier import Crier
from service.fuse import PAUSE
from service.redis_client import connect_redis
from service.runtime import Runtime
from service.store.bell import CHANNEL


@pytest.fixture
def name() -> str:
    """The name of a counter that nobody else has."""
    return str(uuid4())


@pytest.fixture
def hanging() -> Iterator[str]:
    """The address of a Redis that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_all_processes_count_together(redis_url: str, name: str) -> None:
    assert [Counters(redis_url).add(name, 60) for _ in range(3)] == [1, 2, 3]
    assert Counters(redis_url).look(name) == 3
    assert Counters(None).look(name) == 0


def test_what_was_counted_elsewhere_is_recalled_a_moment_later(redis_url: str, name: str) -> None:
    # In the future: the thread that clears what is counted in memory goes by the real clock.
    with freeze_time("2100-01-01 12:00:00") as time:
        here, elsewhere = Counters(redis_url), Counters(redis_url)
        assert here.recall(name) == 0
        elsewhere.add(name, 60)
        assert (here.recall(name), elsewhere.recall(name)) == (0, 1)
        time.tick(RECENT)
        assert here.recall(name) == 1


def test_news_that_come_together_are_all_cried_out_in_their_order(redis_url: str) -> None:
    with Redis.from_url(redis_url) as redis, redis.pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe(CHANNEL)
        heard.get_message(timeout=1)
        crier, said = Crier(connect_redis(redis_url)), [f"{uuid4()} {number}".encode() for number in range(20)]
        for news in said:
            crier.tell(news.decode())
        lines = (line for message in heard.listen() for line in message["data"].split(b"\n"))
        assert list(islice((news for news in lines if news in said), len(said))) == said


def test_a_counter_is_forgotten_in_time(redis_url: str, name: str) -> None:
    Counters(redis_url).add(name, 60)
    with Redis.from_url(redis_url, decode_responses=True) as redis:
        (key,) = redis.scan_iter(f"boardroom:limits:*{name}*")
        assert 0 < redis.ttl(key) <= 60


@pytest.mark.parametrize("use", ["to count", "to wake the relay"])
def test_a_redis_that_hangs_costs_one_request_less_than_50_ms_and_the_next_nothing(
    use: str, runtime: Runtime, hanging: str, name: str
) -> None:
    first, later = [], []
    for _ in range(3):
        counters = Counters(hanging)
        wake = Runtime.build(replace(runtime.settings, redis_url=hanging)).games.wake
        ask = wake if use == "to wake the relay" else partial(counters.add, name, 60)
        first.append(_seconds(ask))
        later.append(_seconds(ask))
    assert min(first) < 0.05
    assert min(later) < 0.005


def test_a_redis_that_comes_back_is_used_again(redis_url: str, name: str, scratch: Path) -> None:
    path, there = scratch / "redis.sock", urlsplit(redis_url).path
    counters = Counters(redis_url.replace(there, str(path)))
    # In the future: the thread that clears what is counted in memory goes by the real clock.
    with freeze_time("2100-01-01 12:00:00") as time:
        assert counters.add(name, 60) == 1
        path.symlink_to(there)
        assert counters.add(name, 60) == 2
        time.tick(PAUSE + 1)
        assert counters.add(name, 60) == 1
    assert Counters(redis_url).look(name) == 1


def _seconds(ask: Callable[[], Any]) -> float:
    start = perf_counter()
    ask()
    return perf_counter() - start
