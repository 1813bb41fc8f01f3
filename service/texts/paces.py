"""The pace of a table in words."""

from __future__ import annotations

from typing import Final

from service.rules.pace import Pace, pace_name
from service.texts.catalog import say
from service.texts.deadlines import duration_text, zone_text

PACE_NAMES: Final = ("none", "weekly", "daily", "brisk", "live")
"""The names of the paces, from the slowest to the fastest: `none` is no clock, the others are in PACES."""


def pace_text(language: str, pace: Pace | None) -> str:
    """Return the times of a pace in a sentence, and one more for each term that is not as usual; None: no clock."""
    if pace is None:
        return say(language, "pace-none-text")
    sentences = [times_text(language, pace)]
    if pace.weekdays is not None:
        sentences.append(say(language, "pace-weekdays", zone=zone_text(language, pace.weekdays)))
    if pace.on_lapse != "stand-in":
        sentences.append(lapse_text(language, pace))
    if not pace.away:
        sentences.append(say(language, "pace-no-away"))
    if not pace.take_back:
        sentences.append(say(language, "pace-no-take-back"))
    return " ".join(sentences)


def full_pace_text(language: str, pace: Pace) -> str:
    """Return `pace_text` with what follows a lapse in any case, also where it is as usual."""
    said = pace_text(language, pace)
    return f"{said} {lapse_text(language, pace)}" if pace.on_lapse == "stand-in" else said


def times_text(language: str, pace: Pace) -> str:
    """Return the four times of a pace in a sentence, after its name if it has one."""
    free, bank, credit, cap = (
        duration_text(language, seconds) for seconds in (pace.free, pace.bank, pace.credit, pace.cap)
    )
    grows = bool(pace.credit and pace.cap)
    with_free = "pace-free-bank" if pace.bank or grows else "pace-free"
    times = say(language, with_free if pace.free else "pace-bank", free=free, bank=bank)
    named = pace_name(pace)
    if named is not None:
        times = say(language, "pace-named", name=say(language, f"pace-{named}"), times=times)
    return say(language, "pace-credit" if grows else "pace-fixed", times=times, credit=credit, cap=cap)


def lapse_text(language: str, pace: Pace) -> str:
    """Return in a sentence what happens if the time of a seat is up."""
    return say(language, f"pace-lapse-{pace.on_lapse}")
