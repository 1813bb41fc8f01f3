"""Clocks of a game: bank and deadline of each seat, as a function of log and pace alone.

Instants are milliseconds since 1970, as the `at` of events; durations are milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from service.log.recorded import milliseconds
from service.rules.pace import Pace
from service.rules.shared_events import (
    GamePaused,
    GameResumed,
    PauseAgreed,
    PauseProposed,
    PauseWithdrawn,
    PlayerAway,
    PlayerBack,
    SeatHandedOver,
    TimeGiven,
    TimeLapsed,
)

_SATURDAY = 5
_ZONES = 64


def elapsed(weekdays: str | None, since: int, until: int) -> int:
    """Return the counted time between two instants; 0 if `until` is not the later one."""
    if weekdays is None:
        return max(0, until - since)
    counted = 0
    while since < until:
        begin, end = _stretch(_zone(weekdays), since)
        counted += max(0, min(end, until) - max(begin, since))
        since = end
    return counted


def later(weekdays: str | None, since: int, duration: int) -> int:
    """Return the first instant at which `duration` has counted since `since`."""
    if weekdays is None:
        return since + duration
    while True:
        begin, end = _stretch(_zone(weekdays), since)
        begin = max(begin, since)
        if duration <= end - begin:
            return begin + duration
        duration -= end - begin
        since = end


def _stretch(zone: ZoneInfo, instant: int) -> tuple[int, int]:
    """Return the weekdays of the instant, or the next ones: from Monday to Saturday, 00:00 each."""
    today = datetime.fromtimestamp(instant / 1000, zone).date()
    monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * (today.weekday() >= _SATURDAY))
    return midnight(monday, zone), midnight(monday + timedelta(days=_SATURDAY), zone)


def midnight(day: date, zone: ZoneInfo) -> int:
    """Return the instant at which a day begins in a zone."""
    return milliseconds(datetime.combine(day, time(), zone))


@lru_cache(_ZONES)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


# Banks, deadlines, lapses, absences and pauses.

ABSENT_AFTER: Final = 3
"""Number of lapses in a row, without an own move, after which a seat is absent (T-14)."""
LONGEST_ABSENCE: Final = 21 * 24 * 3600
"""Maximum seconds of an announced absence (T-18)."""
LONGEST_PAUSE: Final = 30 * 24 * 3600
"""Maximum seconds of a pause (T-21)."""
SERVICE_DOORS: Final = frozenset({"timeout", "worker"})
"""Doors through which the service itself plays."""
Value = TypeVar("Value")


# Structs, as in store/events.py: new ones are made with most actions.
class Wait(Struct, frozen=True):
    """Wait of a seat (T-03): its time runs from `since`; `used` had counted before, `given` is extra time.

    `asked` is its beginning, which identifies it among the seat's waits. `for_outages` is the part of `given` that no
    player gave (T-15), the last of it at `made_up`.
    """

    since: int
    used: int = 0
    given: int = 0
    asked: int = 0
    for_outages: int = 0
    made_up: int = 0


class Pause(Struct, frozen=True):
    """Pause proposed by `seat`, until an instant; `agreed` are the seats that agree, `seat` among them."""

    seat: int
    until: int
    agreed: frozenset[int]


class Clocks(Struct, frozen=True):
    """Clocks after an append: by seat the rest of the bank, and the number of lapses in a row.

    `waits` are those of the awaited seats. `lapsed` are the seats that the stand-in plays for the rest of this wait,
    `absent` those that it plays until their players are back. `away` maps seats with an announced absence to its end.
    `proposed` is a pause that is not agreed to yet.
    """

    pace: Pace
    banks: tuple[int, ...]
    lapses: tuple[int, ...]
    waits: Mapping[int, Wait] = {}
    lapsed: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()
    away: Mapping[int, int] = {}
    proposed: Pause | None = None
    paused: Pause | None = None

    def deadline(self, seat: int) -> int | None:
        """Return the instant at which a waiting seat runs out of free time and bank; None if no time runs."""
        wait = self.waits.get(seat)
        if wait is None or self.stopped(seat):
            return None
        left = self.pace.free * 1000 + self.banks[seat] + wait.given - wait.used
        return later(self.pace.weekdays, wait.since, max(0, left))

    def deadlines(self) -> list[tuple[int, int]]:
        """Return the seats that have a deadline, each with its deadline."""
        found = ((seat, self.deadline(seat)) for seat in sorted(self.waits))
        return [(seat, deadline) for seat, deadline in found if deadline is not None]

    def half_left(self, seat: int) -> int | None:
        """Return the instant at which half of a waiting seat's time is left; None as `deadline`."""
        wait = self.waits.get(seat)
        if wait is None or self.stopped(seat):
            return None
        half = (self.pace.free * 1000 + self.banks[seat] + wait.given) // 2
        return later(self.pace.weekdays, wait.since, max(0, half - wait.used))

    def stopped(self, seat: int) -> bool:
        """Return whether a seat's time is stopped: its player is away, or the game is paused (T-19, T-21)."""
        return self.paused is not None or seat in self.away

    def used(self, seat: int, at: int) -> int:
        """Return the time that a waiting seat has used until an instant."""
        wait = self.waits[seat]
        return wait.used + (0 if self.stopped(seat) else elapsed(self.pace.weekdays, wait.since, at))

    def bank(self, seat: int, at: int) -> int:
        """Return the rest of a seat's bank at an instant, waiting or not."""
        if seat not in self.waits:
            return self.banks[seat]
        beyond = self.used(seat, at) - self.waits[seat].given - self.pace.free * 1000
        return max(0, self.banks[seat] - max(0, beyond))


def started(pace: Pace, seats: int) -> Clocks:
    """Return the clocks of a game that is about to begin; no seat waits yet."""
    return Clocks(pace, (pace.bank * 1000,) * seats, (0,) * seats)


def acted(clocks: Clocks, seat: int, door: str) -> Clocks:
    """Return the clocks after an action of a seat; an action by its player ends the row of lapses (T-14)."""
    return clocks if door in SERVICE_DOORS else _with_lapses(clocks, seat, 0)


def noted(clocks: Clocks, event: Any, at: int) -> Clocks:
    """Return the clocks after a fact of time; any other event changes nothing."""
    change = _FACTS.get(type(event))
    return clocks if change is None else change(clocks, event, at)


def awaiting(clocks: Clocks, to_act: frozenset[int], actor: int | None, at: int) -> Clocks:
    """Return the clocks after an append: begin waits of newly awaited seats, and charge waits that are over.

    `to_act` are the seats of players who have to act and have not resigned, `actor` the seat of the action. A seat that
    has to act again, with no other seat awaited in between, stays in the same wait (T-03).
    """
    # Build each set once and by a single call, since this runs for most answers.
    before, lapsed = clocks.waits, clocks.lapsed
    asked_anew = to_act.difference(before, lapsed, clocks.absent)
    if lapsed:
        lapsed &= to_act - {actor} if asked_anew else to_act
    asked, over = to_act.difference(lapsed, clocks.absent), actor if asked_anew else None
    waits = {seat: wait for seat, wait in before.items() if seat in asked and seat != over}
    anew = asked.difference(waits)
    if not anew and len(waits) == len(before):
        return clocks if lapsed == clocks.lapsed else replace(clocks, lapsed=lapsed)
    banks = clocks.banks
    if actor is not None and actor in before and actor not in waits:
        banks = _settled(clocks, actor, at)
    for seat in sorted(anew):
        waits[seat] = Wait(at, asked=at)
    return replace(clocks, banks=banks, waits=waits, lapsed=lapsed)


def _settled(clocks: Clocks, seat: int, at: int) -> tuple[int, ...]:
    """Charge an answered wait to the seat's bank, and add the credit, up to the cap (T-01)."""
    left = clocks.bank(seat, at)
    bank = max(left, min(clocks.pace.cap * 1000, left + clocks.pace.credit * 1000))
    return _at(clocks.banks, seat, bank)


def _lapse(clocks: Clocks, event: TimeLapsed, _: int) -> Clocks:
    seat = event.seat
    clocks = replace(
        _with_lapses(clocks, seat, clocks.lapses[seat] + 1),
        banks=_at(clocks.banks, seat, 0),
        waits=_without(clocks.waits, seat),
        lapsed=clocks.lapsed | {seat},
    )
    return replace(clocks, absent=clocks.absent | {seat}) if clocks.lapses[seat] >= ABSENT_AFTER else clocks


def _give(clocks: Clocks, event: TimeGiven, at: int) -> Clocks:
    wait, given = clocks.waits.get(event.seat), event.seconds * 1000
    if wait is None:
        return clocks
    if event.reason == "outage":
        wait = replace(wait, for_outages=wait.for_outages + given, made_up=at)
    return replace(clocks, waits={**clocks.waits, event.seat: replace(wait, given=wait.given + given)})


def _leave(clocks: Clocks, event: PlayerAway, at: int) -> Clocks:
    return replace(_stopped(clocks, {event.seat}, at), away={**clocks.away, event.seat: event.until})


def _return(clocks: Clocks, event: PlayerBack | SeatHandedOver, at: int) -> Clocks:
    """End an absence: the bank is at least one free time and half the cap (T-14), except after an announced one."""
    seat, pace = event.seat, clocks.pace
    if seat in clocks.absent or isinstance(event, SeatHandedOver):
        least = pace.free * 1000 + pace.cap * 500
        clocks = replace(
            _with_lapses(clocks, seat, 0),
            banks=_at(clocks.banks, seat, max(clocks.banks[seat], least)),
            absent=clocks.absent - {seat},
            lapsed=clocks.lapsed - {seat},
        )
    if seat not in clocks.away:
        return clocks
    return _running(replace(clocks, away=_without(clocks.away, seat)), {seat}, at)


def _propose(clocks: Clocks, event: PauseProposed, _: int) -> Clocks:
    return replace(clocks, proposed=Pause(event.seat, event.until, frozenset({event.seat})))


def _agree(clocks: Clocks, event: PauseAgreed, _: int) -> Clocks:
    proposed = clocks.proposed
    if proposed is None:
        return clocks
    return replace(clocks, proposed=replace(proposed, agreed=proposed.agreed | {event.seat}))


def _withdraw(clocks: Clocks, _event: PauseWithdrawn, _: int) -> Clocks:
    return replace(clocks, proposed=None)


def _pause(clocks: Clocks, event: GamePaused, at: int) -> Clocks:
    agreed = frozenset({event.seat}) if clocks.proposed is None else clocks.proposed.agreed
    stopped = _stopped(clocks, set(clocks.waits), at)
    return replace(stopped, proposed=None, paused=Pause(event.seat, event.until, agreed))


def _resume(clocks: Clocks, _: GameResumed, at: int) -> Clocks:
    return _running(replace(clocks, paused=None), set(clocks.waits), at)


def _stopped(clocks: Clocks, seats: set[int], at: int) -> Clocks:
    """Record the time used so far by the seats whose time runs."""
    waits = {
        seat: replace(wait, used=clocks.used(seat, at), since=at) if seat in seats else wait
        for seat, wait in clocks.waits.items()
    }
    return replace(clocks, waits=waits)


def _running(clocks: Clocks, seats: set[int], at: int) -> Clocks:
    """Start the time of the seats, except where it is still stopped."""
    waits = {
        seat: replace(wait, since=at) if seat in seats and not clocks.stopped(seat) else wait
        for seat, wait in clocks.waits.items()
    }
    return replace(clocks, waits=waits)


def _with_lapses(clocks: Clocks, seat: int, lapses: int) -> Clocks:
    return clocks if clocks.lapses[seat] == lapses else replace(clocks, lapses=_at(clocks.lapses, seat, lapses))


def _at(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _without(values: Mapping[int, Value], seat: int) -> dict[int, Value]:
    return {each: value for each, value in values.items() if each != seat}


_FACTS: Final[Mapping[type[Any], Callable[[Clocks, Any, int], Clocks]]] = {
    TimeLapsed: _lapse,
    TimeGiven: _give,
    PlayerAway: _leave,
    PlayerBack: _return,
    SeatHandedOver: _return,
    PauseProposed: _propose,
    PauseAgreed: _agree,
    PauseWithdrawn: _withdraw,
    GamePaused: _pause,
    GameResumed: _resume,
}


# Time given to waiting seats for outages of the service (T-15).

RESPITE: Final = 12 * 3600_000
"""Minimum time of a seat after an outage, or the free time of its table, if that is less."""
BRIEF: Final = 180_000
"""Longest outage without a respite, such as a restart: only its own length is lost."""


CLOCKS_APART: Final = 3600_000
"""Maximum difference of clocks: outages are by the clock of the database, facts by that of a process."""


@dataclass(frozen=True, slots=True, order=True)
class Outage:
    """Time in which the service could not have reached or heard a player."""

    began: int
    ended: int

    @property
    def respite(self) -> int:
        """Return the minimum time of a seat after the outage, unless the table's free time is less."""
        return RESPITE if self.ended - self.began > BRIEF else 0


def merge_outages(outages: Iterable[Outage]) -> list[Outage]:
    """Return the outages sorted, with overlapping ones merged."""
    found: list[Outage] = []
    for each in sorted(outages):
        if found and each.began <= found[-1].ended:
            found[-1] = Outage(found[-1].began, max(found[-1].ended, each.ended))
        else:
            found.append(each)
    return found


def respite(clocks: Clocks, outage: Outage) -> int:
    """Return the minimum time that a seat of the table has after an outage."""
    return min(outage.respite, clocks.pace.free * 1000)


def seconds_owed(clocks: Clocks, seat: int, outages: Iterable[Outage]) -> int:
    """Return the seconds that a waiting seat is to be given for past outages; 0 for none.

    A deadline within an outage, or within the respite after it, is moved: by the part of the outage that lies in the
    wait, and at least to the end of the respite. Outages before the last gift of time are made up for already.
    """
    deadline = clocks.deadline(seat)
    if deadline is None:
        return 0
    wait = clocks.waits[seat]
    moved, since = deadline, max(wait.since, wait.made_up)
    for each in merge_outages(outages):
        end = each.ended + respite(clocks, each)
        if each.began <= moved < end:
            lost = elapsed(clocks.pace.weekdays, max(each.began, since), each.ended)
            moved = max(later(clocks.pace.weekdays, moved, lost), end)
    return 0 if moved == deadline else _seconds(clocks, seat, moved)


def could_be_owed(clocks: Clocks, seat: int, seconds: int, at: int) -> bool:
    """Return whether outages until an instant could have cost a waiting seat `seconds`, whatever they were.

    The deadline is then at most a respite ahead, and moves by at most the time counted since its clock began to run,
    plus one respite. All that the wait was ever given for outages is at most all time counted in the wait, plus one
    respite: each moment of the wait is lost once, and a new respite does not add to the last one.
    """
    deadline, most = clocks.deadline(seat), min(RESPITE, clocks.pace.free * 1000) + CLOCKS_APART
    if deadline is None or deadline > at + most:
        return False
    wait, used = clocks.waits[seat], clocks.used(seat, at)
    return seconds * 1000 <= min(used - wait.used, used - wait.for_outages) + most


def _seconds(clocks: Clocks, seat: int, wanted: int) -> int:
    """Return the whole seconds that move the deadline of a waiting seat to an instant, or just beyond."""
    wait, weekdays = clocks.waits[seat], clocks.pace.weekdays
    left = clocks.pace.free * 1000 + clocks.banks[seat] + wait.given - wait.used
    seconds = -((left - elapsed(weekdays, wait.since, wanted)) // 1000)
    # At a weekend no time counts, so the deadline has to be the first instant after it.
    return seconds if later(weekdays, wait.since, left + seconds * 1000) >= wanted else seconds + 1
