"""What relay and courier have in common: they drain the outbox, and wait until there may be something in it again."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from threading import Event
from typing import Any, Protocol

import structlog
from redis import RedisError
from redis.client import PubSub
from sqlalchemy.exc import SQLAlchemyError

from service.runtime import Runtime
from service.shared.subscriber import CHANNEL
from workers.repeated_lines import say_once

POLL_SECONDS = 1.0
POLL_WITHOUT_REDIS_SECONDS = 0.25
log = structlog.get_logger()


class Runnable(Protocol):
    """What a process does all the time."""

    def begin(self, part: str) -> None:
        """Say from now on, under the name of the part, that it goes on."""

    def run(self) -> None:
        """Do it until stopped."""

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after what it is at; a signal handler."""


def run_until_signal(part: Runnable, name: str) -> None:
    """Run what a process does, under a name, until SIGTERM or SIGINT."""
    say_once()
    part.begin(name)
    signal.signal(signal.SIGTERM, part.stop)
    signal.signal(signal.SIGINT, part.stop)
    part.run()


class Drain(ABC):
    """A loop over the outbox: Redis wakes it up, and it looks by itself every second, or oftener without Redis."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._ears: PubSub | None = None
        self._stop = Event()

    @abstractmethod
    def drain(self) -> bool:
        """Take one batch of due rows on; return whether there may be more."""

    def run(self) -> None:
        """Drain the outbox until stopped."""
        while not self._stop.is_set():
            try:
                while self._go_on():
                    pass
            except SQLAlchemyError as error:
                log.warning("database out of reach", error=type(error).__name__)
                self._stop.wait(POLL_SECONDS)
            self._wait()

    def _go_on(self) -> bool:
        self._runtime.heart.beat()
        return self.drain() and not self._stop.is_set()

    def begin(self, part: str) -> None:
        """Say from now on, under the name of the part, that this loop goes on."""
        self._runtime.heart.begin(part)

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after what it is at; a signal handler."""
        self._stop.set()

    def _wait(self) -> None:
        redis = self._runtime.redis
        if redis is None:
            self._stop.wait(POLL_WITHOUT_REDIS_SECONDS)
            return
        try:
            if self._ears is None:
                ears: PubSub = redis.pubsub()  # type: ignore[no-untyped-call] # redis has no types
                ears.subscribe(CHANNEL)
                self._ears = ears
            heard = self._ears.get_message(timeout=POLL_SECONDS)
            while heard is not None:
                heard = self._ears.get_message()
        except RedisError:
            self._ears = None
            self._stop.wait(POLL_WITHOUT_REDIS_SECONDS)
