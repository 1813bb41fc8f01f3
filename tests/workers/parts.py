"""The parts of the house as processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.settings import Settings

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(settings: Settings) -> Iterator[Start]:
    """Starts a part of the house, such as `workers.relay` or `workers.main moves`; what it says goes into `log`.

    Whatever is left of them is killed after the test.
    """
    running: list[subprocess.Popen[bytes]] = []

    def begin(module: str, log: Path = Path("/dev/stdout"), **changes: str) -> subprocess.Popen[bytes]:
        environment = settings.environment() | changes | {"PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-W", "error", "-m", *module.split()]
        with log.open("ab") as out:
            process = subprocess.Popen(command, env=environment, stdout=out)
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.wait()
