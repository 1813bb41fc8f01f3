"""Relay and workers count what they carry out: jobs, mails by what came of them, and time that lapsed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from service.mail.smtp import Mailer
from service.rules.shared_events import TimeLapsed
from service.runtime import Runtime
from service.store.games import Games
from tests.lapsing import HOURLY, begun, carried_out, logged
from tests.metrics import Shown, scrape
from tests.rest import Caller
from tests.workers import solo
from workers.jobs import carry_out
from workers.relay import Relay


class Since:
    """Counts since this object was made."""

    def __init__(self, api: Caller) -> None:
        self._api, self._before = api, scrape(api.client)

    def __call__(self, name: str, **labels: str) -> float:
        now: Shown = scrape(self._api.client)
        return now(name, **labels) - self._before(name, **labels)


@pytest.fixture
def since(api: Caller) -> Since:
    return Since(api)


def owing_a_turn_mail(games: Games, runtime: Runtime) -> int:
    """Return the row of a turn mail that is due."""
    position = begun(games, timedelta())
    with runtime.engine.connect() as db:
        row = text("select id from outbox where game_id = :game and kind = 'turn-mail' order by id limit 1")
        found: int = db.execute(row, {"game": position.game.id}).scalar_one()
    return found


def test_a_job_is_counted_and_timed_by_its_kind(runtime: Runtime, games: Games, since: Since) -> None:
    row = solo.row_of(runtime, solo.owed(games).game.id)

    carry_out(runtime, row)
    carry_out(runtime, row)

    assert since("boardroom_jobs_total", kind="automaton", outcome="carried-out") == 1, (
        "the second one was done already"
    )
    assert since("boardroom_job_seconds_count", kind="automaton") == 1


def test_a_job_that_fails_is_counted_as_such(runtime: Runtime, games: Games, since: Since) -> None:
    row = solo.row_of(runtime, solo.owed(games).game.id)

    carry_out(replace(runtime, games=Games(runtime.engine, {})), row)

    assert since("boardroom_jobs_total", kind="automaton", outcome="failed") == 1


def test_a_mail_is_counted_by_what_came_of_it(runtime: Runtime, games: Games, mailbox: Path, since: Since) -> None:
    nowhere = Mailer("smtp://127.0.0.1:1", runtime.settings.mail_from)
    row = owing_a_turn_mail(games, runtime)

    carry_out(replace(runtime, mailer=nowhere), row)
    assert since("boardroom_mails_total", kind="turn-mail", outcome="not-sent-outage") == 1

    carry_out(runtime, row)
    assert len(list(mailbox.glob("*.eml"))) == since("boardroom_mails_total", kind="turn-mail", outcome="sent") == 1


def test_time_that_lapses_is_counted_by_what_it_leads_to(runtime: Runtime, games: Games, since: Since) -> None:
    position = begun(games, timedelta(hours=2), replace(HOURLY, on_lapse="resign"))

    after = carried_out(runtime, position)

    lapsed = len(logged(games, after, TimeLapsed))
    assert lapsed > 0
    assert since("boardroom_lapses_total", leads_to="resign") == since("boardroom_lapses_total") == lapsed


def test_rows_that_the_relay_claims_are_counted(runtime: Runtime, games: Games, since: Since) -> None:
    solo.owed(games)

    Relay(replace(runtime, redis=None)).drain()

    assert since("boardroom_claims_total", kind="automaton") == 1
