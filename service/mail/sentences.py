"""Sentences about a game that its mails and its pages share: names, outcome, time left (T-07, T-17, T-20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from service.log.clocks import Clocks
from service.log.recorded import instant, milliseconds
from service.rules.bidi import isolated
from service.store.games import Position
from service.texts.catalog import say
from service.texts.locales import listed
from service.texts.names import display_name
from service.texts.when import deadline_text, duration_text, instant_text, left_text, until_text
from service.views.listing import lines_of


def outcome_lines(position: Position, outcome: Mapping[str, Any], language: str) -> Iterator[str]:
    """Yield the lines of an outcome: who won, each player's score, and who has not played a seat to the end."""
    names = position.everybody_in(language)
    winners = [names[seat] for seat in outcome.get("winners", ())]
    yield say(language, "winner", names=", ".join(winners)) if winners else say(language, "no-winner")
    for name, score in zip(names, outcome.get("scores") or (), strict=False):
        yield say(language, "score", name=name, score=score)
    yield from lines_of(position, language)


def greeting(position: Position, seat: int, key: str = "greeting") -> str:
    """Return the sentence that greets the seat's player and names the game and the opponents."""
    row = position.seats[seat]
    names = position.names_in(row.language)
    rivals = listed([one_line(name) for index, name in enumerate(names) if index != seat], row.language)
    key = key if rivals else f"{key}-alone"
    return say(
        row.language,
        key,
        name=isolated(player_name(row.name, row.language)),
        title=position.ruleset.meta.title,
        others=rivals,
    )


def game_line(position: Position, seat: int | None, language: str) -> str:
    """Return the title of a game, the end of its id, and the players but for the seat."""
    title, mark = position.ruleset.meta.title, position.game.id.hex[-6:]
    others = listed([name for at, name in enumerate(position.names_in(language)) if at != seat], language)
    return say(language, "digest-game" if others else "digest-game-alone", title=title, mark=mark, others=others)


def player_name(name: str, language: str) -> str:
    """Return a player's stored name as it stands in a mail to readers of the language, in one line."""
    return one_line(display_name(name, language))


def one_line(text: str) -> str:
    """Return the text without line breaks."""
    return " ".join(text.split())


_MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class Times:
    """Sentences about the time of the reader (`own`) and of the `others`, and the time `left`, if time runs.

    `until` is an instant instead, which stays true when the mail is read later; subjects have it.
    """

    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    left: str = ""
    until: str = ""


NOBODY_AWAY: Final[Mapping[int, datetime]] = MappingProxyType({})
NO_TIMES: Final = Times()
"""Times of a game without a clock and without absences."""


def times_of(position: Position, seat: int, now: datetime, away: Mapping[int, datetime] = NOBODY_AWAY) -> Times:
    """Return the sentences about time for a seat of a running game at a moment.

    `away` are the seats of a game without a clock whose players are away, and until when; a clock knows them itself.
    """
    if position.game.status != "running":
        return NO_TIMES
    others = tuple(_others_time(position, seat, now, away))
    own, deadline = tuple(_own_time(position, seat, now)), deadline_of(position, seat)
    if deadline is None:
        return Times(own, others)
    language, zone = position.seats[seat].language, position.seats[seat].time_zone
    return Times(own, others, left_text(language, deadline, now), until_text(language, zone, deadline, now))


def deadline_of(position: Position, seat: int) -> datetime | None:
    """Return the deadline of a seat; None if it does not wait, or no time runs."""
    deadline = None if position.clocks is None else position.clocks.deadline(seat)
    return None if deadline is None else instant(deadline)


def _own_time(position: Position, seat: int, now: datetime) -> Iterator[str]:
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
        yield from _bank_time(clocks, seat, language, now)


def _bank_time(clocks: Clocks, seat: int, language: str, now: datetime) -> Iterator[str]:
    """Yield the share of the time that comes out of the seat's bank, at a pace that has one."""
    at, free = milliseconds(now), clocks.pace.free * 1000
    seconds = clocks.bank(seat, at) // 1000
    if seconds >= _MINUTE_S and clocks.used(seat, at) - clocks.waits[seat].given >= free:
        yield say(language, "times-bank-all")
    elif seconds >= _MINUTE_S:
        yield say(language, "times-bank", bank=duration_text(language, seconds - seconds % _MINUTE_S))
    elif clocks.pace.bank or (clocks.pace.credit and clocks.pace.cap):
        yield say(language, "times-bank-empty")


def _others_time(position: Position, seat: int, now: datetime, away: Mapping[int, datetime]) -> Iterator[str]:
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
