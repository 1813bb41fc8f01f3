"""The parts of the service as processes of their own, of this version or of another."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL
from typing import Final
from urllib.request import urlopen

from service.local.supervisor import Child, Program, last_line
from service.settings import Settings
from tests.ports import free_port
from tests.serving import Server, wait_for
from workers.queue import QUEUES

PATIENCE: Final = 90
BEHIND: Final = {
    "parts": ("workers.parts", "relay", "courier"),
    "workers": ("workers.main", "moves", "replies", "mails", "computers"),
}
"""The processes besides the web server: their module and its words."""

APART: Final[Mapping[str, Sequence[str]]] = {
    "relay": ("workers.relay",),
    **{f"worker-{queue}": ("workers.main", queue) for queue in QUEUES},
}
"""Relay and workers, each in a process of its own, as this version can start them."""


def apart(code: Path | None) -> Mapping[str, Sequence[str]]:
    """Return relay and workers as APART has them, without those for queues that the code does not know."""
    if code is None:
        return APART
    known = (code / "workers" / "queue.py").read_text()
    return {name: words for name, words in APART.items() if name == "relay" or f'"{words[-1]}"' in known}


def code_in(folder: Path | None) -> Mapping[str, str]:
    """Return the variables with which a process runs the code in the folder, None for this version."""
    return {} if folder is None else {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}


def start(name: str, module: str, *words: str, settings: Settings, log: Path, code: Path | None = None) -> Child:
    """Start a process with these settings."""
    environment = {**settings.environment(), **code_in(code), "PART": ""}
    command = [sys.executable, "-m", module, *words]
    return Child(Program(name=name, command=command, log=log, environment=environment))


@contextmanager
def web(settings: Settings, folder: Path, code: Path | None = None) -> Iterator[Server]:
    """Run a web server on a free port until it is ready, and stop it in the end."""
    port = free_port()
    log = folder / f"web-{port}.log"
    child = start("The web server", "service.serve", settings=replace(settings, port=port), log=log, code=code)
    server = Server(port, child)
    try:
        wait_for(child, lambda: _answers(port), PATIENCE)
        yield server
    finally:
        child.stop()


@contextmanager
def behind(
    settings: Settings, folder: Path, code: Path | None = None, parts: Mapping[str, Sequence[str]] = BEHIND
) -> Iterator[list[Child]]:
    """Run relay, courier and workers, or the `parts` that are named, and stop them in the end."""
    with ExitStack() as stack:
        started = []
        for name, (module, *words) in parts.items():
            log = folder / f"{name}-{'this' if code is None else 'older'}.log"
            child = start(f"The {name}", module, *words, settings=settings, log=log, code=code)
            stack.callback(child.stop)
            started.append(child)
        yield started
        # One that a test has killed has not failed.
        failed = [each.program for each in started if each.exit_code not in {None, 0, -SIGKILL}]
        assert failed == [], last_line(failed[0].log)


def _answers(port: int) -> bool:
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/livez", timeout=2):
        return True
    return False
