"""One of the web processes is killed under load."""

from __future__ import annotations

import signal
from collections import Counter
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from threading import Lock, Thread
from time import monotonic

import pytest

from service.local.supervisor import wait_until
from tests.chaos.conftest import Begin
from tests.chaos.players import Register, newcomers, open_table
from tests.chaos.processes import WEB_PROCESS
from tests.chaos.run import Cast, Run

pytestmark = pytest.mark.slow

CLIENTS = 16
BACK_SECONDS = 5.0
PATIENCE = 60
PAUSE = 0.05
"""Seconds before somebody who was not answered asks again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: when it was sent (seconds of the monotonic clock), and what came of it, '200' or an error's name."""

    at: float
    came_to: str


def test_a_web_process_killed_under_load_fails_no_more_requests_than_it_held_and_is_soon_back(begin: Begin) -> None:
    run = begin(Cast(tables=()))
    table = open_table(run.client, Register(), newcomers(run.client, 2))
    asked: list[Asked] = []
    lock, path = Lock(), f"/games/{table.game}"
    threads = [Thread(target=ask, args=(run, path, asked, lock)) for _ in range(CLIENTS)]
    for each in threads:
        each.start()
    assert wait_until(lambda: sum(each.came_to == "200" for each in asked) >= 10 * CLIENTS, PATIENCE)
    number = len(run.running.living()[WEB_PROCESS])

    killed, when = run.running.living()[WEB_PROCESS][0], monotonic()
    killed.send(signal.SIGKILL)

    def back() -> bool:
        now = run.running.living().get(WEB_PROCESS, [])
        return len(now) >= number and all(each.pid != killed.pid for each in now)

    assert wait_until(back, PATIENCE)
    there = monotonic() - when
    # The new process has to load all of the application before it can answer.
    assert wait_until(lambda: sum(each.at > when + there and each.came_to == "200" for each in asked) > 100, PATIENCE)
    run.book.closing.set()
    for each in threads:
        each.join()
    failed = Counter(each.came_to for each in asked if each.came_to != "200")
    last = max((each.at - when for each in asked if each.came_to != "200"), default=0.0)
    run.book.say("web process", back_s=round(there, 2), asked=len(asked), failed=failed, last_failed_s=round(last, 2))
    assert failed["ConnectionRefusedError"] == 0
    assert failed.total() <= CLIENTS
    assert there <= BACK_SECONDS and last <= BACK_SECONDS


def ask(run: Run, path: str, asked: list[Asked], lock: Lock) -> None:
    """Ask again and again over connections of one's own."""
    while not run.book.closing.is_set():
        at = monotonic()
        connection = HTTPConnection("127.0.0.1", run.running.port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            came_to = str(answer.status)
        except (OSError, HTTPException) as error:
            came_to = type(error).__name__
        finally:
            connection.close()
        with lock:
            asked.append(Asked(at, came_to))
        if came_to != "200":
            run.book.closing.wait(PAUSE)
