"""Bots that are ready to be challenged, for as long as a stream of theirs is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

LAPSE = timedelta(minutes=5)
"""How long a bot stays ready after its last stream was closed."""
BEAT = timedelta(minutes=1)
"""How often it is written down that a stream is open."""

_PUT = text("""
insert into ready_bot (player_id, rulesets, seats, since, seen_at) values (:player, :rulesets, :seats, :now, :now)
on conflict (player_id) do update set rulesets = excluded.rulesets, seats = excluded.seats, seen_at = excluded.seen_at,
  since = case when ready_bot.seen_at > :before then ready_bot.since else excluded.since end
""")
_SEEN = text("""
update ready_bot set seen_at = :now where player_id = :player and seen_at > :before and seen_at <= :beat
""")
_END = text("delete from ready_bot where player_id = :player")
_READ = text("select rulesets, seats, since from ready_bot where player_id = :player and seen_at > :before")


@dataclass(frozen=True, slots=True)
class Ready:
    """What a bot is ready for: rulesets by name, and sizes of tables; `since` when."""

    rulesets: Sequence[str]
    seats: Sequence[int]
    since: datetime


def put(db: Connection, player: UUID, rulesets: Sequence[str], seats: Sequence[int], now: datetime) -> None:
    """Write that a bot is ready for these."""
    values: dict[str, Any] = {"player": player, "rulesets": list(rulesets), "seats": list(seats)}
    db.execute(_PUT, {**values, "now": now, "before": now - LAPSE})


def seen(db: Connection, player: UUID, now: datetime) -> None:
    """Write that a stream of a bot that is ready is open."""
    db.execute(_SEEN, {"player": player, "now": now, "before": now - LAPSE, "beat": now - BEAT})


def end(db: Connection, player: UUID) -> None:
    """Write that a bot is no longer ready."""
    db.execute(_END, {"player": player})


def read(db: Connection, player: UUID, now: datetime) -> Ready | None:
    """Return what a bot is ready for at a moment, None if it is not."""
    row: Any = db.execute(_READ, {"player": player, "before": now - LAPSE}).one_or_none()
    return None if row is None else Ready(*row)
