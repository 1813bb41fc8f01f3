"""The sentences for the events that every game can have; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from service.log.recorded import instant
from service.rules import shared_events as shared
from service.texts.catalog import say
from service.texts.games import pace_text
from service.texts.when import day as day_text
from service.texts.when import duration_text, instant_text


def shared_sentence(event: Any, names: Sequence[str], language: str, zone: str) -> str:
    """Return the sentence for one of SHARED_EVENTS; instants in it are in the IANA zone.

    `names` are those of the seats, of an automaton's too.
    """
    key = _KEYS[type(event)]
    values: dict[str, object] = {}
    if hasattr(event, "seat"):
        values |= {"name": names[event.seat], "seat": event.seat + 1}
    if hasattr(event, "until"):
        until = instant(event.until)
        # The history says when it happened, and none of these lasts a year.
        values["until"] = instant_text(language, zone, until, until)
    if isinstance(event, shared.GameForked):
        values["seq"] = event.seq
    elif isinstance(event, shared.PaceSet):
        values["pace"] = pace_text(language, event.pace)
    elif isinstance(event, shared.DealSet):
        values["day"] = day_text(date.fromisoformat(event.day), language)
    elif isinstance(event, shared.TimeGiven):
        by = "" if event.by is None else names[event.by]
        values |= {"by": by, "duration": duration_text(language, event.seconds)}
    return say(language, f"history-{key if isinstance(key, str) else key(event)}", **values)


_KEYS: Final[Mapping[type[Any], str | Callable[[Any], str]]] = {
    shared.GameForked: "forked",
    shared.SeatResigned: lambda event: "ended" if event.ends else "resigned",
    shared.SomethingSaid: "said",
    shared.ActionTakenBack: lambda event: "taken-back-agreed" if event.agreed else "taken-back",
    shared.PaceSet: "pace",
    shared.DealSet: "deal",
    shared.TimeLapsed: lambda event: "lapsed-end" if event.ends else "lapsed",
    shared.TimeGiven: lambda event: "time-given-outage" if event.by is None else "time-given",
    shared.PlayerAway: "away",
    shared.PlayerBack: "back",
    shared.PauseProposed: "pause-proposed",
    shared.PauseAgreed: "pause-agreed",
    shared.PauseWithdrawn: "pause-withdrawn",
    shared.GamePaused: "paused",
    shared.GameResumed: "resumed",
    shared.SeatHandedOver: "handed-over",
    shared.ComputerSeated: "computer-seated",
    shared.HintTaken: "hint",
    shared.BudgetCut: "budget-cut",
}
