"""`python -m tests.chaos.load`: many requests a second for minutes, and what memory each process takes; RATE, SECONDS.

Each process may have grown by a tenth from the first minute (or the first fifth, of a shorter run) to the end. A run of
less than two minutes says nothing about that, and only prints the figures.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from random import Random
from threading import Lock
from time import monotonic
from typing import Any
from uuid import uuid4

from tests.chaos.book import Book
from tests.chaos.players import Register, newcomers, open_table
from tests.chaos.processes import AUXILIARY, BACKEND
from tests.chaos.run import Cast, Run

CLIENTS = 16
GROWTH, LITTLE = 10.0, 2.0
"""Per cent, and the megabytes that a small process may grow by all the same."""
SOUND = 120.0
TIMEOUT = 20
MEGABYTE = 1 << 20
SLOW = 1.0


class Pace:
    """Gives everybody the moment of their next request, so many a second in all."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._begun = monotonic()
        self._number = count()
        self._lock = Lock()

    def wait(self, book: Book) -> bool:
        """Wait for one's moment; return whether the run has closed. Who is late asks at once."""
        with self._lock:
            due = self._begun + next(self._number) / self._rate
            # What could not be asked in time is not made up for.
            if monotonic() - due > SLOW:
                self._begun += monotonic() - due
        return book.closing.wait(max(0.0, due - monotonic()))


class Client:
    """Plays solo games over one connection: for each action the table, its page's picture, and what may be done."""

    def __init__(self, run: Run, pace: Pace, dice: Random, answers: Counter[str]) -> None:
        self._run = run
        self._pace = pace
        self._dice = dice
        self._answers = answers
        self._connection = HTTPConnection("127.0.0.1", run.running.port, timeout=TIMEOUT)
        self._token = ""

    def play(self) -> None:
        """Play one game after the other until the run closes."""
        while not self._run.book.closing.is_set():
            table = open_table(self._run.client, Register(), newcomers(self._run.client, 1))
            self._token, game = table.tokens[0], f"/api/v1/games/{table.game}"
            while not self._run.book.closing.is_set() and self._turn(game):
                pass
        self._connection.close()

    def _turn(self, game: str) -> bool:
        """Make the requests of one turn; return whether the game goes on."""
        table = self._ask("GET", game)
        self._ask("GET", f"{game}/events?limit=20")
        self._ask("GET", f"{game}/board.svg")
        if not table or table["status"] != "running":
            return table is None or table["status"] == "running"
        legal = self._ask("GET", f"{game}/legal-actions")
        if legal and legal["items"]:
            chosen = self._dice.choice(legal["items"])["action"]
            self._ask("POST", f"{game}/actions", {"decision": legal["decision"], "action": chosen})
        return True

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        if self._pace.wait(self._run.book):
            return None
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        if body is not None:
            headers["Idempotency-Key"] = uuid4().hex
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            said = answer.read()
        except (OSError, HTTPException) as error:
            self._connection.close()
            self._answers[type(error).__name__] += 1
            return None
        self._answers[str(answer.status)] += 1
        is_json = answer.getheader("Content-Type") == "application/json"
        return json.loads(said) if is_json and answer.status in (200, 201) else None


def memory(run: Run) -> dict[tuple[int, str], float]:
    """Return the resident megabytes of each process by number and part, those left out that come and go."""
    living = run.running.living()
    lasting = {part: found for part, found in living.items() if part not in (BACKEND, AUXILIARY)}
    return {(each.pid, part): each.resident / MEGABYTE for part, found in lasting.items() for each in found}


def drive(run: Run, rate: float, seconds: float) -> None:
    """Ask so often for so long, and judge."""
    book = run.book
    run.begin()
    answers: list[Counter[str]] = [Counter() for _ in range(CLIENTS)]
    pace = Pace(rate)
    began = monotonic()
    threads = [
        book.thread(Client(run, pace, Random(number), answers[number]).play, f"client {number}")
        for number in range(CLIENTS)
    ]
    book.closing.wait(min(60.0, seconds / 5))
    before = memory(run)
    book.closing.wait(seconds - (monotonic() - began))
    after, took = memory(run), monotonic() - began
    book.closing.set()
    book.join(threads, TIMEOUT)
    answered = sum(answers, Counter[str]())
    reached = answered.total() / took
    book.say("load", asked_rps=rate, reached_rps=round(reached, 1), seconds=round(took, 1), answers=answered)
    for (pid, part), first in sorted(before.items(), key=lambda each: each[0][1]):
        last = after.get((pid, part), 0.0)
        growth = 100 * (last - first) / first if first else 0.0
        book.say("memory", part=part, first_mb=round(first, 1), last_mb=round(last, 1), growth_percent=round(growth, 1))
        if seconds >= SOUND:
            book.expect(
                growth <= GROWTH or last - first <= LITTLE,
                f"{part} has grown by {growth:.1f} % ({first:.1f} to {last:.1f} MB)",
            )
            book.expect(last > 0, f"{part} ended under load")
    bad = {came_to: number for came_to, number in answered.items() if came_to not in ("200", "201", "409")}
    book.expect(not bad, f"requests failed: {bad}")


def main() -> int:
    """Run; return 0 if nothing was found."""
    rate, seconds = float(os.environ.get("RATE") or 200), float(os.environ.get("SECONDS") or 300)
    with tempfile.TemporaryDirectory(prefix="boardroom-load-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o711)
        run = Run(stack, Path(folder), "load", Cast(tables=()))
        drive(run, rate, seconds)
    return 1 if run.book.findings else 0


if __name__ == "__main__":
    sys.exit(main())
