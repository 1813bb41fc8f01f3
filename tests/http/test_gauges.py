"""The operator sees in /metrics how the mails stand, and nobody's name."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import text

from service.runtime import Runtime
from service.shared import clock
from tests.metrics import scrape
from tests.rest import Caller

ROWS = (
    ("turn-mail", "pending", None, -700),
    ("turn-mail", "pending", None, -5),
    ("turn-mail", "pending", None, 3600),
    ("turn-mail", "done", None, -900),
    ("turn-mail", "done", None, -9000),
    ("turn-mail", "skipped", None, -900),
    ("turn-mail", "skipped", "muted", -900),
    ("turn-mail", "dead", "address 550 5.1.1", -9000),
    ("invitation", "done", None, -900),
    ("canary", "done", None, -9000),
)


def test_what_is_due_done_failed_and_kept_back_is_counted_and_the_oldest_is_timed(
    runtime: Runtime, api: Caller
) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        for number, (kind, state, error, seconds) in enumerate(ROWS):
            db.execute(
                text(
                    "insert into outbox (dedupe_key, kind, payload, state, last_error, due_at, done_at)"
                    " values (:key, :kind, '{}', :state, :error, :due, :due)"
                ),
                {"key": str(number), "kind": kind, "state": state, "error": error}
                | {"due": clock.now() + timedelta(seconds=seconds)},
            )
    shown = scrape(api.client)
    for stands, count in (("due", 2), ("waiting", 1), ("done", 1), ("gone-by", 1), ("suppressed", 1), ("failed", 1)):
        assert shown("boardroom_effects", kind="turn-mail", stands=stands) == count
    assert shown("boardroom_effects", kind="invitation", stands="done") == 1
    assert 700 <= shown("boardroom_effects_overdue_seconds", kind="turn-mail") < 760
    assert shown("boardroom_effects_overdue_seconds", kind="invitation") == 0
    assert 9000 <= shown("boardroom_canary_age_seconds") < 9060
