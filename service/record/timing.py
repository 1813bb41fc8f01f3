"""Check the facts of time in a record against the clocks that follow from the record (T-36)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import ValidationError, convert
from msgspec.structs import replace

from service.log.clocks import LONGEST_ABSENCE, LONGEST_PAUSE, SERVICE_DOORS, Clocks, could_be_owed, started
from service.log.codec import stored_name
from service.log.folding import Folded, after_append, clocks_before
from service.log.recorded import Recorded
from service.record.reading import Faulty, RecordLine, RulesMissing, recorded
from service.rules.pace import LONGEST, Pace, is_public_zone
from service.rules.shared_events import (
    SHARED_EVENTS,
    ActionTakenBack,
    BudgetCut,
    ComputerSeated,
    GamePaused,
    GameResumed,
    PauseAgreed,
    PauseProposed,
    PauseWithdrawn,
    PlayerAway,
    PlayerBack,
    SeatHandedOver,
    SeatResigned,
    TimeGiven,
    TimeLapsed,
)

_NO_ZONE: Final = "the clock cannot be checked here: the time zone {!r} is not known"


def pace_of(header: RecordLine) -> Pace | None:
    """Return the pace of a record's header, None for a game without a clock; Faulty for an impossible pace.

    RulesMissing if the time zone is not known here.
    """
    if header.fields.get("pace") is None:
        return None
    try:
        pace = convert(header.fields["pace"], Pace)
    except ValidationError as error:
        raise Faulty(header.number, f"no table can have this pace: {error}") from None
    times = (pace.free, pace.bank, pace.credit, pace.cap)
    if not all(0 <= each <= LONGEST for each in times):
        raise Faulty(header.number, "no table can have this pace")
    if pace.weekdays is not None and not _is_zone(pace.weekdays):
        raise RulesMissing(_NO_ZONE.format(pace.weekdays))
    return pace


def require_public_zone(header: RecordLine) -> None:
    """Raise RulesMissing if a table's zone is known on this machine alone, such as `localtime`.

    The service plays on at such a table, by its own zone.
    """
    pace = pace_of(header)
    if pace is not None and pace.weekdays is not None and not is_public_zone(pace.weekdays):
        raise RulesMissing(_NO_ZONE.format(pace.weekdays))


def computers_of(header: RecordLine) -> Mapping[int, ComputerSeated]:
    """Return the computer players at the beginning of a game, by seat; Faulty if impossible."""
    found = [convert(each, ComputerSeated) for each in header.fields.get("computers", ())]
    seats = [each.seat for each in found]
    if seats != sorted(set(seats)) or not set(seats) < set(range(header.fields["seats"])):
        raise Faulty(header.number, "no table can have these computer players")
    return {each.seat: each for each in found}


def check_fact(line: RecordLine, event: Any, folded: Folded) -> None:
    """Raise Faulty for a fact of time that was impossible at its moment; other events pass."""
    if isinstance(event, SeatHandedOver):
        absent = frozenset[int]() if folded.clocks is None else folded.clocks.absent
        _must(line, event.seat in absent | set(folded.resigned), f"seat {event.seat} was its player's")
        return
    if isinstance(event, ComputerSeated):
        _must(line, event.seat not in folded.computers, f"seat {event.seat} was a computer player's")
        return
    if isinstance(event, BudgetCut):
        _must(line, event.seat in folded.computers, f"seat {event.seat} was no computer player's")
        return
    if type(event) not in _CHECKS:
        return
    if folded.clocks is None:
        raise Faulty(line.number, "the game has no clock")
    _CHECKS[type(event)](line, event, folded.clocks, folded.silent)


def check_door(line: RecordLine, folded: Folded) -> None:
    """Raise Faulty, in a game with a clock, for an action of a player's seat whose door names the wrong actor.

    An automaton's seat follows those of the players, and the service always plays it.
    """
    seat, door = line.fields["seat"], line.fields["door"]
    if folded.clocks is None or (seat is not None and seat >= len(folded.clocks.banks)):
        return
    if (door in SERVICE_DOORS) != (seat in folded.stood_in):
        raise Faulty(line.number, f"seat {seat} was played by another than its door says")
    if door == "timeout" and seat not in folded.clocks.lapsed:
        raise Faulty(line.number, f"the time of seat {seat} had not lapsed")


def check_consent(line: RecordLine, event: ActionTakenBack, folded: Folded, seats: int) -> None:
    """Raise Faulty for a take-back that needed consent, unless all players present have agreed (T-35)."""
    clocks = folded.clocks
    absent = frozenset[int]() if clocks is None else clocks.absent
    allowed = clocks is None or clocks.pace.take_back
    others = set(range(seats)) - {event.seat} - folded.silent - absent
    _must(line, allowed and others <= set(event.agreed) <= set(range(seats)), "not all have agreed to this taking back")


def _must(line: RecordLine, holds: bool, otherwise: str) -> None:
    if not holds:
        raise Faulty(line.number, otherwise)


def _lapsed(line: RecordLine, event: TimeLapsed, clocks: Clocks, _: frozenset[int]) -> None:
    deadline = clocks.deadline(event.seat)
    in_time = deadline is not None and deadline == event.deadline <= line.fields["at"]
    _must(line, in_time, f"the time of seat {event.seat} had not lapsed: its deadline is {deadline}")
    _must(line, event.ends == (clocks.pace.on_lapse == "end"), "the pace says otherwise what a lapse leads to")
    _must(line, event.decision == line.fields["decision"], "another decision was faced")


def _given(line: RecordLine, event: TimeGiven, clocks: Clocks, resigned: frozenset[int]) -> None:
    givers = set(range(len(clocks.banks))) - {event.seat} - resigned - clocks.absent
    if event.reason == "player":
        _must(line, event.by in givers and event.seconds == clocks.pace.free, "nobody could have given this time")
    else:
        _must(line, event.by is None and event.seconds > 0, "nobody could have given this time")
    _must(line, event.seat in clocks.waits, f"seat {event.seat} was not awaited")


def check_outage(line: RecordLine, event: TimeGiven, clocks: Clocks, goes: bool) -> None:
    """Raise Faulty for time given for an outage if no outage can have cost it; a record has no outages (T-15).

    `goes` is true if the next step says that the player is away: the time then ran before the log said so.
    """
    seat, at = event.seat, line.fields["at"]
    counted = clocks.used(seat, at) - clocks.waits[seat].used
    possible = event.seconds * 1000 <= counted + 1000 if goes else could_be_owed(clocks, seat, event.seconds, at)
    _must(line, possible, "no outage can have cost so much time")


def _away(line: RecordLine, event: PlayerAway, clocks: Clocks, _: frozenset[int]) -> None:
    length = event.until - line.fields["at"]
    allowed = clocks.pace.away and event.seat not in clocks.away and 0 < length <= LONGEST_ABSENCE * 1000
    _must(line, allowed, "such an absence is not allowed")


def _back(line: RecordLine, event: PlayerBack, clocks: Clocks, _: frozenset[int]) -> None:
    _must(line, event.seat in clocks.absent or event.seat in clocks.away, f"seat {event.seat} was there")


def _proposed(line: RecordLine, event: PauseProposed, clocks: Clocks, resigned: frozenset[int]) -> None:
    there = event.seat not in resigned | clocks.absent
    allowed = 0 < event.until - line.fields["at"] <= LONGEST_PAUSE * 1000
    _must(line, there and allowed and clocks.paused is None, "such a pause cannot be proposed")


def _agreed(line: RecordLine, event: PauseAgreed, clocks: Clocks, resigned: frozenset[int]) -> None:
    there, proposed = event.seat not in resigned | clocks.absent, clocks.proposed
    asked = proposed is not None and event.seat not in proposed.agreed
    _must(line, there and asked, f"seat {event.seat} was not asked for a pause")


def _withdrawn(line: RecordLine, event: PauseWithdrawn, clocks: Clocks, _: frozenset[int]) -> None:
    own = clocks.proposed is not None and clocks.proposed.seat == event.seat
    _must(line, own, f"seat {event.seat} had proposed no pause")


def _paused(line: RecordLine, event: GamePaused, clocks: Clocks, resigned: frozenset[int]) -> None:
    proposed, needed = clocks.proposed, set(range(len(clocks.banks))) - resigned - clocks.absent
    same = proposed is not None and (event.seat, event.until) == (proposed.seat, proposed.until)
    agreed = frozenset[int]() if proposed is None else proposed.agreed
    _must(line, same and needed <= agreed, "not all have agreed to this pause")


def _resumed(line: RecordLine, _: GameResumed, clocks: Clocks, _resigned: frozenset[int]) -> None:
    _must(line, clocks.paused is not None, "the game was not paused")


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


_CHECKS: Final[Mapping[type[Any], Callable[[RecordLine, Any, Clocks, frozenset[int]], None]]] = {
    TimeLapsed: _lapsed,
    TimeGiven: _given,
    PlayerAway: _away,
    PlayerBack: _back,
    PauseProposed: _proposed,
    PauseAgreed: _agreed,
    PauseWithdrawn: _withdrawn,
    GamePaused: _paused,
    GameResumed: _resumed,
}


# Deadlines computed from the record alone, without rules: the record names the seats that were asked (T-36).

_KINDS: Final[Mapping[str, type[Any]]] = {stored_name(kind): kind for kind in SHARED_EVENTS}


def check_deadlines(lines: Sequence[RecordLine]) -> str:
    """Return a sentence that confirms that no lapse came too early, and no time was given without a possible cause.

    The record has to be of a game with a clock, in the right order. Faulty; RulesMissing if the time zone is not known
    here.
    """
    header, steps = lines[0], [line for line in lines if line.kind == "step"]
    require_public_zone(header)
    pace = pace_of(header)
    assert pace is not None  # noqa: S101 # the record is one of a game with a clock
    asked = {line.fields["seq"]: line.fields["seats"] for line in lines if line.kind == "asked"}
    folded, to_act = Folded(computers=computers_of(header)), frozenset[int]()
    past: list[tuple[Clocks | None, Sequence[Recorded]]] = []
    lapses = 0
    for line, following in zip(steps, [*steps[1:], None], strict=True):
        made = recorded(line, [_event(line)])
        to_act = frozenset(asked.get(line.fields["seq"], to_act))
        past.append((folded.clocks, made))
        folded = _stepped(line, folded, made, past)
        if isinstance(event := made[0].event, TimeGiven) and event.by is None and folded.clocks is not None:
            check_outage(line, event, folded.clocks, _goes(following, event.seat))
        clocks = started(pace, header.fields["seats"]) if line is steps[0] else folded.clocks
        folded = replace(folded, clocks=after_append(clocks, made, to_act))
        lapses += isinstance(made[0].event, TimeLapsed)
    return f"no time lapsed before its deadline, and none was given that nobody gave; lapses: {lapses}"


def _goes(following: RecordLine | None, seat: int) -> bool:
    """Return whether a step says that the seat's player is away."""
    event = None if following is None else _event(following)
    return isinstance(event, PlayerAway) and event.seat == seat


def _event(line: RecordLine) -> Any:
    """Return the step's event outside the rules; None for an action, whose events say nothing about time."""
    first = line.fields["events"][0]
    kind = _KINDS.get(first["type"])
    if line.fields["action"] is not None or kind is None:
        return None
    try:
        return convert(first["data"], kind)
    except ValidationError as error:
        raise Faulty(line.number, f"its event is not complete: {error}") from None


def _stepped(
    line: RecordLine, folded: Folded, made: Sequence[Recorded], past: Sequence[tuple[Clocks | None, Sequence[Recorded]]]
) -> Folded:
    """Check a step against the clocks before it, and return the fold after it, without new clocks."""
    event = made[0].event
    if line.fields["action"] is not None:
        check_door(line, folded)
    check_fact(line, event, folded)
    if isinstance(event, SeatResigned):
        return replace(folded, resigned=(*folded.resigned, event.seat))
    if isinstance(event, SeatHandedOver):
        return replace(folded, resigned=tuple(seat for seat in folded.resigned if seat != event.seat))
    if isinstance(event, ComputerSeated):
        return replace(folded, computers={**folded.computers, event.seat: event})
    if isinstance(event, ActionTakenBack):
        if all(before[0].seq != event.first for _, before in past[1:]):
            raise Faulty(line.number, "what is taken back is no step")
        return replace(folded, clocks=clocks_before(past, event.first))
    return folded
