"""Players announce absences, change them and end them early; the logs of their games say so (T-18, T-19, T-22)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, text

from service.handlers.append import moment, record
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import BadAbsence
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.log.absences import (
    MOST_DAYS_AHEAD,
    MOST_DAYS_IN_A_ROW,
    MOST_DAYS_IN_A_YEAR,
    Span,
    consecutive_days,
    day_of,
    days_of,
    facts,
    in_a_year,
    joined,
    last_day,
)
from service.log.clocks import midnight
from service.log.ids import new_id
from service.log.recorded import instant, milliseconds
from service.shared import clock
from service.shared.refusal import NotFound
from service.store import notices, outbox, pace
from service.store.events import Cause
from service.store.games import Games, Position
from service.store.pace import AbsenceRow, is_away
from service.store.quotas import count_once

__all__ = ["AbsencePlan", "Announced", "announce", "change", "end", "is_away", "note_absences", "tell"]

MOST_A_DAY: Final = 5
"""Absences that a player may announce within 24 hours: the logs of all their games tell each."""
MOST_WRITTEN_A_DAY: Final = 10
"""Absences that a player may announce and change in a day (UTC)."""
_DAY: Final = timedelta(days=1)
_ZONE = text("select time_zone from player where id = :player")


@dataclass(frozen=True, slots=True)
class AbsencePlan:
    """The last day of an absence, its first (None for from now on), and the zone of both (None for the player's)."""

    until: date
    begins: date | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Announced:
    """An absence as it was written, the zone of its days, and how many days are left to the player (`days_left`)."""

    row: AbsenceRow
    zone: ZoneInfo
    days_left: int


def announce(
    games: Games, player: UUID, plan: AbsencePlan, now: datetime, receipt: Receipt[Announced] | None = None
) -> Announced:
    """Announce an absence; one that overlaps or touches others is one with them.

    A player who is away and announces an absence from now on gives the present one another last day. BadAbsence,
    Unavailable; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        known = _opened(db, player, plan.zone, now)
        first = plan.begins or known.today
        if first == known.today and known.current is not None:
            announced = known.change(known.current, plan.until)
        else:
            announced = known.add(first, plan.until)
        keep(db, receipt, announced)
    games.wake()
    return announced


def change(games: Games, player: UUID, absence: UUID, plan: AbsencePlan, now: datetime) -> Announced:
    """Give an absence that is not over another last day; NotFound, BadAbsence, Unavailable."""
    with transaction(games.engine) as db:
        known = _opened(db, player, plan.zone, now)
        changed = known.change(known.find(absence), plan.until)
    games.wake()
    return changed


def end(games: Games, player: UUID, absence: UUID | None, now: datetime, receipt: Receipt[None] | None = None) -> None:
    """End an absence that has begun, or call off one that has not; without an id that of a player who is away.

    NotFound if there is none, or it is over; Unavailable; under a key also Repeated.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        known = _opened(db, player, None, now)
        row = known.current if absence is None else known.find(absence)
        if row is None:
            raise NotFound
        known.end(row)
        keep(db, receipt, None)
    games.wake()


def note_absences(db: Connection, position: Position, now: datetime) -> Position:
    """Bring the log of a locked game in line with the absences of its players, and return it as it is then.

    It changes nothing where the log says all already, where the game has no clock and where its terms allow no absence.
    To be called where an absence begins or ends, where a seat gets a player, and before a lapse. `now` is read after
    the game was locked: the facts are of that very moment, since an absence in the log may not begin after its end.
    """
    clocks = position.clocks
    if clocks is None or not clocks.pace.away or position.game.status != "running":
        return position
    now = moment(position, clock.to_the_millisecond(now))
    for seat, spans in pace.absences_of_seats(db, position.game.id).items():
        # The service plays such a seat: there is no time that an absence could stop.
        if seat in position.resigned or seat in clocks.absent:
            continue
        for fact in facts(clocks, seat, spans, milliseconds(now)):
            position, _ = record(db, position, [fact], Cause(seat, "worker", position.decision), at=now)
    return position


def tell(games: Games, game: UUID) -> None:
    """Bring the log of a game in line with the absences of its players; UnknownGame, Unavailable."""
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        after = note_absences(db, position, clock.now())
    if after is not position:
        games.committed(after)
        games.wake(after)


@dataclass(frozen=True, slots=True)
class _Known:
    """The absences of a player whose account is locked, and the zone in which days are meant."""

    db: Connection
    player: UUID
    rows: list[AbsenceRow]
    zone: ZoneInfo
    now: datetime

    @property
    def today(self) -> date:
        """The day that it is for the player."""
        return self.now.astimezone(self.zone).date()

    @property
    def current(self) -> AbsenceRow | None:
        """The absence of a player who is away."""
        return next((each for each in self.rows if each.begins <= self.now < each.ends), None)

    def find(self, absence: UUID) -> AbsenceRow:
        """Return an absence that is not over; NotFound."""
        row = next((each for each in self.rows if each.id == absence and each.ends > self.now), None)
        if row is None:
            raise NotFound
        return row

    def add(self, first: date, last: date) -> Announced:
        """Write a new absence; BadAbsence."""
        if sum(self.now - each.created_at < _DAY for each in self.rows) >= MOST_A_DAY:
            raise BadAbsence("often", most=MOST_A_DAY)
        if first < self.today:
            raise BadAbsence("past", "/from")
        if first > self.today + _DAY * MOST_DAYS_AHEAD:
            raise BadAbsence("far", "/from", most=MOST_DAYS_AHEAD)
        begins = milliseconds(self.now) if first == self.today else midnight(first, self.zone)
        row = AbsenceRow(new_id(), self.now, self.now, self.now)
        return self._write(row, Span(begins, self._end(first, last)))

    def change(self, row: AbsenceRow, last: date) -> Announced:
        """Give an absence another last day; BadAbsence."""
        begins = milliseconds(row.begins)
        return self._write(row, Span(begins, self._end(day_of(begins, self.zone), last)))

    def end(self, row: AbsenceRow) -> None:
        """End an absence now, or call it off."""
        if row.begins > self.now:
            pace.remove_absence(self.db, [row.id])
            return
        over = replace(row, ends=max(self.now, row.begins + timedelta(milliseconds=1)))
        pace.write_absence(self.db, self.player, over)
        self._have_told(over.ends)

    def _end(self, first: date, last: date) -> int:
        """Return the instant at which an absence with these days ends; BadAbsence."""
        if last < self.today:
            raise BadAbsence("past")
        if last < first:
            raise BadAbsence("backwards")
        if (last - first).days >= MOST_DAYS_IN_A_ROW:
            raise BadAbsence("long", most=MOST_DAYS_IN_A_ROW)
        return midnight(last + _DAY, self.zone)

    def _write(self, row: AbsenceRow, span: Span) -> Announced:
        """Write an absence, one with all that overlap or touch it; BadAbsence beyond the limits."""
        if not count_once(self.db, f"absence:{self.player}", MOST_WRITTEN_A_DAY, self.now):
            raise BadAbsence("often", most=MOST_WRITTEN_A_DAY)
        others = [each for each in self.rows if each.id != row.id]
        whole = joined([each.span for each in others], span)
        days = days_of([*(each.span for each in others), whole, span], self.zone)
        if consecutive_days(days, last_day(span, self.zone)) > MOST_DAYS_IN_A_ROW:
            raise BadAbsence("long", most=MOST_DAYS_IN_A_ROW)
        if in_a_year(days, self.today) > MOST_DAYS_IN_A_YEAR:
            raise BadAbsence("many", most=MOST_DAYS_IN_A_YEAR)
        pace.remove_absence(self.db, [each.id for each in others if whole.begins <= each.span.begins <= whole.ends])
        row = replace(row, begins=instant(whole.begins), ends=instant(whole.ends))
        pace.write_absence(self.db, self.player, row)
        self._have_told(self.now, row.begins, row.ends)
        return Announced(row, self.zone, MOST_DAYS_IN_A_YEAR - in_a_year(days, self.today))

    def _have_told(self, *moments: datetime) -> None:
        """Have the logs of the player's games brought in line at each of the moments."""
        for at in moments:
            outbox.add_at(self.db, notices.absence(self.player, milliseconds(at)), at)


def _opened(db: Connection, player: UUID, zone: str | None, now: datetime) -> _Known:
    hold(db, player)
    own: str = db.execute(_ZONE, {"player": player}).scalar_one()
    return _Known(db, player, pace.absences_of_player(db, player), _zone(zone or own), clock.to_the_millisecond(now))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError) as unknown:
        raise BadAbsence("zone", "/time_zone") from unknown
