"""The service as a whole: maintenance is announced, and writing is stopped and allowed again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from service.handlers.refusals import BadAnnouncement, UnknownSubject
from service.handlers.transaction import transaction
from service.store import operation
from service.store.games import Games
from service.store.operation import Operator, Validity, note_operator_act
from service.texts.catalog import languages


def announce(games: Games, span: Validity, by: Operator, now: datetime) -> None:
    """Announce maintenance on every page and in every answer of the API until it ends; BadAnnouncement."""
    if span.ends is None or span.ends <= span.begins or span.ends <= now:
        raise BadAnnouncement("span")
    if set(span.texts) != set(languages()) or not all(map(str.strip, span.texts.values())):
        raise BadAnnouncement("texts")
    with transaction(games.engine) as db:
        operation.put_mode(db, "maintenance", span)
        note_operator_act(db, by, "maintenance-announced", "service", "maintenance", now, **_told(span))


def withdraw(games: Games, by: Operator, now: datetime) -> None:
    """Withdraw the announcement of maintenance; UnknownSubject if there is none."""
    with transaction(games.engine) as db:
        if not operation.end_mode(db, "maintenance"):
            raise UnknownSubject
        note_operator_act(db, by, "maintenance-withdrawn", "service", "maintenance", now)


def stop_writing(games: Games, until: datetime | None, by: Operator, now: datetime) -> None:
    """Make the service read-only, in all processes within two seconds; `until` is told to those who are refused."""
    with transaction(games.engine) as db:
        operation.put_mode(db, "read-only", Validity(now, until))
        note_operator_act(db, by, "writing-stopped", "service", "read-only", now, until=until and until.isoformat())


def allow_writing(games: Games, by: Operator, now: datetime) -> None:
    """End read-only mode; UnknownSubject if the service is not read-only."""
    with transaction(games.engine) as db:
        if not operation.end_mode(db, "read-only"):
            raise UnknownSubject
        note_operator_act(db, by, "writing-allowed", "service", "read-only", now)


def _told(span: Validity) -> Mapping[str, object]:
    ends = None if span.ends is None else span.ends.isoformat()
    return {"begins": span.begins.isoformat(), "ends": ends, "texts": dict(span.texts)}
