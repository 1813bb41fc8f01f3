"""How long a game takes, in words: a single unit, as rough as what is known."""

from __future__ import annotations

from typing import Final

from babel.units import format_unit

from service.texts.when import locale_of

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_ROUGH: Final = (
    ("minute", _MINUTE, 5, 90 * _MINUTE),
    ("hour", _HOUR, 1, 36 * _HOUR),
    ("day", _DAY, 1, 12 * _DAY),
    ("week", 7 * _DAY, 1, 95 * _DAY),
    ("month", 30.4 * _DAY, 1, 550 * _DAY),
    ("year", 365 * _DAY, 1, float("inf")),
)
"""The units: their seconds, the steps in which they are told, and below how many seconds they are taken."""


def length_text(language: str, seconds: int) -> str:
    """Return how long a game takes, roughly: "40 minutes", "9 days", "4 weeks"."""
    unit, length, step, _ = next(each for each in _ROUGH if seconds < each[3])
    number = max(step, step * round(seconds / length / step))
    return str(format_unit(number, f"duration-{unit}", "long", locale=locale_of(language)))
