"""Somebody who asks for a table's page and for the table over the API, again and again, whatever came of it before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from time import monotonic

from tests.chaos.book import Book
from tests.chaos.players import Table

A_SECOND = 8
PATIENCE = 2.0
AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class Probe:
    """A request that was sent at a moment of the monotonic clock, and whether it was answered with 200 in time."""

    at: float
    seconds: float
    answered: bool


class Prober:
    """Sends so many requests a second, each at its time: an outage is not the shorter for requests that wait."""

    def __init__(self, port: int, book: Book, table: Table) -> None:
        self._port = port
        self._book = book
        self._pages = cycle([f"/games/{table.game}", f"/api/v1/games/{table.game}"])
        self._token = table.tokens[0]
        self.probes: list[Probe] = []

    def run(self) -> None:
        """Ask until the run closes."""
        with ThreadPoolExecutor(AT_ONCE) as threads:
            due = monotonic()
            while not self._book.closing.wait(max(0.0, due - monotonic())):
                threads.submit(self._ask, next(self._pages), monotonic())
                due += 1 / A_SECOND

    def share(self, begin: float, end: float) -> tuple[float, int]:
        """Return the percentage of the requests of that time that were answered, and how many there were."""
        asked = [each.answered for each in self.probes if begin <= each.at < end]
        return (100 * sum(asked) / len(asked) if asked else 0.0), len(asked)

    def outage(self, begin: float, end: float) -> float | None:
        """Return for how many seconds after `begin` requests were not answered; 0.0 if all of them were.

        An outage that has begun before `end` counts to its end. None if there was one already at the beginning.
        """
        probes = sorted(self.probes, key=lambda each: each.at)
        before = [each for each in probes if begin - 1 <= each.at + each.seconds < begin]
        if before and not before[-1].answered:
            return None
        failed = [each.at for each in probes if begin <= each.at < end and not each.answered]
        if not failed:
            return 0.0
        return min((each.at for each in probes if each.at > failed[-1] and each.answered), default=failed[-1]) - begin

    def _ask(self, path: str, at: float) -> None:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {self._token}"})
            answer = connection.getresponse()
            answer.read()
            answered = answer.status == 200
        except (OSError, HTTPException):
            answered = False
        finally:
            connection.close()
        seconds = monotonic() - at
        self.probes.append(Probe(at, seconds, answered and seconds <= PATIENCE))
