"""The parts of the house as processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from service.settings import Settings

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(settings: Settings) -> Iterator[Start]:
    """Starts a part of the house, such as `workers.relay` or `workers.main moves`; whatever is left of them is killed after the test."""
    running: list[subprocess.Popen[bytes]] = []

    def begin(module: str, **changes: str) -> subprocess.Popen[bytes]:
        environment = settings.environment() | changes
        process = subprocess.Popen([sys.executable, "-W", "error", "-m", *module.split()], env=environment)
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.wait()
