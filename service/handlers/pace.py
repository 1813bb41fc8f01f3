"""Absences, pauses, time given to others, and seats that are awaited."""

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

# Players announce absences, change them and end them early; the logs of their games say so (T-18, T-19, T-22).

MAX_ABSENCES_A_DAY: Final = 5
"""Absences that a player may announce within 24 hours: the logs of all their games tell each."""
MAX_ABSENCE_CHANGES_A_DAY: Final = 10
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


def announce_absence(
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


def change_absence(games: Games, player: UUID, absence: UUID, plan: AbsencePlan, now: datetime) -> Announced:
    """Give an absence that is not over another last day; NotFound, BadAbsence, Unavailable."""
    with transaction(games.engine) as db:
        known = _opened(db, player, plan.zone, now)
        changed = known.change(known.find(absence), plan.until)
    games.wake()
    return changed


def end_absence(
    games: Games, player: UUID, absence: UUID | None, now: datetime, receipt: Receipt[None] | None = None
) -> None:
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


def tell_absences(games: Games, game: UUID) -> None:
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


# The player of an absent seat is back: the seat is awaited again, with some time in its bank (T-14).


def is_absent(position: Position, seat: int) -> bool:
    """Return whether the seat is absent, after lapses in a row, in a game that goes on."""
    clocks = position.clocks
    return clocks is not None and seat in clocks.absent and seat not in position.resigned and _running(position)


def return_to(games: Games, game: UUID, player: UUID, door: str) -> Position:
    """Let a player say that they are back, and return the game; one who was there all the time changes nothing.

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
    """Note that the player of a seat is there, if it is absent; return the game. UnknownGame.

    A seat that has to act is written to again. NotSeated if another person than `player` has the seat by now (T-24).
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        if player is not None and position.seat_of(player) != seat:
            raise NotSeated
        if not is_absent(position, seat):
            return position
        after, _ = record(db, position, [PlayerBack(seat=seat)], Cause(seat, door, position.decision))
        # An absence that the player has announced goes on.
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


# Pauses: players propose one and agree to it, and then nobody's time runs (T-21).

MIN_PAUSE: Final = 60_000
MAX_PAUSE: Final = LONGEST_PAUSE * 1000
"""The fewest and the most milliseconds of a pause."""


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
    """Propose a pause, in place of any other proposal; the game is paused at once if nobody else has to agree.

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
    """Agree to the pause that is proposed until a moment; with the last consent the game is paused.

    Agreeing again changes nothing. Raises UnknownGame, NotSeated, NotRunning, AlreadyResigned, CannotPause, NoPause.
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
    """End the pause of the game, as each of its players may, or withdraw the player's own proposal of a pause.

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
    """End the pause of the game until this instant, if it is paused so and the instant has come; settle its notice.

    Return whether the notice is settled: False while the instant has not come by this process's clock.
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
    """Pause a locked game if nobody is left who has to agree to the proposed pause; return the game as it is then.

    To be called, in the same transaction, after each event by which somebody agrees or need no longer agree; `seat` is
    that of the event, and `door` the one that it came through.
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
        # Where the day's mails are used up the page of the table tells of it all the same.
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


# A player gives a waiting seat its free time once more (T-16). Nobody can take time away, the host neither.


def give_time(games: Games, game: UUID, player: UUID, seat: int, door: Door) -> Played:
    """Give a seat that waits its free time once more; once for each giver and wait.

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
    """Return the seats to which the player of a seat can give time now."""
    waits = () if position.clocks is None else sorted(position.clocks.waits)
    return [seat for seat in waits if _may_be_given(db, position, giver, seat)]


def _may_be_given(db: Connection, position: Position, giver: int, seat: int) -> bool:
    try:
        _given(db, position, giver, seat)
    except TimeNotGiven:
        return False
    return True


def _given(db: Connection, position: Position, giver: int, seat: int) -> TimeGiven:
    """Return the fact that gives the time; TimeNotGiven."""
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
    """Yield what has been given to a seat in the wait that goes on, the newest first: `given` milliseconds in all."""
    if not given:
        return
    for each in reversed(events.read(db, position.codec, position.game.id, 0, position.version)):
        if isinstance(each.event, TimeGiven) and each.event.seat == seat:
            yield each.event
            given -= each.event.seconds * 1000
            if given <= 0:
                return


# Rebuilds from the log which seats each game awaits; appends keep this up to date otherwise.


def restore_all_waiting(games: Games) -> int:
    """Work it out for every game that has begun, one at a time while the games go on, and return how many there are.

    A game whose rules are not installed is left as it is.
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
    """Work out for a game who is awaited, since when, and until when; UnknownGame.

    Each deadline gets a lapse of its own, as versions want it that know of no timers.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        faces, since = _faced(db, position)
        awaited = sorted(position.awaited)
        known = {"awaited": awaited, "faces": faces, "since": since, "deadlines": deadlines(position, awaited)}
        db.execute(update(game_table).where(game_table.c.id == game).values(**known))
        pace.reset_timers(db, [game], until=datetime.max.replace(tzinfo=UTC))


def deadlines(position: Position, awaited: Sequence[int]) -> list[datetime | None]:
    """Return the deadlines of the awaited seats, None for one whose time does not run; empty without a clock."""
    clocks = position.clocks
    due = [] if clocks is None else [clocks.deadline(seat) for seat in awaited]
    return [None if at is None else instant(at) for at in due]


def _faced(db: Connection, position: Position) -> tuple[int | None, datetime | None]:
    """Return the number of the decision that the game is at, and since when."""
    faces, since = None, None
    recorded = events.read(db, position.codec, position.game.id)
    told = zip(recorded, folds(position.ruleset, (each.event for each in recorded)), strict=True)
    # What was appended together has one moment, and what stands between its events is no position of the game.
    for at, appended in groupby(told, lambda each: each[0].at):
        *_, (_, folded) = appended
        decision = position.at(position.version, folded).decision
        if decision != faces:
            faces, since = decision, at
    return faces, since
