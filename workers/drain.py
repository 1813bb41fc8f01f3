"""Loop of relay and courier: drain the outbox, and wait for new rows."""

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
from service.shared.error_class import error_class
from service.shared.pubsub import CHANNEL
from workers.repeated_lines import say_once

POLL_SECONDS = 1.0
REST_SECONDS = 2.0
"""Seconds between two looks while nothing is due before the second."""
POLL_WITHOUT_REDIS_SECONDS = 0.25
SIGNAL_POLL_S = 1.0
"""Seconds after which a waiting main thread looks up: it does not notice a signal that another thread took."""
log = structlog.get_logger()


class Runnable(Protocol):
    """Main loop of a process."""

    def begin(self, part: str) -> None:
        """Send heartbeats from now on, under the name of the part."""

    def run(self) -> None:
        """Run until stopped."""

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after the batch in hand; a signal handler."""


def run_until_signal(part: Runnable, name: str) -> None:
    """Run the main loop of a process, under a name, until SIGTERM or SIGINT."""
    say_once()
    part.begin(name)
    signal.signal(signal.SIGTERM, part.stop)
    signal.signal(signal.SIGINT, part.stop)
    part.run()


class Drain(ABC):
    """Loop over the outbox: woken by Redis, and by a poll every second or two, more often without Redis."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._subscription: PubSub | None = None
        self._stop = Event()
        self._idle = POLL_SECONDS
        """Seconds until the next poll."""

    @abstractmethod
    def drain(self) -> bool:
        """Carry out or hand out one batch of due rows; return whether there may be more."""

    def run(self) -> None:
        """Drain the outbox until stopped."""
        while not self._stop.is_set():
            try:
                while self._go_on():
                    pass
            except SQLAlchemyError as error:
                log.warning("database out of reach", error=error_class(error))
                self._idle = POLL_SECONDS
                self._stop.wait(POLL_SECONDS)
            self._wait()

    def _go_on(self) -> bool:
        self._runtime.heart.beat()
        if self._runtime.mode.read_only:
            return False
        return self.drain() and not self._stop.is_set()

    def begin(self, part: str) -> None:
        """Send heartbeats from now on, under the name of the part."""
        self._runtime.heart.begin(part)

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after the batch in hand; a signal handler."""
        self._stop.set()

    def _note_due(self, left: float | None) -> None:
        """Note the seconds until a row is due, None if no row waits."""
        self._idle = POLL_SECONDS if left is not None and left < REST_SECONDS else REST_SECONDS

    def _wait(self) -> None:
        redis = self._runtime.redis
        if redis is None:
            self._stop.wait(min(self._idle, POLL_WITHOUT_REDIS_SECONDS))
            return
        try:
            if self._subscription is None:
                subscription: PubSub = redis.pubsub()  # type: ignore[no-untyped-call] # redis has no types
                subscription.subscribe(CHANNEL)
                self._subscription = subscription
            message = self._subscription.get_message(timeout=self._idle)
            while message is not None:
                message = self._subscription.get_message()
        except RedisError:
            self._subscription = None
            self._stop.wait(POLL_WITHOUT_REDIS_SECONDS)
