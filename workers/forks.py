"""Processes that share the memory of the code: each is forked from a parent that has loaded it.

A process that ends is forked again. The web server does the same with its own processes.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, Final

import structlog

from service.shared.die_with_parent import die_with_parent

SHORT: Final = 10.0
"""Seconds of life under which a process counts as failed to start; it is forked again after PAUSE."""
PAUSE: Final = 1.0
ENDING: Final = (signal.SIGTERM, signal.SIGINT)
log = structlog.get_logger()


class Forks:
    """Supervisor of one process for each name, which runs a function on the name."""

    def __init__(self, names: Sequence[str], run: Callable[[str], None]) -> None:
        """Take `run`, which returns after a SIGTERM; a new process calls it, with all that this one has loaded."""
        self._names = names
        self._run = run
        self._own = os.getpid()
        self._stopping = False
        self._running: dict[int, tuple[str, float]] = {}

    def run(self) -> None:
        """Keep the processes running until SIGTERM or SIGINT; then let them finish the work in hand."""
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        # Freeze all objects: a collection over them would copy the shared memory.
        gc.collect()
        gc.freeze()
        for name in self._names:
            self._fork(name)
        while self._running:
            pid, status = os.wait()
            name, since = self._running.pop(pid, ("", 0.0))
            if name and not self._stopping:
                log.warning("process ended and is started again", name=name, exit=os.waitstatus_to_exitcode(status))
                if monotonic() - since < SHORT:
                    sleep(PAUSE)
                self._fork(name)

    def _fork(self, name: str) -> None:
        # A new process drops signals that arrive before it runs Python. Until then the kernel holds them.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        pid = os.fork()
        if not pid:
            self._become(name)
        self._running[pid] = (name, monotonic())
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if self._stopping:
            os.kill(pid, signal.SIGTERM)

    def _become(self, name: str) -> None:
        """Run in the new process, and end it."""
        code = 1
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
            die_with_parent(self._own, signal.SIGKILL)
            _sign(name)
            self._run(name)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _stop(self, *_signal: Any) -> None:
        if os.getpid() != self._own:
            # A new process without its own handler yet.
            os._exit(0)
        self._stopping = True
        for pid in self._running:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def _sign(name: str) -> None:
    """Add the name to each log line of this process: the processes share one log."""
    processors: list[Any] = structlog.get_config()["processors"]
    structlog.configure(processors=[lambda _logger, _method, line: {**line, "part": name}, *processors])
