"""What breaks: every few seconds one thing, chosen by the seed, and put right again before the next one.

The seed fixes the moments and the choices. What the parts are doing at those moments it cannot fix, and so a run with
the same seed is never the same run again.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic

from tests.chaos.book import Book
from tests.chaos.faketime import jump_to
from tests.chaos.mail_server import BAD_MOODS, MailServer
from tests.chaos.processes import AUXILIARY, BACKEND, POSTMASTER, SUPERVISOR, Process
from tests.chaos.running import Running
from tests.listener import Listener, Reply

EVERY = (1.0, 2.4)
"""Seconds between two faults of a chaos run, at least and at most."""
OTHERS = 0.25
"""The share of faults that are no kills."""
ROTATION_EVERY = 5.0
REVIVAL = 60.0
"""Seconds after which a server that is not ready again never will be; then `boardroom up` is started anew."""
STOPPED = (2.0, 5.0)
BAD_MOOD = (2.0, 6.0)
OFFSETS = ("-50s", "+50s", "-2h", "+2h")
POSTGRES = (AUXILIARY, BACKEND, POSTMASTER)


@dataclass(slots=True)
class Fault:
    """Something that was done: what, when it began and when it was put right (seconds of the monotonic clock)."""

    what: str
    part: str
    began: float
    ended: float
    revived: float | None = None
    """Seconds until the part was there again; None if it was not before the next fault."""


class Nemesis:
    """Breaks things until the run closes; `faults` is what it did."""

    def __init__(
        self,
        running: Running,
        book: Book,
        mail: MailServer,
        hooks: Listener,
        dice: Random,
        clocks: Path | None = None,
    ) -> None:
        """`clocks` is the folder with the clock of one part; None if it cannot be set."""
        self._clocks = clocks
        self._running = running
        self._book = book
        self._mail = mail
        self._hooks = hooks
        self._dice = dice
        self.faults: list[Fault] = []

    def chaos(self) -> None:
        """Do one thing after the other, most of them kills: of every process in turn, as the seed shuffles them."""
        victims = self._in_turn({BACKEND, AUXILIARY})
        others = self._other_faults()
        while not self._book.closing.wait(self._dice.uniform(*EVERY)):
            if self._dice.random() < OTHERS:
                next(others)()
            elif (part := next(victims)) == SUPERVISOR:
                self._kill_supervisor()
            else:
                self._kill(part)
            self._revive()

    def rotation(self) -> None:
        """Kill one process after the other, one every five seconds, and never the supervisor."""
        due = monotonic()
        for part in self._in_turn({BACKEND}, SUPERVISOR, AUXILIARY):
            due += ROTATION_EVERY
            if self._book.closing.wait(max(0.0, due - monotonic())):
                return
            self._kill(part)
            self._revive()

    @property
    def kills(self) -> int:
        """How many processes it has killed."""
        return sum(each.what == "kill" for each in self.faults)

    def _in_turn(self, few: set[str], *spared: str) -> Iterator[str]:
        """Yield the part of each process, shuffled anew each time round; of which there are many only once."""
        while True:
            living = self._running.living()
            parts = [
                part
                for part, found in sorted(living.items())
                if part not in spared
                for _ in (found[:1] if part in few else found)
            ]
            self._dice.shuffle(parts)
            yield from parts or [SUPERVISOR]

    def _other_faults(self) -> Iterator[Callable[[], None]]:
        """Yield what is no kill, shuffled anew each time round; a wrong clock first, which a short run has, too."""
        faults = [self._stop, self._flush, self._bad_mood, self._bad_mood, self._bad_hooks]
        if self._clocks is not None:
            faults.append(partial(self._wrong_clock, self._clocks))
            yield faults[-1]
        while True:
            self._dice.shuffle(faults)
            yield from faults

    def _kill(self, part: str) -> None:
        found = self._running.living().get(part)
        if found:
            killed = self._dice.choice(found)
            killed.send(signal.SIGKILL)
            fault = self._note("kill", part)
            self._book.thread(lambda: self._watch(fault, killed, len(found)), f"watching {part}")

    def _watch(self, fault: Fault, killed: Process, number: int) -> None:
        """Note when as many processes of the part run as before."""

        def back() -> bool:
            now = [each for each in self._running.living().get(fault.part, []) if each.pid != killed.pid]
            return len(now) >= number or self._book.over.is_set()

        if fault.part not in POSTGRES[:2] and self._book.comes_true(back, REVIVAL) and not self._book.over.is_set():
            fault.revived = monotonic() - fault.began

    def _kill_supervisor(self) -> None:
        began = monotonic()
        self._running.kill()
        self._running.start()
        self._note("kill", SUPERVISOR, began)

    def _stop(self) -> None:
        """Stop one process for some seconds, or all of PostgreSQL's."""
        living = self._running.living()
        part = self._dice.choice(sorted(living))
        stopped = [self._dice.choice(living[part])]
        if part in POSTGRES:
            part, stopped = "postgres", [each for name in POSTGRES for each in living.get(name, [])]
        began = monotonic()
        for each in stopped:
            each.send(signal.SIGSTOP)
        self._book.closing.wait(self._dice.uniform(*STOPPED))
        for each in stopped:
            each.send(signal.SIGCONT)
        self._note("stop", part, began)

    def _flush(self) -> None:
        self._running.flush_redis()
        self._note("flush", "redis")

    def _bad_mood(self) -> None:
        mood, began = self._dice.choice(BAD_MOODS), monotonic()
        self._mail.mood = mood
        self._book.closing.wait(self._dice.uniform(*BAD_MOOD))
        self._mail.mood = "fine"
        self._note(f"mail {mood}", "mail server", began)

    def _bad_hooks(self) -> None:
        began = monotonic()
        self._hooks.reply = Reply(503)
        self._book.closing.wait(self._dice.uniform(*BAD_MOOD))
        self._hooks.reply = Reply()
        self._note("webhooks refused", "webhook receiver", began)

    def _wrong_clock(self, clocks: Path) -> None:
        """Have one part go by a wrong clock for some seconds; those of PostgreSQL and the other parts are right."""
        (clock,), offset, began = clocks.iterdir(), self._dice.choice(OFFSETS), monotonic()
        jump_to(clock, offset)
        self._book.closing.wait(self._dice.uniform(*STOPPED))
        jump_to(clock, "+0")
        self._note(f"clock {offset}", clock.name, began)

    def _note(self, what: str, part: str, began: float | None = None) -> Fault:
        now = monotonic()
        self.faults.append(Fault(what, part, now if began is None else began, now))
        return self.faults[-1]

    def _revive(self) -> None:
        """Start all anew if PostgreSQL does not come back by itself, which is a finding: without it nothing goes on."""
        fault = self.faults[-1] if self.faults else None
        if fault is None or fault.part not in (*POSTGRES, "postgres"):
            return
        # Ready once is enough: the other web process may have yet to notice that its connections are gone.
        looked = self._book.comes_true(lambda: self._is_back() or self._running.ended, REVIVAL)
        if not looked or self._running.ended:
            self._book.wrong(f"after {fault.what} {fault.part} nothing was ready again within {REVIVAL:.0f} s")
            self._start_anew()

    def _start_anew(self) -> None:
        self._running.stop()
        self._running.start()

    def _is_back(self) -> bool:
        return POSTMASTER in self._running.living() and self._running.is_ready()

    def heal(self) -> None:
        """Put everything right, and start all anew if that is not enough."""
        self._mail.mood = "fine"
        self._hooks.reply = Reply()
        if self._clocks is not None:
            for clock in self._clocks.iterdir():
                jump_to(clock, "+0")
        for each in self._running.processes():
            each.send(signal.SIGCONT)
        if not self._book.comes_true(self._running.is_ready, REVIVAL * 2):
            self._book.wrong("nothing was ready again after everything was healed")
            self._start_anew()
