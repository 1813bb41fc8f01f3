"""Computes the clocks of a game anew from its record alone, without its rules: the record says who was asked (T-36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import ValidationError, convert
from msgspec.structs import replace

from service.log.clocked import after_append, rewound
from service.log.clocks import Clocks, started
from service.log.codec import stored_name
from service.log.folding import Folded
from service.log.recorded import Recorded
from service.record.reading import Faulty, RecordLine, recorded
from service.record.timing import check_door, check_fact, check_outage, computers_of, pace_of, require_public_zone
from service.rules.shared_events import (
    SHARED_EVENTS,
    ActionTakenBack,
    ComputerSeated,
    PlayerAway,
    SeatHandedOver,
    SeatResigned,
    TimeGiven,
    TimeLapsed,
)

_KINDS: Final[Mapping[str, type[Any]]] = {stored_name(kind): kind for kind in SHARED_EVENTS}


def check_deadlines(lines: Sequence[RecordLine]) -> str:
    """Return in words that no lapse came too early, and that no time was given that nobody gave.

    Faulty; RulesMissing where the time zone is not known here.

    The record is one of a game with a clock, in the right order.
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
    """Return whether a step says that the player of the seat is away."""
    event = None if following is None else _event(following)
    return isinstance(event, PlayerAway) and event.seat == seat


def _event(line: RecordLine) -> Any:
    """Return what a step did outside the rules; an action's own events tell nothing of the time."""
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
    """Check a step against the clocks before it, and return who has resigned after it."""
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
        return replace(folded, clocks=rewound(past, event.first))
    return folded
