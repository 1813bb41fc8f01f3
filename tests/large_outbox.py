"""An outbox as it is after a week of many games: 116,000 rows, of which few are still to be carried out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID

import psycopg

ROWS: Final = 116_000
NIGHTS: Final = 7
CHECKED: Final = 700
"""The number of games that each night checks."""
_SETTLED: Final = ("turn-mail", "reminder", "lapse", "remind", "automaton", "webhooks", "webhook", "seal", "order")
_PENDING: Final = ("timer", "lapse", "remind", "turn-mail", "deadline-near")
_WEEK: Final = 7 * 86_400
_COPY: Final = """
copy outbox (dedupe_key, kind, game_id, payload, state, last_error, not_before, due_at, added_at, done_at) from stdin
"""
Row = tuple[str, str, UUID, str, str, str | None, datetime, datetime, datetime, datetime | None]


def fill(conninfo: str, rows: int = ROWS) -> None:
    """Write the rows into an empty outbox, and let PostgreSQL count them."""
    random, now = Random("outbox"), datetime.now(UTC)
    with psycopg.connect(conninfo, autocommit=True) as db:
        with db.cursor() as cursor, cursor.copy(_COPY) as copy:
            for number in range(rows):
                copy.write_row(_row(random, now, number, rows))
        db.execute("vacuum analyze outbox")


def _row(random: Random, now: datetime, number: int, rows: int) -> Row:
    """Return a row: 3,000 are pending, 60 failed, and nights with their checks are those of the last days."""
    game, then = UUID(int=random.getrandbits(128)), now - timedelta(seconds=random.random() * _WEEK)
    if number < 3000:
        kind, soon = random.choice(_PENDING), now + timedelta(seconds=random.random() * _WEEK - 600)
        return f"{kind}:{number}", kind, game, "{}", "pending", None, soon, soon, now, None
    if number < 3060:
        return f"turn-mail:{number}", "turn-mail", game, "{}", "dead", "address 550", then, then, then, then
    night, check = divmod(number - 3060, CHECKED)
    if night >= NIGHTS:
        kind, state = random.choice(_SETTLED), random.choice(("done", "done", "done", "skipped"))
        return f"{kind}:{number}", kind, game, "{}", state, None, then, then, then, then
    at = now - timedelta(days=night, minutes=5)
    kind = {0: "night", 1: "canary"}.get(check, "audit")
    key = f"audit:{at.date()}:{number}" if kind == "audit" else f"{kind}:{at.date()}"
    return key, kind, game, f'{{"day": "{at.date()}"}}', "done", None, at, at, at, at
