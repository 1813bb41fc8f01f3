"""What the page of a game shows of its clock: who is absent, and to whom the viewer can give time."""

from __future__ import annotations

from typing import Any

from service.handlers.presence import is_absent
from service.handlers.time_given import can_be_given
from service.web.sitting import Sitting


def presence_side(sitting: Sitting) -> dict[str, Any]:
    """Return the absent seats, whether the viewer's is one, and the seats to which the viewer can give time."""
    position, seat = sitting.position, sitting.seat
    absent = [each for each in range(position.game.seats) if is_absent(position, each)]
    givable = [] if seat is None else can_be_given(sitting.db, position, seat)
    return {"absent": absent, "own_absent": seat in absent, "givable": givable}
