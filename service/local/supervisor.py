"""Programs that are started again when they end."""

from __future__ import annotations

import select
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.local.logs import last_line
from service.local.processes import POLL, CannotStart, Child

PAUSES: Final = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before a program is started again, by how often in a row it has ended."""
FIRST_WORD: Final = 5.0
"""Seconds after which it is said what is being waited for; then after twice as many, and so on."""
WORKS_AFTER: Final = 10.0
"""Seconds after which a program without `answers` is taken to work."""

PROBE_PAUSE_S: Final = 2.0
"""Seconds between two looks whether a running program still takes work."""


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
            self.again_at = now + PAUSES[min(self.ends, len(PAUSES)) - 1]
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
        return now - self.child.started > WORKS_AFTER if self.answers is None else self.answers()

    def stop(self) -> None:
        """Stop the program."""
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
    """Stop all of them, at the same time."""
    for each in watched:
        each.child.ask_to_end()
    for each in watched:
        each.stop()


class WaitingNotice:
    """Says what is being waited for, after FIRST_WORD seconds, and then at intervals that double."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._since = time.monotonic()
        self._next = FIRST_WORD

    def wait(self, name: str, log: Path) -> None:
        """Wait a moment for the program, and say so when that has taken long."""
        time.sleep(POLL)
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
