"""The clock of the service's processes jumps two hours ahead and two behind; PostgreSQL's stays right."""

from __future__ import annotations

from http.client import HTTPConnection
from pathlib import Path
from random import Random

import pytest

from service.local.servers import LocalServers
from service.local.supervisor import wait_until
from tests.chaos.conftest import Begin
from tests.chaos.faketime import faked, jump_to
from tests.chaos.judge import Judge
from tests.chaos.run import Cast, Run

pytestmark = pytest.mark.slow

PATIENCE = 120
JUMPS = ("+2h", "+0", "-2h", "+0")
PLAYED, MAILED = 25, 3
"""So many actions and mails there have to be after each jump."""


def test_a_clock_that_jumps_loses_nothing_stops_nothing_and_signs_nobody_out(
    right: LocalServers, clock: Path, begin: Begin
) -> None:
    told = faked(right, clock)
    run = begin(Cast(tables=(1, 1, 2, 3), links=1, replies=1, followers=1), told)
    cookie = signed_in(run)
    dice = Random(1)
    for jump in JUMPS:
        acted, mailed = run.acknowledged, len(run.mail.arrived)
        jump_to(clock, jump)
        went_on = wait_until(
            lambda: run.acknowledged >= acted + PLAYED and len(run.mail.arrived) >= mailed + MAILED,  # noqa: B023
            PATIENCE,
        )
        run.book.expect(
            went_on, f"at {jump} only {run.acknowledged - acted} actions and {len(run.mail.arrived) - mailed} mails"
        )
        run.book.expect(is_signed_in(run, cookie), f"at {jump} the browser was signed out")
        Judge(run.running, run.book, run.register, run.client).replays(dice)
        run.book.say("clock", jump=jump, acted=run.acknowledged - acted, mails=len(run.mail.arrived) - mailed)
    run.settle()
    run.judge([])
    assert run.book.findings == []


def signed_in(run: Run) -> str:
    """Begin a solo game as a guest at a browser, and return the cookie."""
    connection = HTTPConnection("127.0.0.1", run.running.port, timeout=30)
    origin = {"Content-Type": "application/x-www-form-urlencoded", "Origin": run.running.url}
    connection.request("POST", "/play", "", origin)
    answer = connection.getresponse()
    assert answer.status == 303, answer.read()
    cookie = str(answer.getheader("Set-Cookie")).partition(";")[0]
    connection.close()
    return cookie


def is_signed_in(run: Run, cookie: str) -> bool:
    connection = HTTPConnection("127.0.0.1", run.running.port, timeout=30)
    connection.request("GET", "/games", headers={"Cookie": cookie})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status == 200
