"""A `boardroom up` of its own for a test, and what one can ask of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from service.local.supervisor import POLL_S, wait_until
from tests.ports import free_port

Start = Callable[..., "Up"]
PATIENCE = 60
PARTS = {"parts", "web-1", "web-2"}


class Up:
    """A `boardroom up` under test; `said` is its standard output so far."""

    def __init__(self, data: Path, port: int, environment: dict[str, str]) -> None:
        self.port = port
        self.log = data.with_name(data.name + ".out")
        inherited = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service.commands", "up", "--data", str(data)],
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                env={**inherited, "PORT": str(port), **environment},
            )

    @property
    def said(self) -> str:
        return self.log.read_text()

    def open(self) -> Up:
        opened = wait_until(lambda: "Ctrl-C stops" in self.said or self.process.poll() is not None, PATIENCE)
        assert opened, self.said
        assert self.process.poll() is None, self.process.communicate()
        return self

    def refusal(self) -> str:
        """Wait for the end and return the one line on stderr."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 1, self.said + errors
        assert errors.count("\n") == 1, errors
        return errors

    def ask(self, path: str, body: dict[str, Any] | None = None, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def children(self) -> dict[str, int]:
        """The processes started by it that run: the process id by the name of the part, or of the program."""
        return {name: pid for pid in children_of(self.process.pid) if (name := name_of(pid))}


def name_of(pid: int) -> str | None:
    """The name of a process by its environment, else by its command; None if it has ended, or never gets one."""
    until = time.monotonic() + PATIENCE
    with suppress(OSError):
        while state_and_parent(pid)[0] != "Z" and time.monotonic() < until:
            environment, words = read(pid, "environ"), read(pid, "cmdline")
            if environment != [""] and words[0].strip():
                settings = dict(each.partition("=")[::2] for each in environment)
                together = "parts" if "workers.parts" in words else ""
                return settings.get("PART") or together or Path(words[0].split()[0]).name
            # For a moment it has neither: it goes over to another program, or gives itself a name.
            time.sleep(POLL_S)
    return None


def read(pid: int, name: str) -> list[str]:
    return Path(f"/proc/{pid}/{name}").read_text(errors="replace").split("\0")


def state_and_parent(pid: int) -> tuple[str, int]:
    state, parent = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[:2]
    return state, int(parent)


def children_of(parent: int) -> list[int]:
    """The processes that were started by another one and run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        pid = int(status.parent.name)
        with suppress(OSError):
            state, above = state_and_parent(pid)
            if above == parent and state != "Z":
                found.append(pid)
    return found


@pytest.fixture
def start(scratch: Path) -> Iterator[Start]:
    started: list[Up] = []

    def start_one(port: int | None = None, data: Path = scratch / "data", **environment: str) -> Up:
        started.append(Up(data, port or free_port(), environment))
        return started[-1]

    yield start_one
    for each in started:
        if each.process.poll() is None:
            each.process.terminate()
        each.process.communicate(timeout=PATIENCE)


def answers(up: Up) -> bool:
    try:
        return bool(up.ask("/readyz")["status"] == "ready")
    except OSError:
        return False
