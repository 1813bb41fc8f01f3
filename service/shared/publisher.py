"""Tells other processes through Redis that something was committed."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import sleep

from redis import Redis, RedisError

from service.shared.circuit_breaker import CircuitBreaker
from service.shared.subscriber import CHANNEL

_IDLE_SECONDS = 5.0
_TOGETHER_SECONDS = 0.05
"""Seconds for which messages are gathered after others: each is work for publisher and subscribers."""


class Publisher:
    """Publishes from a thread of its own, so that no request waits for Redis.

    The thread lives as long as there are messages. Relay and subscribers poll anyway: a lost message costs a second.
    """

    def __init__(self, redis: Redis | None) -> None:
        """`redis` is for the publisher alone; without it nothing is published."""
        self._redis = redis
        self._breaker = CircuitBreaker()
        self._news: SimpleQueue[str] = SimpleQueue()
        self._lock = Lock()
        self._running = False

    def tell(self, news: str) -> None:
        """Publish the message soon, if Redis can be reached."""
        if self._redis is None or not self._breaker.closed:
            return
        with self._lock:
            self._news.put(news)
            if not self._running:
                self._running = True
                Thread(target=self._run, args=(self._redis,), name="publisher", daemon=True).start()

    def _run(self, redis: Redis) -> None:
        try:
            while gathered := list(self._gathered()):
                self._cry(redis, gathered)
                sleep(_TOGETHER_SECONDS)
        except BaseException:
            # The next message begins another thread.
            self._running = False
            raise

    def _cry(self, redis: Redis, gathered: list[str]) -> None:
        try:
            redis.publish(CHANNEL, "\n".join(gathered))
        except RedisError:
            self._breaker.trip()

    def _gathered(self) -> Iterator[str]:
        """Wait for messages and yield all that there are; none means that the thread ends."""
        try:
            yield self._news.get(timeout=_IDLE_SECONDS)
        except Empty:
            with self._lock:
                self._running = not self._news.empty()
        while not self._news.empty():
            yield self._news.get()
