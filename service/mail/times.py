"""What mails say of time: until when the reader has time, and what is to be known of the others (T-07, T-17, T-20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from service.log.clocks import Clocks
from service.log.recorded import instant, milliseconds
from service.store.position import Position
from service.texts.catalog import say
from service.texts.when import deadline_text, duration_text, instant_text, left_text, until_text

_MINUTE: Final = 60


@dataclass(frozen=True, slots=True)
class Times:
    """Sentences: of the reader's time (`own`), of the others (`others`), and how long is left, if time runs.

    `until` is the same as an instant, which is still true when the mail is read later: it is for subjects.
    """

    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    left: str = ""
    until: str = ""


NOBODY: Final[Mapping[int, datetime]] = MappingProxyType({})
NO_TIMES: Final = Times()
"""The times of a game without a clock in which there is nothing to say of the others."""


def times_of(position: Position, seat: int, now: datetime, away: Mapping[int, datetime] = NOBODY) -> Times:
    """Return what is to be said to a seat of a running game at a moment.

    `away` are the seats of a game without a clock whose players are away, and until when; a clock knows them itself.
    """
    if position.game.status != "running":
        return NO_TIMES
    others = tuple(_others(position, seat, now, away))
    own, deadline = tuple(_own(position, seat, now)), deadline_of(position, seat)
    if deadline is None:
        return Times(own, others)
    language, zone = position.seats[seat].language, position.seats[seat].time_zone
    return Times(own, others, left_text(language, deadline, now), until_text(language, zone, deadline, now))


def deadline_of(position: Position, seat: int) -> datetime | None:
    """Return the deadline of a seat; None if it does not wait, or no time runs."""
    deadline = None if position.clocks is None else position.clocks.deadline(seat)
    return None if deadline is None else instant(deadline)


def _own(position: Position, seat: int, now: datetime) -> Iterator[str]:
    clocks, row = position.clocks, position.seats[seat]
    if clocks is None:
        return
    language, deadline = row.language, deadline_of(position, seat)
    if clocks.paused is not None:
        until = instant_text(language, row.time_zone, instant(clocks.paused.until), now)
        yield say(language, "times-paused", until=until)
    elif seat in clocks.away:
        until = instant_text(language, row.time_zone, instant(clocks.away[seat]), now)
        yield say(language, "times-you-away", until=until)
    if deadline is not None:
        yield say(language, "times-deadline", until=deadline_text(language, row.time_zone, deadline, now))
        yield from _bank(clocks, seat, language, now)


def _bank(clocks: Clocks, seat: int, language: str, now: datetime) -> Iterator[str]:
    """Yield what part of the time comes out of the seat's bank, at a pace that has one."""
    at, free = milliseconds(now), clocks.pace.free * 1000
    seconds = clocks.bank(seat, at) // 1000
    if seconds >= _MINUTE and clocks.used(seat, at) - clocks.waits[seat].given >= free:
        yield say(language, "times-bank-all")
    elif seconds >= _MINUTE:
        yield say(language, "times-bank", bank=duration_text(language, seconds - seconds % _MINUTE))
    elif clocks.pace.bank or (clocks.pace.credit and clocks.pace.cap):
        yield say(language, "times-bank-empty")


def _others(position: Position, seat: int, now: datetime, away: Mapping[int, datetime]) -> Iterator[str]:
    reader, clocks = position.seats[seat], position.clocks
    if clocks is not None:
        away = {each: instant(until) for each, until in clocks.away.items()}
    language, names = reader.language, position.names_in(reader.language)
    for other in position.seats:
        name = names[other.seat]
        if other.seat == seat or other.seat in position.resigned:
            continue
        if clocks is not None and other.seat in clocks.absent:
            yield say(language, "times-absent", name=name)
        if other.seat in away:
            until = instant_text(language, reader.time_zone, away[other.seat], now)
            yield say(language, "times-away", name=name, until=until)
        if other.unreachable:
            yield say(language, "times-unreached" if clocks is None else "times-unreached-runs", name=name)
