"""Refusals of what comes too late by the clock of a table, and of time that cannot be given: 409."""

from __future__ import annotations

from typing import Literal, get_args

from service.handlers.refusals.game import StaleDecision
from service.log.recorded import Recorded
from service.shared.refusal import Refusal
from service.store.games import Position

WhyNoTime = Literal["unattended", "own-seat", "not-waiting", "given-before", "no-free-time"]


class TimeHasLapsed(StaleDecision):
    """The action answers a decision for which your time has run out, so that the service plays in your seat. It has
    changed nothing. `played` is what was played instead; there is none while that is still to come.
    """

    code = "time-lapsed"
    status = 409
    title = "Your time for this decision has run out"
    remedy = (
        "Read `played`, and `since`, which is what has happened from that decision on. If it is your turn again, "
        "choose one of `legal_actions`, and send it with the `decision` of this answer."
    )
    cases = (None, "unplayed")

    def __init__(self, position: Position, since: list[Recorded], played: Recorded | None) -> None:
        super().__init__(position, since, None if played else "unplayed")
        # The first event of what was played instead.
        self.played = played


class TimeNotGiven(Refusal):
    """Another player can give a waiting seat its free time once more, once in each wait. `reason` says why not now: you
    have resigned or are absent, it is your own seat, nobody waits for it, you have given it time in this wait already,
    or the pace of the table has no free time.
    """

    code = "time-not-given"
    status = 409
    title = "This seat can be given no time now"
    remedy = "Look at the game again: a seat that waits is in `to_act`."
    cases = get_args(WhyNoTime)

    def __init__(self, reason: WhyNoTime) -> None:
        super().__init__(reason, reason=reason)
        self.reason = reason
