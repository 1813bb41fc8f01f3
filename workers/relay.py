"""Relay: hand due outbox rows to the queues, or carry them out where no worker takes them.

The rows are the truth and the queues are a hint: a row handed out comes back until its effect has settled it. A row
that has failed before, or has killed its worker, is never carried out in the relay's own process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from redis import RedisError
from sqlalchemy import Connection

from service.runtime import Runtime
from service.settings import Settings, ended_by_bad_settings
from service.shared import clock, metrics, traces
from service.shared.circuit_breaker import CircuitBreaker
from service.shared.error_class import error_class
from service.store import outbox, pace
from service.store.fast_path import at_hand
from service.store.heartbeats import Heart
from service.store.outbox import Claimed
from workers.apart import ProcessApart
from workers.begin import begin_part
from workers.drain import POLL_SECONDS, Drain, run_until_signal
from workers.effects import EFFECTS, of_urgency
from workers.hourly_jobs import Upkeep
from workers.jobs import carry_out
from workers.pace import Lookout
from workers.queue import QUEUES, Jobs

BATCH: Final = 100
FEW: Final = 10
"""Limit of rows of each kind without urgency (`rest`) per hand-out."""
IN_VAIN: Final = 2
"""Hand-outs of a row that no worker begins, after which the relay carries it out."""
SHORTEST_WAIT: Final = 0.02
"""Minimum seconds that the relay waits, also for a row that is due but held by another relay."""
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Flow:
    """Flow of rows through a queue: `full` is the number of jobs at which the queue takes no more (None: never), `hold`
    the seconds for which a row handed out is left to its worker.

    A worker has to get through a full queue in that time, or rows would be handed out again that only wait for their
    turn. A queue that is never full gets one more second for each JOBS_A_SECOND that wait in it. With `on_time` a row
    is handed out when it is due, and not only at the next poll.
    """

    full: int | None
    hold: int
    on_time: bool = False


JOBS_A_SECOND: Final = 10
"""Moves that a worker makes in a second on an overloaded machine."""
FLOWS: Final = {
    "moves": Flow(None, 1, on_time=True),
    "replies": Flow(40, 5),
    "mails": Flow(40, 15),
    "computers": Flow(10, 20, on_time=True),
}


class Lane(Drain):
    """Drain the outbox into one of the queues; any number of relays may run."""

    def __init__(
        self,
        runtime: Runtime,
        queue: str,
        rest: Callable[[], bool] = lambda: False,
        before: Callable[[], None] = lambda: None,
        apart: Callable[[int], None] | None = None,
    ) -> None:
        """Call `before` before any hand-out, and `rest` when there is nothing more to hand out.

        `rest` returns whether there may be more of it. `apart` carries out a row that has failed, where no worker does;
        the default spawns a process.
        """
        super().__init__(runtime)
        self.queue = queue
        self._flow = FLOWS[queue]
        self._rest, self._before = rest, before
        self._jobs = None if runtime.redis is None else Jobs(runtime.redis, queue)
        self._breaker = CircuitBreaker()
        self._apart = apart or ProcessApart(runtime.settings).carry_out
        self._alone = False

    def drain(self) -> bool:
        """Hand out one batch of due rows of each kind, as far as the queue has room; return whether there may be more.

        A queue that is slower than the rows' return would get them over and over again. A full queue gets only a few
        rows that have come back untouched, to show whether any worker takes its jobs. While the mail server is out of
        reach the mails stay where they are, except one now and then that tries the server.
        """
        self._before()
        rows, more = self._due_rows()
        carried = self._contexts(rows)
        # Commit the claim first: rows carried out here must be free to lock, and rows lost on their way to the queue
        # come back by themselves.
        for row in rows:
            if row.id in carried:
                with traces.span("hand out", "producer", carried[row.id], outbox__id=row.id, queue=self.queue):
                    self._hand_out(row)
            else:
                self._hand_out(row)
        return more or self._rest()

    def _due_rows(self) -> tuple[list[Claimed], bool]:
        """Claim the due rows; return them, and whether there may be more."""
        rows, more = list[Claimed](), False
        # One look at all kinds: most of the time there is nothing to claim.
        with at_hand(self._runtime.engine) as db:
            left = outbox.seconds_left(db, of_urgency(*QUEUES[self.queue]))
        if left is not None and left <= 0:
            with self._runtime.engine.begin() as db:
                rows, more = self._claim(db, self._room(), self._outage())
        if not self._flow.on_time:
            self._note_due(left)
        elif not rows:
            self._idle = POLL_SECONDS if left is None else min(POLL_SECONDS, max(left, SHORTEST_WAIT))
        return rows, more

    def _contexts(self, rows: Sequence[Claimed]) -> Mapping[int, str]:
        """Return the trace contexts of rows by row id."""
        if not rows or not traces.active():
            return {}
        with self._runtime.engine.begin() as db:
            return outbox.contexts(db, [row.id for row in rows])

    def _claim(self, db: Connection, room: int, outage: float | None) -> tuple[list[Claimed], bool]:
        """Claim rows of the queue's kinds; return them, and whether there may be more."""
        kinds = of_urgency(*QUEUES[self.queue])
        if outage is None:
            return self._batches(db, kinds, room)
        rest = of_urgency("rest")
        trial = self._trial(db, [kind for kind in kinds if kind not in rest], room) if outage == 0 else []
        rows, more = self._batches(db, [kind for kind in kinds if kind in rest], room)
        return [*trial, *rows], more

    def _batches(self, db: Connection, kinds: Sequence[str], room: int) -> tuple[list[Claimed], bool]:
        rows: list[Claimed] = []
        more = False
        for kind in kinds:
            most = min(FEW, room or FEW) if EFFECTS[kind].urgency == "rest" or not room else room
            claimed = self._claim_kind(db, kind, most, room)
            rows += claimed
            more = more or len(claimed) >= most
        return rows, more

    def _trial(self, db: Connection, kinds: Sequence[str], room: int) -> Sequence[Claimed]:
        """Claim the one mail that tests whether the mail server is back; empty if no mail is due."""
        return next(filter(None, (self._claim_kind(db, kind, 1, room) for kind in kinds)), ())

    def _claim_kind(self, db: Connection, kind: str, most: int, room: int) -> Sequence[Claimed]:
        if kind == "timer":
            pace.fire_due_timers(db)
        elif kind == "lapse":
            pace.forget_stale_lapses(db)
        claimed = outbox.claim(db, kind, most, self._hold(), untouched=0 if room else 1)
        metrics.count_claims(kind, len(claimed))
        return claimed

    def _room(self) -> int:
        return BATCH if self._flow.full is None else max(0, min(BATCH, self._flow.full - self._waiting()))

    def _hold(self) -> int:
        return self._flow.hold + (self._waiting() // JOBS_A_SECOND if self._flow.full is None else 0)

    def _waiting(self) -> int:
        """Return the number of jobs in the queue; 0 if nothing is enqueued there."""
        if self._jobs is None or self._alone or not self._breaker.closed:
            return 0
        try:
            return self._jobs.waiting()
        except RedisError:
            self._breaker.trip()
            return 0

    def _outage(self) -> float | None:
        """Return the seconds for which mails are to wait, as `MailOutage.left`; None for queues other than `mails`."""
        mailer = self._runtime.mailer
        return None if mailer is None or self.queue != "mails" else mailer.outage.left()

    def _hand_out(self, row: Claimed) -> None:
        if self._jobs is not None and self._breaker.closed:
            try:
                if self._taken(self._jobs, row):
                    self._jobs.add(row.id)
                    return
            except RedisError as error:
                # Let only one row wait for a Redis that hangs, not each of them.
                self._breaker.trip()
                log.warning("redis out of reach, carrying out directly", outbox=row.id, error=error_class(error))
        if row.failed:
            # The row may kill its process again, and all others wait for this one.
            self._apart(row.id)
        else:
            carry_out(self._runtime, row.id)

    def _taken(self, jobs: Jobs, row: Claimed) -> bool:
        """Return whether a worker takes the jobs of the queue, as far as known; log a change."""
        if not self._alone and row.untouched >= IN_VAIN:
            self._alone = True
            log.error("jobs are not taken, carrying out directly", queue=self.queue)
        elif self._alone and row.untouched < IN_VAIN and not jobs.waiting():
            self._alone = False
            log.warning("jobs are taken again", queue=self.queue)
        return not self._alone


class Relay:
    """One lane for each queue: side by side, so that none waits for another, or one after the other for a test."""

    def __init__(self, runtime: Runtime, apart: Callable[[int], None] | None = None) -> None:
        """Pass `apart` to the lanes."""
        # A second mailer: if the relay carries out effects, a hanging mail server holds up only the lane that uses it.
        mailer = None if runtime.mailer is None else runtime.mailer.another()
        # A hanging lane must not be hidden by the heartbeats of the others.
        moves, replies, mails, computers = (replace(runtime, heart=Heart(runtime.engine)) for _ in QUEUES)
        upkeep = Upkeep(mails)
        look = Lookout(runtime.engine, of_urgency("awaited", "mail")).look
        self._first = Lane(moves, "moves", before=look, apart=apart)
        self._others = (
            Lane(replace(replies, mailer=mailer), "replies", apart=apart),
            Lane(mails, "mails", lambda: upkeep.go_on(clock.now()), apart=apart),
            Lane(computers, "computers", apart=apart),
        )

    def begin(self, part: str) -> None:
        """Send heartbeats of each lane from now on, under the name of the part and of its queue."""
        for lane in (self._first, *self._others):
            lane.begin(f"{part}-{lane.queue}")

    def drain(self) -> bool:
        """Let each lane hand out due rows, one after the other; return whether there may be more."""
        more = [lane.drain() for lane in (self._first, *self._others)]
        return any(more)

    def run(self) -> None:
        """Run all lanes until stopped, or until one of them breaks down; then raise its error again."""
        with ThreadPoolExecutor(len(self._others), "relay") as threads:
            running = [threads.submit(lane.run) for lane in self._others]
            for each in running:
                each.add_done_callback(self._first.stop)
            try:
                self._first.run()
            finally:
                for lane in self._others:
                    lane.stop()
        for each in running:
            each.result()

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after each lane's work in hand; a signal handler."""
        self._first.stop()


@ended_by_bad_settings()
def main() -> None:
    """Run a relay until SIGTERM or SIGINT."""
    settings = Settings.from_env()
    begin_part(settings, settings.part or "relay")
    runtime = Runtime.build(settings)
    runtime.mode.watch()
    run_until_signal(Relay(runtime), settings.part or "relay")


if __name__ == "__main__":
    main()
