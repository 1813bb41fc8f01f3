"""Child processes: they write to a log, end with this process, and can be stopped in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from service.local.logs import open_log
from service.shared import die_with_parent

POLL = 0.02


class CannotStart(Exception):
    """Why something could not be started, as one line for the person at the terminal."""


def one_line(error: Exception) -> str:
    """Return what an error says as one line, or its class if it says nothing."""
    return " ".join(str(error).split()) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Account:
    """A user of the operating system."""

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
        """The process id."""
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
        time.sleep(POLL)
    return True
