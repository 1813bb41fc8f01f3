"""The CPU time and memory of processes, as Linux counts them (proc(5)); a process is given as its folder of /proc."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

MEBIBYTE = 1 << 10
"""In the KiB that the kernel counts in."""

PARENT, SESSION = 1, 3
"""The columns of a process's status in which its parent and its session stand."""


def total(number: int, column: int, of_process: Callable[[Path], float]) -> float:
    """Return the sum over all processes that have the number in the column of their status."""
    return sum(
        of_process(each) for each in Path("/proc").iterdir() if each.name.isdigit() and _has(each, number, column)
    )


def cpu_seconds(process: Path) -> float:
    """Return the seconds that the process has worked, and those of its children that have ended; 0 if it has, too."""
    try:
        return sum(map(int, _status(process)[11:15])) / os.sysconf("SC_CLK_TCK")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def memory(kind: str, process: Path) -> float:
    """Return the memory of a process in KiB (smaps_rollup).

    A page that several processes share counts in full for each of them in `Rss`; `Pss` divides it among them, so its
    sum over all processes of a server is what the server takes.
    """
    lines = (process / "smaps_rollup").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))


def _has(process: Path, number: int, column: int) -> bool:
    try:
        return int(_status(process)[column]) == number
    except (FileNotFoundError, ProcessLookupError):
        return False


def _status(process: Path) -> list[str]:
    """Return the fields from the process's state on; the name before it may hold spaces."""
    return (process / "stat").read_text().rpartition(")")[2].split()
