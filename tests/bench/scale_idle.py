"""Measure CPU time and memory of `boardroom up` while idle."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

from service.local.supervisor import wait_until
from tests.bench.figures import figure
from tests.chaos.book import Book
from tests.chaos.processes import Process
from tests.chaos.running import Running

SETTLING: Final = 30
"""Seconds after the start until it is idle."""
SECONDS: Final = 60
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the figures of all processes together, PostgreSQL and Redis among them."""
    with tempfile.TemporaryDirectory(prefix="boardroom-scale-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        running = Running(folder, Book(), {"MAILBOX": str(folder / "mailbox")})
        running.start()
        try:
            _measure(running)
        finally:
            running.stop()


def _measure(running: Running) -> None:
    _let_pass(SETTLING)
    before, begun = {each.pid: _worked(each) for each in running.processes()}, perf_counter()
    _let_pass(SECONDS)
    processes = running.processes()
    worked = sum(_worked(each) - before.get(each.pid, 0.0) for each in processes)
    percent = worked / (perf_counter() - begun) * 100
    figure("idle_cpu_percent", percent, "% of a core", 1.0, 0.5, processes=len(processes))
    figure("idle_memory_mb", sum(map(_memory, processes)) / 1e6, "MB", 600, 400)


def _let_pass(seconds: float) -> None:
    until = perf_counter() + seconds
    wait_until(lambda: perf_counter() > until, seconds + 1)


def _worked(process: Process) -> float:
    """Return the seconds that a process has worked, and those of its children that have ended; 0 if it has, too."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS


def _memory(process: Process) -> float:
    """Return the bytes that a process takes, of the pages that several share its part (proc(5), Pss)."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(float(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
