"""The pace of a table and the clocks of its seats, as JSON types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from service.log.clocks import Clocks
from service.log.recorded import instant
from service.rules.pace import Pace, pace_name
from service.store.games import Position
from service.texts.games import pace_text

_UNITS: Final = (("H", 3600), ("M", 60), ("S", 1))
_DAY: Final = 86_400


def duration(seconds: int) -> str:
    """Return a duration as ISO 8601 has it: `P1DT12H`."""
    days, rest = divmod(seconds, _DAY)
    times = ""
    for unit, length in _UNITS:
        number, rest = divmod(rest, length)
        times += f"{number}{unit}" if number else ""
    day = f"{days}D" if days else ""
    return f"P{day}T{times}" if times else f"P{day}" if day else "PT0S"


def shown_pace(pace: Pace | None, language: str) -> dict[str, Any] | None:
    """Return the pace of a table, with a sentence in the language; None for none."""
    if pace is None:
        return None
    times = {name: duration(getattr(pace, name)) for name in ("free", "bank", "credit", "cap")}
    return {"name": pace_name(pace), **asdict(pace), **times, "text": pace_text(language, pace)}


def shown_stored_pace(stored: Mapping[str, Any] | None, language: str) -> dict[str, Any] | None:
    """Return the pace of a row of `game`, as `shown_pace`."""
    return None if stored is None else shown_pace(Pace(**stored), language)


def shown_clock(position: Position) -> dict[str, Any] | None:
    """Return the clocks of the seats as of the last event; None in a game without a clock, and before it starts."""
    clocks = position.clocks
    if clocks is None:
        return None
    return {
        "paused_until": None if clocks.paused is None else instant(clocks.paused.until).isoformat(),
        "seats": [_seat(clocks, seat, seat in position.stood_in) for seat in range(len(clocks.banks))],
    }


def _seat(clocks: Clocks, seat: int, stood_in: bool) -> dict[str, Any]:
    deadline, away = clocks.deadline(seat), clocks.away.get(seat)
    return {
        "seat": seat,
        "deadline": None if deadline is None else instant(deadline).isoformat(),
        "bank": duration(clocks.banks[seat] // 1000),
        "absent": seat in clocks.absent,
        "away_until": None if away is None else instant(away).isoformat(),
        "stood_in": stood_in,
    }
