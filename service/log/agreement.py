"""Agreements: pauses (T-21) and actions taken back (T-35), and the seats whose consent they need."""

from __future__ import annotations

from collections.abc import Sequence

from service.log.clocks import SERVICE_DOORS, Clocks, Pause, later
from service.log.folding import Folded
from service.log.recorded import Deed, Recorded, standing
from service.rules.pace import Pace
from service.rules.shared_events import ActionTakenBack, SeatHandedOver, SeatResigned, TimeLapsed

LEAST_TIME_TO_AGREE = 300
"""Minimum seconds that the others have to agree, where the free time of the pace is shorter, as in live games."""
_PLAYER_LOST = (SeatResigned, SeatHandedOver, TimeLapsed)


def players_there(folded: Folded) -> frozenset[int]:
    """Return the seats of people who have a say in a game with a clock: neither absent nor resigned."""
    clocks = folded.clocks
    return frozenset() if clocks is None else frozenset(range(len(clocks.banks))) - clocks.absent - folded.silent


def pause_proposal(clocks: Clocks, at: int) -> Pause | None:
    """Return the proposed pause at an instant; None if there is none, or the pause would be over by then."""
    proposed = clocks.proposed
    return proposed if proposed is not None and proposed.until > at else None


def agreement_deadline(pace: Pace, asked_at: int) -> int:
    """Return the instant until which the others can agree to a request made at `asked_at`."""
    return later(pace.weekdays, asked_at, max(pace.free, LEAST_TIME_TO_AGREE) * 1000)


def last_own_action(log: Sequence[Recorded], seat: int) -> Sequence[Deed]:
    """Return a seat's last action that was not taken back, and all deeds since, from a whole log.

    Empty if there is no such action, or the service has played it.
    """
    deeds = standing(log)
    for place in range(len(deeds) - 1, 0, -1):
        first = deeds[place][0]
        if first.seat == seat and first.action is not None:
            return () if first.door in SERVICE_DOORS else deeds[place:]
    return ()


def player_lost(log: Sequence[Recorded]) -> bool:
    """Return whether a stretch of the log has a resignation, a handover, or a lapse."""
    return any(isinstance(each.event, _PLAYER_LOST) for each in log)


def ends_take_back_request(log: Sequence[Recorded]) -> bool:
    """Return whether a stretch of the log has an event that ends a take-back request."""
    acted = any(each.action is not None or isinstance(each.event, ActionTakenBack) for each in log)
    return acted or player_lost(log)
