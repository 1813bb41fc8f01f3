"""Absences, pauses, gifts of time, and awaited seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select, text, update

from service.handlers.append import Played, moment, record
from service.handlers.gate import PAUSE_PROPOSAL, grow, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import (
    AlreadyResigned,
    BadAbsence,
    BadPause,
    CannotPause,
    NoPause,
    NotRunning,
    NotSeated,
    TimeNotGiven,
)
from service.handlers.seated import seat_in_play
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
from service.log.agreement import pause_proposal, players_there
from service.log.clocks import LONGEST_PAUSE, Clocks, midnight
from service.log.folding import folds
from service.log.ids import new_id
from service.log.recorded import Door, instant, milliseconds
from service.record.reading import RulesMissing
from service.rules.shared_events import (
    GamePaused,
    GameResumed,
    PauseAgreed,
    PauseProposed,
    PauseWithdrawn,
    PlayerBack,
    TimeGiven,
)
from service.shared import clock
from service.shared.refusal import NotFound
from service.store import events, notices, outbox, pace
from service.store.events import Cause
from service.store.games import Games, Position, require_known
from service.store.pace import AbsenceRow, is_away
from service.store.quotas import UNCOUNTED, Budget, MailsSpent, count_once
from service.store.tables import game as game_table

__all__ = [
    "AbsencePlan",
    "Announced",
    "announce_absence",
    "change_absence",
    "end_absence",
    "is_away",
    "note_absences",
    "tell_absences",
]

# Absences, also noted in the logs of games (T-18, T-19, T-22).

MAX_ABSENCES_A_DAY: Final = 5
"""Absences that a player may announce within 24 hours; each goes to the logs of all the player's games."""
MAX_ABSENCE_CHANGES_A_DAY: Final = 10
"""Absences that a player may announce or change in a day (UTC)."""
_DAY: Final = timedelta(days=1)
_ZONE = text("select time_zone from player where id = :player")


@dataclass(frozen=True, slots=True)
class AbsencePlan:
    """Last and first day of an absence (`begins` None: from now), in `zone` (None: the player's)."""

    until: date
    begins: date | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Announced:
    """A stored absence, the zone of its days, and the player's remaining days."""

    row: AbsenceRow
    zone: ZoneInfo
    days_left: int


def announce_absence(
    games: Games, player: UUID, plan: AbsencePlan, now: datetime, receipt: Receipt[Announced] | None = None
) -> Announced:
    """Announce an absence; merge overlapping and adjacent absences.

    From now on, for a player who is away: change the last day of the current absence. BadAbsence, Unavailable; under a
    key also Repeated, KeyReused.
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


def change_absence(games: Games, player: UUID, absence: UUID, plan: AbsencePlan, now: datetime) -> Announced:
    """Change the last day of an absence that is not over; NotFound, BadAbsence, Unavailable."""
    with transaction(games.engine) as db:
        known = _opened(db, player, plan.zone, now)
        changed = known.change(known.find(absence), plan.until)
    games.wake()
    return changed


def end_absence(
    games: Games, player: UUID, absence: UUID | None, now: datetime, receipt: Receipt[None] | None = None
) -> None:
    """End an absence that has begun, or cancel one that has not; without an id the current absence.

    NotFound if there is none, or the absence is over; Unavailable; under a key also Repeated.
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
    """Bring the log of a locked game in line with its players' absences; return the position after.

    Change nothing if the log is up to date, or if the game has no clock or allows no absences. Call where an absence
    begins or ends, where a seat gets a player, and before a lapse. Read `now` after the lock: an absence in the log may
    not begin after its end.
    """
    clocks = position.clocks
    if clocks is None or not clocks.pace.away or position.game.status != "running":
        return position
    now = moment(position, clock.to_the_millisecond(now))
    for seat, spans in pace.absences_of_seats(db, position.game.id).items():
        # The service plays such a seat: no time runs that an absence could stop.
        if seat in position.resigned or seat in clocks.absent:
            continue
        for fact in facts(clocks, seat, spans, milliseconds(now)):
            position, _ = record(db, position, [fact], Cause(seat, "worker", position.decision), at=now)
    return position


def tell_absences(games: Games, game: UUID) -> None:
    """Bring the log of a game in line with its players' absences; UnknownGame, Unavailable."""
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        after = note_absences(db, position, clock.now())
    if after is not position:
        games.committed(after)
        games.wake(after)


@dataclass(frozen=True, slots=True)
class _Known:
    """The absences of a player whose account is locked, and the zone of their days."""

    db: Connection
    player: UUID
    rows: list[AbsenceRow]
    zone: ZoneInfo
    now: datetime

    @property
    def today(self) -> date:
        """Today in the player's zone."""
        return self.now.astimezone(self.zone).date()

    @property
    def current(self) -> AbsenceRow | None:
        """The running absence of the player."""
        return next((each for each in self.rows if each.begins <= self.now < each.ends), None)

    def find(self, absence: UUID) -> AbsenceRow:
        """Return an absence that is not over; NotFound."""
        row = next((each for each in self.rows if each.id == absence and each.ends > self.now), None)
        if row is None:
            raise NotFound
        return row

    def add(self, first: date, last: date) -> Announced:
        """Write a new absence; BadAbsence."""
        if sum(self.now - each.created_at < _DAY for each in self.rows) >= MAX_ABSENCES_A_DAY:
            raise BadAbsence("often", most=MAX_ABSENCES_A_DAY)
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
        """End a running absence now, or remove a future one."""
        if row.begins > self.now:
            pace.remove_absence(self.db, [row.id])
            return
        over = replace(row, ends=max(self.now, row.begins + timedelta(milliseconds=1)))
        pace.write_absence(self.db, self.player, over)
        self._have_told(over.ends)

    def _end(self, first: date, last: date) -> int:
        """Return the end of an absence with these days, in milliseconds; BadAbsence."""
        if last < self.today:
            raise BadAbsence("past")
        if last < first:
            raise BadAbsence("backwards")
        if (last - first).days >= MOST_DAYS_IN_A_ROW:
            raise BadAbsence("long", most=MOST_DAYS_IN_A_ROW)
        return midnight(last + _DAY, self.zone)

    def _write(self, row: AbsenceRow, span: Span) -> Announced:
        """Write an absence, merged with overlapping and adjacent ones; BadAbsence beyond the limits."""
        if not count_once(self.db, f"absence:{self.player}", MAX_ABSENCE_CHANGES_A_DAY, self.now):
            raise BadAbsence("often", most=MAX_ABSENCE_CHANGES_A_DAY)
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
        """Enqueue updates of the logs of the player's games at these times."""
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


# Returns to an absent seat: the seat is awaited again, with some time in its bank (T-14).


def is_absent(position: Position, seat: int) -> bool:
    """Return whether the seat is absent (after consecutive lapses) in a running game."""
    clocks = position.clocks
    return clocks is not None and seat in clocks.absent and seat not in position.resigned and _running(position)


def return_to(games: Games, game: UUID, player: UUID, door: str) -> Position:
    """End the absence of the player's seat, if absent, and return the position.

    Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned.
    """
    with transaction(games.engine) as db:
        position = games.open(db, game)
        require_known(db, position, player)
    seat = position.seat_of(player)
    if seat is None:
        raise NotSeated
    if not _running(position):
        raise NotRunning(position.game.status)
    if seat in position.resigned:
        raise AlreadyResigned
    return return_from_absence(games, game, seat, player, door)


def return_from_absence(games: Games, game: UUID, seat: int, player: UUID | None, door: str) -> Position:
    """Note the return of an absent seat's player, and return the position; UnknownGame.

    An awaited seat gets a turn mail again. NotSeated if the seat no longer belongs to `player` (T-24).
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        if player is not None and position.seat_of(player) != seat:
            raise NotSeated
        if not is_absent(position, seat):
            return position
        after, _ = record(db, position, [PlayerBack(seat=seat)], Cause(seat, door, position.decision))
        # An announced absence goes on.
        after = note_absences(db, after, clock.now())
        _ask(db, after, seat)
    games.committed(after)
    games.wake(after)
    return after


def _ask(db: Connection, position: Position, seat: int) -> None:
    if seat in position.awaited and position.seats[seat].told:
        again = notices.turn_mail_again(position.game.id, position.decision, seat, f"back-{position.version}")
        outbox.post(db, position.game.id, [again])


def _running(position: Position) -> bool:
    return position.game.status == "running"


# Pauses: proposed, agreed to by all, and then nobody's time runs (T-21).

MIN_PAUSE: Final = 60_000
MAX_PAUSE: Final = LONGEST_PAUSE * 1000
"""Shortest and longest pause in milliseconds."""


def propose_pause(
    games: Games,
    game: UUID,
    player: UUID,
    until: datetime,
    door: Door,
    now: datetime,
    receipt: Receipt[Position] | None = None,
    budget: Budget = UNCOUNTED,
) -> Position:
    """Propose a pause, in place of any other proposal; pause at once if nobody else has to agree.

    Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, CannotPause, BadPause; under a key Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        seat, clocks = _there(db, position, player)
        if clocks.paused is not None:
            raise CannotPause("paused")
        if not MIN_PAUSE <= _instant(until) - _instant(now) <= MAX_PAUSE:
            raise BadPause
        grow(db, PAUSE_PROPOSAL, position, player, now)
        proposed = PauseProposed(seat=seat, until=_instant(until))
        after, _ = record(db, position, [proposed], Cause(seat, door, position.decision))
        paused = pause_if_agreed(db, after, seat, door, now)
        if paused is after:
            _tell_of_proposal(db, after, proposed, player, budget, now)
        keep(db, receipt, paused)
    games.committed(paused)
    games.wake(paused)
    return paused


def agree_to_pause(games: Games, game: UUID, player: UUID, until: datetime, door: Door, now: datetime) -> Position:
    """Agree to the proposed pause until `until`; the last consent pauses the game.

    Idempotent. Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, CannotPause, NoPause.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat, clocks = _there(db, position, player)
        proposed, after = pause_proposal(clocks, milliseconds(now)), position
        if proposed is None or proposed.until != _instant(until):
            raise NoPause("not-proposed")
        if seat not in proposed.agreed:
            after, _ = record(db, position, [PauseAgreed(seat=seat)], Cause(seat, door, position.decision))
        after = pause_if_agreed(db, after, seat, door, now)
    games.committed(after)
    games.wake(after)
    return after


def stop_pause(games: Games, game: UUID, player: UUID, door: Door, now: datetime) -> Position:
    """End the pause of the game, as any of its players may, or withdraw the player's own proposal.

    Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, CannotPause, NoPause.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        seat, clocks = _playing(db, position, player)
        proposed, cause = pause_proposal(clocks, milliseconds(now)), Cause(seat, door, position.decision)
        if clocks.paused is not None:
            after, _ = record(db, position, [GameResumed(seat=seat)], cause)
            _tell(db, after, players_there(after.folded) - {seat}, "ended", milliseconds(now))
        elif proposed is not None and proposed.seat == seat:
            after, _ = record(db, position, [PauseWithdrawn(seat=seat)], cause)
        else:
            raise NoPause("not-paused")
    games.committed(after)
    games.wake(after)
    return after


def end_pause(games: Games, game: UUID, until: int, now: datetime) -> bool:
    """End the pause that lasts until `until` (milliseconds) once due, and settle its notice.

    Return whether the notice is settled: False while this process's clock is before `until`.
    """
    if milliseconds(now) < until:
        return False
    with transaction(games.engine) as db:
        position = after = games.lock(db, game)
        paused = None if position.clocks is None else position.clocks.paused
        outbox.finish_key(db, notices.pause_end(game, until).dedupe_key)
        if position.game.status == "running" and paused is not None and paused.until == until:
            cause = Cause(paused.seat, "worker", position.decision)
            after, _ = record(db, position, [GameResumed(seat=paused.seat)], cause)
            _tell(db, after, players_there(after.folded), "ended", until)
    if after is not position:
        games.committed(after)
        games.wake(after)
    return True


def pause_if_agreed(db: Connection, position: Position, seat: int, door: str, now: datetime) -> Position:
    """Pause a locked game if everybody concerned has agreed to the proposal; return the position after.

    Call, in the same transaction, after each event by which a player agrees or need no longer agree. `seat` and `door`
    are those of that event.
    """
    clocks = position.clocks
    proposed = None if clocks is None else pause_proposal(clocks, milliseconds(now))
    if proposed is None or position.game.status != "running" or not players_there(position.folded) <= proposed.agreed:
        return position
    paused = GamePaused(seat=proposed.seat, until=proposed.until)
    after, _ = record(db, position, [paused], Cause(proposed.seat, door, position.decision))
    outbox.post(db, after.game.id, [notices.pause_end(after.game.id, proposed.until)])
    _tell(db, after, players_there(after.folded) - {seat}, "begun", proposed.until)
    return after


def _instant(moment: datetime) -> int:
    return milliseconds(clock.to_the_millisecond(moment))


def _playing(db: Connection, position: Position, player: UUID) -> tuple[int, Clocks]:
    seat = seat_in_play(db, position, player)
    if position.clocks is None:
        raise CannotPause("no-clock")
    if seat in position.resigned:
        raise AlreadyResigned
    return seat, position.clocks


def _there(db: Connection, position: Position, player: UUID) -> tuple[int, Clocks]:
    seat, clocks = _playing(db, position, player)
    if seat in clocks.absent:
        raise CannotPause("absent")
    return seat, clocks


def _tell_of_proposal(
    db: Connection, position: Position, proposed: PauseProposed, player: UUID, budget: Budget, now: datetime
) -> None:
    for seat in players_there(position.folded) - {proposed.seat}:
        # Over the day's mail quota no mail is sent; the page of the table shows the proposal all the same.
        with suppress(MailsSpent), db.begin_nested():
            if _tell(db, position, [seat], "proposed", proposed.until):
                reach(db, budget, PAUSE_PROPOSAL, player, [position.seats[seat].player_id], now)


def _tell(
    db: Connection,
    position: Position,
    seats: Iterable[int],
    what: Literal["proposed", "begun", "ended"],
    until: int,
) -> int:
    game, written_to = position.game.id, [seat for seat in sorted(seats) if position.seats[seat].email]
    return outbox.post(db, game, [notices.pause_mail(game, seat, what, until, position.version) for seat in written_to])


# Gifts of time (T-16). Nobody can take time away, not even the host.


def give_time(games: Games, game: UUID, player: UUID, seat: int, door: Door) -> Played:
    """Give a waiting seat its free time once more; once per giver and wait.

    Raises UnknownGame, NotSeated, NotRunning, TimeNotGiven.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        giver = seat_in_play(db, position, player)
        fact = _given(db, position, giver, seat)
        after, recorded = record(db, position, [fact], Cause(seat, door, position.decision))
    games.committed(after)
    games.wake(after)
    return Played(after, recorded)


def can_give_time(db: Connection, position: Position, giver: int) -> list[int]:
    """Return the seats to which a seat's player can give time now."""
    waits = () if position.clocks is None else sorted(position.clocks.waits)
    return [seat for seat in waits if _may_be_given(db, position, giver, seat)]


def _may_be_given(db: Connection, position: Position, giver: int, seat: int) -> bool:
    try:
        _given(db, position, giver, seat)
    except TimeNotGiven:
        return False
    return True


def _given(db: Connection, position: Position, giver: int, seat: int) -> TimeGiven:
    """Return the TimeGiven event; TimeNotGiven."""
    clocks = position.clocks
    if giver in position.unattended:
        raise TimeNotGiven("unattended")
    if seat == giver:
        raise TimeNotGiven("own-seat")
    if clocks is None or clocks.deadline(seat) is None:
        raise TimeNotGiven("not-waiting")
    if not clocks.pace.free:
        raise TimeNotGiven("no-free-time")
    if any(each.by == giver for each in _in_this_wait(db, position, seat, clocks.waits[seat].given)):
        raise TimeNotGiven("given-before")
    return TimeGiven(seat=seat, by=giver, seconds=clocks.pace.free, reason="player")


def _in_this_wait(db: Connection, position: Position, seat: int, given: int) -> Iterator[TimeGiven]:
    """Yield the gifts to a seat in its current wait, newest first; they add up to `given` milliseconds."""
    if not given:
        return
    for each in reversed(events.read(db, position.codec, position.game.id, 0, position.version)):
        if isinstance(each.event, TimeGiven) and each.event.seat == seat:
            yield each.event
            given -= each.event.seconds * 1000
            if given <= 0:
                return


# Awaited seats, rebuilt from the log; otherwise appends keep them up to date.


def restore_all_waiting(games: Games) -> int:
    """Rebuild the awaited seats of every begun game, one at a time while games go on; return the number of games.

    Skip games whose rules are not installed.
    """
    with transaction(games.engine) as db:
        begun: list[UUID] = [row.id for row in db.execute(select(game_table.c.id).where(game_table.c.version > 0))]
    restored = 0
    for game in begun:
        with suppress(RulesMissing):
            restore_waiting(games, game)
            restored += 1
    return restored


def restore_waiting(games: Games, game: UUID) -> None:
    """Rebuild a game's awaited seats, the start of their wait, and their deadlines; UnknownGame.

    Each deadline gets its own lapse, for processes of versions without timers.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        faces, since = _faced(db, position)
        awaited = sorted(position.awaited)
        known = {"awaited": awaited, "faces": faces, "since": since, "deadlines": deadlines(position, awaited)}
        db.execute(update(game_table).where(game_table.c.id == game).values(**known))
        pace.reset_timers(db, [game], until=datetime.max.replace(tzinfo=UTC))


def deadlines(position: Position, awaited: Sequence[int]) -> list[datetime | None]:
    """Return the deadlines of the awaited seats, None where no time runs; empty without a clock."""
    clocks = position.clocks
    due = [] if clocks is None else [clocks.deadline(seat) for seat in awaited]
    return [None if at is None else instant(at) for at in due]


def _faced(db: Connection, position: Position) -> tuple[int | None, datetime | None]:
    """Return the current decision's number, and its time."""
    faces, since = None, None
    recorded = events.read(db, position.codec, position.game.id)
    told = zip(recorded, folds(position.ruleset, (each.event for each in recorded)), strict=True)
    # Events of one append share a time, and no position lies between them.
    for at, appended in groupby(told, lambda each: each[0].at):
        *_, (_, folded) = appended
        decision = position.at(position.version, folded).decision
        if decision != faces:
            faces, since = decision, at
    return faces, since
