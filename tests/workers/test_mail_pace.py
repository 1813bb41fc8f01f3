"""Mails leave at a pace: a burst is spread over the minutes to come, and nothing of it is lost or sent twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from sqlalchemy import text

from service.handlers import sign_in
from service.mail.smtp import SendingRate
from service.runtime import Runtime
from service.shared import clock
from service.shared.counters import Counters
from tests.builders import sealed_bids, started
from tests.people import alice, bob, new_address
from workers.relay import Relay

GAMES = 4
"""With three mails each to one domain."""
TO_A_DOMAIN, IN_ALL = 5, 8
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def begin() -> datetime:
    """The beginning of a minute that is still to come."""
    return clock.now().replace(minute=0, second=0, microsecond=0) + 2 * HOUR


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Let it be a moment."""
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_whoever_is_too_many_has_a_place_in_a_minute_to_come(monkeypatch: pytest.MonkeyPatch, begin: datetime) -> None:
    pace = SendingRate(Counters(None), TO_A_DOMAIN, IN_ALL)
    at(monkeypatch, begin)
    waits = [pace.count("example.org") for _ in range(12)]
    assert waits == [0] * 5 + [60, 72, 84, 96, 108, 120, 132]
    assert [pace.count(domain) for domain in ("example.net", "EXAMPLE.org", "example.net", "example.com")] == [
        0,
        144,
        0,
        0,
    ]
    assert pace.count("example.net") == 60
    at(monkeypatch, begin + MINUTE * 1.5)
    assert [pace.count("example.org") for _ in range(6)] == [0] * 5 + [30]


def test_a_burst_is_spread_and_all_of_it_leaves_once(
    runtime: Runtime, mailbox: Path, monkeypatch: pytest.MonkeyPatch, begin: datetime
) -> None:
    paced = Runtime.build(replace(runtime.settings, mail_rate=(TO_A_DOMAIN, IN_ALL), redis_url=None))
    relay = Relay(replace(runtime, redis=None, mailer=paced.mailer))
    for _ in range(GAMES):
        sealed_bids(runtime.games)
    people = [alice(runtime.games, "alice@example.net"), bob(runtime.games, None)]
    started(runtime.games, "new-corp-order", people, **{"first-player": 0})
    arrived: list[Counter[str]] = []
    for minute in range(3):
        at(monkeypatch, begin + minute * MINUTE)
        while relay.drain():
            pass
        if not minute:
            # Whoever signs in does not wait.
            sign_in.ask(runtime.games, new_address(), "Zoe", "en", clock.now())
            relay.drain()
        arrived.append(domains(mailbox))
        with runtime.engine.begin() as db:
            waiting = "update outbox set not_before = now() where state = 'pending' and not_before < :at"
            db.execute(text(waiting), {"at": begin + (minute + 2) * MINUTE})
    assert [each["example.org"] for each in arrived] == [TO_A_DOMAIN + 1, 2 * TO_A_DOMAIN + 1, GAMES * 3 + 1]
    assert [each["example.net"] for each in arrived] == [1, 1, 1]
    with runtime.engine.connect() as db:
        rows = db.execute(text("select state, attempts from outbox where kind in ('turn-mail', 'sign-in')")).all()
    assert rows == [("done", 1)] * (GAMES * 3 + 2)


def domains(mailbox: Path) -> Counter[str]:
    """Count the mails that have arrived by domain; none has arrived twice."""
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mailbox.glob("*.eml")]
    assert len({mail["Message-ID"] for mail in mails}) == len(mails)
    return Counter(mail["To"].addresses[0].domain for mail in mails)
