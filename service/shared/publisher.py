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
"""Seconds for which messages are gathered after others were sent: one message with many lines is less work."""


class Publisher:
    """Publishes from a thread of its own, so that no request waits for Redis.

    The thread lives as long as there are messages. Relay and subscribers poll anyway: a lost message costs a second.
    """

    def __init__(self, redis: Redis | None) -> None:
        """No other code uses this `redis`; without it nothing is published."""
        self._redis = redis
        self._breaker = CircuitBreaker()
        self._messages: SimpleQueue[str] = SimpleQueue()
        self._lock = Lock()
        self._running = False

    def tell(self, message: str) -> None:
        """Publish the message soon, if Redis can be reached."""
        if self._redis is None or not self._breaker.closed:
            return
        with self._lock:
            self._messages.put(message)
            if not self._running:
                self._running = True
                Thread(target=self._run, args=(self._redis,), name="publisher", daemon=True).start()

    def _run(self, redis: Redis) -> None:
        try:
            while gathered := list(self._gathered()):
                self._publish(redis, gathered)
                sleep(_TOGETHER_SECONDS)
        except BaseException:
            # The next message begins another thread.
            self._running = False
            raise

    def _publish(self, redis: Redis, gathered: list[str]) -> None:
        try:
            redis.publish(CHANNEL, "\n".join(gathered))
        except RedisError:
            self._breaker.trip()

    def _gathered(self) -> Iterator[str]:
        """Wait for messages and yield all of them; if there are none, the thread has to end."""
        try:
            yield self._messages.get(timeout=_IDLE_SECONDS)
        except Empty:
            with self._lock:
                self._running = not self._messages.empty()
        while not self._messages.empty():
            yield self._messages.get()
