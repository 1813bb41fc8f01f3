"""Measure an idle service: CPU time and memory of all that `boardroom up` runs, servers included."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter, sleep

from service.local.supervisor import wait_until
from service.settings import Settings
from tests.bench.figures import figure
from tests.bench.processes import MEBIBYTE, cpu_seconds, memory
from tests.local.going_up import children_of, read
from tests.ports import free_port

SETTLING = 20.0
"""Seconds after the start that do not count: the first hour's upkeep is done in them."""
SECONDS = 60.0
PATIENCE = 120
SERVERS = ("postgres", "redis")


def main() -> None:
    """Print the figures of an idle service."""
    with idle_service() as root:
        sleep(SETTLING)
        before, begun = _by_part(root, cpu_seconds), perf_counter()
        sleep(SECONDS)
        after, seconds = _by_part(root, cpu_seconds), perf_counter() - begun
        percent = {part: (used - before[part]) / seconds * 100 for part, used in sorted(after.items())}
        own = sum(share for part, share in percent.items() if part not in SERVERS)
        figure("idle_cpu_percent", sum(percent.values()), "% of a core", 1.0, 0.7, without_servers=own, **percent)
        taken, alone = _mebibytes(root, "Pss"), _mebibytes(root, "Private_Dirty")
        unshared = {f"{part}_private": of_part for part, of_part in alone.items()}
        figure("idle_memory_mb", sum(taken.values()), "MiB", 600, 500, processes=len(_tree(root)), **taken, **unshared)


@contextmanager
def idle_service() -> Iterator[int]:
    """Run `boardroom up` on a data folder of its own, and yield its process id once it is open."""
    with tempfile.TemporaryDirectory(prefix="boardroom-idle-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        environment = Settings.from_env(partial=True).environment() | {"PORT": str(free_port())}
        command = [sys.executable, "-m", "service.commands", "up", "--data", str(folder / "data")]
        said = folder / "said"
        with said.open("wb") as out:
            up = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment)
        try:
            opened = wait_until(lambda: "Ctrl-C stops" in said.read_text() or up.poll() is not None, PATIENCE)
            assert opened and up.poll() is None, said.read_text()
            yield up.pid
        finally:
            up.terminate()
            up.wait(PATIENCE)


def _mebibytes(root: int, kind: str) -> dict[str, float]:
    return {part: kib / MEBIBYTE for part, kib in _by_part(root, partial(memory, kind)).items()}


def _by_part(root: int, of_process: Callable[[Path], float]) -> dict[str, float]:
    """Return the sum over the processes of each part."""
    found: dict[str, float] = {}
    for pid, part in _tree(root).items():
        found[part] = found.get(part, 0.0) + of_process(Path(f"/proc/{pid}"))
    return found


def _tree(root: int) -> dict[int, str]:
    """Return the processes by their id, each with the part of the service that it belongs to."""
    found = {root: "up"}
    for child in children_of(root):
        part = _part(child)
        found |= dict.fromkeys((child, *below(child)), part)
    return found


def below(pid: int) -> Iterator[int]:
    """Yield the processes that a process has started, and those that these have."""
    for child in children_of(pid):
        yield child
        yield from below(child)


def _part(pid: int) -> str:
    words = " ".join(read(pid, "cmdline"))
    known = {"service.serve": "web", "workers.parts": "parts"}
    return next((part for word, part in known.items() if word in words), "redis" if "redis" in words else "postgres")


if __name__ == "__main__":
    main()
