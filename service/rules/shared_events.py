"""Events that can happen in every game. They are in its log, but no ruleset ever sees one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from service.rules.pace import Pace


class SharedEvent:
    """Base of the events that belong to no ruleset."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameForked(SharedEvent):
    """The game begins with events 1 to `seq` of a finished game, where the chain of that one has the `head`."""

    game: str
    seq: int
    head: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResigned(SharedEvent):
    """A player has given the game up; `ends` tells whether the game ends with it."""

    seat: int
    ends: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SomethingSaid(SharedEvent):
    """A player has said something to the table; the words themselves are not in the log."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTakenBack(SharedEvent):
    """An action of the seat was taken back: its events, numbers `first` to `last` of the log, no longer count.

    `agreed` are the seats that have agreed to it, where that was needed (T-35): then what others have done since, and
    what was shown, lies between `first` and `last` too.
    """

    seat: int
    first: int
    last: int
    agreed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceSet(SharedEvent):
    """The game is played by a clock from here on; the last event of the setup, if there is a clock (T-01)."""

    pace: Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSet(SharedEvent):
    """The game is one of the deal of a `day` (YYYY-MM-DD): its chance is that of all of them; in the setup (D-01)."""

    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLapsed(SharedEvent):
    """A seat has not answered the decision before its `deadline`, in milliseconds since 1970 (T-10).

    `ends` tells whether the game ends with it, without a result (T-13).
    """

    seat: int
    decision: int
    deadline: int
    ends: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeGiven(SharedEvent):
    """A waiting seat gets more time, in `seconds`: `by` another player (T-16), or by none after an outage (T-15)."""

    seat: int
    by: int | None
    seconds: int
    reason: Literal["player", "outage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAway(SharedEvent):
    """The absence that the seat's player has announced begins; `until` is in milliseconds since 1970 (T-19)."""

    seat: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBack(SharedEvent):
    """The seat's player is back: from an absence that was announced (T-19), or after too many lapses (T-14)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseProposed(SharedEvent):
    """A player proposes a pause; `until` is in milliseconds since 1970 (T-21)."""

    seat: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseAgreed(SharedEvent):
    """A player agrees to the pause that was proposed (T-21)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseWithdrawn(SharedEvent):
    """A player withdraws the pause that they have proposed (T-21)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePaused(SharedEvent):
    """The clocks stand still by agreement; `seat` has proposed it, and `until` is as in its proposal (T-21)."""

    seat: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(SharedEvent):
    """The pause is over: a player has asked to go on, or its time has come, then `seat` proposed the pause (T-21)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatHandedOver(SharedEvent):
    """Another person has taken the seat over, whose player had resigned or was absent (T-23)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputerSeated(SharedEvent):
    """From now on a computer player plays the seat, at a level, as that version of the computer players chooses."""

    seat: int
    level: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HintTaken(SharedEvent):
    """The seat's player has taken a hint at the decision; once at most for each decision and seat."""

    seat: int
    decision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetCut(SharedEvent):
    """The seat's computer player chooses at the decision by so many `tables`, fewer than its level has: many wait."""

    seat: int
    decision: int
    tables: int


SHARED_EVENTS: tuple[type[Any], ...] = (
    SeatResigned,
    SomethingSaid,
    ActionTakenBack,
    GameForked,
    PaceSet,
    DealSet,
    TimeLapsed,
    TimeGiven,
    PlayerAway,
    PlayerBack,
    PauseProposed,
    PauseAgreed,
    PauseWithdrawn,
    GamePaused,
    GameResumed,
    SeatHandedOver,
    ComputerSeated,
    HintTaken,
    BudgetCut,
)
"""The classes of these events; their stored names are their class names in kebab case, as with all events."""
