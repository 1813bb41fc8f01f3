"""Child processes: their logs, how they are started, restarted and stopped, and the watchdog over their heartbeats."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import BinaryIO, Final
from uuid import UUID

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from service.shared import clock, die_with_parent
from service.store.heartbeats import IDLE, Late, database_now, late

MAX_LOG_BYTES: Final = 10 * 1024 * 1024
"""Bytes after which a log is rotated."""
KEPT_LOGS: Final = 4
"""Rotated logs of each program: web-1.log.1 is the latest, web-1.log.4 the oldest."""
_START_MARK: Final = "---- "
POLL_S = 0.02
RESTART_PAUSES_S: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before a program is started again, by how often in a row it has ended."""
FIRST_NOTICE_S: Final = 5.0
"""Seconds until the first notice of what is awaited; the interval doubles with each notice."""
WORKS_AFTER_S: Final = 10.0
"""Seconds after which a program without a check `answers` counts as working."""
PROBE_PAUSE_S: Final = 2.0
"""Seconds between two probes of a running program."""
HEARTBEAT_LOOK_S: Final = 3.0
HEARTBEAT_GRACE_S: Final = IDLE + 5.0
"""Seconds that all processes get for a new heartbeat after an outage of the database."""
SUSPENDED_AFTER: Final = timedelta(seconds=HEARTBEAT_LOOK_S + 4)
"""A gap between two looks of the watchdog that shows a suspended machine."""


def open_log(log: Path, name: str) -> BinaryIO:
    """Open a log to append to, after a line that says what starts and when (UTC); for its owner alone."""
    log.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    opened = os.fdopen(number, "ab", buffering=0)
    os.fchmod(number, 0o600)
    opened.write(f"{_START_MARK}{clock.now():%Y-%m-%d %H:%M:%S} {name} starts\n".encode())
    return opened


def last_line(log: Path) -> str:
    """Return the last line since the latest start, for a message on why the program ended."""
    try:
        lines = log.read_text(errors="replace").split("\n")
    except OSError:
        return "it said nothing"
    said = next((line.strip() for line in reversed(lines) if line.strip()), _START_MARK)
    return "it said nothing" if said.startswith(_START_MARK) else said


def rotate(logs: Iterable[Path], largest: int = MAX_LOG_BYTES) -> None:
    """Rotate the logs that are longer than `largest` bytes, while their programs write to them.

    A log is copied and then truncated, because its program keeps it open, and appends. Only output between the last
    read and the truncation could be lost.
    """
    for log in logs:
        if log.exists() and log.stat().st_size > largest:
            _rotate(log)


def _rotate(log: Path) -> None:
    older = [log.with_name(f"{log.name}.{number}") for number in range(1, KEPT_LOGS + 1)]
    for young, old in reversed([*pairwise(older)]):
        if young.exists():
            young.replace(old)
    with log.open("r+b") as full, os.fdopen(os.open(older[0], os.O_WRONLY | os.O_CREAT, 0o600), "wb", 0) as aside:
        shutil.copyfileobj(full, aside)
        # Output that came during the copy.
        while more := full.read():
            aside.write(more)
        full.truncate(0)


class CannotStart(Exception):
    """A refused start; the message is one line for the terminal."""


def one_line(error: Exception) -> str:
    """Return what an error says as one line, or its class if it says nothing."""
    return " ".join(str(error).split()) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A command, the log of its output, the user it runs as (None: this one), and the signal that ends it in order.

    `inherits` are the numbers of open files that it gets along.
    """

    name: str
    command: Sequence[str]
    log: Path
    account: Account | None = None
    environment: Mapping[str, str] | None = None
    inherits: Sequence[int] = ()
    stop_signal: signal.Signals = signal.SIGTERM


class Child:
    """A running program. It has a session of its own, so that a Ctrl-C at the terminal reaches this process only."""

    def __init__(self, program: Program) -> None:
        """Start the program; has to be called from a thread that lives as long as the program should."""
        self.program = program
        account = program.account
        uid, gid = (account.uid, account.gid) if account else (-1, -1)
        numbers = (os.getpid(), program.stop_signal, uid, gid)
        tied = [sys.executable, "-I", "-S", die_with_parent.__file__, *(str(int(each)) for each in numbers)]
        with open_log(program.log, program.name) as log:
            self._process = subprocess.Popen(
                [*tied, *program.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=program.environment,
                cwd="/" if account else None,
                start_new_session=True,
                pass_fds=program.inherits,
            )
        self._asked = False
        self.started = time.monotonic()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while the program runs; then its exit code, negative for a signal."""
        return self._process.poll()

    def ask_to_end(self) -> None:
        """Send the program its own signal, once."""
        if self.exit_code is None and not self._asked:
            self._asked = True
            self._process.send_signal(self.program.stop_signal)

    def stop(self, patience: float = 8.0) -> None:
        """End the program with its own signal; after `patience` seconds end it and all that it started with SIGKILL."""
        self.ask_to_end()
        if self.exit_code is None:
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End the program and all that it started at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()


def wait_until(happened: Callable[[], bool], seconds: float) -> bool:
    """Wait until the condition holds; False when it does not within the given time."""
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True


@dataclass(slots=True)
class Supervised:
    """A program that is started again when it ends: at once if it had worked, then after pauses that grow.

    `answers` tells whether it works; without it, a program works when it has run for WORKS_AFTER seconds. `clear`
    removes leftovers before the next start. More than `most` ends in a row are too many; None for no limit.
    `refuses` tells whether a running program takes no more work, for good: then it is asked to end.
    """

    child: Child
    answers: Callable[[], bool] | None = None
    clear: Callable[[], None] = lambda: None
    most: int | None = None
    ends: int = 0
    again_at: float | None = None
    refuses: Callable[[], bool] | None = None
    probed_at: float = 0.0

    def restart_ended(self, say: Callable[[str], None]) -> None:
        """Start the program again if it has ended and its pause is over; raises CannotStart if it ended too often."""
        now, program = time.monotonic(), self.child.program
        code = self.child.exit_code
        if code is None:
            if self.ends and self._works(now):
                self.ends = 0
            self._end_if_useless(now, say)
            return
        if self.again_at is None:
            self.ends += 1
            if self.most is not None and self.ends > self.most:
                raise CannotStart(
                    f"{program.name} ended {self.ends} times in a row, the last time with: {last_line(program.log)}"
                    f" (see {program.log})."
                )
            self.again_at = now + RESTART_PAUSES_S[min(self.ends, len(RESTART_PAUSES_S)) - 1]
            say(f"{program.name} ended (exit {code}) and is started again; its log is {program.log}")
        if now >= self.again_at:
            self.clear()
            self.child, self.again_at = Child(program), None

    def _end_if_useless(self, now: float, say: Callable[[str], None]) -> None:
        if self.refuses is None or now - self.probed_at < PROBE_PAUSE_S:
            return
        self.probed_at = now
        if self.refuses():
            program = self.child.program
            say(f"{program.name} runs, but takes no more connections: it is ended and started again")
            self.child.ask_to_end()

    def _works(self, now: float) -> bool:
        return now - self.child.started > WORKS_AFTER_S if self.answers is None else self.answers()

    def stop(self) -> None:
        self.child.stop()


@contextmanager
def wakened_by_ends() -> Iterator[Callable[[float], None]]:
    """Context manager for the main thread: yield a function that waits for seconds, or until a child process ends."""
    heard, told = socket.socketpair()
    with heard, told:
        told.setblocking(False)
        before = (
            signal.signal(signal.SIGCHLD, lambda *_: None),
            signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False),
        )

        def wait(seconds: float) -> None:
            if select.select([heard], [], [], seconds)[0]:
                heard.recv(4096)

        try:
            yield wait
        finally:
            signal.set_wakeup_fd(before[1])
            signal.signal(signal.SIGCHLD, before[0])


def stop_all(watched: Sequence[Supervised]) -> None:
    """Stop all at the same time."""
    for each in watched:
        each.child.ask_to_end()
    for each in watched:
        each.stop()


class WaitingNotice:
    """Notices of a long start, after FIRST_NOTICE_S seconds, then at intervals that double."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._since = time.monotonic()
        self._next = FIRST_NOTICE_S

    def wait(self, name: str, log: Path) -> None:
        """Wait a moment for the program, and say so when that has taken long."""
        time.sleep(POLL_S)
        waited = time.monotonic() - self._since
        if waited > self._next:
            self._next *= 2
            self._say(f"{name} is starting, for {waited:.0f} s so far; its log is {log}")


def wait_for(watched: Sequence[Supervised], ready: Callable[[], bool], say: Callable[[str], None]) -> None:
    """Wait until `ready`, however long that takes; programs that end meanwhile are started again.

    Messages name the last program. Raises CannotStart when one has ended too often.
    """
    patience, awaited = WaitingNotice(say), watched[-1].child.program
    while not ready():
        for each in watched:
            each.restart_ended(say)
        patience.wait(awaited.name, awaited.log)


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
        while not self._stop.wait(HEARTBEAT_LOOK_S):
            self._look_for_stopped()
            try:
                self._look()
            except SQLAlchemyError:
                self._seen = None
        self._engine.dispose()

    def _look_for_stopped(self) -> None:
        """End children that were stopped (SIGSTOP) and not continued: a main web process writes no heartbeat."""
        now = time.monotonic()
        self._stopped = {pid: self._stopped.get(pid, now) for pid in self._children() if is_stopped(pid)}
        for pid, since in self._stopped.items():
            # A process with heartbeats is killed for a late one before this.
            if now - since > HEARTBEAT_GRACE_S and not self._stop.is_set():
                self._say(f"Process {pid} was stopped at least {now - since:.0f} s ago and is ended")
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _look(self) -> None:
        with self._engine.connect() as db:
            now = database_now(db)
            self._since = self._since or now
            found = late(db, self._since)
        if self._seen is None or not timedelta() <= now - self._seen < SUSPENDED_AFTER:
            self._from = time.monotonic() + HEARTBEAT_GRACE_S
        self._seen = now
        if time.monotonic() >= self._from:
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


def is_stopped(child: int) -> bool:
    """Return whether a child of this process is stopped by a signal."""
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    return False
