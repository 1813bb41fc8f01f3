"""The sentences for the events and actions of a log, of a game in the database or of a record; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import ValidationError, convert

from service.log.recorded import Recorded
from service.log.timeline import TimelineStep
from service.rules.kernel import AnyRuleset, GameStarted
from service.rules.shared_events import SHARED_EVENTS, ActionTakenBack, GameForked, SeatResigned
from service.texts.catalog import say


def sentences(
    ruleset: AnyRuleset, names: Sequence[str], step: TimelineStep, viewer: int | None, language: str
) -> tuple[str, ...]:
    """Return in words what has happened in a step, as the viewer may know it."""
    texts = (describe_event(ruleset, names, each.event, viewer, language) for each in own_events(step.facts))
    return tuple(text for text in texts if text)


def notation(ruleset: AnyRuleset, step: TimelineStep) -> str | None:
    """Return the action of a step in the game's notation; None if there was none, or none that it still has."""
    action = sent_action(ruleset, step.facts[0])
    return None if action is None else ruleset.notate(action)


def own_events(recorded: Sequence[Recorded]) -> Sequence[Recorded]:
    """Return a stretch of the log without the events that a fork has copied from the game it was forked from."""
    if not any(isinstance(each.event, GameForked) for each in recorded[:2]):
        return recorded
    return [each for each in recorded if each.seq <= 2 or each.seat is not None]


def describe_event(ruleset: AnyRuleset, names: Sequence[str], event: Any, viewer: int | None, language: str) -> str:
    """Return the sentence for an event, as the viewer may know it; also for a log that is not in the database."""
    if isinstance(event, GameStarted):
        return say(language, "history-started")
    if isinstance(event, GameForked):
        return say(language, "history-forked", seq=event.seq)
    if isinstance(event, SHARED_EVENTS):
        return say(language, f"history-{_text_key(event)}", name=names[event.seat])
    return ruleset.describe(event, viewer, language, names)


def sent_action(ruleset: AnyRuleset, recorded: Recorded) -> Any | None:
    """Return the action that caused an event; None if there was none, or if its stored form is no longer readable.

    The log keeps actions as they were sent, and a ruleset may have changed the fields of an action since.
    """
    fields = dict(recorded.action or {})
    try:
        return convert(fields, ruleset.action_types[fields.pop("type")])
    except (KeyError, ValidationError):
        return None


def _text_key(event: Any) -> str:
    if isinstance(event, SeatResigned):
        return "ended" if event.ends else "resigned"
    return "taken-back" if isinstance(event, ActionTakenBack) else "said"
