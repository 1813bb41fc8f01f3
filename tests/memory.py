"""Measure how much memory a process takes for a while."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def room_taken() -> Iterator[Callable[[], int]]:
    """Measures how many kB of memory the process had at most while it ran, beyond those it had before."""
    gc.collect()
    # What is alive now need not be looked through by the next measure, which takes 0.7 s late in a run of all tests.
    gc.freeze()
    # Makes the system forget how much it was at most before (proc(5)).
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    yield lambda: memory("VmHWM") - before


def memory(name: str) -> int:
    """Return a field of the process's status, in kB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
