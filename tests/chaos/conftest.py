"""Where drills happen: a run with its people, judged at the end of the test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.local.servers import LocalServers
from tests.chaos.faketime import LIBRARIES
from tests.chaos.run import Cast, Run

Begin = Callable[..., Run]


@pytest.fixture
def begin(scratch: Path) -> Iterator[Begin]:
    """Begins a run with a cast, and settings of its own."""
    with ExitStack() as stack:

        def begin_one(cast: Cast, told: Mapping[str, str] | None = None) -> Run:
            run = Run(stack, scratch, "drill", cast, told)
            run.begin()
            return run

        yield begin_one


@pytest.fixture
def small_disk(scratch: Path) -> Iterator[Callable[[str, str], Path]]:
    """Mounts a disk of a size in a folder of a name; only root may, and not everywhere."""
    mounted: list[Path] = []

    def mount(name: str, size: str) -> Path:
        folder = scratch / name
        folder.mkdir()
        options = f"size={size},mode=711"
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"may not mount a disk here (user {os.geteuid()}): {done.stderr.strip()}")
        mounted.append(folder)
        return folder

    yield mount
    for each in mounted:
        subprocess.run(["umount", "--lazy", str(each)], check=True)


@pytest.fixture
def clock(scratch: Path) -> Path:
    """A file that says how wrong the clock is."""
    if sys.platform != "linux" or not LIBRARIES:
        pytest.skip("libfaketime is not here")
    file = scratch / "clock"
    file.write_text("+0\n")
    file.chmod(0o644)
    return file


@pytest.fixture
def right(scratch: Path) -> Iterator[LocalServers]:
    """PostgreSQL and Redis, whose clocks are right."""
    with LocalServers(scratch / "servers", wanted=frozenset({"postgres", "redis"})) as running:
        yield running
