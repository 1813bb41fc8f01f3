"""The relay: hands due outbox rows to the queue, or carries them out itself where there is no queue.

The rows are the truth and the queue is a hint: a row handed out comes back until its effect has settled it.
"""

from __future__ import annotations

import signal
from threading import Event
from typing import Any

import structlog
from redis import RedisError
from redis.client import PubSub
from sqlalchemy.exc import SQLAlchemyError

from service.runtime import Runtime
from service.settings import Settings
from service.store import outbox
from service.store.bell import CHANNEL
from workers.jobs import carry_out
from workers.queue import Jobs

POLL_SECONDS = 1.0
POLL_WITHOUT_REDIS_SECONDS = 0.25
BATCH = 100
FULL_QUEUE = 300
MAILS: tuple[outbox.Kind, ...] = ("turn-mail", "game-over")
log = structlog.get_logger()


class Relay:
    """Drains the outbox; any number of relays may run."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._jobs = None if runtime.redis is None else Jobs(runtime.redis)
        self._ears: PubSub | None = None
        self._stop = Event()

    def run(self) -> None:
        """Drain the outbox until stopped."""
        while not self._stop.is_set():
            try:
                while self.drain() and not self._stop.is_set():
                    pass
            except SQLAlchemyError as error:
                log.warning("database out of reach", error=type(error).__name__)
                self._stop.wait(POLL_SECONDS)
            self._wait()

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after what it is at; a signal handler."""
        self._stop.set()

    def drain(self) -> bool:
        """Hand out one batch of due rows of each kind; return whether there may be more.

        The automaton's go first and always; mails as far as the queue has room, since a queue that is slower than
        their return would be handed them over and over again.
        """
        room = self._room()
        with self._runtime.engine.begin() as db:
            moves = outbox.claim(db, "automaton", BATCH)
            mails = [row_id for kind in MAILS for row_id in outbox.claim(db, kind, room)]
        # The claim is committed first: rows carried out here must be free to lock, and rows that get lost on their way
        # to the queue come back by themselves.
        for row_id in moves:
            self._hand_out(row_id, first=True)
        for row_id in mails:
            self._hand_out(row_id, first=False)
        return len(moves) == BATCH or len(mails) >= room > 0

    def _room(self) -> int:
        if self._jobs is None:
            return BATCH
        try:
            return max(0, min(BATCH, FULL_QUEUE - self._jobs.waiting()))
        except RedisError:
            return BATCH

    def _hand_out(self, row_id: int, first: bool) -> None:
        if self._jobs is not None:
            try:
                self._jobs.add(row_id, first)
                return
            except RedisError:
                log.warning("redis out of reach, carrying out directly", outbox=row_id)
        carry_out(self._runtime, row_id)

    def _wait(self) -> None:
        redis = self._runtime.redis
        if redis is None:
            self._stop.wait(POLL_WITHOUT_REDIS_SECONDS)
            return
        try:
            if self._ears is None:
                ears: PubSub = redis.pubsub()  # type: ignore[no-untyped-call]
                ears.subscribe(CHANNEL)
                self._ears = ears
            heard = self._ears.get_message(timeout=POLL_SECONDS)
            while heard is not None:
                heard = self._ears.get_message()
        except RedisError:
            self._ears = None
            self._stop.wait(POLL_WITHOUT_REDIS_SECONDS)


def main() -> None:
    """Run a relay until SIGTERM or SIGINT."""
    relay = Relay(Runtime.build(Settings.from_env()))
    signal.signal(signal.SIGTERM, relay.stop)
    signal.signal(signal.SIGINT, relay.stop)
    relay.run()


if __name__ == "__main__":
    main()
