"""The hints on the page of a table: moves as links to their previews."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import request

from service.handlers.hints import hints_at, may_take_hints, was_taken
from service.views.hints import described, reasons
from service.web.sitting import Sitting


@dataclass(frozen=True, slots=True)
class ShownHint:
    """A move as a link to its preview, and what speaks for it."""

    href: str
    text: str
    reasons: str


@dataclass(frozen=True, slots=True)
class ShownHints:
    """Whether a hint may be asked for, and those that were; None before."""

    found: list[ShownHint] | None


def shown_hints(sitting: Sitting) -> ShownHints | None:
    """Return the hints of the reader who has to act; None where there are none.

    They are shown once they are counted, to an address that asks for them.
    """
    position, seat = sitting.position, sitting.seat
    if seat is None or not sitting.awaited or not may_take_hints(position):
        return None
    if "hint" not in request.args or not was_taken(sitting.db, position, seat):
        return ShownHints(None)
    ruleset, language, names = position.ruleset, sitting.rules_language, sitting.names
    others = [name for at, name in enumerate(sitting.everybody) if at != seat]
    return ShownHints(
        [
            ShownHint(
                f"?{urlencode({'decision': position.decision, 'notation': ruleset.notate(each.action)})}#act",
                described(ruleset, each, seat, language, names),
                ", ".join(reasons(ruleset, position.game.seats, each, language, others)),
            )
            for each in hints_at(position, seat)
        ]
    )
