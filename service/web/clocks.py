"""The clocks of a game on its pages: deadlines with how long is left, banks, and who is not there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from service.log.clocks import Clocks
from service.log.recorded import instant, milliseconds
from service.texts.catalog import say
from service.texts.games import full_pace_text
from service.texts.when import duration_text, instant_text, left_text
from service.web.sitting import Sitting

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class ShownDeadline:
    """A deadline as it is shown: the instant in the reader's zone, how long is left in words, briefly, in seconds."""

    at: datetime
    instant: str
    left: str
    brief: str
    seconds: int


@dataclass(frozen=True, slots=True)
class ShownClock:
    """The clock of a seat: its deadline if it has one, its bank in words, and in sentences what else there is to say.

    `own` if the reader sits there.
    """

    name: str
    own: bool
    due: ShownDeadline | None
    bank: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownClocks:
    """The clocks of a game; `stopped` says until when the game is paused, and `due` is the reader's own deadline.

    If the reader has none, `due` is the earliest one of the others, and `due_of` the name of that player.
    """

    pace: str
    stopped: str | None
    due: ShownDeadline | None
    due_of: str | None
    seats: tuple[ShownClock, ...]


def due_at(at: datetime, now: datetime, language: str, zone: str) -> ShownDeadline:
    """Return a deadline as it is shown to a reader of the language in the IANA zone."""
    seconds = max(0, ceil((at - now).total_seconds()))
    left, brief = left_text(language, at, now), left_text(language, at, now, brief=True)
    return ShownDeadline(at, instant_text(language, zone, at, now), left, brief, seconds)


def shown_clocks(sitting: Sitting, now: datetime) -> ShownClocks | None:
    """Return the clocks of a game as they are at a moment; None in a game without a clock, and in one that is over."""
    clocks = sitting.position.clocks
    if clocks is None or sitting.position.game.status != "running":
        return None
    language = sitting.language
    seats = tuple(_seat(sitting, clocks, seat, now) for seat in range(len(clocks.banks)))
    # The reader's own comes first, then the earliest.
    timed = [(not each.own, each.due.at, each) for each in seats if each.due is not None]
    first = min(timed, key=lambda each: each[:2])[2] if timed else None
    stopped = None
    if clocks.paused is not None:
        until = instant_text(language, sitting.zone, instant(clocks.paused.until), now)
        stopped = say(language, "clock-paused", until=until)
    return ShownClocks(
        pace=full_pace_text(language, clocks.pace),
        stopped=stopped,
        due=None if first is None else first.due,
        due_of=None if first is None or first.own else first.name,
        seats=seats,
    )


def _seat(sitting: Sitting, clocks: Clocks, seat: int, now: datetime) -> ShownClock:
    language, deadline = sitting.language, clocks.deadline(seat)
    left = clocks.bank(seat, milliseconds(now)) // 1000
    return ShownClock(
        name=sitting.named([seat]),
        own=seat == sitting.seat,
        due=None if deadline is None else due_at(instant(deadline), now, language, sitting.zone),
        bank=duration_text(language, left if left < _MINUTE else left - left % _MINUTE),
        notes=tuple(_notes(sitting, clocks, seat, now)),
    )


def _notes(sitting: Sitting, clocks: Clocks, seat: int, now: datetime) -> list[str]:
    language, away = sitting.language, clocks.away.get(seat)
    notes = []
    if seat in sitting.position.resigned:
        notes.append(say(language, "clock-resigned"))
    elif seat in clocks.absent:
        notes.append(say(language, "clock-absent"))
    elif seat in clocks.lapsed:
        notes.append(say(language, "clock-lapsed"))
    if away is not None:
        notes.append(say(language, "clock-away", until=instant_text(language, sitting.zone, instant(away), now)))
    return notes
