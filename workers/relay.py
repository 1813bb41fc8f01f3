"""The relay: hands due outbox rows to the queue, or carries them out itself where there is no queue.

The rows are the truth and the queue is a hint: a row handed out comes back until its effect has settled it.
"""

from __future__ import annotations

import structlog
from redis import RedisError

from service import clock
from service.runtime import Runtime
from service.settings import Settings
from service.store import outbox
from workers.drain import Drain
from workers.jobs import carry_out
from workers.mail import MAILS
from workers.queue import Jobs
from workers.upkeep import Upkeep

BATCH = 100
FULL_QUEUE = 300
REST: tuple[outbox.Kind, ...] = ("seal", "night", "audit")
FEW = 10
"""So many rows of each kind that nobody waits for are handed out at a time."""
log = structlog.get_logger()


class Relay(Drain):
    """Drains the outbox of all that takes its way through the queue; any number of relays may run."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime)
        self._upkeep = Upkeep(runtime)
        self._jobs = None if runtime.redis is None else Jobs(runtime.redis)

    def drain(self) -> bool:
        """Hand out one batch of due rows of each kind; return whether there may be more.

        The automaton's go first and always; mails as far as the queue has room, since a queue that is slower than
        their return would be handed them over and over again. When there is nothing more it is time for upkeep.
        """
        room = self._room()
        with self._runtime.engine.begin() as db:
            moves = outbox.claim(db, "automaton", BATCH)
            mails = [row_id for kind in MAILS for row_id in outbox.claim(db, kind, room)]
            rest = [row_id for kind in REST for row_id in outbox.claim(db, kind, min(FEW, room))]
        # The claim is committed first: rows carried out here must be free to lock, and rows that get lost on their way
        # to the queue come back by themselves.
        for row_id in moves:
            self._hand_out(row_id, first=True)
        for row_id in mails + rest:
            self._hand_out(row_id, first=False)
        return len(moves) == BATCH or len(mails) >= room > 0 or len(rest) >= FEW or self._upkeep.go_on(clock.now())

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


def main() -> None:
    """Run a relay until SIGTERM or SIGINT."""
    Relay(Runtime.build(Settings.from_env())).run_until_signal()


if __name__ == "__main__":
    main()
