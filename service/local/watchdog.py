"""Kills processes of this service that hang, so that they are started again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Event, Thread
from time import monotonic
from typing import Final
from uuid import UUID

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from service.store.heartbeats import IDLE, Late, database_now, late

LOOK_SECONDS: Final = 3.0
GRACE: Final = IDLE + 5.0
"""Seconds that all processes get for a new heartbeat when none could be written or read for a while."""
GAP: Final = timedelta(seconds=LOOK_SECONDS + 4)
"""A watchdog that has not looked for so long was itself suspended, and so may have been all the others."""


class Watchdog:
    """Context manager: a thread that reads from the database which heartbeats are late, and kills those processes.

    It is a thread because a database that hangs must not block the supervisor, which starts processes again. Only the
    `children` and processes started by them are killed; while the database does not answer none is, and afterwards all
    of them get time for a heartbeat.
    """

    def __init__(self, engine: Engine, children: Callable[[], Iterable[int]], say: Callable[[str], None]) -> None:
        """`engine` is for the watchdog alone; `children` returns the ids of the running child processes."""
        self._engine = engine
        self._children = children
        self._say = say
        self._stop = Event()
        self._since: datetime | None = None
        self._seen: datetime | None = None
        self._from = 0.0
        self._ended: set[UUID] = set()
        self._stopped: dict[int, float] = {}
        self._thread = Thread(target=self._run, name="watchdog", daemon=True)

    def __enter__(self) -> Watchdog:
        """Begin; only processes that start afterwards are watched."""
        with suppress(SQLAlchemyError), self._engine.connect() as db:
            self._since = database_now(db)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """End, without waiting for a database that hangs."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            self._look_for_stopped()
            try:
                self._look()
            except SQLAlchemyError:
                self._seen = None
        self._engine.dispose()

    def _look_for_stopped(self) -> None:
        """End children that were stopped (SIGSTOP) and not continued: a main web process writes no heartbeat."""
        now = monotonic()
        self._stopped = {pid: self._stopped.get(pid, now) for pid in self._children() if stopped(pid)}
        for pid, since in self._stopped.items():
            # A process with heartbeats is killed for a late one before this.
            if now - since > GRACE and not self._stop.is_set():
                self._say(f"Process {pid} was stopped at least {now - since:.0f} s ago and is ended")
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _look(self) -> None:
        with self._engine.connect() as db:
            now = database_now(db)
            self._since = self._since or now
            found = late(db, self._since)
        if self._seen is None or not timedelta() <= now - self._seen < GAP:
            self._from = monotonic() + GRACE
        self._seen = now
        if monotonic() >= self._from:
            # The parts of one process, each with heartbeats of its own, hang and end together.
            of_process = {each.pid: each for each in found if each.process not in self._ended}
            for each in of_process.values():
                self._end_if_ours(each)

    def _end_if_ours(self, each: Late) -> None:
        self._ended.add(each.process)
        # Process ids are used again: ours have this process as their parent, or as their parent's parent.
        children, parent = {*self._children()}, parent_of(each.pid)
        ours = parent == each.parent and (each.pid in children or each.parent in children)
        if ours and not self._stop.is_set():
            self._say(f"{each.part} hangs (process {each.pid}, for {each.age:.0f} s) and is ended")
            with suppress(ProcessLookupError):
                os.kill(each.pid, signal.SIGKILL)


def parent_of(pid: int) -> int | None:
    """Return the process that a process was started by, None if it is gone."""
    shown = subprocess.run(["ps", "-o", "ppid=,stat=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S607 - wherever it is
    parent, _, state = shown.stdout.strip().partition(" ")
    return int(parent) if parent and not state.strip().startswith("Z") else None


def stopped(child: int) -> bool:
    """Return whether a child of this process is stopped by a signal."""
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    return False
