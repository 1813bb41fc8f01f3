"""Sentences for events and actions of a log or a record; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec import ValidationError, convert

from service.log.folding import TimelineStep
from service.log.recorded import Recorded, instant
from service.rules import shared_events as shared
from service.rules.kernel import AnyRuleset, GameStarted
from service.rules.shared_events import GameForked, SharedEvent
from service.texts.catalog import say
from service.texts.games import pace_text
from service.texts.when import day as day_text
from service.texts.when import duration_text, instant_text


def sentences(
    ruleset: AnyRuleset, names: Sequence[str], step: TimelineStep, viewer: int | None, language: str, zone: str = "UTC"
) -> tuple[str, ...]:
    """Return the sentences of a step, redacted for the viewer; `zone` as in `describe_event`."""
    texts = (describe_event(ruleset, names, each.event, viewer, language, zone) for each in own_events(step.facts))
    return tuple(text for text in texts if text)


def notation(ruleset: AnyRuleset, step: TimelineStep) -> str | None:
    """Return a step's action in the game's notation; None without an action, or if it is unreadable now."""
    action = sent_action(ruleset, step.facts[0])
    return None if action is None else ruleset.notate(action)


def own_events(recorded: Sequence[Recorded]) -> Sequence[Recorded]:
    """Return recorded events without those that a fork has copied from its original."""
    if not any(isinstance(each.event, GameForked) for each in recorded[:2]):
        return recorded
    return [each for each in recorded if each.seq <= 2 or each.seat is not None]


def describe_event(
    ruleset: AnyRuleset, names: Sequence[str], event: Any, viewer: int | None, language: str, zone: str = "UTC"
) -> str:
    """Return the sentence for an event, redacted for the viewer; also for a log outside the database.

    `zone` is the IANA name of the reader's time zone, for times in the sentence.
    """
    if isinstance(event, GameStarted):
        return say(language, "history-started")
    if isinstance(event, SharedEvent):
        return shared_sentence(event, names, language, zone)
    return ruleset.describe(event, viewer, language, names)


def sent_action(ruleset: AnyRuleset, recorded: Recorded) -> Any | None:
    """Return the action that caused an event; None without one, or if its stored form is unreadable now.

    The log keeps actions as sent, and a ruleset may have changed an action's fields since.
    """
    fields = dict(recorded.action or {})
    try:
        return convert(fields, ruleset.action_types[fields.pop("type")])
    except (KeyError, ValidationError):
        return None


# Sentences for the events that every game can have; pure.


def shared_sentence(event: Any, names: Sequence[str], language: str, zone: str) -> str:
    """Return the sentence for one of SHARED_EVENTS; times are in the IANA zone.

    `names` are those of the seats, then of an automaton.
    """
    key = _KEYS[type(event)]
    values: dict[str, object] = {}
    if hasattr(event, "seat"):
        values |= {"name": names[event.seat], "seat": event.seat + 1}
    if hasattr(event, "until"):
        until = instant(event.until)
        # No year is needed: the history shows when it happened, and none of these lasts a year.
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
