"""Calendars of players (RFC 5545): deadlines with alarms, and absences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from icalendar import Alarm, Calendar, Component, Event
from icalendar.prop import vText
from sqlalchemy import Connection, text

from service.log.codec import stored_name
from service.rules.characters import interchangeable, unisolated
from service.rules.kernel import AnyRuleset
from service.rules.shared_events import GamePaused, GameResumed, PlayerAway, PlayerBack, SeatHandedOver, TimeGiven
from service.store import pace
from service.store.pace import AbsenceRow
from service.texts.catalog import say

# Writing iCalendar objects (RFC 5545).


def icalendar_document(calendar: Calendar) -> bytes:
    """Return the object in UTF-8, its texts without control characters (section 3.1) and isolates."""
    for component in calendar.walk():
        _clean(component)
    data: bytes = calendar.to_ical()
    return data


def _clean(component: Component) -> None:
    for name, value in list(component.items()):
        if isinstance(value, vText):
            text = interchangeable(unisolated(str(value)))
            component[name] = vText(text, params=value.params)


# Calendar of a player (RFC 5545): deadlines with alarms, and absences.

PRODUCT: Final = "-//Boardroom//Boardroom//EN"
NAME: Final = "Boardroom"
REFRESH: Final = timedelta(hours=1)
"""Refresh interval for calendar programs."""
APART: Final = timedelta(hours=3)
"""Shortest time between two alarms of a deadline (T-08)."""
LENGTH: Final = timedelta(minutes=30)
"""Length of a deadline's event, which ends at the deadline."""
MOST: Final = 500
_MOVING: Final = [
    stored_name(each) for each in (TimeGiven, PlayerAway, PlayerBack, SeatHandedOver, GamePaused, GameResumed)
]
"""Events that move a decision's deadline, besides steps of its answer."""
_PLAYER = text("select language from player where id = :player and deleted_at is null and blocked is null")
_DEADLINES = text("""
select g.id as game, g.name, g.ruleset, mine.seat, g.faces as decision, g.since,
       g.deadlines[array_position(g.awaited, mine.seat)] as deadline, moved.times, moved.at as changed_at
  from seat mine join game g on g.id = mine.game_id and mine.seat = any(g.awaited),
       lateral (select count(*) as times, max(at) as at from event e
                 where e.game_id = g.id and e.at > g.since
                   and (e.name = any(:moving) or (e.seat = mine.seat and e.action is not null))) moved
 where mine.player_id = :player and g.deadlines[array_position(g.awaited, mine.seat)] is not null
 order by deadline, g.id limit :most
""")
_SHOWN = text("select created_at from calendar where player_id = :player")


class Revision(NamedTuple):
    """Revision of a calendar event: number of changes, time of the last one, time of creation."""

    number: int
    at: datetime
    made_at: datetime


def calendar_address(db: Connection, player: UUID) -> dict[str, Any]:
    """Return the creation time of the player's calendar address, None without one; the address is not stored."""
    created: datetime | None = db.execute(_SHOWN, {"player": player}).scalar()
    return {"created_at": None if created is None else created.isoformat()}


def calendar(db: Connection, rulesets: Mapping[str, AnyRuleset], player: UUID, base_url: str) -> bytes:
    """Return a player's iCalendar object; byte-equal until something changes.

    Each change of an event raises SEQUENCE and sets DTSTAMP and LAST-MODIFIED.
    """
    language = db.execute(_PLAYER, {"player": player}).scalar() or ""
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("name", NAME)
    made.add("x-wr-calname", NAME)
    made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for row in db.execute(_DEADLINES, {"player": player, "most": MOST, "moving": _MOVING}):
        made.add_component(_deadline(row, rulesets[row.ruleset].meta.title, language, base_url))
    for away in pace.absences_of_player(db, player):
        # An absence that ended at once has no length; an event must not begin at its end.
        if away.ends - away.begins >= timedelta(seconds=1):
            made.add_component(_absence(away, language, base_url))
    return icalendar_document(made)


def alarms(since: datetime, deadline: datetime) -> Iterator[timedelta]:
    """Yield the alarms of a deadline as times before it: half and a tenth of the time since `since`.

    The second is omitted if less than APART after the first.
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
    name, changed_at = f"{row.game}-{row.decision}-{row.seat}", row.changed_at or row.since
    event = _event(name, Revision(row.times, changed_at, row.since), base_url)
    lasting = min(LENGTH, row.deadline - row.since)
    event.add("dtstart", (row.deadline - lasting).astimezone(UTC))
    event.add("dtend", row.deadline.astimezone(UTC))
    event.add("summary", say(language, "calendar-deadline", game=game))
    event.add("description", say(language, "calendar-how"))
    event.add("url", f"{base_url}/games/{row.game}/open")
    for before in alarms(row.since, row.deadline):
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", say(language, "calendar-deadline", game=game))
        # Relative to the event's start, which all programs support.
        alarm.add("trigger", lasting - before)
        event.add_component(alarm)
    return event


def _absence(away: AbsenceRow, language: str, base_url: str) -> Event:
    revision = Revision(away.revision, away.changed_at or away.created_at, away.created_at)
    event = _event(str(away.id), revision, base_url)
    event.add("dtstart", away.begins.astimezone(UTC))
    event.add("dtend", away.ends.astimezone(UTC))
    event.add("summary", say(language, "calendar-absence"))
    return event


def _event(name: str, revision: Revision, base_url: str) -> Event:
    event = Event()
    event.add("uid", f"{name}@{urlsplit(base_url).hostname}")
    event.add("dtstamp", revision.at.astimezone(UTC))
    event.add("created", revision.made_at.astimezone(UTC))
    event.add("last-modified", revision.at.astimezone(UTC))
    event.add("sequence", revision.number)
    event.add("transp", "TRANSPARENT")
    return event
