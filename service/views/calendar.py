"""A player's calendar (RFC 5545): the deadlines of their moves with alarms, and their announced absences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from icalendar import Alarm, Calendar, Event
from sqlalchemy import Connection, text

from service.rules.kernel import AnyRuleset
from service.store import absences
from service.store.absences import AbsenceRow
from service.texts.catalog import say

PRODUCT: Final = "-//Boardroom//Boardroom//EN"
NAME: Final = "Boardroom"
REFRESH: Final = timedelta(hours=1)
"""How often a program is asked to look again."""
APART: Final = timedelta(hours=3)
"""The least time between two alarms of one deadline (T-08)."""
MOST: Final = 500
_PLAYER = text("select language from player where id = :player and deleted_at is null and blocked is null")
_DEADLINES = text("""
select g.id as game, g.name, g.ruleset, mine.seat, g.faces as decision, g.since,
       g.deadlines[array_position(g.awaited, mine.seat)] as deadline
  from seat mine join game g on g.id = mine.game_id and mine.seat = any(g.awaited)
 where mine.player_id = :player and g.deadlines[array_position(g.awaited, mine.seat)] is not null
 order by deadline, g.id limit :most
""")
_SHOWN = text("select created_at from calendar where player_id = :player")


def calendar_address(db: Connection, player: UUID) -> dict[str, Any]:
    """Return whether the player's calendar has an address, and since when; the address itself is not kept."""
    created: datetime | None = db.execute(_SHOWN, {"player": player}).scalar()
    return {"created_at": None if created is None else created.isoformat()}


def calendar(db: Connection, rulesets: Mapping[str, AnyRuleset], player: UUID, base_url: str) -> bytes:
    """Return the calendar of a player as an iCalendar object; the same bytes until something in it changes."""
    language = db.execute(_PLAYER, {"player": player}).scalar() or ""
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("name", NAME)
    made.add("x-wr-calname", NAME)
    made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for row in db.execute(_DEADLINES, {"player": player, "most": MOST}):
        made.add_component(_deadline(row, rulesets[row.ruleset].meta.title, language, base_url))
    for away in absences.of_player(db, player):
        made.add_component(_absence(away, language, base_url))
    data: bytes = made.to_ical()
    return data


def alarms(since: datetime, deadline: datetime) -> Iterator[timedelta]:
    """Yield how long before a deadline it rings: at half of the time since `since` and at a tenth of it.

    The second alarm is left out where it is less than APART after the first.
    """
    waiting = deadline - since
    half, tenth = waiting / 2, waiting / 10
    yield _to_the_minute(half)
    if half - tenth >= APART:
        yield _to_the_minute(tenth)


def _to_the_minute(span: timedelta) -> timedelta:
    return timedelta(minutes=span // timedelta(minutes=1))


def _deadline(row: Any, title: str, language: str, base_url: str) -> Event:
    game = f"{row.name or title} (#{row.game.hex[-6:]})"
    event = _event(f"{row.game}-{row.decision}-{row.seat}", row.since, base_url)
    event.add("dtstart", row.deadline.astimezone(UTC))
    event.add("summary", say(language, "calendar-deadline", game=game))
    event.add("description", say(language, "calendar-how"))
    event.add("url", f"{base_url}/games/{row.game}/open")
    for before in alarms(row.since, row.deadline):
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", say(language, "calendar-deadline", game=game))
        alarm.add("trigger", -before)
        event.add_component(alarm)
    return event


def _absence(away: AbsenceRow, language: str, base_url: str) -> Event:
    event = _event(str(away.id), away.created_at, base_url)
    event.add("dtstart", away.begins.astimezone(UTC))
    event.add("dtend", away.ends.astimezone(UTC))
    event.add("summary", say(language, "calendar-absence"))
    return event


def _event(name: str, stamp: datetime, base_url: str) -> Event:
    event = Event()
    event.add("uid", f"{name}@{urlsplit(base_url).hostname}")
    event.add("dtstamp", stamp.astimezone(UTC))
    event.add("transp", "TRANSPARENT")
    return event
