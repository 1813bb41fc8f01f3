"""A real `boardroom up` on a data folder of its own: started, killed, started again, looked into, and stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import psycopg
from redis import Redis

from service.local.postgres import DATABASE, SUPERUSER
from service.local.supervisor import wait_until
from tests.chaos.book import Book
from tests.chaos.processes import Process, tree
from tests.ports import free_port

OPEN_SECONDS = 180
STOP_SECONDS = 60
TRIES = 4
_IS_OPEN = "Ctrl-C stops everything"


class NotOpened(Exception):
    """Failed start: the service ended before it was open, or never opened; the message is its last words."""


class Running:
    """`boardroom up` in `folder`; `environment` is what it is told besides its port and data folder."""

    def __init__(self, folder: Path, book: Book, environment: Mapping[str, str]) -> None:
        self.data = folder / "data"
        self.port = free_port()
        self.inbound = f"lmtp://127.0.0.1:{free_port()}"
        self.starts: list[float] = []
        self._book = book
        self._log = folder / "up.out"
        self._from = 0
        self._sockets: set[Path] = set()
        self._seen: dict[tuple[int, int], Process] = {}
        self._process: subprocess.Popen[bytes] | None = None
        inherited = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        own = {"PORT": str(self.port), "INBOUND_LISTEN": self.inbound, "RATE_LIMITS": "off", "MAIL_RATE": "off"}
        self._environment = {**inherited, **own, **environment}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> str:
        """Output since the last start."""
        return self._log.read_bytes()[self._from :].decode()

    @property
    def ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def start(self) -> None:
        """Start it and wait until it is open, several times if it gives up, which is a finding; NotOpened."""
        for left in reversed(range(TRIES)):
            try:
                return self._start()
            except NotOpened as refusal:
                self._book.wrong(f"a start failed: {refusal}")
                if not left:
                    raise
        return None

    def _start(self) -> None:
        begun = monotonic()
        self._from = self._log.stat().st_size if self._log.exists() else 0
        command = [sys.executable, "-m", "service.commands", "up", "--data", str(self.data)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)
        wait_until(lambda: _IS_OPEN in self.said or self.ended, OPEN_SECONDS)
        if self.ended or _IS_OPEN not in self.said:
            self.kill()
            raise NotOpened(" / ".join(self.said.strip().splitlines()[-2:]))
        self.starts.append(round(monotonic() - begun, 1))
        self._sockets.add((self.data / "run").resolve())

    def kill(self) -> None:
        """End the supervisor as kill -9 does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int | None:
        """Stop it in order and return its exit code; None if it did not end in time."""
        assert self._process is not None
        self._process.terminate()
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def processes(self) -> list[Process]:
        """Return all its processes, the dead ones among them that nobody has waited for."""
        found = [] if self._process is None else tree(self._process.pid)
        for each in found:
            self._seen.setdefault((each.pid, each.started), each)
        return found

    def unburied(self) -> list[str]:
        """Return which parts those were that have ended and that nobody has waited for."""
        return [self._seen[each.pid, each.started].part for each in self.processes() if each.dead]

    def living(self) -> dict[str, list[Process]]:
        """Return its processes by part."""
        found: dict[str, list[Process]] = {}
        for each in self.processes():
            if not each.dead:
                found.setdefault(each.part, []).append(each)
        return found

    def left_over(self) -> list[Process]:
        """Return those of all its processes so far that still run."""
        return [each for each in self._seen.values() if each.alive]

    def folders_left_over(self) -> list[Path]:
        """Return those of all its folders of sockets that are still there."""
        return [each for each in self._sockets if each.exists()]

    def is_ready(self) -> bool:
        """Return whether it says that it can work."""
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def noted(self) -> dict[str, str]:
        """Return the settings under which it runs."""
        found: dict[str, str] = json.loads((self.data / "run" / "environment.json").read_text())
        return {**self._environment, **found}

    def flush_redis(self) -> None:
        """Empty Redis, if there is one that answers."""
        url = self.noted().get("REDIS_URL")
        if url:
            # It may be dead at the moment.
            with suppress(Exception), Redis.from_url(url, socket_timeout=2) as redis:
                redis.flushall()

    def database(self) -> psycopg.Connection[Any]:
        """Return a connection of the superuser's to its database."""
        told = dict(parse_qsl(urlsplit(self.noted()["DATABASE_URL"]).query))
        known = {name: told[name] for name in ("host", "port", "target_session_attrs") if name in told}
        return psycopg.connect(autocommit=True, user=SUPERUSER, dbname=DATABASE, connect_timeout=10, **known)

    def audit(self) -> tuple[int, str]:
        """Run `boardroom audit` on it; return the exit code and what it said."""
        command = [sys.executable, "-m", "service.commands", "audit", "--data", str(self.data)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=self._environment)
        return done.returncode, (done.stdout + done.stderr).strip()
