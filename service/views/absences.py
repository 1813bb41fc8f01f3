"""Absences: a player's own, and who of a table is away until when (T-20)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from service.log.absences import MOST_DAYS_IN_A_YEAR, day_of, days_of, in_a_year, last_day
from service.log.recorded import instant
from service.store import pace
from service.store.access import PlayerRow
from service.store.games import Position
from service.store.pace import AbsenceRow

View = dict[str, Any]


def absences_of(db: Connection, player: PlayerRow, now: datetime) -> View:
    """Return the player's absences, the latest first, and how many of the days of twelve months are left."""
    rows, zone = pace.absences_of_player(db, player.id), ZoneInfo(player.time_zone)
    days = in_a_year(days_of([row.span for row in rows], zone), now.astimezone(zone).date())
    return {
        "items": [shown(row, zone, now) for row in reversed(rows)],
        "days_left": max(0, MOST_DAYS_IN_A_YEAR - days),
    }


def shown(row: AbsenceRow, zone: ZoneInfo, now: datetime) -> View:
    """Return an absence as JSON types, its first and last day in the zone."""
    span = row.span
    return {
        "id": str(row.id),
        "from": day_of(span.begins, zone).isoformat(),
        "until": last_day(span, zone).isoformat(),
        "begins": row.begins.astimezone(UTC).isoformat(),
        "ends": row.ends.astimezone(UTC).isoformat(),
        "state": "over" if row.ends <= now else "begun" if row.begins <= now else "announced",
    }


def away(db: Connection, position: Position, viewer: int | None, now: datetime) -> Mapping[int, datetime]:
    """Return which seats of a running game have players who are away, and until when, as the viewer may know (T-20).

    A game with a clock has it in its log, for all who see that. For one without it is looked up, by one statement, for
    those who sit in it.
    """
    if position.game.status != "running":
        return {}
    if position.clocks is None:
        return {} if viewer is None else pace.away_in(db, position.game.id, now)
    return {seat: instant(until) for seat, until in sorted(position.clocks.away.items())}
