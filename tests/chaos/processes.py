"""The processes of a running `boardroom up`, found by walking its process tree and named by their command lines."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SUPERVISOR = "supervisor"
POSTMASTER, BACKEND, AUXILIARY = "postmaster", "postgres backend", "postgres auxiliary"
WEB_MAIN, WEB_PROCESS = "web main", "web process"
PAGE = os.sysconf("SC_PAGE_SIZE")
_DEAD = "ZX"


@dataclass(frozen=True, slots=True)
class Process:
    """A process; `started` (clock ticks since boot) tells it from a later one that has the same number."""

    pid: int
    parent: int
    state: str
    started: int
    words: tuple[str, ...]
    part: str

    @property
    def dead(self) -> bool:
        """Whether it has ended, and only its exit code is left."""
        return self.state in _DEAD

    @property
    def alive(self) -> bool:
        """Whether this very process still runs."""
        now = _read(self.pid)
        return now is not None and now.started == self.started and not now.dead

    @property
    def resident(self) -> int:
        """The bytes of its memory that are resident; 0 if it has ended."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE
        except OSError:
            return 0

    def send(self, number: signal.Signals) -> None:
        """Send it a signal; one that has ended gets none."""
        with suppress(ProcessLookupError):
            if self.alive:
                os.kill(self.pid, number)


def tree(root: int) -> list[Process]:
    """Return a process and all those below it, those that have just been started and are not themselves yet left out.

    The root is the supervisor.
    """
    everything = {each.pid: each for each in _all()}
    if root not in everything:
        return []
    below: dict[int, list[Process]] = {}
    for each in everything.values():
        below.setdefault(each.parent, []).append(each)
    found: list[Process] = []
    waiting = [(everything[root], SUPERVISOR)]
    while waiting:
        process, part = waiting.pop()
        named = _renamed(process, part)
        if not _is_starting(process):
            found.append(named)
        waiting += [(child, _part(child, named)) for child in below.get(process.pid, [])]
    return sorted(found, key=lambda each: (each.part, each.pid))


def _renamed(process: Process, part: str) -> Process:
    return Process(process.pid, process.parent, process.state, process.started, process.words, part)


def _part(process: Process, parent: Process) -> str:
    # Some write what they do where their command line stood.
    first, rest = process.words[0] if process.words else "", process.words[1:]
    program = Path(first.split(" ")[0]).name
    if parent.part == POSTMASTER:
        return BACKEND if "[local]" in first else AUXILIARY
    if program == "postgres":
        return POSTMASTER
    if program.startswith(("redis-server", "valkey-server")):
        return "redis"
    if "service.serve" in rest:
        return WEB_PROCESS if parent.part == WEB_MAIN else WEB_MAIN
    if "-m" in rest:
        # A part that is started several times, for several queues, has that in its arguments.
        words = " ".join(rest[rest.index("-m") + 1 :])
        return f"{words} process" if parent.part == words else words
    return parent.part if parent.part != SUPERVISOR else program or "nameless"


def _is_starting(process: Process) -> bool:
    return any(word.endswith("die_with_parent.py") for word in process.words)


def _all() -> Iterator[Process]:
    for folder in Path("/proc").glob("[0-9]*"):
        found = _read(int(folder.name))
        if found is not None:
            yield found


def _read(pid: int) -> Process | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        line = Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return None
    words = tuple(each.strip() for each in line.split("\0") if each.strip())
    return Process(pid, int(fields[1]), fields[0], int(fields[19]), words, "")
